// expect: fails index
// There is no room for the zero at the end.
int main(void)
{
    const char *from = "route";
    char to[5];
    int i = 0;
    do
        to[i] = from[i];
    while (from[i++]);
    return 0;
}
