// expect: fails rule-1
// policy: deny to public { permission function open_at "ad" }
// The text is put together byte by byte.
int open_at(const char *path);
int ask(void);
int main(void)
{
    char text[3];
    text[0] = 'a';
    text[1] = (char)ask();
    text[2] = 0;
    return open_at(text);
}
