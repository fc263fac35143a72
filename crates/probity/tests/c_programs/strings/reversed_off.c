// expect: fails index
char ask(void);
int main(void)
{
    char a[5], b[5];
    for (int i = 0; i < 5; i++)
        a[i] = ask();
    for (int i = 0; i < 5; i++)
        b[5 - i] = a[i];
    return b[1];
}
