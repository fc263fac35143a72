// expect: holds
int ask(void);
int main(void)
{
    int d = ask(), sum = 0;
    while (d > 0) {
        sum = 1000 / d;
        d--;
    }
    return sum > 0;
}
