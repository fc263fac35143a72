#ifndef PROBITY_DLFCN
#define PROBITY_DLFCN
#define RTLD_LAZY 1
#define RTLD_NOW 2
void *dlopen(const char *path, int flags);
void *dlsym(void *library, const char *name);
int dlclose(void *library);
char *dlerror(void);
#endif
