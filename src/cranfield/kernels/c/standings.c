/* Whole lists: their order, what every cell has to do with a statistic of them, where they are cut.

   Lists stand one after the other: list i has the cells offsets[i] … offsets[i + 1]. Keys hold a
   score and, in their last bits, the cell that has it, so that NumPy sorts both at once. Scores that
   differ only in the bits given up for that are told apart afterwards. */
#define PY_SSIZE_T_CLEAN
#include "standings.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "buffers.h"

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

/* order_keys(scores, offsets, first, last, keys) */
static PyObject *order_keys(PyObject *self, PyObject *args) {
    (void)self;
    Py_buffer scores, offsets, keys;
    Py_ssize_t first, last;
    if (!PyArg_ParseTuple(args, "y*y*nnw*", &scores, &offsets, &first, &last, &keys)) return NULL;
    Py_BEGIN_ALLOW_THREADS
    const int64_t *offset = offsets.buf;
    for (Py_ssize_t list = first; list < last; list++) {
        const double *score = (const double *)scores.buf + offset[list];
        uint64_t *key = (uint64_t *)keys.buf + offset[list];
        const int64_t cells = offset[list + 1] - offset[list];
        const uint64_t mask = places(cells);
        for (int64_t i = 0; i < cells; i++) key[i] = (key_of(score[i]) & ~mask) | (uint64_t)i;
    }
    Py_END_ALLOW_THREADS
    RELEASE(&scores, &offsets, &keys);
    Py_RETURN_NONE;
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

/* settle_order(scores, offsets, first, last, sorted keys, ends): keys become cells, best first */
static PyObject *settle_order(PyObject *self, PyObject *args) {
    (void)self;
    Py_buffer scores, offsets, keys, ends;
    Py_ssize_t first, last;
    if (!PyArg_ParseTuple(args, "y*y*nnw*w*", &scores, &offsets, &first, &last, &keys, &ends))
        return NULL;
    int enough = 1;
    Py_BEGIN_ALLOW_THREADS
    const int64_t *offset = offsets.buf;
    for (Py_ssize_t list = first; enough && list < last; list++) {
        const int64_t begin = offset[list];
        enough = settle_list((const double *)scores.buf + begin, begin, offset[list + 1] - begin,
                             (uint64_t *)keys.buf + begin, (uint8_t *)ends.buf + begin);
    }
    Py_END_ALLOW_THREADS
    RELEASE(&scores, &offsets, &keys, &ends);
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
    int64_t positives, negatives, found; /* found: positives that were retrieved */
} Whole;

typedef struct {
    int64_t first, end, hits;
} Group;

/* The group of equals that begins here. */
static inline Group group_at(const Whole *list, int64_t first) {
    Group group = {first, first + 1, list->relevant[list->order[first]]};
    for (; !list->last[group.end - 1]; group.end++) group.hits += list->relevant[list->order[group.end]];
    return group;
}

static void count_standings(const Whole *list, int64_t *counts[KINDS]) {
    for (int kind = 0; kind < KINDS; kind++)
        memset(counts[kind], 0, (size_t)(list->positives + 1) * sizeof(int64_t));
    int64_t above = 0;
    for (int64_t first = 0; first < list->cells;) {
        if (list->last[first]) { /* alone, as most are */
            const int64_t own = list->relevant[list->order[first++]];
            counts[FREE][above] += 1 - own; /* no branch: nobody could guess it */
            counts[HIT][above] += own;
            above += own;
            continue;
        }
        const Group group = group_at(list, first);
        counts[group.hits > 0][above] += group.end - first - group.hits;
        counts[HIT][above] += group.hits;
        above += group.hits;
        first = group.end;
    }
}

/* The tables of influence; what they mean stands in kernels/influence.py. */
static void auc_table(const Whole *list, int64_t *const counts[KINDS], double tied_share,
                      double *table[KINDS]) {
    const double P = (double)list->positives, N = (double)list->negatives;
    double before = 0.0, area = 0.0;
    for (int64_t a = 0; a <= list->positives; a++) {
        const double tied = (double)counts[TIED][a];
        before += (double)counts[FREE][a];
        table[HIT][a] = (N - before - tied_share * tied) / N;
        area += (double)counts[HIT][a] * table[HIT][a];
        before += tied;
    }
    area /= P;
    for (int64_t a = 0; a <= list->positives; a++) {
        const double right = (double)a / P - area;
        table[FREE][a] = right / N;
        table[TIED][a] = (right + (1.0 - tied_share) * (double)counts[HIT][a] / P) / N;
        table[HIT][a] = (table[HIT][a] - area) / P;
    }
}

static void ap_table(const Whole *list, int64_t *const counts[KINDS], double unused,
                     double *table[KINDS]) {
    (void)unused;
    const double R = (double)list->positives;
    double *each = table[TIED], *end = table[FREE], average = 0.0;
    int64_t cells = 0;
    for (int64_t a = 0; a <= list->positives; a++) {
        cells += counts[FREE][a] + counts[TIED][a] + counts[HIT][a];
        const int64_t hits = a < list->found ? counts[HIT][a] : 0;
        end[a] = cells > 0 ? (double)cells : 1.0;
        each[a] = (double)hits / end[a];
        average += each[a] * (double)(a + hits);
        table[HIT][a] = a < list->found ? (double)(a + hits) / end[a] : 0.0;
    }
    average /= R;
    double loss = 0.0, gain = 0.0;
    for (int64_t a = list->positives; a >= 0; a--) {
        const int64_t hits = a < list->found ? counts[HIT][a] : 0;
        loss += each[a] * (double)(a + hits) / end[a];
        gain += each[a];
        table[HIT][a] = (table[HIT][a] + gain - loss - average) / R;
        table[FREE][a] = table[TIED][a] = -loss / R;
    }
}

static double quotient(double part, double whole) { return whole > 0.0 ? part / whole : 0.0; }

static void ap_at_prevalence_table(const Whole *list, int64_t *const counts[KINDS], double prevalence,
                                   double *table[KINDS]) {
    const double R = (double)list->positives, N = (double)list->negatives;
    double *false_ = table[FREE], *slope = table[TIED], *precision = table[HIT];
    double average = 0.0, total = 0.0;
    int64_t cells = 0;
    for (int64_t a = 0; a <= list->positives; a++) {
        cells += counts[FREE][a] + counts[TIED][a] + counts[HIT][a];
        const int64_t hits = a < list->found ? counts[HIT][a] : 0;
        const double through = (double)(a + hits);
        false_[a] = (cells > 0 ? (double)cells : 1.0) - through;
        const double right = prevalence * through / R, wrong = (1.0 - prevalence) * false_[a] / N;
        const double both = right + wrong;
        precision[a] = hits > 0 ? quotient(right, both) : 0.0;
        slope[a] = (double)hits * quotient(right * wrong, both * both);
        average += (double)hits * precision[a];
        total += slope[a];
    }
    average /= R;
    double of_false = 0.0, of_true = 0.0;
    for (int64_t a = list->positives; a >= 0; a--) {
        const int64_t hits = a < list->found ? counts[HIT][a] : 0;
        of_false += quotient(slope[a], false_[a]);
        of_true += quotient(slope[a], (double)(a + hits));
        table[HIT][a] = (precision[a] + of_true - average - total / R) / R;
        table[FREE][a] = table[TIED][a] = (total / N - of_false) / R;
    }
}

typedef void (*TableOf)(const Whole *, int64_t *const counts[KINDS], double, double *table[KINDS]);
static const TableOf TABLES[] = {auc_table, ap_table, ap_at_prevalence_table};

/* Spreads the kinds from first to last by as much more as all items spread than a sample. */
static void widen(int64_t positives, int64_t *const counts[KINDS], int first, int last,
                  double *table[KINDS]) {
    double size = 0.0, sum = 0.0;
    for (int kind = first; kind <= last; kind++)
        for (int64_t a = 0; a <= positives; a++) {
            size += (double)counts[kind][a];
            sum += (double)counts[kind][a] * table[kind][a];
        }
    const double factor = size > 1.0 ? sqrt(size / (size - 1.0)) : 1.0;
    const double rest = (1.0 - factor) * (size > 0.0 ? sum / size : 0.0);
    for (int kind = first; kind <= last; kind++)
        for (int64_t a = 0; a <= positives; a++) table[kind][a] = factor * table[kind][a] + rest;
}

/* Adds share times the number of each cell to that of its item; `items` by cell, or NULL: the cells
   are numbered from `begin` on as items are. */
static void add_standings(const Whole *list, double *table[KINDS], double share, int64_t begin,
                          const int64_t *items, double *out) {
    int64_t above = 0;
    for (int64_t first = 0; first < list->cells;) {
        if (list->last[first]) {
            const int64_t cell = list->order[first++], own = list->relevant[cell];
            const double value = table[HIT * own][above];
            out[items == NULL ? cell - begin : items[cell]] += share * value;
            above += own;
            continue;
        }
        const Group group = group_at(list, first);
        for (int64_t k = first; k < group.end; k++) {
            const int64_t cell = list->order[k];
            const int kind = list->relevant[cell] ? HIT : group.hits > 0;
            out[items == NULL ? cell - begin : items[cell]] += share * table[kind][above];
        }
        above += group.hits;
        first = group.end;
    }
}

/* standing_sums(relevant, offsets, order, last, positives, negatives, found, items, statistic,
                 parameter, shares, widened, out): see kernels.standing_sums */
static PyObject *standing_sums(PyObject *self, PyObject *args) {
    (void)self;
    Py_buffer relevant, offsets, order, ends, positives, negatives, found, items, shares, out;
    int statistic, widened;
    double parameter;
    if (!PyArg_ParseTuple(args, "y*y*y*y*y*y*y*y*idy*pw*", &relevant, &offsets, &order, &ends,
                          &positives, &negatives, &found, &items, &statistic, &parameter, &shares,
                          &widened, &out))
        return NULL;
    int64_t *counts[KINDS], *memory;
    double *table[KINDS];
    Py_BEGIN_ALLOW_THREADS
    const int64_t *offset = offsets.buf, *positive = positives.buf;
    const int64_t lists = positives.len / (Py_ssize_t)sizeof(int64_t);
    const double *share = shares.buf;
    int64_t most = 0;
    for (int64_t i = 0; i < lists; i++) most = positive[i] > most ? positive[i] : most;
    memory = malloc((size_t)(2 * KINDS * (most + 1)) * sizeof(int64_t));
    for (int kind = 0; memory != NULL && kind < KINDS; kind++) {
        counts[kind] = memory + kind * (most + 1);
        table[kind] = (double *)(memory + (KINDS + kind) * (most + 1));
    }
    for (int64_t i = 0; memory != NULL && i < lists; i++) {
        if (share[i] == 0.0) continue;
        const Whole list = {relevant.buf,
                            (const int64_t *)order.buf + offset[i],
                            (const uint8_t *)ends.buf + offset[i],
                            offset[i + 1] - offset[i],
                            positive[i],
                            ((const int64_t *)negatives.buf)[i],
                            ((const int64_t *)found.buf)[i]};
        count_standings(&list, counts);
        TABLES[statistic](&list, counts, parameter, table);
        if (widened) {
            widen(list.positives, counts, FREE, TIED, table);
            widen(list.positives, counts, HIT, HIT, table);
        }
        add_standings(&list, table, share[i], offset[i], items.len ? items.buf : NULL, out.buf);
    }
    free(memory);
    Py_END_ALLOW_THREADS
    RELEASE(&relevant, &offsets, &order, &ends, &positives, &negatives, &found, &items, &shares, &out);
    if (memory == NULL) return PyErr_NoMemory();
    Py_RETURN_NONE;
}

/* ---- Cuts -------------------------------------------------------------------------------- */

/* So many cells from the top, and the relevant ones among them. */
typedef struct {
    int64_t place, found;
} Vertex;

/* See kernels.Cuts. */
typedef struct {
    Vertex low, before, after, high;
    int64_t kind;
} Cut;

/* What is cut: levels are relevant and irrelevant cells, each over a divisor. */
typedef struct {
    double relevant, irrelevant;
    double low, target, high;
} Level;

enum { TOGETHER, RELEVANT_FIRST, RELEVANT_LAST };

typedef struct {
    Cut cut;
    Vertex last;
    double reached; /* the level there */
    double threshold;
    int met, passed; /* the target; the level above it */
} Search;

/* Goes on to the end of a group; `kind`: 0 irrelevant, 1 relevant, -1 both. */
static inline void pass_group(Search *search, const Level *level, Vertex end, double score, int kind) {
    const double reached = (double)end.found / level->relevant +
                           (double)(end.place - end.found) / level->irrelevant;
    if (!search->met) {
        if (search->reached <= level->low) search->cut.low = search->last;
        search->cut.before = search->last;
        search->cut.after = search->cut.high = end;
        search->cut.kind = kind;
        search->threshold = score;
        search->met = reached >= level->target;
    }
    if (search->met && !search->passed) {
        search->cut.high = end;
        search->passed = reached >= level->high;
    }
    search->last = end;
    search->reached = reached;
}

static Search seek_cut(const double *scores, const uint8_t *relevant, const int64_t *order,
                       const uint8_t *last, int64_t cells, const Level *level, int ties) {
    Search search = {.cut = {.kind = -1}};
    for (int64_t first = 0, end; first < cells && !search.passed; first = end) {
        const double score = scores[order[first]];
        for (end = first + 1; end < cells && !last[end - 1];) end++;
        int64_t hits = 0;
        for (int64_t k = first; k < end; k++) hits += relevant[order[k]];
        const Vertex all = {end, search.last.found + hits};
        if (ties != TOGETHER && hits > 0 && hits < end - first) {
            const int relevant_first = ties == RELEVANT_FIRST;
            const Vertex half = {first + (relevant_first ? hits : end - first - hits),
                                 relevant_first ? all.found : search.last.found};
            pass_group(&search, level, half, score, relevant_first);
            pass_group(&search, level, all, score, !relevant_first);
        } else {
            const int kind = hits == 0 ? 0 : hits == end - first ? 1 : -1;
            pass_group(&search, level, all, score, kind);
        }
    }
    return search;
}

/* cuts(scores, relevant, offsets, order, ends, lengths, levels, ties, first, last, cuts, thresholds): see
   kernels.cuts */
static PyObject *cuts(PyObject *self, PyObject *args) {
    (void)self;
    Py_buffer scores, relevant, offsets, order, ends, lengths, levels, found, thresholds;
    Py_ssize_t first, last;
    int ties;
    if (!PyArg_ParseTuple(args, "y*y*y*y*y*y*y*innw*w*", &scores, &relevant, &offsets, &order, &ends,
                          &lengths, &levels, &ties, &first, &last, &found, &thresholds))
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    const int64_t *offset = offsets.buf, *length = lengths.buf;
    for (Py_ssize_t list = first; list < last; list++) {
        const Search search =
            seek_cut(scores.buf, relevant.buf, (const int64_t *)order.buf + offset[list],
                     (const uint8_t *)ends.buf + offset[list], length[list],
                     (const Level *)levels.buf + list, ties);
        ((Cut *)found.buf)[list] = search.cut;
        ((double *)thresholds.buf)[list] = search.threshold;
    }
    Py_END_ALLOW_THREADS
    RELEASE(&scores, &relevant, &offsets, &order, &ends, &lengths, &levels, &found, &thresholds);
    Py_RETURN_NONE;
}

/* The cells of a list by kind and side of a threshold: 3 · relevant + 0, 1 or 2, above, at or below. */
static inline int side_of(double score, int relevant, double threshold) {
    return 3 * relevant + 2 * (score < threshold) + (score == threshold);
}

enum { SIDES = 6 };

/* count_sides(scores, relevant, offsets, thresholds, counts): counts are (lists, 2, 3) */
static PyObject *count_sides(PyObject *self, PyObject *args) {
    (void)self;
    Py_buffer scores, relevant, offsets, thresholds, counts;
    if (!PyArg_ParseTuple(args, "y*y*y*y*w*", &scores, &relevant, &offsets, &thresholds, &counts))
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    const int64_t *offset = offsets.buf, lists = thresholds.len / (Py_ssize_t)sizeof(double);
    const double *score = scores.buf;
    const uint8_t *own = relevant.buf;
    int64_t *count = counts.buf;
    for (int64_t i = 0; i < lists; i++, count += SIDES)
        for (int64_t k = offset[i]; k < offset[i + 1]; k++)
            count[side_of(score[k], own[k], ((const double *)thresholds.buf)[i])]++;
    Py_END_ALLOW_THREADS
    RELEASE(&scores, &relevant, &offsets, &thresholds, &counts);
    Py_RETURN_NONE;
}

/* side_sums(scores, relevant, offsets, thresholds, table, items, out): see kernels.side_sums */
static PyObject *side_sums(PyObject *self, PyObject *args) {
    (void)self;
    Py_buffer scores, relevant, offsets, thresholds, table, items, out;
    if (!PyArg_ParseTuple(args, "y*y*y*y*y*y*w*", &scores, &relevant, &offsets, &thresholds, &table,
                          &items, &out))
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    const int64_t *offset = offsets.buf, lists = thresholds.len / (Py_ssize_t)sizeof(double);
    const int64_t *item = items.len ? items.buf : NULL;
    const double *score = scores.buf, *value = table.buf;
    const uint8_t *own = relevant.buf;
    double *sum = out.buf;
    for (int64_t i = 0; i < lists; i++, value += SIDES) {
        const double threshold = ((const double *)thresholds.buf)[i];
        for (int64_t k = offset[i]; k < offset[i + 1]; k++)
            sum[item == NULL ? k - offset[i] : item[k]] += value[side_of(score[k], own[k], threshold)];
    }
    Py_END_ALLOW_THREADS
    RELEASE(&scores, &relevant, &offsets, &thresholds, &table, &items, &out);
    Py_RETURN_NONE;
}

PyMethodDef standings_functions[] = {
    {"order_keys", order_keys, METH_VARARGS, "Scores and the cells that have them."},
    {"settle_order", settle_order, METH_VARARGS, "Cells of sorted lists, best first."},
    {"standing_sums", standing_sums, METH_VARARGS, "Influence by where cells stand."},
    {"cuts", cuts, METH_VARARGS, "Where lists are cut."},
    {"count_sides", count_sides, METH_VARARGS, "Cells on each side of thresholds."},
    {"side_sums", side_sums, METH_VARARGS, "Sums of a number for each side of thresholds."},
    {NULL, NULL, 0, NULL},
};
