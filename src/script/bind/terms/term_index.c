#include "script/bind/terms/term_index.h"

#include "base/memory.h"
#include "simd/simd.h"
#include "tape/program.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LANES = 64 };

/* One test: node i of g is an index of `size` entries. */
typedef struct test {
    const cs_term_data *d;
    size_t dim; /* numbers of the state, which precede the row in the input */
    cs_graph *g;
    cs_node i;
    size_t size;
    const char *there_are, *entries; /* "this vector has", "entries" */
} test;

/* ---- errors -------------------------------------------------------------- */

/* Returns the column whose numbers start at element `at` of the row. */
static const cs_term_column *column_at(const cs_term_data *d, size_t at)
{
    for (size_t k = 0; k < d->n; k++) {
        const cs_term_column *c = &d->column[k];
        if (at >= c->first && at < c->first + (c->width ? c->width : 1))
            return c;
    }
    return NULL;
}

/* Returns true if the index is a column itself, which starts at element *first
 * of the row. */
static bool is_column(const test *t, size_t *first)
{
    const cs_graph_node *n = cs_graph_at(t->g, t->i);
    if (n->op != CS_OP_SLICE || n->extra < t->dim ||
        cs_graph_arg(t->g, t->i, 0) != cs_graph_input(t->g))
        return false;
    *first = n->extra - t->dim;
    return true;
}

static cs_status fail(const test *t, double value, size_t row, cs_error *err)
{
    size_t first;
    char name[64] = "an index";
    const cs_term_column *c = is_column(t, &first) ? column_at(t->d, first) : 0;
    if (c)
        snprintf(name, sizeof name, "row.%.50s", c->name);
    if (value != floor(value)) {
        cs_fail(err, CS_INPUT, "%s is %.9g in row %zu of the data", name, value,
                row + 1);
        cs_hint(err, "an index must be a whole number");
        return CS_INPUT;
    }
    cs_fail(err, CS_INPUT,
            "%s is %.9g in row %zu of the data, but %s %zu %s, counted from 1",
            name, value, row + 1, t->there_are, t->size, t->entries);
    if (value < 1)
        cs_hint(err, "add 1 to a column that counts from 0: %s + 1",
                c ? name : "row.NAME");
    else
        cs_hint(err, "correct the data, or declare a parameter of %.9g %s",
                value, t->entries);
    return CS_INPUT;
}

/* ---- values -------------------------------------------------------------- */

static bool is_good(const test *t, double v)
{
    return v >= 1 && v <= (double)t->size && v == floor(v);
}

/* Tests a column, whose numbers are in the table. */
static cs_status test_column(const test *t, size_t first, cs_error *err)
{
    size_t n = cs_graph_size(t->g, t->i);
    for (size_t r = 0; r < t->d->rows; r++)
        for (size_t k = 0; k < n; k++) {
            const cs_strided *s = &t->d->number[first + k];
            double v = s->v[r * s->stride];
            if (!is_good(t, v))
                return fail(t, v, r, err);
        }
    return CS_OK;
}

/* Copies rows `from`, ... to the lanes of x; the last row fills up the
 * lanes. */
static void read_rows(const test *t, size_t from, double *x)
{
    for (size_t j = 0; j < t->d->width; j++) {
        const cs_strided *s = &t->d->number[j];
        for (size_t l = 0; l < LANES; l++) {
            size_t r = from + l < t->d->rows ? from + l : t->d->rows - 1;
            x[(t->dim + j) * LANES + l] = s->v[r * s->stride];
        }
    }
}

static cs_status test_program(const test *t, const cs_program *p, double *x,
                              double *scratch, cs_error *err)
{
    for (size_t from = 0; from < t->d->rows; from += LANES) {
        read_rows(t, from, x);
        cs_program_run(p, x, LANES, scratch);
        const double *v = scratch + p->root[0] * LANES;
        for (size_t l = 0; l < LANES && from + l < t->d->rows; l++)
            for (size_t k = 0; k < p->root_size[0]; k++)
                if (!is_good(t, v[k * LANES + l]))
                    return fail(t, v[k * LANES + l], from + l, err);
    }
    return CS_OK;
}

/* Tests an index that is computed from columns: computes it for each row. */
static cs_status test_rows(const test *t, cs_error *err)
{
    cs_program *p;
    if (cs_program_compile(t->g, &t->i, 1, &p, err))
        return CS_MEMORY;
    double *x = cs_alloc(t->g->dim * LANES, sizeof *x);
    double *scratch = cs_alloc(p->slots * LANES, sizeof *scratch);
    cs_status s = x && scratch
                      ? test_program(t, p, x, scratch, err)
                      : cs_fail(err, CS_MEMORY, "out of memory for an index");
    CS_FREE_ALL(x, scratch);
    cs_program_destroy(p);
    return s;
}

/* ---- what an index is computed from -------------------------------------- */

/* Finds whether node t->i reads the state, and whether it reads the row. */
static bool find_inputs(const test *t, bool *state, bool *row)
{
    const cs_graph *g = t->g;
    bool *needed = cs_alloc((size_t)t->i + 1, sizeof *needed);
    *state = *row = false;
    if (!needed)
        return false;
    needed[t->i] = true;
    for (cs_node n = t->i; n > 0; n--) {
        const cs_graph_node *k = cs_graph_at(g, n);
        bool slice =
            k->op == CS_OP_SLICE && cs_graph_arg(g, n, 0) == cs_graph_input(g);
        if (!needed[n])
            continue;
        if (slice || k->op == CS_OP_INPUT) {
            size_t first = slice ? k->extra : 0;
            *state |= first < t->dim;
            *row |= first + k->size > t->dim;
        }
        for (uint32_t i = 0; !slice && i < k->count; i++)
            needed[cs_graph_arg(g, n, i)] = true;
    }
    cs_free(needed);
    return true;
}

static cs_status check(const cs_row_index *self, cs_graph *g, cs_node i,
                       size_t size, bool rows, cs_error *err)
{
    test t = {.d = self->data, .dim = self->dim, .g = g, .i = i, .size = size};
    bool state, row;
    size_t first;
    t.there_are = rows ? "this matrix has" : "this vector has";
    t.entries = rows ? "rows" : "entries";
    if (is_column(&t, &first))
        return test_column(&t, first, err);
    if (!find_inputs(&t, &state, &row))
        return cs_fail(err, CS_MEMORY, "out of memory for an index");
    if (state) {
        cs_fail(err, CS_SCRIPT, "an index depends on the state");
        cs_hint(err, "in a term an index is computed from columns of data: "
                     "row.NAME");
        return CS_SCRIPT;
    }
    return row ? test_rows(&t, err) : CS_UNSUPPORTED;
}

cs_row_index cs_script_row_index(size_t dim, const cs_term_data *d)
{
    return (cs_row_index){.check = check, .data = d, .dim = dim};
}
