/* The long fixed-point number behind sums that are rounded once: see exact.h. */
#include "exact.h"

#include <string.h>

enum { CHUNK_BITS = 32, LEAST_EXPONENT = -1074 };

#define LOW_BITS (((int64_t)1 << CHUNK_BITS) - 1)

/* Leaves all chunks but the last within [0, 2^32). */
static void carry(Fixed *sum) {
    for (int i = 0; i + 1 < CHUNKS; i++) {
        const int64_t low = sum->chunks[i] & LOW_BITS;
        sum->chunks[i + 1] += (sum->chunks[i] - low) / (LOW_BITS + 1);
        sum->chunks[i] = low;
    }
    sum->waiting = 0;
}

void fixed_add(Fixed *sum, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    const int64_t exponent = (int64_t)(bits >> 52 & 0x7ff);
    uint64_t digits = bits & (((uint64_t)1 << 52) - 1);
    if (exponent == 0x7ff) {
        sum->not_numbers += digits != 0;
        sum->above += digits == 0 && value > 0;
        sum->below += digits == 0 && value < 0;
        return;
    }
    if (exponent) digits |= (uint64_t)1 << 52;
    const int64_t place = exponent ? exponent - 1 : 0;
    const int shift = (int)(place % CHUNK_BITS);
    const int64_t low = (int64_t)(digits << shift & (uint64_t)LOW_BITS);
    const int64_t high = (int64_t)(digits >> (CHUNK_BITS - shift));
    int64_t *chunk = sum->chunks + place / CHUNK_BITS;
    chunk[0] += value < 0 ? -low : low;
    chunk[1] += value < 0 ? -high : high;
    if (++sum->waiting == CARRY_AFTER) carry(sum);
}

double fixed_round(Fixed *sum) {
    if (sum->not_numbers || (sum->above && sum->below)) return NAN;
    if (sum->above || sum->below) return sum->above ? INFINITY : -INFINITY;
    carry(sum);
    const int negative = sum->chunks[CHUNKS - 1] < 0;
    if (negative) {
        for (int i = 0; i < CHUNKS; i++) sum->chunks[i] = -sum->chunks[i];
        carry(sum);
    }
    int top = CHUNKS - 1;
    while (top >= 0 && sum->chunks[top] == 0) top--;
    if (top < 0) return 0.0;
    /* The 64 bits from the highest one on, what the last of them is worth, and whether more follow. */
    const uint64_t next = top > 0 ? (uint64_t)sum->chunks[top - 1] : 0;
    const uint64_t third = top > 1 ? (uint64_t)sum->chunks[top - 2] : 0;
    uint64_t digits = (uint64_t)sum->chunks[top] << CHUNK_BITS | next;
    int exponent = CHUNK_BITS * (top - 1) + LEAST_EXPONENT, more = 0, empty = 0;
    while (!(digits >> 63)) {
        digits <<= 1;
        empty++;
    }
    if (empty) digits |= third >> (CHUNK_BITS - empty);
    exponent -= empty;
    more = (third << empty & (uint64_t)LOW_BITS) != 0;
    for (int i = 0; i < top - 2; i++) more |= sum->chunks[i] != 0;
    /* 53 of them stay, or as many as are worth 2^-1074 or more. */
    const int drop = exponent + 11 < LEAST_EXPONENT ? LEAST_EXPONENT - exponent : 11;
    const uint64_t half = (uint64_t)1 << (drop - 1), dropped = digits & (half + (half - 1));
    uint64_t rounded = digits >> drop;
    rounded += dropped > half || (dropped == half && (more || (rounded & 1)));
    const double size = ldexp((double)rounded, exponent + drop);
    return negative ? -size : size;
}

void spill(Fixed *rest, int spilled, double value) {
    if (!spilled) memset(rest, 0, sizeof *rest);
    fixed_add(rest, value);
}

double round_all(const double parts[3], Fixed *rest, int spilled) {
    for (int i = 0; i < 3; i++, spilled = 1) spill(rest, spilled, parts[i]);
    return fixed_round(rest);
}
