#ifndef PROBITY_STDBOOL
#define PROBITY_STDBOOL
#define bool _Bool
#define true 1
#define false 0
#endif
