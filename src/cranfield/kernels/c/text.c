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
#include "fields.h"
#include "numbering.h"

#include <stdlib.h> /* memory that is taken and given back without the GIL */

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
        if (read != 1 || unlike >= PATIENCE) continue;
        const char *line = reader->base + spans[0];
        if (reader->stop - line < READ_ALIKE) continue;
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
    {"number_names", number_names, METH_VARARGS, number_names_doc},
    {"parse_rows", parse_rows, METH_VARARGS, parse_rows_doc},
    {"cut_names", cut_names, METH_VARARGS, cut_names_doc},
    {NULL, NULL, 0, NULL},
};
