/* Sets of labels: packing, members that break rules, costs of the nearest, the best of a row.

   The meaning of each is defined by label_sets.py. All run without the interpreter's lock. */
#define PY_SSIZE_T_CLEAN
#include "sets.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "bits.h"
#include "buffers.h"
#include "hot.h"

/* ── packing ──────────────────────────────────────────────────────────────────────────────── */

/* Up to 64 marks as bits. */
static inline uint64_t pack_word(const uint8_t *marks, ptrdiff_t count) {
    uint64_t word = 0;
    ptrdiff_t j = 0;
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    /* Eight at once: the product brings bit 8i of the marks to bit 56 + i, and nothing else. */
    const uint64_t low = 0x7f7f7f7f7f7f7f7fu, lowest = 0x0101010101010101u;
    for (; j + 8 <= count; j += 8) {
        uint64_t eight;
        memcpy(&eight, marks + j, sizeof eight);
        /* A carry into bit 7 shows any of the seven below: each byte becomes 0 or 1. */
        eight = (((eight & low) + low) | eight) >> 7 & lowest;
        word |= (eight * 0x0102040810204080u >> 56) << j;
    }
#endif
    for (; j < count; j++) word |= (uint64_t)IS_SET(marks[j]) << j;
    return word;
}

static inline void pack_row(const uint8_t *marks, ptrdiff_t concepts, uint64_t *set) {
    for (ptrdiff_t j = 0; j < concepts; j += WORD)
        set[j / WORD] = pack_word(marks + j, concepts - j < WORD ? concepts - j : WORD);
}

/* pack(matrix, concepts, first, last, out) */
static PyObject *pack(PyObject *self, PyObject *args) {
    (void)self;
    Py_buffer matrix, out;
    Py_ssize_t concepts, first, last;
    if (!PyArg_ParseTuple(args, "y*nnnw*", &matrix, &concepts, &first, &last, &out)) return NULL;
    Py_BEGIN_ALLOW_THREADS
    for (ptrdiff_t i = first; i < last; i++)
        pack_row((const uint8_t *)matrix.buf + i * concepts, concepts,
                 (uint64_t *)out.buf + i * words_for(concepts));
    Py_END_ALLOW_THREADS
    RELEASE(&matrix, &out);
    Py_RETURN_NONE;
}

/* ── rules ────────────────────────────────────────────────────────────────────────────────── */

typedef struct {
    const uint64_t *conflicts; /* what each concept may not stand beside */
    const uint64_t *demands;   /* what it needs, all of it */
    const uint64_t *choices;   /* sets of which it needs one member each … */
    const int64_t *starts;     /* … and where those of each concept begin */
    ptrdiff_t concepts;
} Checks;

static inline int breaks_a_rule(ptrdiff_t c, const uint64_t *set, const Checks *checks,
                                ptrdiff_t words) {
    const uint64_t *conflicts = checks->conflicts + c * words;
    const uint64_t *demands = checks->demands + c * words;
    uint64_t bad = 0;
    for (ptrdiff_t w = 0; w < words; w++)
        bad |= (set[w] & conflicts[w]) | (~set[w] & demands[w]);
    for (int64_t k = checks->starts[c]; k < checks->starts[c + 1]; k++)
        bad |= !meet(set, checks->choices + k * words, words);
    return bad != 0;
}

/* Inlined with a constant number of words where sets are small. */
static inline void find_violators(const uint64_t *sets, const Checks *checks, ptrdiff_t words,
                                  ptrdiff_t count, uint64_t *broken) {
    for (ptrdiff_t i = 0; i < count; i++, sets += words, broken += words)
        for (ptrdiff_t w = 0; w < words; w++) {
            uint64_t bad = 0;
            for (uint64_t left = word_of(sets, w, checks->concepts); left; left &= left - 1) {
                const int bit = lowest_bit(left);
                bad |= (uint64_t)breaks_a_rule(w * WORD + bit, sets, checks, words) << bit;
            }
            broken[w] = bad;
        }
}

/* violators(sets, conflicts, demands, choices, starts, concepts, first, last, out) */
static PyObject *violators(PyObject *self, PyObject *args) {
    (void)self;
    Py_buffer sets, conflicts, demands, choices, starts, out;
    Py_ssize_t concepts, first, last;
    if (!PyArg_ParseTuple(args, "y*y*y*y*y*nnnw*", &sets, &conflicts, &demands, &choices, &starts,
                          &concepts, &first, &last, &out))
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    const Checks checks = {conflicts.buf, demands.buf, choices.buf, starts.buf, concepts};
    const ptrdiff_t words = words_for(concepts);
    const uint64_t *from = (const uint64_t *)sets.buf + first * words;
    uint64_t *to = (uint64_t *)out.buf + first * words;
    if (words == 1)
        find_violators(from, &checks, 1, last - first, to);
    else if (words == 2)
        find_violators(from, &checks, 2, last - first, to);
    else
        find_violators(from, &checks, words, last - first, to);
    Py_END_ALLOW_THREADS
    RELEASE(&sets, &conflicts, &demands, &choices, &starts, &out);
    Py_RETURN_NONE;
}

/* ── nearest ──────────────────────────────────────────────────────────────────────────────── */

/* nearest(sources, targets, costs, turned | None, target_scale | None, source_scale | None,
           concepts, first, last, out) */
static PyObject *nearest(PyObject *self, PyObject *args) {
    (void)self;
    Py_buffer sources, targets, costs, turned, target_scale, source_scale, out;
    Py_ssize_t concepts, first, last;
    int enough;
    if (!PyArg_ParseTuple(args, "y*y*y*z*z*z*nnnw*", &sources, &targets, &costs, &turned,
                          &target_scale, &source_scale, &concepts, &first, &last, &out))
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    const ptrdiff_t words = words_for(concepts);
    int32_t *members = malloc((size_t)(2 * concepts + 1) * sizeof *members);
    double *prices = malloc((size_t)(concepts + 1) * sizeof *prices);
    int64_t *scales = malloc((size_t)(concepts + 1) * sizeof *scales);
    enough = members && prices && scales;
    const Replacement replacement = {.concepts = concepts,
                                     .costs = costs.buf,
                                     .turned = turned.buf,
                                     .target_scale = target_scale.buf,
                                     .source_scale = source_scale.buf,
                                     .given = members,
                                     .wanted = members + concepts,
                                     .prices = prices,
                                     .scales = scales};
    for (ptrdiff_t i = first; enough && i < last; i++)
        ((double *)out.buf)[i] = hot()->replace_all(
            &replacement, (const uint64_t *)sources.buf + i * words,
            (const uint64_t *)targets.buf + i * words);
    free(members);
    free(prices);
    free(scales);
    Py_END_ALLOW_THREADS
    RELEASE(&sources, &targets, &costs, &turned, &target_scale, &source_scale, &out);
    if (!enough) return PyErr_NoMemory();
    Py_RETURN_NONE;
}

/* ── the best of a row ────────────────────────────────────────────────────────────────────── */

/* top(scores, include | None, itemsize, sizes, order, concepts, first, last, out, hung) */
static PyObject *top(PyObject *self, PyObject *args) {
    (void)self;
    Py_buffer scores, include, sizes, order, out, hung;
    int itemsize, enough;
    Py_ssize_t concepts, first, last;
    if (!PyArg_ParseTuple(args, "y*z*iy*y*nnnw*w*", &scores, &include, &itemsize, &sizes, &order,
                          &concepts, &first, &last, &out, &hung))
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    const Hot *loops = hot();
    int64_t *keys = malloc((size_t)(concepts + 1) * sizeof *keys);
    uint8_t *marks = malloc((size_t)(concepts + 1));
    enough = keys && marks;
    for (ptrdiff_t i = first; enough && i < last; i++) {
        const ptrdiff_t at = i * concepts;
        const uint8_t *listed = include.buf ? (const uint8_t *)include.buf + at : NULL;
        const int64_t size = ((const int64_t *)sizes.buf)[i];
        ((uint8_t *)hung.buf)[i] =
            itemsize == 4 ? loops->mark_top_f32((const float *)scores.buf + at, listed, concepts,
                                                size, order.buf, keys, marks)
                          : loops->mark_top_f64((const double *)scores.buf + at, listed, concepts,
                                                size, order.buf, keys, marks);
        pack_row(marks, concepts, (uint64_t *)out.buf + i * words_for(concepts));
    }
    free(keys);
    free(marks);
    Py_END_ALLOW_THREADS
    RELEASE(&scores, &include, &sizes, &order, &out, &hung);
    if (!enough) return PyErr_NoMemory();
    Py_RETURN_NONE;
}

PyMethodDef sets_functions[] = {
    {"pack", pack, METH_VARARGS, "Sets from marked members."},
    {"violators", violators, METH_VARARGS, "Members that break a rule."},
    {"nearest", nearest, METH_VARARGS, "Costs of replacing members by their nearest targets."},
    {"top", top, METH_VARARGS, "The best concepts of each row."},
    {NULL, NULL, 0, NULL},
};
