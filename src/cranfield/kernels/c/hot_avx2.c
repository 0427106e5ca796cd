/* The hot loops for x86 machines with AVX2. */
#include "hot.h"
#ifdef CRANFIELD_X86
#define VECTOR_BITS 256
#define TARGET __attribute__((target("avx2,bmi,bmi2,popcnt")))
#define SET hot_avx2
#define SET_NAME "avx2"
#include "hot.inc"
#endif
