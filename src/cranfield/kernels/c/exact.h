/* Sums that are rounded once, so that the order of what is added never shows.

   Three doubles hold nearly every sum exactly: each addition leaves an error that is a double itself
   (Knuth's TwoSum); the errors add up in the second, and what that leaves in the third. What they
   cannot hold goes into a long fixed-point number that holds every sum of doubles (Neal 2015, "Fast
   exact summation using small and large superaccumulators"). */
#ifndef CRANFIELD_EXACT_H
#define CRANFIELD_EXACT_H
#include <math.h>
#include <stddef.h>
#include <stdint.h>

/* Chunk i counts units of 2^(32·i − 1074); neighbours overlap, so that carries can wait. */
enum { CHUNKS = 67, CARRY_AFTER = 1000 };

/* Every sum of doubles. All zeros is 0. */
typedef struct {
    int64_t chunks[CHUNKS];
    int64_t waiting;                 /* additions since carries were passed on */
    int64_t not_numbers, above, below; /* how many NaN, ∞ and −∞ were added */
} Fixed;

void fixed_add(Fixed *sum, double value);

/* Adds neighbouring numbers (sums.c). */
void fixed_add_all(Fixed *sum, const double *values, ptrdiff_t length);

/* The double nearest to the sum, of two the even one; 0 is positive. */
double fixed_round(Fixed *sum);

/* The long number stands elsewhere, so that the three doubles can stay in registers. */
typedef struct {
    double high, middle, low;
    Fixed *rest;
    int spilled; /* whether `rest` holds something; else it was never written */
} Sum;

#define NEW_SUM(name)  \
    Fixed name##_rest; \
    Sum name = {0.0, 0.0, 0.0, &name##_rest, 0}

/* Adds a number to the long one, which is cleared at its first use. */
void spill(Fixed *rest, int spilled, double value);

/* The double nearest to three doubles and the long number. */
double round_all(const double parts[3], Fixed *rest, int spilled);

static inline void sum_clear(Sum *sum) {
    sum->high = sum->middle = sum->low = 0.0;
    sum->spilled = 0;
}

/* a + b = *sum + the result, exactly, unless something overflows. */
static inline double two_sum(double a, double b, double *sum) {
    const double s = a + b, t = s - a;
    *sum = s;
    return (a - (s - t)) + (b - t);
}

static inline void sum_add(Sum *sum, double value) {
    double high, middle, low = sum->low;
    const double error = two_sum(sum->high, value, &high);
    const double second = two_sum(sum->middle, error, &middle);
    if (second != 0.0) {
        const double lost = two_sum(sum->low, second, &low);
        if (lost != 0.0) {
            /* Overflow leaves no number: then the value itself goes to the long one. */
            spill(sum->rest, sum->spilled, isfinite(lost) ? lost : value);
            sum->spilled = 1;
            if (!isfinite(lost)) return;
        }
    }
    sum->high = high;
    sum->middle = middle;
    sum->low = low;
}

static inline double sum_round(const Sum *sum) {
    /* Two doubles are rounded by adding them; 0 is positive, whatever was added. */
    if (!sum->spilled && sum->low == 0.0) return sum->high + sum->middle + 0.0;
    const double parts[] = {sum->high, sum->middle, sum->low};
    return round_all(parts, sum->rest, sum->spilled);
}

/* Adds to one of `size` sums, whose three doubles stand in arrays one after the other. What these
   cannot hold is 2^150 times smaller than the largest number added, and is left out. */
static inline void add_at(double *sums, ptrdiff_t size, ptrdiff_t at, double value) {
    const double error = two_sum(sums[at], value, sums + at);
    sums[2 * size + at] += two_sum(sums[size + at], error, sums + size + at);
}

/* *product + the result = a·b, exactly (Dekker 1971); where the product is too small to have an
   error, or a factor too large to be split, the result is 0: sums.py has the same bounds. */
static inline double two_product(double a, double b, double *product) {
    *product = a * b;
    if (!(fabs(a) < 0x1p995 && fabs(b) < 0x1p995 && fabs(*product) > 0x1p-960)) return 0.0;
    const double split = 0x1p27 + 1.0;
    const double p = split * a, q = split * b;
    const double a_high = p - (p - a), b_high = q - (q - b);
    const double a_low = a - a_high, b_low = b - b_high;
    return ((a_high * b_high - *product) + a_high * b_low + a_low * b_high) + a_low * b_low;
}

#endif
