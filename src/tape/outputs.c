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
} expressed;

static void fill(const void *self, const cs_point *at, double *y)
{
    const expressed *o = self;
    const cs_program *p = o->program;
    cs_program_run(p, at->x, at->lanes, at->scratch);
    memcpy(y, at->scratch + p->root[0] * at->lanes,
           o->n * at->lanes * sizeof *y);
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

/* Returns 1 + the number of the coordinate that element e of node n is equal to,
 * or 0. */
static uint32_t coordinate_of(const cs_graph *g, cs_node n, uint32_t e)
{
    for (;;) {
        const cs_graph_node *k = cs_graph_at(g, n);
        if (k->op == CS_OP_INPUT)
            return e + 1;
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
        o->coordinate[i] = coordinate_of(g, y, (uint32_t)i);
        o->name[i] = cs_copy_text(names[i]);
        fits = o->name[i] != NULL;
    }
    return fits ? cs_program_compile(g, &y, 1, &o->program, err)
                : cs_fail(err, CS_MEMORY, "out of memory for outputs");
}

cs_status cs_tape_outputs(cs_target *t, cs_graph *g, cs_node y,
                          const char *const *names, cs_error *err)
{
    assert(g->dim == t->space.dim && names);
    expressed *o = cs_alloc(1, sizeof *o);
    cs_graph_parts(g, y, "shown", &t->parts);
    cs_status s = o ? make(o, g, y, names, err)
                    : cs_fail(err, CS_MEMORY, "out of memory for outputs");
    cs_graph_destroy(g);
    if (s && o)
        destroy(o);
    if (s)
        return s;
    cs_target_set_outputs(t, (cs_outputs){.n = o->n,
                                          .scratch_words = o->program->slots,
                                          .fill = fill,
                                          .name = name,
                                          .destroy = destroy,
                                          .self = o,
                                          .coordinate = o->coordinate});
    return CS_OK;
}
