#ifndef PROBITY_MATH
#define PROBITY_MATH
#define M_PI 3.14159265358979323846
#define M_E 2.7182818284590452354
#define HUGE_VAL (1e308 * 10)
#define INFINITY (1e38f * 10)
#define NAN (0.0f / 0.0f)
double acos(double x); double asin(double x); double atan(double x); double atan2(double y, double x);
double cbrt(double x); double ceil(double x); double cos(double x); double cosh(double x);
double exp(double x); double fabs(double x); double floor(double x); double fmod(double x, double y);
double fmax(double x, double y); double fmin(double x, double y); double hypot(double x, double y);
double log(double x); double log10(double x); double log2(double x); double pow(double x, double y);
double round(double x); double sin(double x); double sinh(double x); double sqrt(double x);
double tan(double x); double tanh(double x); double trunc(double x);
float cosf(float x); float expf(float x); float fabsf(float x); float floorf(float x); float powf(float x, float y);
float sinf(float x); float sqrtf(float x); float roundf(float x); float ceilf(float x); float logf(float x);
long lround(double x); long lrint(double x); int isnan(double x); int isinf(double x);
#endif
