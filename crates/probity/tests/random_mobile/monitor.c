/* Runs compiled programs on random inputs and schedules, with a monitor around the functions outside.
 *
 * Each run begins from the same memory. Threads are coroutines that are switched at basic blocks. What
 * goes wrong is kept for each program as a set of bits; the last lines of this file say how it is told.
 * The handlers below take the place of the library of the sanitizer of undefined behaviour. */
#define _GNU_SOURCE
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

struct permission { const char *function, *text; int prefix, position; };
struct rule {
    const char *to[3];          /* "air0", "air1*"; none: anybody */
    const char *code_base, *code_origin;
    struct permission permissions[3];
};
struct provenance { const char *thread, *site, *agent, *origin, *code_base; };
struct program {
    void (*run)(void);
    int has_net;
    struct rule rules[3];
    struct provenance threads[3]; /* the first is about all code */
};
extern struct program programs[];
extern int program_count;

enum { ASSERTION = 8, DIVISION, OVERFLOW, SHIFT, INDEX, NULLED, DANGLING, CRASH };
enum { THREADS = 5, STACK = 1 << 16, FUEL = 6000 };
static const char *const SITES[] = { "airc", "air0", "air1", "bad" };
static const char *const TEXTS[] = { "", "a", "ab", "bad", "/etc/x", "air0", "air1", "airc", "abc", "/etc/", "b", "x", "/tmp" };
static const int NUMBERS[] = { 0, 1, 2, 3, 4, 5, 7, 8, -1, -2, 97, 98, 100, 127, 128, 255, 256, -128, 2147483647, -2147483647 - 1, 65536 };

struct agent { const char *site, *agent, *origin, *code_base; int known; };
struct thread { ucontext_t context; struct agent agent; void *(*start)(void *); void *argument; int ended; };
/* All that must survive a run: it is in memory of its own. */
static struct shared {
    uint32_t found;             /* bits: rules, then kinds */
    uint64_t seeds[32];         /* the run that first showed each of them */
    uint64_t run, random;
    int program, current, count, fuel;
    struct thread threads[THREADS];
    int *remembered[8];
    int remembers;
    char texts[16][16];
    ucontext_t back;
} *the;
static char *stacks;
extern char __data_start, _end;
static char *image;

void __asan_unpoison_memory_region(void const volatile *, size_t);
int __asan_address_is_poisoned(void const volatile *);
const char *__asan_get_report_description(void);

static uint64_t number(void)
{
    uint64_t z = the->random += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}
static unsigned below(unsigned n) { return number() % n; }

static void found(int what)
{
    if (!(the->found >> what & 1))
        the->seeds[what] = the->run;
    the->found |= 1u << what;
}
static void end_run(void) { setcontext(&the->back); }
static void fatal(int what) { found(what); end_run(); }

/* Undefined behaviour, as the compiler reports it. */
#define HANDLER(name, what) \
    void __ubsan_handle_##name(void *data, void *a, void *b) { (void)data; (void)a; (void)b; what; }
HANDLER(add_overflow, found(OVERFLOW))
HANDLER(sub_overflow, found(OVERFLOW))
HANDLER(mul_overflow, found(OVERFLOW))
HANDLER(negate_overflow, found(OVERFLOW))
HANDLER(divrem_overflow, fatal((int)(intptr_t)b == 0 ? DIVISION : OVERFLOW))
HANDLER(shift_out_of_bounds, fatal(SHIFT))
HANDLER(out_of_bounds, fatal(INDEX))
HANDLER(type_mismatch_v1, fatal(a ? INDEX : NULLED))

void __asan_on_error(void)
{
    const char *what = __asan_get_report_description();
    found(strstr(what, "use-after") ? DANGLING : INDEX);
    _exit(3);
}

/* Threads. */
static void switch_to(int next)
{
    int from = the->current;
    the->current = next;
    if (from != next)
        swapcontext(&the->threads[from].context, &the->threads[next].context);
}
static void give_way(void)
{
    if (--the->fuel < 0)
        end_run();
    int next = below(the->count);
    if (!the->threads[next].ended)
        switch_to(next);
}
void __sanitizer_cov_trace_pc(void)
{
    if (!the)
        return;                 /* constructors */
    if (the->count > 1 && below(4) == 0)
        give_way();
    else if (--the->fuel < 0)
        end_run();
}
static void end_thread(void)
{
    the->threads[the->current].ended = 1;
    if (the->current == 0)
        end_run();
    for (;;)
        give_way();
}
static void entry(void)
{
    struct thread *own = &the->threads[the->current];
    if (own->start)
        own->start(own->argument);
    else
        programs[the->program].run();
    end_thread();
}
static struct agent new_agent(const char *name)
{
    struct program *program = &programs[the->program];
    struct provenance *general = &program->threads[0];
    struct agent agent = { general->site, general->agent, general->origin, general->code_base, 1 };
    if (!program->has_net) {
        unsigned site = below(6), origin = below(6);
        agent.site = site < 4 ? SITES[site] : site == 4 ? NULL : "elsewhere";
        agent.agent = "";
        agent.origin = origin < 4 ? SITES[origin] : origin == 4 ? "airc:a0" : "elsewhere";
        agent.code_base = below(2) ? "10.0.0.1" : "10.0.0.9";
    }
    for (int at = 1; at < 3; at++) {
        struct provenance *line = &program->threads[at];
        if (!line->thread || strcmp(line->thread, name) != 0)
            continue;
        if (line->site) {
            agent.site = line->site;
            agent.agent = line->agent;
        }
        if (line->origin)
            agent.origin = line->origin;
        if (line->code_base)
            agent.code_base = line->code_base;
    }
    return agent;
}
static void begin(const char *name, void *(*start)(void *), void *argument)
{
    struct thread *new = &the->threads[the->count];
    char *stack = stacks + the->count * STACK;
    new->agent = new_agent(name);
    new->start = start;
    new->argument = argument;
    new->ended = 0;
    getcontext(&new->context);
    new->context.uc_stack.ss_sp = stack;
    new->context.uc_stack.ss_size = STACK;
    new->context.uc_link = NULL;
    makecontext(&new->context, entry, 0);
    the->count++;
}
int prog_create(unsigned *handle, const int *how, void *(*start)(void *), void *argument, const char *name)
{
    (void)how;
    if (the->count == THREADS || below(8) == 0)
        return 11;
    *handle = the->count;
    begin(name, start, argument);
    if (below(2))
        give_way();
    return 0;
}
int prog_join(unsigned handle, void **result)
{
    (void)result;
    if (handle >= (unsigned)the->count)
        return 3;
    while (!the->threads[handle].ended)
        give_way();
    return 0;
}
int prog_lock(int *mutex)
{
    while (*mutex)
        give_way();
    *mutex = 1;
    return 0;
}
int prog_unlock(int *mutex)
{
    *mutex = 0;
    return 0;
}

/* Texts: what is no memory of the program ends a comparison. */
static int readable(const char *at) { return (uintptr_t)at > 65536 && !__asan_address_is_poisoned(at); }
static int matches(const char *text, const char *with, int prefix)
{
    for (;; text++, with++) {
        if (prefix && !*with)
            return 1;
        if (!readable(text) || *text != *with)
            return 0;
        if (!*with)
            return 1;
    }
}
int prog_strcmp(const char *a, const char *b)
{
    if ((uintptr_t)a < 4096 || (uintptr_t)b < 4096)
        fatal(NULLED);
    for (;; a++, b++) {
        if (!readable(a) || !readable(b))
            end_run();
        if (*a != *b)
            return *a < *b ? -1 : 1;
        if (!*a)
            return 0;
    }
}

/* The policy. */
static const char *site_of(const char *path, char *buffer)
{
    strcpy(buffer, path);
    buffer[strcspn(buffer, ":")] = 0;
    return buffer;
}
static int is_remote(struct agent *agent)
{
    char site[32];
    return !agent->site || strcmp(site_of(agent->origin, site), agent->site) != 0;
}
static int ends_with(const char *path, const char *end)
{
    size_t a = strlen(path), b = strlen(end);
    return a >= b && strcmp(path + a - b, end) == 0 && (a == b || path[a - b - 1] == ':');
}
static int is_at(const char *subject, struct agent *agent)
{
    char name[32];
    int subtree = subject[strlen(subject) - 1] == '*';
    strcpy(name, subject);
    if (subtree)
        name[strlen(name) - 1] = 0;
    char inner[32];
    strcpy(inner, agent->agent);
    char *own = strchr(inner, ':');     /* an agent in a host in a site */
    if (own) {
        *own++ = 0;
        if (!strcmp(name, own) || !strcmp(name, inner))
            return 1;
        return subtree && agent->site && !strcmp(name, agent->site);
    }
    return !strcmp(name, inner) || agent->site && !strcmp(name, agent->site);
}
static void monitor(const char *function, const char *first, const char *second)
{
    struct agent *agent = &the->threads[the->current].agent;
    for (int at = 0; at < 3; at++) {
        struct rule *rule = &programs[the->program].rules[at];
        int about = !rule->to[0];
        for (int to = 0; to < 3 && rule->to[to]; to++)
            about |= is_at(rule->to[to], agent);
        if (rule->code_base)
            about &= !strcmp(rule->code_base, agent->code_base);
        if (rule->code_origin)
            about &= strcmp(rule->code_origin, "remote") ? ends_with(agent->origin, rule->code_origin)
                                                         : is_remote(agent);
        for (int p = 0; p < 3 && about; p++) {
            struct permission *permission = &rule->permissions[p];
            if (!permission->function || strcmp(permission->function, function))
                continue;
            int denied = !permission->text;
            const char *arguments[2] = { first, second };
            for (int number = 0; number < 2 && !denied; number++)
                if (arguments[number] && (!permission->position || permission->position == number + 1))
                    denied |= matches(arguments[number], permission->text, permission->prefix);
            if (denied)
                found(at);
        }
    }
}

/* Functions outside. */
int in_int(void)
{
    unsigned kind = below(8);
    return kind < 4 ? (int)below(5) : kind < 7 ? NUMBERS[below(sizeof NUMBERS / sizeof *NUMBERS)] : (int)number();
}
unsigned in_uint(void) { return in_int(); }
long in_long(void) { return below(2) ? in_int() : (long)number(); }
const char *in_text(void)
{
    unsigned text = below(16);
    return text < sizeof TEXTS / sizeof *TEXTS ? the->texts[text] : NULL;
}
void act(int n) { (void)n; monitor("act", NULL, NULL); }
int send(const char *text, int n)
{
    (void)n;
    monitor("send", text, NULL);
    return in_int();
}
int open_at(const char *path, const char *mode)
{
    monitor("open_at", path, mode);
    return in_int();
}
int connect_to_location(const char *location)
{
    monitor("connect_to_location", location, NULL);
    return in_int();
}
static void write_some(int *at)
{
    for (; readable((char *)at) && readable((char *)at + 3); at++) {
        if (below(2))
            *at = in_int();
        if (below(2))
            break;
    }
}
void mangle(int *at)
{
    monitor("mangle", NULL, NULL);
    if (the->remembers < 8)
        the->remembered[the->remembers++] = at;
    for (int which = 0; which < the->remembers; which++)
        if (below(2))
            write_some(the->remembered[which]);
}
int remote(void) { return is_remote(&the->threads[the->current].agent); }
void go_in(const char *location)
{
    struct agent *agent = &the->threads[the->current].agent;
    monitor("go_in", location, NULL);
    for (int site = 0; site < 4 && !agent->site; site++)
        if (readable(location) && matches(location, SITES[site], 0)) {
            agent->site = SITES[site];
            return;
        }
    for (;;)
        give_way();
}
void go_out(const char *location)
{
    struct agent *agent = &the->threads[the->current].agent;
    monitor("go_out", location, NULL);
    if (agent->site && readable(location) && matches(location, agent->site, 0)) {
        agent->site = NULL;
        return;
    }
    for (;;)
        give_way();
}
void __probity_assert(int holds)
{
    if (!holds)
        fatal(ASSERTION);
}
void prog_exit(int status)
{
    (void)status;
    end_run();
}

static void copy(char *to, const char *from, size_t size)
{
    for (size_t at = 0; at < size; at += 8)
        *(volatile uint64_t *)(to + at) = *(volatile const uint64_t *)(from + at);
}
static void run(void)
{
    char *first = (char *)((uintptr_t)&__data_start + 7 & ~7ul);
    copy(first, image, (size_t)(&_end - first) & ~7ul);
    the->random = the->run * 0x9e3779b97f4a7c15 + the->program;
    __asan_unpoison_memory_region(stacks, THREADS * STACK);
    for (size_t at = 0; at < THREADS * STACK; at += 8)
        *(volatile uint64_t *)(stacks + at) = below(4) ? 0 : number();
    for (unsigned text = 0; text < sizeof TEXTS / sizeof *TEXTS; text++)
        strcpy(the->texts[text], TEXTS[text]);
    the->current = the->count = the->remembers = 0;
    the->fuel = FUEL;
    begin("main", NULL, NULL);
    volatile int done = 0;
    getcontext(&the->back);
    if (done)
        return;
    done = 1;
    setcontext(&the->threads[0].context);
}

int main(int count, char **arguments)
{
    uint64_t runs = count > 1 ? strtoull(arguments[1], NULL, 10) : 100;
    the = mmap(NULL, sizeof *the, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    stacks = mmap(NULL, THREADS * STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    size_t size = (size_t)(&_end - &__data_start);
    image = mmap(NULL, size + 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    char *first = (char *)((uintptr_t)&__data_start + 7 & ~7ul);
    copy(image, first, (size_t)(&_end - first) & ~7ul);
    for (int program = 0; program < program_count; program++) {
        memset(the, 0, sizeof *the);
        the->program = program;
        /* A process dies at each report of the sanitizer of addresses. */
        for (int deaths = 0; the->run < runs && deaths < 10; deaths++) {
            pid_t child = fork();
            if (child == 0) {
                for (; the->run < runs; the->run++)
                    run();
                _exit(0);
            }
            int status;
            waitpid(child, &status, 0);
            if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
                break;
            /* The report was noted; anything else is a crash. */
            if (!(WIFEXITED(status) && WEXITSTATUS(status) == 3))
                found(CRASH);
            the->run++;
        }
        /* The program's number, and for each bit that was found the run that shows it. */
        printf("%d", program);
        for (int what = 0; what < 32; what++)
            if (the->found >> what & 1)
                printf(" %d:%llu", what, (unsigned long long)the->seeds[what]);
        printf("\n");
        fflush(stdout);
    }
    return 0;
}
