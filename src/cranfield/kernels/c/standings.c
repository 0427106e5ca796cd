/* Whole lists: their order, and what every cell has to do with a statistic of them.

   Lists stand one after the other: list i has the cells offsets[i] … offsets[i + 1]. Keys hold a
   score and, in their last bits, the cell that has it, so that both are sorted at once. Scores that
   differ only in the bits given up for that are told apart afterwards. */
#define PY_SSIZE_T_CLEAN
#include "standings.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "bits.h"
#include "buffers.h"
#include "exact.h"
#include "hot.h"

/* ---- Order ------------------------------------------------------------------------------- */

/* The bits that hold a cell. */
static uint64_t places(int64_t cells) {
    uint64_t mask = 1;
    while (mask < (uint64_t)cells) mask = 2 * mask + 1;
    return mask;
}

/* Ascending keys are descending scores; both zeros are one number. */
static uint64_t key_of(double score) {
    uint64_t bits;
    score += 0.0;
    memcpy(&bits, &score, sizeof bits);
    return bits >> 63 ? bits : ~bits ^ (1ull << 63);
}

static void order_keys(const double *scores, int64_t cells, uint64_t *keys) {
    const uint64_t mask = places(cells);
    for (int64_t i = 0; i < cells; i++) keys[i] = (key_of(scores[i]) & ~mask) | (uint64_t)i;
}

typedef struct {
    uint64_t whole, key;
} Placed;

static int best_first(const void *one, const void *other) {
    const uint64_t a = ((const Placed *)one)->whole, b = ((const Placed *)other)->whole;
    return (a > b) - (a < b);
}

/* Puts keys that begin alike in the order of their scores; returns 0 if memory lacks. */
static int settle(uint64_t *keys, int64_t count, uint64_t mask, const double *scores) {
    int differ = 0;
    for (int64_t i = 1; i < count; i++) differ |= scores[keys[i] & mask] != scores[keys[0] & mask];
    if (!differ) return 1;
    Placed *placed = malloc((size_t)count * sizeof *placed);
    if (placed == NULL) return 0;
    for (int64_t i = 0; i < count; i++)
        placed[i] = (Placed){key_of(scores[keys[i] & mask]), keys[i]};
    qsort(placed, (size_t)count, sizeof *placed, best_first);
    for (int64_t i = 0; i < count; i++) keys[i] = placed[i].key;
    free(placed);
    return 1;
}

/* Turns the sorted keys of a list into its cells, best first, and marks the last of each group of
   equals; returns 0 if memory lacks. */
static int settle_list(const double *scores, int64_t begin, int64_t cells, uint64_t *keys,
                       uint8_t *last) {
    const uint64_t mask = places(cells);
    for (int64_t from = 0; from < cells;) {
        int64_t to = from + 1;
        while (to < cells && (keys[to] ^ keys[from]) <= mask) to++;
        if (to > from + 1) {
            if (!settle(keys + from, to - from, mask, scores)) return 0;
            for (int64_t i = from; i < to - 1; i++)
                last[i] = scores[keys[i] & mask] != scores[keys[i + 1] & mask];
        }
        last[to - 1] = 1;
        from = to;
    }
    for (int64_t i = 0; i < cells; i++) keys[i] = (keys[i] & mask) + (uint64_t)begin;
    return 1;
}

/* sort_cells(scores, offsets, first, last, cells, ends): the cells of lists, best first, and which of
   them are the last of their equals */
static PyObject *sort_cells(PyObject *self, PyObject *args) {
    (void)self;
    Py_buffer scores, offsets, cells, ends;
    Py_ssize_t first, last;
    if (!PyArg_ParseTuple(args, "y*y*nnw*w*", &scores, &offsets, &first, &last, &cells, &ends))
        return NULL;
    int enough;
    Py_BEGIN_ALLOW_THREADS
    const int64_t *offset = offsets.buf;
    int64_t longest = 0;
    for (Py_ssize_t list = first; list < last; list++) {
        const int64_t length = offset[list + 1] - offset[list];
        longest = length > longest ? length : longest;
    }
    uint64_t *room = malloc((size_t)(longest + SORT_ROOM) * sizeof *room);
    enough = room != NULL;
    for (Py_ssize_t list = first; enough && list < last; list++) {
        const int64_t begin = offset[list], length = offset[list + 1] - begin;
        const double *score = (const double *)scores.buf + begin;
        uint64_t *keys = (uint64_t *)cells.buf + begin;
        order_keys(score, length, keys);
        if (length > 1) hot()->sort_u64(keys, room, length);
        enough = settle_list(score, begin, length, keys, (uint8_t *)ends.buf + begin);
    }
    free(room);
    Py_END_ALLOW_THREADS
    RELEASE(&scores, &offsets, &cells, &ends);
    if (!enough) return PyErr_NoMemory();
    Py_RETURN_NONE;
}

/* ---- Standings --------------------------------------------------------------------------- */

/* By how many relevant cells are above: irrelevant cells that are not tied with relevant ones, those
   that are, and relevant cells. */
enum { FREE, TIED, HIT, KINDS }; /* FREE is 0 */

/* A list of cells, best first. */
typedef struct {
    const uint8_t *relevant; /* by cell, as `order` numbers them */
    const int64_t *order;
    const uint8_t *last; /* whether a cell is the last of its score */
    int64_t cells;
} Whole;

/* Counts the cells of a list by kind and by how many relevant ones are above, (KINDS, stride), and
   writes the place of each in this table. */
static void stand(const Whole *list, int64_t stride, int64_t *counts, uint32_t *codes) {
    memset(counts, 0, (size_t)(KINDS * stride) * sizeof(int64_t));
    int64_t above = 0;
    for (int64_t first = 0, end; first < list->cells; first = end) {
        end = first + 1;
        if (list->last[first]) { /* alone, as most are */
            const int64_t cell = list->order[first], own = IS_SET(list->relevant[cell]);
            const int64_t code = HIT * stride * own + above; /* no branch: nobody could guess it */
            codes[cell] = (uint32_t)code;
            counts[code]++;
            above += own;
            continue;
        }
        int64_t hits = IS_SET(list->relevant[list->order[first]]);
        for (; !list->last[end - 1]; end++) hits += IS_SET(list->relevant[list->order[end]]);
        for (int64_t k = first; k < end; k++) {
            const int64_t own = IS_SET(list->relevant[list->order[k]]);
            const int64_t code = stride * (HIT * own + (1 - own) * (hits > 0)) + above;
            codes[list->order[k]] = (uint32_t)code;
            counts[code]++;
        }
        above += hits;
    }
}

/* standings(relevant, offsets, order, last, first, last, starts, counts, codes): see
   kernels.standings */
static PyObject *standings(PyObject *self, PyObject *args) {
    (void)self;
    Py_buffer relevant, offsets, order, ends, starts, counts, codes;
    Py_ssize_t first, last;
    if (!PyArg_ParseTuple(args, "y*y*y*y*nny*w*w*", &relevant, &offsets, &order, &ends, &first, &last,
                          &starts, &counts, &codes))
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    const int64_t *offset = offsets.buf, *start = starts.buf;
    for (Py_ssize_t i = first; i < last; i++) {
        const Whole list = {relevant.buf, (const int64_t *)order.buf + offset[i],
                            (const uint8_t *)ends.buf + offset[i], offset[i + 1] - offset[i]};
        stand(&list, start[i + 1] - start[i], (int64_t *)counts.buf + KINDS * start[i], codes.buf);
    }
    Py_END_ALLOW_THREADS
    RELEASE(&relevant, &offsets, &order, &ends, &starts, &counts, &codes);
    Py_RETURN_NONE;
}

/* What a table of influence is made from. */
typedef struct {
    int64_t positives, negatives, found; /* found: positives that were retrieved */
    const int64_t *counts[KINDS];
    double parameter;
} Listed;

/* The tables of influence; what they mean stands in kernels/influence.py. */
static void auc_table(const Listed *list, double *table[KINDS]) {
    const double P = (double)list->positives, N = (double)list->negatives;
    const double tied_share = list->parameter;
    double before = 0.0;
    NEW_SUM(won);
    for (int64_t a = 0; a <= list->positives; a++) {
        const double tied = (double)list->counts[TIED][a];
        before += (double)list->counts[FREE][a];
        table[HIT][a] = (N - before - tied_share * tied) / N;
        sum_add(&won, (double)list->counts[HIT][a] * table[HIT][a]);
        before += tied;
    }
    const double area = sum_round(&won) / P;
    for (int64_t a = 0; a <= list->positives; a++) {
        const double right = (double)a / P - area;
        table[FREE][a] = right / N;
        table[TIED][a] = (right + (1.0 - tied_share) * (double)list->counts[HIT][a] / P) / N;
        table[HIT][a] = (table[HIT][a] - area) / P;
    }
}

/* All cells down to those with so many relevant ones above, and the retrieved relevant ones there. */
static inline int64_t cells_at(const Listed *list, int64_t above) {
    return list->counts[FREE][above] + list->counts[TIED][above] + list->counts[HIT][above];
}

static inline int64_t hits_at(const Listed *list, int64_t above) {
    return above < list->found ? list->counts[HIT][above] : 0;
}

static void ap_table(const Listed *list, double *table[KINDS]) {
    const double R = (double)list->positives;
    double *each = table[TIED], *end = table[FREE], *precision = table[HIT];
    int64_t cells = 0;
    NEW_SUM(brought);
    for (int64_t a = 0; a <= list->positives; a++) {
        cells += cells_at(list, a);
        const double hits = (double)hits_at(list, a), through = (double)a + hits;
        end[a] = cells > 0 ? (double)cells : 1.0;
        each[a] = hits / end[a];
        precision[a] = a < list->found ? through / end[a] : 0.0;
        sum_add(&brought, each[a] * through);
    }
    const double average = sum_round(&brought) / R;
    double loss = 0.0, gain = 0.0;
    for (int64_t a = list->positives; a >= 0; a--) {
        loss += each[a] * (double)(a + hits_at(list, a)) / end[a];
        gain += each[a];
        table[HIT][a] = (precision[a] + gain - loss - average) / R;
        table[FREE][a] = table[TIED][a] = -loss / R;
    }
}

static double quotient(double part, double whole) { return whole > 0.0 ? part / whole : 0.0; }

static void ap_at_prevalence_table(const Listed *list, double *table[KINDS]) {
    const double R = (double)list->positives, N = (double)list->negatives, share = list->parameter;
    double *missed = table[FREE], *slope = table[TIED], *precision = table[HIT];
    int64_t cells = 0;
    NEW_SUM(precisions);
    NEW_SUM(slopes);
    for (int64_t a = 0; a <= list->positives; a++) {
        cells += cells_at(list, a);
        const double hits = (double)hits_at(list, a), through = (double)a + hits;
        missed[a] = (cells > 0 ? (double)cells : 1.0) - through;
        const double right = share * through / R, wrong = (1.0 - share) * missed[a] / N;
        const double both = right + wrong;
        precision[a] = hits > 0.0 ? quotient(right, both) : 0.0;
        slope[a] = hits * quotient(right * wrong, both * both);
        sum_add(&precisions, hits * precision[a]);
        sum_add(&slopes, slope[a]);
    }
    const double average = sum_round(&precisions) / R, total = sum_round(&slopes);
    double by_false = 0.0, by_true = 0.0;
    for (int64_t a = list->positives; a >= 0; a--) {
        by_false += quotient(slope[a], missed[a]);
        by_true += quotient(slope[a], (double)(a + hits_at(list, a)));
        table[HIT][a] = (precision[a] + by_true - average - total / R) / R;
        table[FREE][a] = table[TIED][a] = (total / N - by_false) / R;
    }
}

typedef void (*TableOf)(const Listed *, double *table[KINDS]);
static const TableOf TABLES[] = {auc_table, ap_table, ap_at_prevalence_table};

/* Spreads the kinds from first to last by as much more as all items spread than a sample. */
static void widen(const Listed *list, int first, int last, double *table[KINDS]) {
    double size = 0.0;
    NEW_SUM(sum);
    for (int kind = first; kind <= last; kind++)
        for (int64_t a = 0; a <= list->positives; a++) {
            size += (double)list->counts[kind][a];
            sum_add(&sum, (double)list->counts[kind][a] * table[kind][a]);
        }
    const double factor = size > 1.0 ? sqrt(size / (size - 1.0)) : 1.0;
    const double rest = (1.0 - factor) * (size > 0.0 ? sum_round(&sum) / size : 0.0);
    for (int kind = first; kind <= last; kind++)
        for (int64_t a = 0; a <= list->positives; a++) table[kind][a] = factor * table[kind][a] + rest;
}

/* standing_sums(offsets, starts, counts, codes, positives, negatives, found, items, statistic,
                 parameter, shares, widened, out): see kernels.standing_sums */
static PyObject *standing_sums(PyObject *self, PyObject *args) {
    (void)self;
    Py_buffer offsets, starts, counts, codes, positives, negatives, found, items, shares, out;
    int statistic, widened;
    double parameter;
    if (!PyArg_ParseTuple(args, "y*y*y*y*y*y*y*y*idy*pw*", &offsets, &starts, &counts, &codes,
                          &positives, &negatives, &found, &items, &statistic, &parameter, &shares,
                          &widened, &out))
        return NULL;
    double *memory;
    Py_BEGIN_ALLOW_THREADS
    const int64_t *offset = offsets.buf, *start = starts.buf;
    const int64_t *item = items.len ? items.buf : NULL;
    const int64_t lists = shares.len / (Py_ssize_t)sizeof(double);
    const uint32_t *code = codes.buf;
    double *sums = out.buf;
    const ptrdiff_t size = out.len / (3 * (Py_ssize_t)sizeof(double));
    int64_t most = 0;
    for (int64_t i = 0; i < lists; i++) most = start[i + 1] - start[i] > most ? start[i + 1] - start[i] : most;
    memory = malloc((size_t)(KINDS * most + 1) * sizeof(double));
    for (int64_t i = 0; memory != NULL && i < lists; i++) {
        const double share = ((const double *)shares.buf)[i];
        if (share == 0.0) continue;
        const int64_t stride = start[i + 1] - start[i];
        const int64_t *own = (const int64_t *)counts.buf + KINDS * start[i];
        const Listed list = {((const int64_t *)positives.buf)[i], ((const int64_t *)negatives.buf)[i],
                             ((const int64_t *)found.buf)[i],
                             {own, own + stride, own + 2 * stride}, parameter};
        double *table[KINDS] = {memory, memory + stride, memory + 2 * stride};
        TABLES[statistic](&list, table);
        if (widened) {
            widen(&list, FREE, TIED, table);
            widen(&list, HIT, HIT, table);
        }
        for (int64_t k = 0; k < KINDS * stride; k++) memory[k] *= share;
        if (item == NULL)
            for (int64_t k = offset[i]; k < offset[i + 1]; k++)
                add_at(sums, size, k - offset[i], memory[code[k]]);
        else
            for (int64_t k = offset[i]; k < offset[i + 1]; k++)
                add_at(sums, size, item[k], memory[code[k]]);
    }
    free(memory);
    Py_END_ALLOW_THREADS
    RELEASE(&offsets, &starts, &counts, &codes, &positives, &negatives, &found, &items, &shares, &out);
    if (memory == NULL) return PyErr_NoMemory();
    Py_RETURN_NONE;
}

PyMethodDef standings_functions[] = {
    {"sort_cells", sort_cells, METH_VARARGS, "Cells of lists, best first."},
    {"standings", standings, METH_VARARGS, "Where cells stand among the relevant ones."},
    {"standing_sums", standing_sums, METH_VARARGS, "Influence by where cells stand."},
    {NULL, NULL, 0, NULL},
};
