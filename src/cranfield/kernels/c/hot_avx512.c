/* The hot loops for x86 machines with AVX-512. */
#include "hot.h"
#ifdef CRANFIELD_X86
#define WIDE
#define VECTOR_BITS 512
#define TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,bmi,bmi2,popcnt")))
#define SET hot_avx512
#define SET_NAME "avx512"
#include "hot.inc"
#endif
