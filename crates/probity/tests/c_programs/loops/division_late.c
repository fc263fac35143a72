// expect: fails division
int ask(void);
int main(void)
{
    int d = ask(), sum = 0;
    if (d < 0)
        return 0;
    do {
        sum = 1000 / d;
        d--;
    } while (d > 0);
    return sum > 0;
}
