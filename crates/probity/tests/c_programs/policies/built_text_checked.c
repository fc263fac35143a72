// expect: holds
// policy: deny to public { permission function open_at "ad" }
int open_at(const char *path);
int ask(void);
int main(void)
{
    char text[3];
    text[0] = 'a';
    text[1] = (char)ask();
    text[2] = 0;
    if (text[1] == 'd')
        return 1;
    return open_at(text);
}
