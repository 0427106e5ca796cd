/* Parsing of numeric text: lines of names and decimal numbers into a matrix, names into strings.
 *
 * parse_rows takes the lines that are plain and declines the first one that is not: a quote, a
 * missing value, text in a number. It never explains; the caller reads that line itself and calls
 * again behind it. So a number accepted here is exactly the double nearest to its decimal, and
 * everything that needs words is said in one place, in Python.
 */
#define PY_SSIZE_T_CLEAN
#include "text.h"

#include "alike.h"
#include "digits.h"
#include "numbering.h"

#include <math.h>
#include <stdlib.h> /* memory that is taken and given back without the GIL */

/* ---- Numbers ---------------------------------------------------------------------------- */

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

/* ---- Blocks ------------------------------------------------------------------------------ */

/* A block of lines, and how far it was read. */
typedef struct {
    const char *base, *at, *stop;
    Py_ssize_t lines; /* passed, blank ones included */
    Grammar grammar;
    Layout layout;
    PyThreadState *thread;
} Reader;

static Reader reader_of(const char *base, Py_ssize_t begin, Py_ssize_t end, int separator,
                        Layout layout) {
    return (Reader){base, base + begin, base + end, 0, grammar_of(separator), layout, NULL};
}

/* Reads up to `most` lines that are not blank and returns how many; fewer at the end of the block
 * or before a line that is not plain. */
static Py_ssize_t read_lines(Reader *reader, Py_ssize_t most, double *values, int64_t *spans) {
    const Layout layout = reader->layout;
    const Py_ssize_t stride = 2 * (layout.names + layout.after) + 1;
    const char *base = reader->base, *s = reader->at, *stop = reader->stop, *wide = stop - 8;
    Py_ssize_t rows = 0, lines = reader->lines;
    while (s < stop) {
        const char *text = blanks(s, &reader->grammar);
        if (reader->grammar.kind[(unsigned char)*text] != END) {
            if (rows == most) break;
            text = line(text, base, wide, &reader->grammar, &layout, &reader->thread, values, spans);
            if (text == NULL) break;
            spans[stride - 1] = lines;
            values += layout.width;
            spans += stride;
            rows++;
        }
        s = text + 1;
        lines++;
    }
    reader->at = s;
    reader->lines = lines;
    return rows;
}

/* Whether a layout is one, and block[begin:end] ends a line. */
static int is_readable(const Py_buffer *block, Py_ssize_t begin, Py_ssize_t end, int separator,
                       const Layout *layout) {
    enum { MOST_NAMES = 1 << 20 };
    return begin >= 0 && end <= block->len && begin < end &&
           ((const char *)block->buf)[end - 1] == '\n' && layout->names >= 1 && layout->width >= 0 &&
           layout->after >= 0 && layout->names <= MOST_NAMES && layout->after <= MOST_NAMES &&
           separator >= 0 && separator <= 127;
}

/* Whether an array has room for so many rows of numbers. */
static int has_room(const Py_buffer *array, Py_ssize_t rows, Py_ssize_t width, size_t size) {
    return rows >= 0 && (width == 0 || rows <= array->len / (Py_ssize_t)size / width);
}

PyDoc_STRVAR(parse_rows_doc,
             "parse_rows(block, begin, end, separator, names, width, after, loose, values, spans,\n"
             "           capacity)\n"
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
    if (!PyArg_ParseTuple(arguments, "y*nninnnKw*w*n", &block, &begin, &end, &separator,
                          &layout.names, &layout.width, &layout.after, &layout.loose, &values,
                          &spans, &capacity))
        return NULL;
    PyObject *result = NULL;
    if (is_readable(&block, begin, end, separator, &layout) &&
        has_room(&values, capacity, layout.width, sizeof(double)) &&
        has_room(&spans, capacity, 2 * (layout.names + layout.after) + 1, sizeof(int64_t))) {
        Reader reader = reader_of(block.buf, begin, end, separator, layout);
        reader.thread = PyEval_SaveThread();
        Py_ssize_t rows = read_lines(&reader, capacity, values.buf, spans.buf);
        PyEval_RestoreThread(reader.thread);
        result = Py_BuildValue("nnn", rows, reader.lines, (Py_ssize_t)(reader.at - reader.base));
    } else {
        PyErr_SetString(PyExc_ValueError, "parse_rows: a block of whole lines and arrays that hold them");
    }
    PyBuffer_Release(&block);
    PyBuffer_Release(&values);
    PyBuffer_Release(&spans);
    return result;
}

/* Where lines go whose names become numbers: uint32 (columns, capacity), numbers (width, capacity),
 * the lines before each, uint32. */
typedef struct {
    Numbering **names;
    Py_ssize_t capacity, rows;
    uint32_t *numbers, *passed;
    double *values;
} Columns;

enum { TOGETHER = 128 }; /* lines to read before they are numbered: what was read is still at hand */

/* Reads up to `most` lines and numbers their names; returns how many, or what is negative from
 * number_columns: then these lines are not taken. */
static int64_t read_some(Reader *reader, Py_ssize_t most, Columns *out, double *values,
                         int64_t *spans) {
    const char *begin = reader->at;
    const Layout *layout = &reader->layout;
    const Py_ssize_t lines = reader->lines, columns = layout->names + layout->after;
    const Py_ssize_t read = read_lines(reader, most, values, spans), width = layout->width;
    const Spans some = {reader->base, reader->stop - reader->base, spans, read, 2 * columns + 1};
    int64_t bad = number_columns(out->names, columns, &some, out->numbers + out->rows, out->capacity);
    if (bad < 0) {
        reader->at = begin;
        reader->lines = lines;
        return bad;
    }
    for (Py_ssize_t i = 0; i < read; i++, out->rows++) {
        for (Py_ssize_t j = 0; j < width; j++)
            out->values[j * out->capacity + out->rows] = values[i * width + j];
        out->passed[out->rows] = (uint32_t)spans[(i + 1) * some.stride - 1];
    }
    return read;
}

#ifdef EIGHT_AT_ONCE
/* Adds the shape of the line that was just read, which begins here, to those of the lines above; if
 * it has not the same names, these are forgotten. */
static void add_shape(Shapes *all, const char *line, const Layout *layout, const Columns *out) {
    const Py_ssize_t columns = layout->names + layout->after;
    for (Py_ssize_t column = 0; column < columns && all->count > 0; column++) {
        const uint32_t *number = out->numbers + column * out->capacity + out->rows - 1;
        if (column != layout->names - 1 && (out->rows < 2 || number[0] != number[-1])) all->count = 0;
    }
    const int place = all->count < MOST_SHAPES ? all->count : (all->last + 1) % MOST_SHAPES;
    Shape *shape = all->shapes + place;
    if (!find_shape(line, (int)layout->names, (int)layout->width, (int)layout->after, shape)) {
        all->count = 0; /* what was there may be overwritten in part */
        return;
    }
    if (place == all->count) all->count++;
    all->last = place;
}

/* The same as read_some for lines that are alike. */
static int64_t read_some_alike(Reader *reader, Shapes *shapes, Columns *out) {
    const Layout *layout = &reader->layout;
    const Py_ssize_t free = out->capacity - out->rows, named = layout->names - 1;
    const char *names[TOGETHER], *at = reader->at;
    Py_ssize_t sizes[TOGETHER];
    const Py_ssize_t read =
        read_alike(&at, reader->stop, shapes, free < TOGETHER ? free : TOGETHER,
                   out->values + out->rows, out->capacity, names, sizes);
    for (Py_ssize_t column = 0; column < layout->names + layout->after; column++) {
        uint32_t *numbers = out->numbers + column * out->capacity + out->rows;
        if (column == named) {
            int64_t bad = number_texts(out->names[column], names, sizes, read, numbers);
            if (bad < 0) return bad;
        } else {
            for (Py_ssize_t i = 0; i < read; i++) numbers[i] = numbers[-1];
        }
    }
    for (Py_ssize_t i = 0; i < read; i++) out->passed[out->rows++] = (uint32_t)reader->lines++;
    reader->at = at;
    return read;
}
#endif

/* Reads and numbers all lines that are plain; what it returns is negative as from number_columns. */
static int64_t read_numbered(Reader *reader, Columns *out) {
    enum { PATIENCE = 64 }; /* lines without one alike before none is expected any more */
    const Layout *layout = &reader->layout;
    const Py_ssize_t stride = 2 * (layout->names + layout->after) + 1;
    int64_t *spans = malloc((size_t)(TOGETHER * stride) * sizeof(int64_t));
    double *values = malloc((size_t)(TOGETHER * layout->width + 1) * sizeof(double));
    int64_t read = spans == NULL || values == NULL ? NO_MEMORY : 1;
    int unlike = reader->grammar.separated ? PATIENCE : 0;
#ifdef EIGHT_AT_ONCE
    Shapes shapes = {.count = 0};
#endif
    while (read > 0 && out->rows < out->capacity) {
        const Py_ssize_t free = out->capacity - out->rows;
        const Py_ssize_t most = unlike < PATIENCE ? 1 : free < TOGETHER ? free : TOGETHER;
        read = read_some(reader, most, out, values, spans);
#ifdef EIGHT_AT_ONCE
        const char *line = reader->base + spans[0];
        if (read != 1 || unlike >= PATIENCE || reader->stop - line < READ_ALIKE) continue;
        add_shape(&shapes, line, layout, out);
        unlike++;
        int64_t alike = shapes.count ? TOGETHER : 0;
        while (alike == TOGETHER) {
            alike = read_some_alike(reader, &shapes, out);
            if (alike > 0) unlike = 0;
        }
        if (alike < 0) read = alike;
#endif
    }
    free(spans);
    free(values);
    return read;
}

PyDoc_STRVAR(parse_numbered_doc,
             "parse_numbered(block, begin, end, separator, names, width, after, loose, numberings,\n"
             "               values, numbers, passed, capacity, rows, lines)\n"
             "--\n\n"
             "Lines as parse_rows has them, whose names become numbers by the numbering of each\n"
             "column; new names get the next ones. Stops before a line that is not plain or has a\n"
             "name that is not UTF-8, or up to 127 lines before that. Fills values (width, capacity)\n"
             "float64, numbers (names + after, capacity) uint32, and the lines passed before each,\n"
             "(capacity,) uint32; so many rows are there already, from so many lines. Returns rows,\n"
             "lines passed, position reached.");

static PyObject *parse_numbered(PyObject *module, PyObject *arguments) {
    (void)module;
    Py_buffer block, values, numbers, passed;
    Py_ssize_t begin, end, capacity, rows, lines;
    Layout layout;
    PyObject *numberings;
    int separator;
    if (!PyArg_ParseTuple(arguments, "y*nninnnKO!w*w*w*nnn", &block, &begin, &end, &separator,
                          &layout.names, &layout.width, &layout.after, &layout.loose, &PyTuple_Type,
                          &numberings, &values, &numbers, &passed, &capacity, &rows, &lines))
        return NULL;
    int64_t outcome = OUTSIDE;
    PyObject *result = NULL;
    const Py_ssize_t columns = PyTuple_Size(numberings);
    Numbering **names = PyMem_Malloc((size_t)(columns + 1) * sizeof(Numbering *));
    if (names == NULL) {
        outcome = NO_MEMORY;
    } else if (is_readable(&block, begin, end, separator, &layout) && rows >= 0 &&
               rows <= capacity && lines >= 0 && (uint64_t)(lines + end) < UINT32_MAX &&
               columns == layout.names + layout.after &&
               has_room(&values, capacity, layout.width, sizeof(double)) &&
               has_room(&numbers, capacity, columns, sizeof(uint32_t)) &&
               has_room(&passed, capacity, 1, sizeof(uint32_t)) && numberings_of(numberings, names)) {
        Reader reader = reader_of(block.buf, begin, end, separator, layout);
        Columns out = {names, capacity, rows, numbers.buf, passed.buf, values.buf};
        reader.lines = lines;
        reader.thread = PyEval_SaveThread();
        outcome = read_numbered(&reader, &out);
        PyEval_RestoreThread(reader.thread);
        if (outcome >= 0 || outcome == NOT_UTF8)
            result = Py_BuildValue("nnn", out.rows, reader.lines, (Py_ssize_t)(reader.at - reader.base));
    }
    PyMem_Free(names);
    PyBuffer_Release(&block);
    PyBuffer_Release(&values);
    PyBuffer_Release(&numbers);
    PyBuffer_Release(&passed);
    if (outcome == NO_MEMORY) return PyErr_NoMemory();
    if (outcome == OUTSIDE)
        PyErr_SetString(PyExc_ValueError,
                        "parse_numbered: a block of whole lines, a numbering for each name and arrays "
                        "that hold them");
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
    {"parse_numbered", parse_numbered, METH_VARARGS, parse_numbered_doc},
    {"renumbered", renumbered, METH_VARARGS, renumbered_doc},
    {"numbered_names", numbered_names, METH_O, numbered_names_doc},
    {"numbering_size", numbering_size, METH_O, numbering_size_doc},
    {"column_order", column_order, METH_VARARGS, column_order_doc},
    {"count_rows", count_rows, METH_VARARGS, count_rows_doc},
    {"place_cells", place_cells, METH_VARARGS, place_cells_doc},
    {"number_names", number_names, METH_VARARGS, number_names_doc},
    {"parse_rows", parse_rows, METH_VARARGS, parse_rows_doc},
    {"cut_names", cut_names, METH_VARARGS, cut_names_doc},
    {NULL, NULL, 0, NULL},
};
