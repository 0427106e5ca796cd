/* Names as numbers, for files that list cells.
 *
 * Millions of ids of documents are numbered as bytes, without a Python string for each line; the
 * strings are made once, when all are known. */
#define PY_SSIZE_T_CLEAN
#include "numbering.h"

#include "memory.h"

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

struct Numbering {
    char *text; /* the names one after the other, each with a line end behind it */
    size_t used, room;
    size_t count;
    Slot *slots;
    int bits; /* of the number of slots */
};

enum { FEWEST_BITS = 12, MOST_BITS = 32 };

static void free_all(Numbering *all) {
    free(all->text);
    free(all->slots);
    free(all);
}

static void free_numbering(PyObject *capsule) { free_all(PyCapsule_GetPointer(capsule, NULL)); }

/* How many names so many slots are for, so that most are found at once. */
static inline size_t most_names(int bits) { return ((size_t)5 << bits) / 8; }

/* More slots. Those of one place go to the two that follow from it, so this walks straight on. */
static int set_slots(Numbering *all, int bits) {
    if (bits > MOST_BITS) return -1;
    Slot *slots = scattered(sizeof(Slot) << bits);
    if (slots == NULL) return -1;
    memset(slots, 0, sizeof(Slot) << bits);
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

/* More room for the text. */
static int set_room(Numbering *all, size_t room) {
    char *text = scattered(room);
    if (text == NULL) return -1;
    if (all->used > 0) memcpy(text, all->text, all->used);
    free(all->text);
    all->text = text;
    all->room = room;
    return 0;
}

/* Whether these bytes are UTF-8: no overlong forms, no surrogates, nothing beyond U+10FFFF. */
static int is_utf8(const char *text, Py_ssize_t size) {
    const unsigned char *s = (const unsigned char *)text, *end = s + size;
    for (uint64_t eight; end - s >= 8; s += 8) {
        memcpy(&eight, s, 8);
        if (eight & 0x8080808080808080u) break;
    }
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
    if (needed > all->room && set_room(all, 2 * needed + 1024) < 0) return NO_MEMORY;
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

enum { AHEAD = 32 }; /* names whose slots are fetched before they are looked at */

/* Writes the numbers of at most AHEAD names; returns 0, or what is negative from number_of. */
static inline int64_t number_few(Numbering *all, Py_ssize_t count, const char *const *text,
                                 const Py_ssize_t *sizes, int strict, uint32_t *numbers) {
    uint32_t hashes[AHEAD];
    for (Py_ssize_t j = 0; j < count; j++) {
        hashes[j] = (uint32_t)(hash_of(text[j], sizes[j]) >> 32);
        FETCH(all->slots + (hashes[j] >> (MOST_BITS - all->bits)));
    }
    for (Py_ssize_t j = 0; j < count; j++) {
        const Slot *slot = all->slots + (hashes[j] >> (MOST_BITS - all->bits));
        if (slot->hash == hashes[j]) FETCH(all->text + slot->begin);
    }
    for (Py_ssize_t j = 0; j < count; j++) {
        int64_t number = number_of(all, text[j], sizes[j], hashes[j], strict);
        if (number < 0) return number;
        numbers[j] = (uint32_t)number;
    }
    return 0;
}

int64_t number_texts(Numbering *all, const char *const *text, const Py_ssize_t *sizes,
                     Py_ssize_t count, uint32_t *numbers) {
    int64_t outcome = 0;
    for (Py_ssize_t first = 0; outcome == 0 && first < count; first += AHEAD) {
        Py_ssize_t these = count - first < AHEAD ? count - first : AHEAD;
        outcome = number_few(all, these, text + first, sizes + first, 1, numbers + first);
    }
    return outcome;
}

/* The same for names between spans; those of one that stands in the line above are found at once. */
static int64_t number_all(Numbering *all, const Spans *names, int strict, uint32_t *out) {
    int64_t last = -1, last_end = -1;
    uint32_t number = 0;
    for (Py_ssize_t first = 0; first < names->rows; first += AHEAD) {
        const char *text[AHEAD];
        uint32_t numbers[AHEAD];
        Py_ssize_t sizes[AHEAD], fresh[AHEAD], count = 0;
        Py_ssize_t these = names->rows - first < AHEAD ? names->rows - first : AHEAD;
        const int64_t *one = names->span + first * names->stride;
        for (Py_ssize_t i = 0; i < these; i++, one += names->stride) {
            const int64_t begin = one[0], end = one[1], size = last_end - last;
            if (begin < 0 || begin > end || end > names->size) return OUTSIDE;
            const int again = last >= 0 && end - begin == size &&
                              same_bytes(names->base + begin, names->base + last, size);
            last = begin, last_end = end;
            if (again) continue;
            text[count] = names->base + begin, sizes[count] = (Py_ssize_t)(end - begin);
            fresh[count++] = i;
        }
        int64_t bad = number_few(all, count, text, sizes, strict, numbers);
        if (bad < 0) return bad;
        Py_ssize_t i = 0;
        for (Py_ssize_t j = 0; j < count; j++) {
            for (; i < fresh[j]; i++) out[first + i] = number;
            number = numbers[j];
        }
        for (; i < these; i++) out[first + i] = number;
    }
    return 0;
}

int64_t number_columns(Numbering **all, Py_ssize_t columns, const Spans *names, uint32_t *out,
                       Py_ssize_t apart) {
    int64_t outcome = 0;
    for (Py_ssize_t column = 0; outcome == 0 && column < columns; column++) {
        Spans some = *names;
        some.span += 2 * column;
        outcome = number_all(all[column], &some, 1, out + column * apart);
    }
    return outcome;
}

int numberings_of(PyObject *capsules, Numbering **all) {
    for (Py_ssize_t i = 0; i < PyTuple_Size(capsules); i++) {
        all[i] = PyCapsule_GetPointer(PyTuple_GetItem(capsules, i), NULL);
        if (all[i] == NULL) return 0;
    }
    return 1;
}

const char numbered_doc[] = PyDoc_STR(
             "numbered(numbering, text, spans, numbers)\n--\n\n"
             "Writes the numbers, uint32, of the names between spans[row, 0] and spans[row, 1], int64;\n"
             "new names get the next ones.");

PyObject *numbered(PyObject *module, PyObject *arguments) {
    (void)module;
    PyObject *capsule;
    Py_buffer text, spans, numbers;
    if (!PyArg_ParseTuple(arguments, "Oy*y*w*", &capsule, &text, &spans, &numbers)) return NULL;
    Numbering *all = PyCapsule_GetPointer(capsule, NULL);
    const Py_ssize_t rows = numbers.len / (Py_ssize_t)sizeof(uint32_t);
    int64_t outcome = OUTSIDE;
    if (all != NULL && spans.len == 2 * rows * (Py_ssize_t)sizeof(int64_t)) {
        const Spans names = {text.buf, text.len, spans.buf, rows, 2};
        outcome = number_all(all, &names, 0, numbers.buf);
    }
    PyBuffer_Release(&text);
    PyBuffer_Release(&spans);
    PyBuffer_Release(&numbers);
    if (outcome == 0) return Py_NewRef(Py_None);
    if (outcome == NO_MEMORY) return PyErr_NoMemory();
    if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "numbered: spans within the text");
    return NULL;
}

const char renumbered_doc[] = PyDoc_STR(
             "renumbered(numbering, other, begin, numbers)\n--\n\n"
             "Writes the numbers, uint32, of the last names of another numbering, those from a byte of\n"
             "its text on; new ones get the next. Returns the byte behind them.");

/* The numbers of the last names of another numbering; what is negative as from number_of. */
static int64_t number_others(Numbering *all, const Numbering *others, size_t begin, size_t count,
                             uint32_t *numbers) {
    const char *s = others->text + begin, *stop = others->text + others->used;
    int64_t outcome = 0;
    for (size_t first = 0; outcome == 0 && first < count; first += AHEAD) {
        const char *text[AHEAD];
        Py_ssize_t sizes[AHEAD], some = 0;
        for (; some < AHEAD && first + (size_t)some < count; some++) {
            const char *end = s < stop ? memchr(s, '\n', (size_t)(stop - s)) : NULL;
            if (end == NULL) return OUTSIDE;
            text[some] = s, sizes[some] = end - s;
            s = end + 1;
        }
        outcome = number_few(all, some, text, sizes, 0, numbers + first);
    }
    return s == stop ? outcome : OUTSIDE;
}

PyObject *renumbered(PyObject *module, PyObject *arguments) {
    (void)module;
    PyObject *capsule, *other;
    Py_ssize_t begin;
    Py_buffer numbers;
    if (!PyArg_ParseTuple(arguments, "OOnw*", &capsule, &other, &begin, &numbers)) return NULL;
    Numbering *all = PyCapsule_GetPointer(capsule, NULL);
    const Numbering *others = all == NULL ? NULL : PyCapsule_GetPointer(other, NULL);
    const size_t count = (size_t)numbers.len / sizeof(uint32_t);
    int64_t outcome = OUTSIDE;
    if (others != NULL && all != others && begin >= 0 && (size_t)begin <= others->used) {
        Py_BEGIN_ALLOW_THREADS
        outcome = number_others(all, others, (size_t)begin, count, numbers.buf);
        Py_END_ALLOW_THREADS
    }
    PyBuffer_Release(&numbers);
    if (outcome == 0) return PyLong_FromSize_t(others->used);
    if (outcome == NO_MEMORY) return PyErr_NoMemory();
    if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "renumbered: a number for each name");
    return NULL;
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
