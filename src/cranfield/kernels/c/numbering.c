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
    uint32_t check;  /* other bits of the hash, so that few names are compared in vain */
    uint64_t begin;  /* of the name in the text */
} Slot;

typedef struct {
    char *text; /* the names one after the other, each with a line end behind it */
    size_t used, room;
    size_t count;
    Slot *slots;
    int bits; /* of the number of slots */
} Numbering;

enum { FEWEST_BITS = 12 };

static void free_numbering(PyObject *capsule) {
    Numbering *all = PyCapsule_GetPointer(capsule, NULL);
    free(all->text);
    free(all->slots);
    free(all);
}

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

static int set_slots(Numbering *all, int bits) {
    Slot *slots = empty_slots(bits);
    if (slots == NULL) return -1;
    const size_t mask = ((size_t)1 << bits) - 1;
    const char *name = all->text, *end;
    for (size_t i = 0; i < all->count; i++, name = end + 1) {
        end = memchr(name, '\n', all->used);
        uint64_t hash = hash_of(name, end - name);
        size_t place = (size_t)(hash >> (64 - bits));
        while (slots[place].number) place = (place + 1) & mask;
        slots[place] = (Slot){(uint32_t)(i + 1), (uint32_t)hash, (uint64_t)(name - all->text)};
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

/* The number of a name, from 0 on; -1 = no memory, -2 = not UTF-8 although it must be. */
static int64_t number_of(Numbering *all, const char *s, Py_ssize_t size, uint64_t hash, int strict) {
    size_t mask = ((size_t)1 << all->bits) - 1, place = (size_t)(hash >> (64 - all->bits));
    for (; all->slots[place].number; place = (place + 1) & mask) {
        const Slot *slot = all->slots + place;
        if (slot->check == (uint32_t)hash && slot->begin + (size_t)size < all->used &&
            all->text[slot->begin + (size_t)size] == '\n' &&
            memcmp(all->text + slot->begin, s, (size_t)size) == 0)
            return (int64_t)slot->number - 1;
    }
    if (strict && !is_utf8(s, size)) return -2;
    size_t needed = all->used + (size_t)size + 1;
    if (needed > all->room) {
        char *text = realloc(all->text, needed + needed / 2 + 1024);
        if (text == NULL) return -1;
        all->text = text;
        all->room = needed + needed / 2 + 1024;
    }
    if (all->count == UINT32_MAX - 1) return -1;
    all->slots[place] = (Slot){(uint32_t)++all->count, (uint32_t)hash, all->used};
    memcpy(all->text + all->used, s, (size_t)size);
    all->text[needed - 1] = '\n';
    all->used = needed;
    if (2 * all->count > mask && set_slots(all, all->bits + 2) < 0) return -1;
    return (int64_t)all->count - 1;
}

const char numbering_doc[] = PyDoc_STR("numbering()\n--\n\nAn empty numbering of names.");

PyObject *numbering(PyObject *module, PyObject *arguments) {
    (void)module, (void)arguments;
    Numbering *all = calloc(1, sizeof(Numbering));
    if (all == NULL || set_slots(all, FEWEST_BITS) < 0) {
        free(all);
        return PyErr_NoMemory();
    }
    PyObject *capsule = PyCapsule_New(all, NULL, free_numbering);
    if (capsule == NULL) {
        free(all->slots);
        free(all);
    }
    return capsule;
}

const char numbered_doc[] = PyDoc_STR(
             "numbered(numbering, block, spans, rows, stride, place, numbers, strict)\n--\n\n"
             "Writes the number, uint32, of each name between spans[row, place] and\n"
             "spans[row, place + 1]; new names get the next ones. Returns how many names there are,\n"
             "or -1 if a new one is not UTF-8, where `strict`.");

/* What is to be numbered: names in a block between spans, so many int64 apart. */
typedef struct {
    const char *base;
    const int64_t *span;
    Py_ssize_t rows, stride;
} Spans;

/* Whether names of one size are the same; most have a few characters. */
static inline int same(const char *s, const char *t, Py_ssize_t size) {
    if (size > 16 || size < 4) return memcmp(s, t, (size_t)size) == 0;
    if (size >= 8) {
        uint64_t a, b, c, d;
        memcpy(&a, s, 8), memcpy(&b, t, 8);
        memcpy(&c, s + size - 8, 8), memcpy(&d, t + size - 8, 8);
        return a == b && c == d;
    }
    uint32_t a, b, c, d;
    memcpy(&a, s, 4), memcpy(&b, t, 4);
    memcpy(&c, s + size - 4, 4), memcpy(&d, t + size - 4, 4);
    return a == b && c == d;
}

/* Writes the numbers of names; what it returns is negative as from number_of. */
static int64_t number_all(Numbering *all, const Spans *names, int strict, uint32_t *out) {
    enum { AHEAD = 16 }; /* names whose slots are fetched before they are looked at */
    const char *last = NULL;
    Py_ssize_t last_size = -1;
    int64_t number = 0;
    for (Py_ssize_t first = 0; first < names->rows; first += AHEAD) {
        uint64_t hashes[AHEAD];
        const char *text[AHEAD];
        Py_ssize_t sizes[AHEAD], fresh[AHEAD], count = 0;
        Py_ssize_t these = names->rows - first < AHEAD ? names->rows - first : AHEAD;
        for (Py_ssize_t i = 0; i < these; i++) {
            const int64_t *one = names->span + (first + i) * names->stride;
            text[i] = names->base + one[0];
            sizes[i] = (Py_ssize_t)(one[1] - one[0]);
            if (sizes[i] == last_size && same(text[i], last, last_size)) continue;
            last = text[i], last_size = sizes[i];
            hashes[count] = hash_of(last, last_size);
            FETCH(all->slots + (hashes[count] >> (64 - all->bits)));
            fresh[count++] = i;
        }
        for (Py_ssize_t j = 0; j < count; j++) {
            const Slot *slot = all->slots + (hashes[j] >> (64 - all->bits));
            if (slot->check == (uint32_t)hashes[j]) FETCH(all->text + slot->begin);
        }
        for (Py_ssize_t i = 0, j = 0; i < these; i++) {
            if (j < count && fresh[j] == i) {
                number = number_of(all, text[i], sizes[i], hashes[j++], strict);
                if (number < 0) return number;
            }
            out[first + i] = (uint32_t)number;
        }
    }
    return 0;
}

static int within(const Spans *names, Py_ssize_t size) {
    for (Py_ssize_t i = 0; i < names->rows; i++) {
        const int64_t *one = names->span + i * names->stride;
        if (one[0] < 0 || one[0] > one[1] || one[1] > size) return 0;
    }
    return 1;
}

PyObject *numbered(PyObject *module, PyObject *arguments) {
    (void)module;
    PyObject *capsule;
    Py_buffer block, spans, numbers;
    Py_ssize_t rows, stride, place;
    int strict;
    if (!PyArg_ParseTuple(arguments, "Oy*y*nnnw*p", &capsule, &block, &spans, &rows, &stride, &place,
                          &numbers, &strict))
        return NULL;
    Numbering *all = PyCapsule_GetPointer(capsule, NULL);
    const Py_ssize_t size = (Py_ssize_t)sizeof(int64_t);
    const Spans names = {block.buf, (const int64_t *)spans.buf + place, rows, stride};
    int64_t outcome = -3;
    if (all != NULL && (rows < 0 || place < 0 || stride < place + 2 ||
                        rows > spans.len / size / stride ||
                        rows > numbers.len / (Py_ssize_t)sizeof(uint32_t) ||
                        !within(&names, block.len)))
        PyErr_SetString(PyExc_ValueError, "numbered: a numbering, and spans within the block");
    else if (all != NULL) {
        Py_BEGIN_ALLOW_THREADS
        outcome = number_all(all, &names, strict, numbers.buf);
        Py_END_ALLOW_THREADS
    }
    PyBuffer_Release(&block);
    PyBuffer_Release(&spans);
    PyBuffer_Release(&numbers);
    if (outcome == -1) return PyErr_NoMemory();
    if (outcome == -3) return NULL;
    return PyLong_FromLongLong(outcome < 0 ? -1 : (long long)all->count);
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

/* The order in which keys ascend, equal ones as in `before`. `starts` has room for most + 1. */
static void sort_by(const uint32_t *keys, size_t most, const uint32_t *before, uint32_t *order,
                    Py_ssize_t count, uint32_t *starts) {
    memset(starts, 0, (most + 1) * sizeof(uint32_t));
    for (Py_ssize_t i = 0; i < count; i++) starts[keys[i] + 1]++;
    for (size_t k = 0; k < most; k++) starts[k + 1] += starts[k];
    for (Py_ssize_t i = 0; i < count; i++) {
        uint32_t one = before ? before[i] : (uint32_t)i;
        order[starts[keys[one]]++] = one;
    }
}

const char order_cells_doc[] = PyDoc_STR(
             "order_cells(rows, columns, height, width, order, codes)\n--\n\n"
             "Writes to `order` the places of cells in row-major order, given their rows and columns,\n"
             "all of them uint32, and to `codes` row * width + column, int64; cells that are given\n"
             "twice keep their order.");

PyObject *order_cells(PyObject *module, PyObject *arguments) {
    (void)module;
    Py_buffer rows, columns, order, codes;
    Py_ssize_t height, width;
    if (!PyArg_ParseTuple(arguments, "y*y*nnw*w*", &rows, &columns, &height, &width, &order, &codes))
        return NULL;
    const Py_ssize_t count = rows.len / (Py_ssize_t)sizeof(uint32_t);
    const uint32_t *row = rows.buf, *column = columns.buf;
    int ascending = 1, fits = columns.len == rows.len && order.len == rows.len &&
                              codes.len == count * (Py_ssize_t)sizeof(int64_t) &&
                              (uint64_t)count < UINT32_MAX && height >= 0 && width >= 0;
    for (Py_ssize_t i = 0; fits && i < count; i++) {
        fits = row[i] < (size_t)height && column[i] < (size_t)width;
        ascending &= i == 0 || column[i] >= column[i - 1];
    }
    uint32_t *starts = NULL, *before = NULL;
    if (!fits) {
        PyErr_SetString(PyExc_ValueError, "order_cells: rows and columns within the matrix");
    } else {
        starts = malloc(((size_t)(height > width ? height : width) + 1) * sizeof(uint32_t));
        before = malloc(ascending ? 1 : (size_t)count * sizeof(uint32_t));
        if (starts == NULL || before == NULL) {
            fits = 0;
            PyErr_NoMemory();
        }
    }
    if (fits) {
        Py_BEGIN_ALLOW_THREADS
        if (!ascending) sort_by(column, (size_t)width, NULL, before, count, starts);
        sort_by(row, (size_t)height, ascending ? NULL : before, order.buf, count, starts);
        const uint32_t *place = order.buf;
        int64_t *code = codes.buf;
        for (Py_ssize_t i = 0; i < count; i++)
            code[i] = (int64_t)row[place[i]] * width + column[place[i]];
        Py_END_ALLOW_THREADS
    }
    free(starts);
    free(before);
    PyBuffer_Release(&rows);
    PyBuffer_Release(&columns);
    PyBuffer_Release(&order);
    PyBuffer_Release(&codes);
    return fits ? Py_NewRef(Py_None) : NULL;
}
