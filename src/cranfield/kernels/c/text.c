/* Parsing of numeric text: lines of names and decimal numbers into a matrix, names into strings.
 *
 * parse_rows takes the lines that are plain and declines the first one that is not: a quote, a
 * missing value, text in a number. It never explains; the caller reads that line itself and calls
 * again behind it. So a number accepted here is exactly the double nearest to its decimal, and
 * everything that needs words is said in one place, in Python.
 */
#define PY_SSIZE_T_CLEAN
#include "text.h"

#include "numbering.h"

#include <math.h>
#include <stdint.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* ---- Numbers ---------------------------------------------------------------------------- */

enum { MOST_DIGITS = 19 };  /* 10^19 < 2^64 */
enum { MOST_EXACT = 22 };   /* 10^22 is the last power of ten that is a double */
enum { MOST_FIVES = 27 };   /* 5^27 < 2^63 */
enum { LONGEST = 400 };     /* characters of a number read here; longer ones are declined */

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

/* ---- Lines ------------------------------------------------------------------------------ */

typedef enum { INSIDE, BLANK, SEPARATOR, END, STRANGE } Kind;

typedef struct {
    unsigned char kind[256];
    int separated; /* by one character, so that a field may be empty; else by any run of blanks */
} Grammar;

static Grammar grammar_of(int separator) {
    Grammar g = {{INSIDE}, separator != 0};
    g.kind[' '] = g.kind['\t'] = BLANK;
    if (separator) {
        g.kind['"'] = STRANGE;
        g.kind[separator] = SEPARATOR;
    } else {
        g.kind['\v'] = g.kind['\f'] = BLANK;
    }
    g.kind['\n'] = END;
    g.kind[0] = STRANGE;
    return g;
}

#define KIND(s) (grammar->kind[(unsigned char)*(s)])

static inline const char *blanks(const char *s, const Grammar *grammar) {
    while (KIND(s) == BLANK) s++;
    return s;
}

/* The same where it is nearly always a single space. */
static inline const char *one_blank(const char *s, const Grammar *grammar) {
    if (*s == ' ') s++;
    return KIND(s) == BLANK ? blanks(s, grammar) : s;
}

/* Reads a name; its span goes to span[0], span[1]. NULL if it is empty or not plain. */
static inline const char *name(const char *s, const char *base, const Grammar *grammar,
                               int64_t *span) {
    const char *begin = s;
    if (grammar->separated) {
        while (KIND(s) <= BLANK) s++;
        if (KIND(s) == STRANGE) return NULL;
        const char *end = s;
        while (end > begin && KIND(end - 1) == BLANK) end--;
        if (end == begin) return NULL;
        span[0] = begin - base, span[1] = end - base;
        return s;
    }
    while (KIND(s) == INSIDE) s++;
    if (KIND(s) == STRANGE) return NULL;
    span[0] = begin - base, span[1] = s - base;
    return s;
}

/* How a line is built: names, numbers, names again. */
typedef struct {
    Py_ssize_t names, width, after;
    unsigned long long loose; /* the numbers, by bit, that may be any text: they become NaN */
} Layout;

/* Reads a name that something stands before. */
static inline const char *next_name(const char *s, const char *base, const Grammar *grammar,
                                    int64_t *span) {
    if (grammar->separated && KIND(s) != SEPARATOR) return NULL;
    s = blanks(s + grammar->separated, grammar);
    return KIND(s) == END ? NULL : name(s, base, grammar, span);
}

/* Reads one line that is not blank; returns its end, NULL if it is declined. */
static inline const char *line(const char *s, const char *base, const char *wide,
                               const Grammar *grammar, const Layout *layout,
                               PyThreadState **thread, double *values, int64_t *spans) {
    s = name(s, base, grammar, spans);
    for (Py_ssize_t i = 1; s != NULL && i < layout->names; i++)
        s = next_name(s, base, grammar, spans + 2 * i);
    if (s == NULL) return NULL;
    for (Py_ssize_t j = 0; j < layout->width; j++) {
        if (grammar->separated) {
            if (KIND(s) != SEPARATOR) return NULL;
            s = blanks(s + 1, grammar);
            if (KIND(s) == SEPARATOR || KIND(s) == END) {
                values[j] = NAN; /* an empty field */
                continue;
            }
        } else {
            s = one_blank(s, grammar);
        }
        const char *begin = s, *after = common_number(s, wide, values + j);
        s = after ? after : any_number(s, wide, thread, values + j);
        if (s == NULL || KIND(s) == INSIDE) {
            int64_t span[2];
            if (j > 63 || !(layout->loose >> j & 1) || KIND(begin) == END) return NULL;
            values[j] = NAN;
            s = name(begin, base, grammar, span);
            if (s == NULL) return NULL;
        }
        if (grammar->separated) s = blanks(s, grammar);
    }
    for (Py_ssize_t i = layout->names; i < layout->names + layout->after; i++) {
        s = next_name(s, base, grammar, spans + 2 * i);
        if (s == NULL) return NULL;
    }
    s = blanks(s, grammar);
    return KIND(s) == END ? s : NULL;
}

/* ---- Usual lines ------------------------------------------------------------------------- */

enum { LONGEST_USUAL = 64 }; /* characters of a line, its end included */
enum { MOST_FIELDS = 6 };
enum { MOST_UNUSUAL = 64 }; /* lines before the others are no longer tried */

/* How the line above is laid out: most are as it, so that no field need wait until the one before
 * it was read. */
typedef struct {
    const char *line;          /* where it begins; NULL = none that was usual */
    uint64_t low, within;      /* its characters up to a space; all of its characters */
    int ends[MOST_FIELDS + 1]; /* of its fields; ends[0] = -1 */
    int unusual;               /* lines that were not, less those that were */
} Shape;

#ifdef EIGHT_AT_ONCE
/* A number of up to seven digits and up to seven decimals at s; returns where it ends, NULL if it
 * is another one. Such digits are below 2^53, so that one division rounds as it must. */
static inline const char *short_number(const char *s, double *value) {
    uint64_t v;
    const int negative = *s == '-';
    s += negative;
    memcpy(&v, s, 8);
    int n = leading_digits(&v);
    if (n == 0 || n == 8) return NULL;
    uint64_t w = eight_digits(v << 8 * (8 - n));
    double x = (double)(int64_t)w;
    s += n;
    if (*s == '.') {
        memcpy(&v, ++s, 8);
        n = leading_digits(&v);
        if (n == 0 || n == 8) return NULL;
        w = w * WHOLE_TENS[n] + eight_digits(v << 8 * (8 - n));
        x = (double)(int64_t)w / TENS[n];
        s += n;
    }
    *value = negative ? -x : x;
    return s;
}

/* By bit, which of 64 characters are at most a space. */
static inline uint64_t low_characters(const char *s) {
    uint64_t low = 0;
#ifdef __SSE2__
    for (int i = 0; i < 64; i += 16) {
        const __m128i v = _mm_loadu_si128((const __m128i *)(s + i));
        const __m128i is_low = _mm_cmpeq_epi8(_mm_min_epu8(v, _mm_set1_epi8(' ')), v);
        low |= (uint64_t)(uint32_t)_mm_movemask_epi8(is_low) << i;
    }
#else
    for (int i = 0; i < 64; i += 8) {
        uint64_t v;
        memcpy(&v, s + i, 8);
        v = ~(((v & 0x7F7F7F7F7F7F7F7Fu) + 0x5F5F5F5F5F5F5F5Fu) | v) & 0x8080808080808080u;
        low |= (v >> 7) * 0x0102040810204080u >> 56 << i;
    }
#endif
    return low;
}

/* The shape of a line of so many fields with one character between them; 0 if it has another. */
static int find_shape(Shape *shape, uint64_t low, int fields) {
    int before = shape->ends[0] = -1;
    shape->low = 0;
    for (int i = 1; i <= fields; i++, low &= low - 1) {
        if (low == 0) return 0;
        const int end = shape->ends[i] = __builtin_ctzll(low);
        if (end == before + 1) return 0;
        shape->low |= 1ull << end;
        before = end;
    }
    shape->within = (2ull << before) - 1;
    return 1;
}

/* Names one after the other from s on; or, where the line above has the same, its spans. */
static inline void name_spans(const char *s, const char *base, const int *ends, int count, int again,
                              int stride, int64_t *spans) {
    for (int i = 0; i < count; i++) {
        spans[2 * i] = again ? spans[2 * i - stride] : s + ends[i] + 1 - base;
        spans[2 * i + 1] = again ? spans[2 * i + 1 - stride] : s + ends[i + 1] - base;
    }
}

/* Reads a line as most are: short, one space or tab between fields, short numbers. Names that stand in
 * the line above, too, are taken from there: their spans are the same. NULL: it may still be
 * plain. */
static inline const char *fields_as_above(const char *s, const char *base, Shape *above, int names,
                                          int width, int after, double *values, int64_t *spans) {
    const int fields = names + width + after, stride = 2 * (names + after) + 1;
    const uint64_t low = low_characters(s);
    const char *line = above->line;
    if (line == NULL || (low & above->within) != above->low) {
        line = above->line = NULL;
        if (!find_shape(above, low, fields)) return NULL;
    }
    const int *ends = above->ends;
    for (int i = 1; i < fields; i++)
        if (s[ends[i]] != ' ' && s[ends[i]] != '\t') return NULL;
    if (s[ends[fields]] != '\n') return NULL;
    for (int j = 0; j < width; j++) {
        const int *end = ends + names + j;
        if (short_number(s + end[0] + 1, values + j) != s + end[1]) return NULL;
    }
    const int front = names - 1, behind = names + width;
    int again = line != NULL && same_bytes(s, line, ends[front]);
    name_spans(s, base, ends, front, again, stride, spans);
    name_spans(s, base, ends + front, 1, 0, stride, spans + 2 * front);
    again = line != NULL &&
            same_bytes(s + ends[behind], line + ends[behind], ends[fields] - ends[behind]);
    name_spans(s, base, ends + behind, after, again, stride, spans + 2 * names);
    above->line = s;
    return s + ends[fields];
}
#endif

/* The same for the layouts of millions of lines, those of TREC's runs and judgements: with numbers
 * that are known when this is compiled it takes half as long. */
static inline const char *usual_line(const char *s, const char *base, const char *wide,
                                     const Layout *layout, Shape *above, double *values,
                                     int64_t *spans) {
    const char *end = NULL;
#ifdef EIGHT_AT_ONCE
    if (s <= wide - LONGEST_USUAL && layout->names == 3 && above->unusual < MOST_UNUSUAL) {
        if (layout->width == 2 && layout->after == 1)
            end = fields_as_above(s, base, above, 3, 2, 1, values, spans);
        else if (layout->width == 1 && layout->after == 0)
            end = fields_as_above(s, base, above, 3, 1, 0, values, spans);
    }
#endif
    if (end == NULL) above->line = NULL;
    above->unusual += end == NULL ? 1 : above->unusual > 0 ? -1 : 0;
    return end;
}

PyDoc_STRVAR(parse_rows_doc,
             "parse_rows(block, begin, end, separator, names, values, spans, capacity, width,\n"
             "           after, loose)\n"
             "--\n\n"
             "Lines of `names` names, `width` numbers and `after` names from block[begin:end], which\n"
             "ends a line; a number whose bit is set in `loose` may be any text and is NaN then.\n"
             "Stops before a line that is not plain. Fills values (capacity, width) float64, an\n"
             "empty field as NaN, and spans (capacity, 2 (names + after) + 1) int64: begin and end of\n"
             "each name, and lines before this one. Returns rows, lines passed, position reached.");

static PyObject *parse_rows(PyObject *module, PyObject *arguments) {
    (void)module;
    Py_buffer block, values, spans;
    Py_ssize_t begin, end, capacity;
    Layout layout;
    int separator;
    if (!PyArg_ParseTuple(arguments, "y*nninw*w*nnnK", &block, &begin, &end, &separator,
                          &layout.names, &values, &spans, &capacity, &layout.width, &layout.after,
                          &layout.loose))
        return NULL;
    const Py_ssize_t width = layout.width, stride = 2 * (layout.names + layout.after) + 1;
    PyObject *result = NULL;
    const Py_ssize_t size = (Py_ssize_t)sizeof(double);
    if (begin < 0 || end > block.len || begin >= end || ((const char *)block.buf)[end - 1] != '\n' ||
        layout.names < 1 || width < 0 || layout.after < 0 || capacity < 0 || separator < 0 ||
        separator > 127 || (width > 0 && capacity > values.len / size / width) ||
        capacity > spans.len / size / stride) {
        PyErr_SetString(PyExc_ValueError, "parse_rows: a block of whole lines and arrays that hold them");
        goto done;
    }
    const Grammar grammar = grammar_of(separator);
    const char *base = block.buf, *s = base + begin, *stop = base + end, *wide = stop - 8;
    double *value = values.buf;
    int64_t *span = spans.buf;
    Py_ssize_t rows = 0, lines = 0;
    Shape above = {0};
    PyThreadState *thread = PyEval_SaveThread();
    while (s < stop) {
        const char *text = blanks(s, &grammar);
        if (grammar.kind[(unsigned char)*text] != END) {
            if (rows == capacity) break;
            const char *after = NULL;
            if (!separator) after = usual_line(text, base, wide, &layout, &above, value, span);
            if (after == NULL)
                after = line(text, base, wide, &grammar, &layout, &thread, value, span);
            if (after == NULL) break;
            text = after;
            span[stride - 1] = lines;
            value += width;
            span += stride;
            rows++;
        }
        s = text + 1;
        lines++;
    }
    PyEval_RestoreThread(thread);
    result = Py_BuildValue("nnn", rows, lines, (Py_ssize_t)(s - base));
done:
    PyBuffer_Release(&block);
    PyBuffer_Release(&values);
    PyBuffer_Release(&spans);
    return result;
}

/* ---- Names ------------------------------------------------------------------------------ */

enum { REMEMBERED = 1 << 12 };

/* Names met lately. A file that lists cells repeats them: one string serves all of its places. */
typedef struct {
    const char *begin;
    Py_ssize_t size;
    PyObject *text; /* borrowed: the list that is being made holds it */
} Name;

static PyObject *name_at(const char *begin, Py_ssize_t size, Name *remembered) {
    Name *name = remembered + (hash_of(begin, size) >> 52);
    if (name->text == NULL || name->size != size || memcmp(name->begin, begin, (size_t)size)) {
        PyObject *text = PyUnicode_DecodeUTF8(begin, size, "strict");
        if (text != NULL) *name = (Name){begin, size, text};
        return text;
    }
    return Py_NewRef(name->text);
}

PyDoc_STRVAR(cut_names_doc,
             "cut_names(block, spans, rows, stride, place)\n--\n\n"
             "The names between spans[row, place] and spans[row, place + 1] of each row, as a list\n"
             "of strings; None if one of them is not UTF-8.");

static PyObject *cut_names(PyObject *module, PyObject *arguments) {
    (void)module;
    Py_buffer block, spans;
    Py_ssize_t rows, stride, place;
    if (!PyArg_ParseTuple(arguments, "y*y*nnn", &block, &spans, &rows, &stride, &place)) return NULL;
    PyObject *names = NULL;
    if (rows < 0 || place < 0 || stride < place + 2 ||
        rows > spans.len / (Py_ssize_t)sizeof(int64_t) / stride) {
        PyErr_SetString(PyExc_ValueError, "cut_names: spans that hold the rows");
        goto done;
    }
    names = PyList_New(rows);
    Name *remembered = PyMem_Calloc(REMEMBERED, sizeof(Name));
    if (remembered == NULL) {
        Py_CLEAR(names);
        PyErr_NoMemory();
    }
    const int64_t *span = (const int64_t *)spans.buf + place;
    for (Py_ssize_t i = 0; names != NULL && i < rows; i++, span += stride) {
        PyObject *text = NULL;
        if (0 <= span[0] && span[0] <= span[1] && span[1] <= block.len)
            text = name_at((const char *)block.buf + span[0], (Py_ssize_t)(span[1] - span[0]),
                           remembered);
        else
            PyErr_SetString(PyExc_ValueError, "cut_names: spans within the block");
        if (text == NULL || PyList_SetItem(names, i, text) < 0) Py_CLEAR(names);
    }
    PyMem_Free(remembered);
    if (names == NULL && PyErr_ExceptionMatches(PyExc_UnicodeDecodeError)) {
        PyErr_Clear();
        names = Py_NewRef(Py_None);
    }
done:
    PyBuffer_Release(&block);
    PyBuffer_Release(&spans);
    return names;
}

/* The place of a name among those known, a new one at the end; -1 with an exception. */
static Py_ssize_t place_of(PyObject *name, PyObject *known) {
    PyObject *place = PyDict_GetItemWithError(known, name);
    if (place != NULL) return PyLong_AsSsize_t(place);
    if (PyErr_Occurred()) return -1;
    Py_ssize_t last = PyDict_Size(known);
    place = PyLong_FromSsize_t(last);
    int stored = place == NULL ? -1 : PyDict_SetItem(known, name, place);
    Py_XDECREF(place);
    return stored < 0 ? -1 : last;
}

PyDoc_STRVAR(number_names_doc,
             "number_names(names, known, places)\n--\n\n"
             "Writes the place of each name of a list, as the dict says; new ones are added to it.");

static PyObject *number_names(PyObject *module, PyObject *arguments) {
    (void)module;
    PyObject *names, *known;
    Py_buffer places;
    if (!PyArg_ParseTuple(arguments, "O!O!w*", &PyList_Type, &names, &PyDict_Type, &known, &places))
        return NULL;
    PyObject *last = NULL;
    Py_ssize_t place = 0, rows = PyList_Size(names);
    int64_t *out = places.buf;
    if (places.len != rows * (Py_ssize_t)sizeof(int64_t)) {
        PyErr_SetString(PyExc_ValueError, "number_names: as many places as names");
        place = -1;
    }
    for (Py_ssize_t i = 0; place >= 0 && i < rows; i++) {
        PyObject *name = PyList_GetItem(names, i);
        if (name != last) place = name == NULL ? -1 : place_of(name, known);
        out[i] = place;
        last = name;
    }
    PyBuffer_Release(&places);
    return place < 0 ? NULL : Py_NewRef(Py_None);
}

PyMethodDef text_functions[] = {
    {"numbering", numbering, METH_NOARGS, numbering_doc},
    {"numbered", numbered, METH_VARARGS, numbered_doc},
    {"numbered_names", numbered_names, METH_O, numbered_names_doc},
    {"numbering_size", numbering_size, METH_O, numbering_size_doc},
    {"place_cells", place_cells, METH_VARARGS, place_cells_doc},
    {"number_names", number_names, METH_VARARGS, number_names_doc},
    {"parse_rows", parse_rows, METH_VARARGS, parse_rows_doc},
    {"cut_names", cut_names, METH_VARARGS, cut_names_doc},
    {NULL, NULL, 0, NULL},
};
