#include "tape/outputs.h"

#include "base/memory.h"
#include "expr/graph_parts.h"
#include "tape/program.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

typedef struct expressed {
    cs_program *program;  /* program whose first root (index 0) gives the
                          * outputs */
    char **name;          /* [n] names of the outputs */
    uint32_t *coordinate; /* [n] as in cs_outputs */
    size_t n;
    size_t dim, noise; /* numbers of a state, and random numbers */
} expressed;

/* Returns a number of rows that keeps the alignment of the next row. */
static size_t even(size_t rows)
{
    return rows + rows % 2;
}

/* Fills out[noise][lanes]. The streams may have fewer lanes than the states;
 * the lanes that are missing get the numbers of the first lane. */
static void draw(const expressed *o, const cs_point *at, double *out)
{
    for (size_t i = 0; !at->streams && i < o->noise * at->lanes; i++)
        out[i] = 0.5;
    if (!at->streams)
        return;
    cs_streams s = *at->streams;
    s.skip = 0;
    s.ahead = NULL;
    cs_fill_uniform(&s, CS_FOR_GENERATED, o->noise, out);
    for (size_t r = o->noise; s.lanes < at->lanes && r-- > 0;)
        for (size_t l = at->lanes; l-- > 0;)
            out[r * at->lanes + l] = out[r * s.lanes + (l < s.lanes ? l : 0)];
}

static void fill(const void *self, const cs_point *at, double *y)
{
    const expressed *o = self;
    const cs_program *p = o->program;
    const double *x = at->x;
    double *scratch = at->scratch;
    if (o->noise) { /* scratch: random numbers, inputs, memory of the program */
        double *input = scratch + even(o->noise) * at->lanes;
        size_t words = o->dim * at->lanes;
        draw(o, at, scratch);
        memcpy(input, x, words * sizeof *x);
        memcpy(input + words, scratch, o->noise * at->lanes * sizeof *x);
        x = input;
        scratch = input + even(o->dim + o->noise) * at->lanes;
    }
    cs_program_run(p, x, at->lanes, scratch);
    memcpy(y, scratch + p->root[0] * at->lanes, o->n * at->lanes * sizeof *y);
}

static void name(const void *self, size_t i, char *text, size_t size)
{
    const expressed *o = self;
    snprintf(text, size, "%s", o->name[i]);
}

static void destroy(void *self)
{
    expressed *o = self;
    for (size_t i = 0; o->name && i < o->n; i++)
        cs_free(o->name[i]);
    cs_free(o->name);
    cs_free(o->coordinate);
    cs_program_destroy(o->program);
    cs_free(o);
}

/* Returns 1 + the number of the coordinate that element e of node n is equal
 * to; 0: none. The inputs from number `dim` are random numbers. */
static uint32_t coordinate_of(const cs_graph *g, cs_node n, uint32_t e,
                              size_t dim)
{
    for (;;) {
        const cs_graph_node *k = cs_graph_at(g, n);
        if (k->op == CS_OP_INPUT)
            return e < dim ? e + 1 : 0;
        if (k->op == CS_OP_SLICE)
            e += k->extra;
        else if (k->op == CS_OP_GATHER)
            e = (uint32_t)g->constants[k->extra].v[e];
        else if (k->op != CS_OP_PACK)
            return 0;
        uint32_t part = 0;
        while (k->op == CS_OP_PACK &&
               e >= cs_graph_size(g, cs_graph_arg(g, n, part)))
            e -= (uint32_t)cs_graph_size(g, cs_graph_arg(g, n, part++));
        n = cs_graph_arg(g, n, part);
    }
}

static cs_status make(expressed *o, const cs_graph *g, cs_node y,
                      const char *const *names, cs_error *err)
{
    o->n = cs_graph_size(g, y);
    o->name = cs_alloc(o->n, sizeof *o->name);
    o->coordinate = cs_alloc(o->n, sizeof *o->coordinate);
    bool fits = o->name && o->coordinate;
    for (size_t i = 0; fits && i < o->n; i++) {
        o->coordinate[i] = coordinate_of(g, y, (uint32_t)i, o->dim);
        o->name[i] = cs_copy_text(names[i]);
        fits = o->name[i] != NULL;
    }
    return fits ? cs_program_compile(g, &y, 1, &o->program, err)
                : cs_fail(err, CS_MEMORY, "out of memory for outputs");
}

/* Returns the rows of scratch memory. */
static size_t words_of(const expressed *o)
{
    size_t inputs = o->noise ? even(o->noise) + even(o->dim + o->noise) : 0;
    return inputs + o->program->slots;
}

cs_status cs_tape_outputs(cs_target *t, cs_graph *g, cs_node y, size_t noise,
                          const char *const *names, cs_error *err)
{
    assert(g->dim == t->space.dim + noise && names);
    expressed *o = cs_alloc(1, sizeof *o);
    if (o) {
        o->dim = t->space.dim;
        o->noise = noise;
    }
    cs_graph_parts(g, y, "shown", &t->parts);
    cs_status s = o ? make(o, g, y, names, err)
                    : cs_fail(err, CS_MEMORY, "out of memory for outputs");
    cs_graph_destroy(g);
    if (s && o)
        destroy(o);
    if (s)
        return s;
    cs_target_set_outputs(t, (cs_outputs){.n = o->n,
                                          .scratch_words = words_of(o),
                                          .fill = fill,
                                          .name = name,
                                          .destroy = destroy,
                                          .self = o,
                                          .coordinate = o->coordinate});
    return CS_OK;
}
