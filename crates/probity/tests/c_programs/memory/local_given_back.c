// expect: fails dangling
// The address of a variable outlives its function.
static int *counter(void)
{
    int count = 0;
    int *p = &count;
    return p;
}
int main(void)
{
    int *p = counter();
    return *p;
}
