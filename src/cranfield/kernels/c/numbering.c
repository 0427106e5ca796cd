/* Names as numbers, and cells in order, for files that list cells.
 *
 * Millions of ids of documents are numbered as bytes, without a Python string for each line; the
 * strings are made once, when all are known. */
#define PY_SSIZE_T_CLEAN
#include "numbering.h"

#include <stdlib.h> /* memory that is taken and given back without the GIL */
#ifdef __linux__
#include <sys/mman.h>
#endif

#ifdef __GNUC__
#define FETCH(where) __builtin_prefetch(where)
#else
#define FETCH(where) (void)(where)
#endif

typedef struct {
    uint32_t number; /* from 1 on; 0 = free */
    uint32_t hash;   /* its upper bits say the place, all of them which names to compare */
    uint64_t begin;  /* of the name in the text */
} Slot;

typedef struct {
    char *text; /* the names one after the other, each with a line end behind it */
    size_t used, room;
    size_t count;
    Slot *slots;
    int bits; /* of the number of slots */
} Numbering;

enum { FEWEST_BITS = 12, MOST_BITS = 32 };
enum { NO_MEMORY = -1, NOT_UTF8 = -2, OUTSIDE = -3 }; /* instead of a number */

static void free_all(Numbering *all) {
    free(all->text);
    free(all->slots);
    free(all);
}

static void free_numbering(PyObject *capsule) { free_all(PyCapsule_GetPointer(capsule, NULL)); }

/* Empty slots; a large table is hit at random, so few large pages serve it better. */
static Slot *empty_slots(int bits) {
    size_t size = sizeof(Slot) << bits;
#ifdef MADV_HUGEPAGE
    enum { PAGE = 1 << 21 };
    if (size >= 2 * PAGE) {
        void *slots;
        if (posix_memalign(&slots, PAGE, size) != 0) return NULL;
        madvise(slots, size, MADV_HUGEPAGE);
        return memset(slots, 0, size);
    }
#endif
    return calloc(1, size);
}

/* How many names so many slots are for, so that most are found at once. */
static inline size_t most_names(int bits) { return ((size_t)5 << bits) / 8; }

/* More slots. Those of one place go to the two that follow from it, so this walks straight on. */
static int set_slots(Numbering *all, int bits) {
    if (bits > MOST_BITS) return -1;
    Slot *slots = empty_slots(bits);
    if (slots == NULL) return -1;
    const size_t mask = ((size_t)1 << bits) - 1;
    for (size_t i = 0; all->slots != NULL && i < (size_t)1 << all->bits; i++) {
        if (!all->slots[i].number) continue;
        size_t place = all->slots[i].hash >> (MOST_BITS - bits);
        while (slots[place].number) place = (place + 1) & mask;
        slots[place] = all->slots[i];
    }
    free(all->slots);
    all->slots = slots;
    all->bits = bits;
    return 0;
}

/* Whether these bytes are UTF-8: no overlong forms, no surrogates, nothing beyond U+10FFFF. */
static int is_utf8(const char *text, Py_ssize_t size) {
    const unsigned char *s = (const unsigned char *)text, *end = s + size;
    while (s < end) {
        if (*s < 0x80) {
            s++;
            continue;
        }
        int more = *s >= 0xF0 ? 3 : *s >= 0xE0 ? 2 : 1;
        if (*s < 0xC2 || *s > 0xF4 || end - s <= more) return 0;
        if ((*s == 0xE0 && s[1] < 0xA0) || (*s == 0xED && s[1] > 0x9F) ||
            (*s == 0xF0 && s[1] < 0x90) || (*s == 0xF4 && s[1] > 0x8F))
            return 0;
        for (s++; more > 0; more--, s++)
            if ((*s & 0xC0) != 0x80) return 0;
    }
    return 1;
}

/* The number of a name, from 0 on; NO_MEMORY, or NOT_UTF8 although it must be. */
static int64_t number_of(Numbering *all, const char *s, Py_ssize_t size, uint32_t hash, int strict) {
    size_t mask = ((size_t)1 << all->bits) - 1, place = hash >> (MOST_BITS - all->bits);
    for (; all->slots[place].number; place = (place + 1) & mask) {
        const Slot *slot = all->slots + place;
        if (slot->hash == hash && slot->begin + (size_t)size < all->used &&
            all->text[slot->begin + (size_t)size] == '\n' &&
            same_bytes(all->text + slot->begin, s, size))
            return (int64_t)slot->number - 1;
    }
    if (strict && !is_utf8(s, size)) return NOT_UTF8;
    size_t needed = all->used + (size_t)size + 1;
    if (needed > all->room) {
        char *text = realloc(all->text, needed + needed / 2 + 1024);
        if (text == NULL) return NO_MEMORY;
        all->text = text;
        all->room = needed + needed / 2 + 1024;
    }
    memcpy(all->text + all->used, s, (size_t)size);
    all->text[needed - 1] = '\n';
    all->slots[place] = (Slot){(uint32_t)++all->count, hash, all->used};
    all->used = needed;
    if (all->count > most_names(all->bits) && set_slots(all, all->bits + 1) < 0) return NO_MEMORY;
    return (int64_t)all->count - 1;
}

const char numbering_doc[] = PyDoc_STR("numbering()\n--\n\nAn empty numbering of names.");

PyObject *numbering(PyObject *module, PyObject *arguments) {
    (void)module, (void)arguments;
    Numbering *all = calloc(1, sizeof(Numbering));
    if (all == NULL || set_slots(all, FEWEST_BITS) < 0) {
        if (all != NULL) free_all(all);
        return PyErr_NoMemory();
    }
    PyObject *capsule = PyCapsule_New(all, NULL, free_numbering);
    if (capsule == NULL) free_all(all);
    return capsule;
}

const char numbered_doc[] = PyDoc_STR(
             "numbered(numberings, block, spans, rows, stride, numbers, strict)\n--\n\n"
             "Writes the numbers, uint32, of the names between spans[row, 2 * column] and\n"
             "spans[row, 2 * column + 1] to numbers[column, row], by the numbering of each column;\n"
             "new names get the next ones. False if a new one is not UTF-8, where `strict`.");

/* What is to be numbered: names in a block between spans, so many int64 apart. */
typedef struct {
    const char *base;
    Py_ssize_t size;
    const int64_t *span;
    Py_ssize_t rows, stride;
} Spans;

/* Writes the numbers of names; what it returns is negative as from number_of. */
static int64_t number_all(Numbering *all, const Spans *names, int strict, uint32_t *out) {
    enum { AHEAD = 16 }; /* names whose slots are fetched before they are looked at */
    int64_t last = -1, last_end = -1, number = 0;
    for (Py_ssize_t first = 0; first < names->rows; first += AHEAD) {
        uint32_t hashes[AHEAD];
        const char *text[AHEAD];
        Py_ssize_t sizes[AHEAD], fresh[AHEAD], count = 0;
        Py_ssize_t these = names->rows - first < AHEAD ? names->rows - first : AHEAD;
        const int64_t *one = names->span + first * names->stride;
        for (Py_ssize_t i = 0; i < these; i++, one += names->stride) {
            const int64_t begin = one[0], end = one[1];
            if (begin == last && end == last_end) continue;
            if (begin < 0 || begin > end || end > names->size) return OUTSIDE;
            const int64_t size = last_end - last;
            const int again = last >= 0 && end - begin == size &&
                              same_bytes(names->base + begin, names->base + last, size);
            last = begin, last_end = end;
            if (again) continue;
            text[count] = names->base + begin, sizes[count] = (Py_ssize_t)(end - begin);
            hashes[count] = (uint32_t)(hash_of(text[count], sizes[count]) >> 32);
            FETCH(all->slots + (hashes[count] >> (MOST_BITS - all->bits)));
            fresh[count++] = i;
        }
        for (Py_ssize_t j = 0; j < count; j++) {
            const Slot *slot = all->slots + (hashes[j] >> (MOST_BITS - all->bits));
            if (slot->hash == hashes[j]) FETCH(all->text + slot->begin);
        }
        Py_ssize_t i = 0;
        for (Py_ssize_t j = 0; j < count; j++) {
            for (; i < fresh[j]; i++) out[first + i] = (uint32_t)number;
            number = number_of(all, text[j], sizes[j], hashes[j], strict);
            if (number < 0) return number;
        }
        for (; i < these; i++) out[first + i] = (uint32_t)number;
    }
    return 0;
}

/* All columns, some rows at a time, so that spans are still at hand for the next column. */
static int64_t number_columns(Numbering **all, Py_ssize_t columns, const Spans *names, int strict,
                              uint32_t *out) {
    enum { TOGETHER = 256 };
    for (Py_ssize_t first = 0; first < names->rows; first += TOGETHER) {
        Py_ssize_t these = names->rows - first < TOGETHER ? names->rows - first : TOGETHER;
        for (Py_ssize_t column = 0; column < columns; column++) {
            const int64_t *span = names->span + first * names->stride + 2 * column;
            const Spans some = {names->base, names->size, span, these, names->stride};
            int64_t bad = number_all(all[column], &some, strict, out + column * names->rows + first);
            if (bad < 0) return bad;
        }
    }
    return 0;
}

PyObject *numbered(PyObject *module, PyObject *arguments) {
    (void)module;
    enum { MOST_COLUMNS = 64 };
    Numbering *all[MOST_COLUMNS];
    PyObject *capsules;
    Py_buffer block, spans, numbers;
    Py_ssize_t rows, stride;
    int strict;
    if (!PyArg_ParseTuple(arguments, "O!y*y*nnw*p", &PyTuple_Type, &capsules, &block, &spans, &rows,
                          &stride, &numbers, &strict))
        return NULL;
    const Py_ssize_t columns = PyTuple_Size(capsules), size = (Py_ssize_t)sizeof(int64_t);
    int fits = rows >= 0 && columns > 0 && columns <= MOST_COLUMNS && stride >= 2 * columns &&
               rows <= spans.len / size / stride &&
               rows <= numbers.len / columns / (Py_ssize_t)sizeof(uint32_t);
    for (Py_ssize_t i = 0; fits && i < columns; i++) {
        all[i] = PyCapsule_GetPointer(PyTuple_GetItem(capsules, i), NULL);
        fits = all[i] != NULL;
    }
    int64_t outcome = OUTSIDE;
    if (fits) {
        const Spans names = {block.buf, block.len, spans.buf, rows, stride};
        Py_BEGIN_ALLOW_THREADS
        outcome = number_columns(all, columns, &names, strict, numbers.buf);
        Py_END_ALLOW_THREADS
    }
    PyBuffer_Release(&block);
    PyBuffer_Release(&spans);
    PyBuffer_Release(&numbers);
    if (outcome == NO_MEMORY) return PyErr_NoMemory();
    if (outcome == OUTSIDE) {
        PyErr_SetString(PyExc_ValueError, "numbered: numberings, and spans within the block");
        return NULL;
    }
    return PyBool_FromLong(outcome == 0);
}

const char numbering_size_doc[] =
    PyDoc_STR("numbering_size(numbering)\n--\n\nHow many names there are.");

PyObject *numbering_size(PyObject *module, PyObject *capsule) {
    (void)module;
    Numbering *all = PyCapsule_GetPointer(capsule, NULL);
    return all == NULL ? NULL : PyLong_FromSize_t(all->count);
}

const char numbered_names_doc[] = PyDoc_STR(
             "numbered_names(numbering)\n--\n\n"
             "All names in the order of their numbers, each with a line end behind it.");

PyObject *numbered_names(PyObject *module, PyObject *capsule) {
    (void)module;
    Numbering *all = PyCapsule_GetPointer(capsule, NULL);
    if (all == NULL) return NULL;
    return PyBytes_FromStringAndSize(all->text, (Py_ssize_t)all->used);
}

/* ---- Cells in order ---------------------------------------------------------------------- */

/* How many keys are below each, for keys below `most`: starts has most + 1 places. */
static void count_below(const uint32_t *keys, Py_ssize_t count, size_t most, uint32_t *starts) {
    memset(starts, 0, (most + 1) * sizeof(uint32_t));
    for (Py_ssize_t i = 0; i < count; i++) starts[keys[i] + 1]++;
    for (size_t k = 0; k < most; k++) starts[k + 1] += starts[k];
}

const char place_cells_doc[] = PyDoc_STR(
             "place_cells(rows, columns, height, width, values, numbers, codes, placed)\n--\n\n"
             "Puts cells, given by their uint32 rows and columns, into row-major order; those given\n"
             "twice keep their order. Writes row * width + column, int64, to `codes`, and the values\n"
             "of each cell, so many numbers of eight bytes, to `placed`.");

PyObject *place_cells(PyObject *module, PyObject *arguments) {
    (void)module;
    Py_buffer rows, columns, values, codes, placed;
    Py_ssize_t height, width, numbers;
    if (!PyArg_ParseTuple(arguments, "y*y*nny*nw*w*", &rows, &columns, &height, &width, &values,
                          &numbers, &codes, &placed))
        return NULL;
    const Py_ssize_t count = rows.len / (Py_ssize_t)sizeof(uint32_t);
    const uint32_t *row = rows.buf, *column = columns.buf;
    int ascending = 1, fits = columns.len == rows.len && codes.len == 2 * rows.len && numbers > 0 &&
                              values.len == codes.len * numbers && placed.len == values.len &&
                              (uint64_t)count < UINT32_MAX && height >= 0 && width >= 0;
    for (Py_ssize_t i = 0; fits && i < count; i++) {
        fits = row[i] < (size_t)height && column[i] < (size_t)width;
        ascending &= i == 0 || column[i] >= column[i - 1];
    }
    uint32_t *starts = NULL, *order = NULL;
    if (!fits) {
        PyErr_SetString(PyExc_ValueError, "place_cells: rows and columns within the matrix");
    } else {
        starts = malloc(((size_t)(height > width ? height : width) + 1) * sizeof(uint32_t));
        order = malloc(ascending ? 1 : (size_t)count * sizeof(uint32_t));
        if (starts == NULL || order == NULL) {
            fits = 0;
            PyErr_NoMemory();
        }
    }
    if (fits) {
        Py_BEGIN_ALLOW_THREADS
        if (!ascending) { /* by column first; a row keeps that order */
            count_below(column, count, (size_t)width, starts);
            for (Py_ssize_t i = 0; i < count; i++) order[starts[column[i]]++] = (uint32_t)i;
        }
        count_below(row, count, (size_t)height, starts);
        const int64_t *value = values.buf;
        int64_t *code = codes.buf, *out = placed.buf;
        for (Py_ssize_t i = 0; i < count; i++) {
            Py_ssize_t one = ascending ? i : (Py_ssize_t)order[i];
            size_t place = starts[row[one]]++;
            code[place] = (int64_t)row[one] * width + column[one];
            for (Py_ssize_t j = 0; j < numbers; j++)
                out[place * (size_t)numbers + (size_t)j] = value[one * numbers + j];
        }
        Py_END_ALLOW_THREADS
    }
    free(starts);
    free(order);
    PyBuffer_Release(&rows);
    PyBuffer_Release(&columns);
    PyBuffer_Release(&values);
    PyBuffer_Release(&codes);
    PyBuffer_Release(&placed);
    return fits ? Py_NewRef(Py_None) : NULL;
}
