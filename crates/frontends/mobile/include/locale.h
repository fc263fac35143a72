#ifndef PROBITY_LOCALE
#define PROBITY_LOCALE
#define LC_ALL 6
char *setlocale(int category, const char *locale);
#endif
