/* Decimal numbers in text: the double nearest to each, or none. */
#ifndef CRANFIELD_NUMBERS_H
#define CRANFIELD_NUMBERS_H
#include <Python.h>

#include <math.h>

#include "digits.h"

enum { MOST_DIGITS = 19 };  /* 10^19 < 2^64 */
enum { MOST_FIVES = 27 };   /* 5^27 < 2^63 */
enum { LONGEST = 400 };     /* characters of a number read here; longer ones are declined */

/* Appends the digits at s to w and returns where they end. Reads eight characters up to `wide`. */
static inline const char *digits(const char *s, const char *wide, uint64_t *w) {
#ifdef EIGHT_AT_ONCE
    while (s <= wide) {
        uint64_t v;
        memcpy(&v, s, 8);
        int n = leading_digits(&v);
        if (n == 0) return s;
        *w = *w * WHOLE_TENS[n] + eight_digits(v << 8 * (8 - n));
        s += n;
        if (n < 8) return s;
    }
#else
    (void)wide;
#endif
    for (; *s >= '0' && *s <= '9'; s++) *w = *w * 10 + (uint64_t)(*s - '0');
    return s;
}

#ifdef __SIZEOF_INT128__
/* w / 10^k, rounded once: w / 5^k to 63 or 64 bits with a sticky last bit, scaled by 2^-k. */
static double divided(uint64_t w, int k) {
    static const uint64_t FIVES[MOST_FIVES + 1] = {
        1u,
        5u,
        25u,
        125u,
        625u,
        3125u,
        15625u,
        78125u,
        390625u,
        1953125u,
        9765625u,
        48828125u,
        244140625u,
        1220703125u,
        6103515625u,
        30517578125u,
        152587890625u,
        762939453125u,
        3814697265625u,
        19073486328125u,
        95367431640625u,
        476837158203125u,
        2384185791015625u,
        11920928955078125u,
        59604644775390625u,
        298023223876953125u,
        1490116119384765625u,
        7450580596923828125u,
    };
    if (w == 0) return 0.0;
    int shift_w = __builtin_clzll(w), shift_five = __builtin_clzll(FIVES[k]);
    unsigned __int128 above = (unsigned __int128)(w << shift_w) << 63;
    uint64_t below = FIVES[k] << shift_five;
    uint64_t quotient = (uint64_t)(above / below);
    quotient |= (uint64_t)(above % below != 0);
    return ldexp((double)quotient, shift_five - shift_w - 63 - k);
}
#endif

/* The number in [s, end), whatever its length, as Python reads it. Needs the GIL. */
static int by_python(const char *s, const char *end, PyThreadState **thread, double *value) {
    char copy[LONGEST + 1];
    if (end - s > LONGEST) return 0;
    memcpy(copy, s, (size_t)(end - s));
    copy[end - s] = 0;
    PyEval_RestoreThread(*thread);
    *value = PyOS_string_to_double(copy, NULL, NULL); /* overflow gives an infinity, no error */
    int good = !(*value == -1.0 && PyErr_Occurred());
    if (!good) PyErr_Clear();
    *thread = PyEval_SaveThread();
    return good && isfinite(*value);
}

/* The two commonest numbers, one digit and `d.dddddd`, at s; returns where it ends, else NULL. */
static inline const char *common_number(const char *s, const char *wide, double *value) {
    unsigned first = (unsigned char)*s - '0';
    if (first > 9) return NULL;
    if (s[1] <= ' ') {
        *value = first;
        return s + 1;
    }
#ifdef EIGHT_AT_ONCE
    if (s[1] == '.' && s + 2 <= wide) {
        uint64_t v;
        memcpy(&v, s + 2, 8);
        int n = leading_digits(&v);
        if (n == 6 && (s[8] | 32) != 'e') { /* known beforehand: the next number need not wait for this one */
            *value = (double)(int64_t)(first * WHOLE_TENS[6] + eight_digits(v << 16)) / 1e6;
            return s + 8;
        }
        if (n == 0 || n == 8 || (s[2 + n] | 32) == 'e') return NULL;
        *value = (double)(first * WHOLE_TENS[n] + eight_digits(v << 8 * (8 - n))) / TENS[n];
        return s + 2 + n;
    }
#else
    (void)wide;
#endif
    return NULL;
}

/* Reads [+-] digits [. digits] [e [+-] digits] at s; returns where it ends, NULL if it is none. */
static const char *any_number(const char *s, const char *wide, PyThreadState **thread,
                              double *value) {
    const char *begin = s;
    int negative = *s == '-';
    if (*s == '-' || *s == '+') s++;
    uint64_t w = 0;
    const char *first = s;
    s = digits(s, wide, &w);
    Py_ssize_t count = s - first, decimals = 0;
    if (*s == '.') {
        const char *point = s + 1;
        s = digits(point, wide, &w);
        decimals = s - point;
        count += decimals;
    }
    if (count == 0) return NULL;
    Py_ssize_t exponent = -decimals;
    if (*s == 'e' || *s == 'E') {
        s++;
        int down = *s == '-';
        if (*s == '-' || *s == '+') s++;
        if (!(*s >= '0' && *s <= '9')) return NULL;
        Py_ssize_t e = 0;
        for (; *s >= '0' && *s <= '9'; s++)
            if (e < 100000) e = e * 10 + (*s - '0');
        exponent += down ? -e : e;
    }
    if (count > MOST_DIGITS) /* leading zeros do not count */
        for (; count > 0 && (*first == '0' || *first == '.'); first++) count -= *first == '0';

    double x;
    if (count <= MOST_DIGITS && w < (1ull << 53) && exponent <= 0 && exponent >= -MOST_EXACT)
        x = (double)w / TENS[-exponent];
    else if (count <= MOST_DIGITS && w < (1ull << 53) && exponent > 0 && exponent <= MOST_EXACT)
        x = (double)w * TENS[exponent];
#ifdef __SIZEOF_INT128__
    else if (count <= MOST_DIGITS && exponent <= 0 && exponent >= -MOST_FIVES)
        x = divided(w, (int)-exponent);
#endif
    else
        return by_python(begin, s, thread, value) ? s : NULL;
    *value = negative ? -x : x;
    return s;
}

#endif
