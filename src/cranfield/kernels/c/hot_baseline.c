/* The hot loops for any machine. */
#define TARGET
#define SET hot_baseline
#define SET_NAME "baseline"
#include "hot.inc"
