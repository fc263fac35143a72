// expect: holds
static int *counter(void)
{
    static int count;
    return &count;
}
int main(void)
{
    int *p = counter();
    if (*p < 10)
        ++*p;
    return *p;
}
