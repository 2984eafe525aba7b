/* Two programs: the log density alone, and with its gradient. The scratch of
 * a block holds their slots; nothing is kept of a state. */
#include "tape/target.h"

#include "base/memory.h"
#include "tape/program.h"

#include <math.h>
#include <string.h>

typedef struct traced {
    cs_graph *graph;
    cs_node u;
    cs_program *value, *slope; /* roots: u; u and its gradient */
} traced;

static void log_density(const cs_target *t, const cs_point *at, double *u)
{
    const traced *self = t->self;
    const cs_program *p = self->value;
    cs_program_run(p, at->x, at->lanes, at->scratch);
    memcpy(u, at->scratch + p->root[0] * at->lanes, at->lanes * sizeof *u);
}

static void gradient(const cs_target *t, const cs_point *at, double *u,
                     double *g)
{
    const traced *self = t->self;
    const cs_program *p = self->slope;
    cs_program_run(p, at->x, at->lanes, at->scratch);
    memcpy(u, at->scratch + p->root[0] * at->lanes, at->lanes * sizeof *u);
    memcpy(g, at->scratch + p->root[1] * at->lanes,
           t->space.dim * at->lanes * sizeof *g);
}

static cs_status create(cs_target *t, const cs_value *values, cs_error *err)
{
    (void)values;
    t->space = (cs_space){CS_CONTINUOUS, 1, 0, 0};
    t->exact.log_z = NAN;
    t->self = cs_alloc(1, sizeof(traced));
    return t->self ? CS_OK : cs_fail(err, CS_MEMORY, "no memory for a target");
}

static void destroy(cs_target *t)
{
    traced *self = t->self;
    cs_graph_destroy(self->graph);
    cs_program_destroy(self->value);
    cs_program_destroy(self->slope);
    cs_free(self);
}

static const cs_target_type traced_type = {
    .name = "traced",
    .title = "A log density written in Lua, traced",
    .ref = "",
    .help = "Called once with symbols; what it does to them is evaluated, and "
            "differentiated exactly, over a block of chains.",
    .flags = CS_TARGET_HIDDEN,
    .create = create,
    .destroy = destroy,
    .log_density = log_density,
    .gradient = gradient,
};

static cs_status compile(traced *self, cs_node u, cs_error *err)
{
    cs_node roots[2] = {u, cs_graph_gradient(self->graph, u)};
    if (self->graph->status)
        return cs_fail(err, self->graph->status,
                       "the gradient of this expression cannot be made");
    if (cs_program_compile(self->graph, roots, 1, &self->value, err))
        return err->status;
    return cs_program_compile(self->graph, roots, 2, &self->slope, err);
}

cs_status cs_tape_target_create(cs_graph *g, cs_node u, const cs_space *space,
                                cs_target **out, cs_error *err)
{
    cs_target *t;
    cs_error why = {0};
    if (cs_target_create(&traced_type, NULL, 0, &t, &why)) {
        cs_graph_destroy(g);
        if (err)
            *err = why;
        return why.status;
    }
    traced *self = t->self;
    self->graph = g;
    self->u = u;
    t->space = *space;
    if (compile(self, u, &why)) {
        cs_target_release(t);
        if (err)
            *err = why;
        return why.status;
    }
    size_t a = self->value->slots, b = self->slope->slots;
    t->scratch_words = a > b ? a : b;
    *out = t;
    return CS_OK;
}

const cs_graph *cs_tape_target_graph(const cs_target *t, cs_node *u)
{
    if (t->type != &traced_type)
        return NULL;
    const traced *self = t->self;
    *u = self->u;
    return self->graph;
}
