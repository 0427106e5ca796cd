/* Digits in text, eight at a time, and powers of ten. */
#ifndef CRANFIELD_DIGITS_H
#define CRANFIELD_DIGITS_H
#include <stdint.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { MOST_EXACT = 22 }; /* 10^22 is the last power of ten that is a double */

static const double TENS[MOST_EXACT + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                            1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                            1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
static const uint64_t WHOLE_TENS[9] = {1,      10,      100,      1000,     10000,
                                       100000, 1000000, 10000000, 100000000};

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && defined(__GNUC__)
#define EIGHT_AT_ONCE
/* How many of eight characters, from the first on, are digits; `value` becomes their values. */
static inline int leading_digits(uint64_t *value) {
    uint64_t v = *value ^ 0x3030303030303030u; /* a digit becomes 0 … 9 */
    uint64_t others = (((v & 0x7F7F7F7F7F7F7F7Fu) + 0x7676767676767676u) | v) & 0x8080808080808080u;
    *value = v;
    return others ? __builtin_ctzll(others) >> 3 : 8;
}

/* Eight digit values, the first in the lowest byte, as one number: pairs, fours, all. */
static inline uint64_t eight_digits(uint64_t v) {
    v = (v * 10 + (v >> 8)) & 0x00FF00FF00FF00FFu;
    v = (v * 100 + (v >> 16)) & 0x0000FFFF0000FFFFu;
    return (v * 10000 + (v >> 32)) & 0xFFFFFFFFu;
}
#endif

#endif
