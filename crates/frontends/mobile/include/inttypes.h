#ifndef PROBITY_INTTYPES
#define PROBITY_INTTYPES
#include <stdint.h>
#define PRId8 "d"
#define PRId16 "d"
#define PRId32 "d"
#define PRId64 "ld"
#define PRIi32 "i"
#define PRIu8 "u"
#define PRIu16 "u"
#define PRIu32 "u"
#define PRIu64 "lu"
#define PRIx8 "x"
#define PRIx16 "x"
#define PRIx32 "x"
#define PRIx64 "lx"
#define PRIX32 "X"
#define PRIuPTR "lu"
#define SCNd32 "d"
#define SCNu32 "u"
#define SCNu64 "lu"
#define SCNx32 "x"
#endif
