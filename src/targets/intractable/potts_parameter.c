/* The coupling of a Potts model, given one image: colours y_i in 0 .. colours -
 * 1 on a grid,
 *
 *     p(beta | y) ~ prior(beta) exp(beta sum_{i~j} [y_i = y_j]) / Z(beta).
 *
 * If `two` is true, there is also a field on colour 0, exp(... + field sum_i
 * [y_i = 0]). Z is known for grids whose states can be counted
 * (state_counts.h). */
#include "targets/intractable/family.h"
#include "targets/intractable/grid_posterior.h"
#include "targets/intractable/potts_field.h"

#include "base/memory.h"

#include <math.h>

enum { TWO = CS_FIELD_PARAMS, COLOURS };

typedef struct potts {
    cs_family family; /* must be the first member: see
                         targets/intractable/family.h */
    cs_site_graph graph;
    cs_potts_field field;
} potts;

static void statistics(const cs_family *f, const double *y, size_t stride,
                       double *s)
{
    const cs_site_graph *g = &((const potts *)(const void *)f)->graph;
    const cs_vd one = cs_vset(1), none = cs_vset(0);
    cs_vd pairs = none, pulled = none;
    for (size_t e = 0; e < g->edges; e++) {
        cs_vd a = cs_load(y + g->end[2 * e] * stride);
        cs_vd b = cs_load(y + g->end[2 * e + 1] * stride);
        pairs += cs_vselect(a == b, one, none);
    }
    for (size_t i = 0; i < g->sites; i++)
        pulled += cs_vselect(cs_load(y + i * stride) == none, one, none);
    cs_store(s, pairs);
    if (f->parameters > 1)
        cs_store(s + CS_PAD, pulled);
}

static cs_past_model model_of(const potts *p, const cs_past_type *type)
{
    return (cs_past_model){.type = type,
                           .of = &p->field,
                           .parameters = p->family.parameters,
                           .n_data = p->family.n_data,
                           .limit = p->family.limit};
}

static cs_past_model sets(const potts *p)
{
    return model_of(p, &CS_VARIANT(cs_past_colour_sets));
}

static cs_past_model clusters(const potts *p)
{
    return model_of(p, &cs_past_random_clusters);
}

static cs_past_model sweeps(const potts *p)
{
    return model_of(p, &CS_VARIANT(cs_past_potts_sweep));
}

/* Draws by random clusters if beta >= 0 and there is no field, otherwise by
 * colour sets. */
static void simulate(const cs_target *t, const cs_point *at,
                     const cs_simulation *s)
{
    const potts *p = t->self;
    cs_past_model by_sets = sets(p), by_clusters = clusters(p);
    cs_past_draw_either(&by_sets, &by_clusters, p->field.field ? HUGE_VAL : 0,
                        at, s);
}

static void coupling(const cs_target *t, const cs_point *at,
                     const cs_simulation *s, const cs_coupling *c)
{
    const potts *p = t->self;
    bool by_clusters = !p->field.field && at->x[0] >= 0;
    cs_past_model m = by_clusters ? clusters(p) : sets(p);
    cs_past_watch(&m, at, s, c);
}

static void sweep(const cs_target *t, const cs_point *at,
                  const cs_simulation *s)
{
    cs_past_model m = sweeps(t->self);
    cs_past_sweep(&m, at, s);
}

/* ---- instances ----------------------------------------------------------- */

static void destroy(cs_target *t)
{
    potts *p = t->self;
    cs_family_free(&p->family);
    cs_site_graph_free(&p->graph);
}

/* Returns the scratch size. This is the largest size that one of the three
 * kinds of chain needs, plus a row of flags that mark skipped lanes. */
static size_t simulate_words(const potts *p)
{
    const cs_past_model all[] = {sets(p), clusters(p), sweeps(p)};
    size_t most = 0;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        size_t n = cs_past_words(&all[k]);
        most = n > most ? n : most;
    }
    return most + 1;
}

static cs_status make(cs_target *t, const cs_edges *bonds, const cs_value *v,
                      cs_given_data *d, cs_error *err)
{
    static const char *const names[] = {"beta", "field"};
    potts *p = t->self;
    size_t colours = (size_t)v[COLOURS].number;
    const cs_family_kind kind = {.names = names,
                                 .parameters = v[TWO].number != 0 ? 2 : 1,
                                 .low = {0, -1},
                                 .high = {2, 1},
                                 .truth = {0.6, 0.1},
                                 .most = (double)colours - 1};
    cs_status s = cs_site_graph_make(&p->graph, bonds, err);
    if (s)
        return s;
    const cs_counted counted = {.graph = &p->graph,
                                .values = colours,
                                .special = 0,
                                .statistics = kind.parameters};
    p->field = (cs_potts_field){&p->graph, colours, 1, kind.parameters > 1};
    p->family.parameters = kind.parameters;
    p->family.n_data = p->graph.sites;
    p->family.statistics = statistics;
    t->simulate_words = simulate_words(p);
    s = cs_state_counts_sites(&p->family.counts, &counted, err);
    return s ? s : cs_family_make(t, &p->family, &kind, v, d, err);
}

static cs_status create(cs_target *t, const cs_value *v, cs_error *err)
{
    cs_status s = cs_grid_posterior_create(t, make, v, err);
    t->data_picture.high = v[COLOURS].number - 1;
    return s;
}

static const cs_param params[] = {
    CS_FAMILY_ROWS(
        "beta (and field)",
        "the colours of the grid, as a list of lists of integers from 0",
        "; without `data` and `file`, data are simulated"),
    CS_FIELD_GRID_ROWS(6),
    [TWO] = {.name = "two",
             CS_FIXED(BOOL),
             .max = 1,
             .help = "true: the field that favours colour 0 is also an unknown "
                     "parameter"},
    [COLOURS] = {.name = "colours",
                 CS_FIXED(INT),
                 CS_PARAM_RANGE(2, CS_POTTS_COLOURS, 3),
                 .help = "number of colours"},
};

const cs_target_type CS_VARIANT(cs_target_potts_parameter) = {
    .name = "potts_parameter",
    .title = "Parameters of a Potts model",
    .ref = "Propp and Wilson, Exact sampling with coupled Markov chains and "
           "applications to statistical mechanics, 1996",
    .help = "The coupling of a Potts model, given one state of its grid of "
            "colours. With a larger coupling, neighbours are more often equal. "
            "The normalising constant is known only for small grids; data are "
            "simulated exactly.",
    CS_PARAM_TABLE(params),
    .size = sizeof(potts),
    .create = create,
    .destroy = destroy,
    CS_FAMILY_MEMBERS,
    .factor.simulate = simulate,
    .factor.coupling = coupling,
    .factor.sweep = sweep,
};
