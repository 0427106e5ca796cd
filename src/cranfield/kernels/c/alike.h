/* Lines that are laid out as one above them, read without looking for their fields.
 *
 * A list of cells goes on for thousands of lines that differ in one name and in the digits of their
 * numbers only, and have a few different lengths. Three comparisons of 64 characters show that a line
 * is such a one. */
#ifndef CRANFIELD_ALIKE_H
#define CRANFIELD_ALIKE_H
#include <Python.h>

#include "digits.h"

enum { LONGEST_ALIKE = 64 }; /* characters of such a line, its end included */
enum { READ_ALIKE = LONGEST_ALIKE + 8 }; /* characters from its beginning that may be looked at */
enum { MOST_FIELDS = 8, MOST_ALIKE_NUMBERS = 2 };

/* A number of up to eight digits before the point and behind it, fifteen in all: such digits are
 * below 2^53, so that one division rounds as it must. */
typedef struct {
    int whole_at, whole, decimals_at, decimals;
    int negative;
} Digits;

typedef struct {
    const char *line;      /* the last one of this shape */
    Py_ssize_t length;     /* of a line, its end included */
    int name, name_size;   /* the name that differs: where it begins */
    int width;
    Digits numbers[MOST_ALIKE_NUMBERS];
    uint64_t within;       /* by bit: the characters of a line */
    uint64_t low;          /* those that are at most a space */
    uint64_t digits;       /* those that must be digits */
    uint64_t fixed;        /* those that must be the same */
} Shape;

enum { MOST_SHAPES = 8 };

/* Shapes of lines that have all names but one in common. */
typedef struct {
    Shape shapes[MOST_SHAPES];
    int count, last; /* the one of the last line */
} Shapes;

#ifdef EIGHT_AT_ONCE
/* What 64 characters are, by bit: at most a space; a digit; the same as 64 others. */
typedef struct {
    uint64_t low, digit, same;
} Marks;

static inline Marks marks_of(const char *s, const char *other) {
    Marks marks = {0, 0, 0};
#ifdef __SSE2__
    for (int i = 0; i < 64; i += 16) {
        const __m128i v = _mm_loadu_si128((const __m128i *)(s + i));
        const __m128i w = _mm_loadu_si128((const __m128i *)(other + i));
        const __m128i value = _mm_sub_epi8(v, _mm_set1_epi8('0'));
        const __m128i low = _mm_cmpeq_epi8(_mm_min_epu8(v, _mm_set1_epi8(' ')), v);
        const __m128i digit = _mm_cmpeq_epi8(_mm_min_epu8(value, _mm_set1_epi8(9)), value);
        marks.low |= (uint64_t)(uint32_t)_mm_movemask_epi8(low) << i;
        marks.digit |= (uint64_t)(uint32_t)_mm_movemask_epi8(digit) << i;
        marks.same |= (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(v, w)) << i;
    }
#else
    const uint64_t each = 0x0101010101010101u, upper = 0x8080808080808080u;
    for (int i = 0; i < 64; i += 8) {
        uint64_t v, w;
        memcpy(&v, s + i, 8), memcpy(&w, other + i, 8);
        const uint64_t digit = v ^ '0' * each, other_bits = v ^ w;
        /* The upper bit of each byte: whether it is none of these. */
        const uint64_t high = ((v & ~upper) + (0x7F - ' ') * each) | v;
        const uint64_t no_digit = ((digit & ~upper) + (0x7F - 9) * each) | digit;
        const uint64_t differs = ((other_bits & ~upper) + 0x7F * each) | other_bits;
        marks.low |= ((~high & upper) >> 7) * 0x0102040810204080u >> 56 << i;
        marks.digit |= ((~no_digit & upper) >> 7) * 0x0102040810204080u >> 56 << i;
        marks.same |= ((~differs & upper) >> 7) * 0x0102040810204080u >> 56 << i;
    }
#endif
    return marks;
}

/* The bits of so many characters. */
static inline uint64_t bits_of(int from, int count) {
    return count > 0 ? ~0ull >> (64 - count) << from : 0;
}

/* Where the digits of a number stand that begins and ends here; 0 if it is too long or no such. */
static inline int find_digits(uint64_t is_digit, const char *s, int begin, int end, Digits *digits) {
    digits->negative = s[begin] == '-';
    begin += digits->negative;
    int point = begin;
    while (point < end && is_digit >> point & 1) point++;
    digits->whole_at = begin;
    digits->whole = point - begin;
    digits->decimals_at = point + 1;
    digits->decimals = point < end ? end - point - 1 : 0;
    const uint64_t behind = bits_of(point + 1, digits->decimals);
    return digits->whole >= 1 && digits->whole <= 8 && digits->decimals <= 8 &&
           digits->whole + digits->decimals <= 15 && (is_digit & behind) == behind &&
           (point == end || (s[point] == '.' && digits->decimals > 0));
}

/* The shape of a line that was read, whose names before the numbers differ in the last one; 0 if
 * it is too long or not laid out with one character between fields. */
static inline int find_shape(const char *s, int names, int width, int after, Shape *shape) {
    const int fields = names + width + after;
    if (fields > MOST_FIELDS || width > MOST_ALIKE_NUMBERS) return 0;
    const Marks marks = marks_of(s, s);
    int ends[MOST_FIELDS + 1] = {-1};
    uint64_t left = marks.low;
    for (int i = 1; i <= fields; i++, left &= left - 1) {
        if (left == 0) return 0;
        ends[i] = __builtin_ctzll(left);
        if (ends[i] == ends[i - 1] + 1) return 0;
    }
    const int length = ends[fields] + 1;
    if (s[length - 1] != '\n') return 0;
    shape->digits = 0;
    for (int j = 0; j < width; j++) {
        Digits *digits = shape->numbers + j;
        if (!find_digits(marks.digit, s, ends[names + j] + 1, ends[names + j + 1], digits)) return 0;
        shape->digits |= bits_of(digits->whole_at, digits->whole);
        shape->digits |= bits_of(digits->decimals_at, digits->decimals);
    }
    shape->line = s;
    shape->width = width;
    shape->length = length;
    shape->name = ends[names - 1] + 1;
    shape->name_size = ends[names] - shape->name;
    shape->within = bits_of(0, length);
    shape->low = marks.low & shape->within;
    shape->fixed = shape->within & ~shape->digits & ~bits_of(shape->name, shape->name_size);
    return 1;
}

static inline double number_alike(const char *s, const Digits *digits) {
    uint64_t v;
    memcpy(&v, s + digits->whole_at, 8);
    uint64_t w = eight_digits((v ^ 0x3030303030303030u) << 8 * (8 - digits->whole));
    double x = (double)(int64_t)w;
    if (digits->decimals) {
        memcpy(&v, s + digits->decimals_at, 8);
        w = w * WHOLE_TENS[digits->decimals] +
            eight_digits((v ^ 0x3030303030303030u) << 8 * (8 - digits->decimals));
        x = (double)(int64_t)w / TENS[digits->decimals];
    }
    return digits->negative ? -x : x;
}

static inline int is_alike(const char *s, const Shape *shape) {
    const Marks marks = marks_of(s, shape->line);
    return (((marks.low & shape->within) ^ shape->low) | (shape->fixed & ~marks.same) |
            (shape->digits & ~marks.digit)) == 0;
}

/* Reads lines from s on as long as they have one of the shapes; returns how many. Their names go to
 * `names`, the numbers of a column together, so many apart. */
static inline Py_ssize_t read_alike(const char **s, const char *stop, Shapes *all, Py_ssize_t most,
                                    double *values, Py_ssize_t apart, const char **names,
                                    Py_ssize_t *sizes) {
    const char *line = *s;
    Py_ssize_t rows = 0;
    for (; rows < most && stop - line >= READ_ALIKE; rows++) {
        int tried = 0, which = all->last;
        while (tried < all->count && !is_alike(line, all->shapes + which)) {
            which = which + 1 < all->count ? which + 1 : 0;
            tried++;
        }
        if (tried == all->count) break;
        Shape *shape = all->shapes + which;
        shape->line = line;
        all->last = which;
        names[rows] = line + shape->name;
        sizes[rows] = shape->name_size;
        for (int j = 0; j < shape->width; j++)
            values[j * apart + rows] = number_alike(line, shape->numbers + j);
        line += shape->length;
    }
    *s = line;
    return rows;
}
#endif
#endif
