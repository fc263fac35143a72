#ifndef PROBITY_ASSERT
#define PROBITY_ASSERT
void __probity_assert(int);
#define assert(condition) __probity_assert(!!(condition))
#endif
