/* Exact draws of bits. Single-site updates are used for small theta_1. Strongly
 * coupled spins coalesce only with cluster updates. Therefore spins without a
 * field are drawn as a Potts model of two colours for theta_1 >= 0.4, just
 * below the critical value 0.4407 of the square grid; s s' = 2 [s = s'] - 1. At
 * 0.4 both methods take the same time, 3 to 5 ms per torus for eight 32 x 32
 * tori. At theta_1 = 0.9 cluster updates take a tenth of the time that they
 * take at 0.4. */
#include "targets/intractable/binary_posterior.h"

#include "base/memory.h"
#include "targets/discrete/torus.h"

#include <math.h>

static const double ordered = 0.4;

/* Computes two statistics, sum_{i~j} s_i s_j and sum_i s_i, of eight data
 * sets. */
static void statistics(const cs_family *f, const double *y, size_t stride,
                       double *s)
{
    const cs_binary_posterior *p = (const cs_binary_posterior *)(const void *)f;
    const cs_site_graph *g = &p->graph;
    double scale = p->field.spins ? 2 : 1, shift = p->field.spins ? 1 : 0;
    cs_vd pairs = cs_vset(0), sum = cs_vset(0);
    for (size_t e = 0; e < g->edges; e++) {
        cs_vd a = cs_load(y + g->end[2 * e] * stride) * scale - shift;
        cs_vd b = cs_load(y + g->end[2 * e + 1] * stride) * scale - shift;
        pairs += a * b;
    }
    cs_store(s, pairs);
    if (f->parameters < 2)
        return;
    for (size_t i = 0; i < g->sites; i++)
        sum += cs_load(y + i * stride) * scale - shift;
    cs_store(s + CS_PAD, sum);
}

/* Computes the statistics of spins from two counts: the number of edges with
 * equal ends, and the number of sites that are 1. */
static void to_spins(cs_binary_posterior *p)
{
    cs_state_counts *c = &p->family.counts;
    for (size_t k = 0; k < c->n; k++)
        c->s[k] = 2 * c->s[k] - (double)p->graph.edges;
    for (size_t k = 0; c->statistics > 1 && k < c->n; k++)
        c->s[c->n + k] = 2 * c->s[c->n + k] - (double)p->graph.sites;
}

/* Returns the exact log Z of a torus of any size. For beta close to 0 the
 * formula suffers from cancellation, and this expansion is used instead:
 *
 *     Z = 2^n (cosh beta)^2n (1 + n t^4 + ..),  t = tanh beta,
 *
 * where n is the number of sites; the term with t^4 comes from the squares, the
 * shortest closed paths. */
static double torus_log_z(const cs_binary_posterior *p, double beta,
                          double *mean)
{
    double n = (double)p->graph.sites, k = fabs(beta), t = tanh(k), sum;
    if (k > 1e-3) {
        double z = cs_torus_log_z(k, p->torus[0], p->torus[1], &sum);
        *mean = beta < 0 ? -sum : sum;
        return z;
    }
    sum = 2 * n * t + 4 * n * t * t * t;
    *mean = beta < 0 ? -sum : sum;
    return n * (log(2) + 2 * log(cosh(k)) + t * t * t * t);
}

static cs_vd torus_log_z_of(const cs_family *f, const cs_vd *theta, cs_vd *mean)
{
    const cs_binary_posterior *p = (const cs_binary_posterior *)(const void *)f;
    cs_vd z;
    for (size_t l = 0; l < CS_VECTOR; l++) {
        double slope;
        z[l] = torus_log_z(p, theta[0][l], &slope);
        if (mean)
            mean[0][l] = slope;
    }
    return z;
}

/* Returns true if the torus formula is used for log Z. The formula is used for
 * tori with too many states to count. It holds for positive beta. If both sides
 * are even, it holds for any beta, because the sign of beta does not matter. */
static bool is_known_torus(const cs_binary_posterior *p, double low)
{
    bool odd = p->torus[0] % 2 || p->torus[1] % 2;
    return !p->family.counts.n && p->torus[0] > 4 && p->torus[1] > 4 &&
           !p->field.field && (!odd || low >= 0);
}

/* Returns the smallest value of theta_1 that the user allows. */
static double low_of(const cs_family_kind *kind, const cs_value *low)
{
    return low->given && low->rows > 0 ? low->array[0] : kind->low[0];
}

static cs_past_model model_of(const cs_binary_posterior *p)
{
    return (cs_past_model){.type = &CS_VARIANT(cs_past_binary_field),
                           .of = &p->field,
                           .parameters = p->family.parameters,
                           .n_data = p->family.n_data,
                           .limit = p->family.limit};
}

static cs_past_model clusters_of(const cs_binary_posterior *p)
{
    cs_past_model m = model_of(p);
    m.type = &cs_past_random_clusters;
    m.of = &p->clusters;
    return m;
}

static size_t simulate_words(const cs_binary_posterior *p)
{
    cs_past_model m = model_of(p), clusters = clusters_of(p);
    size_t one = cs_past_words(&m), other = cs_past_words(&clusters);
    return 1 + (one > other ? one : other);
}

cs_status CS_VARIANT(cs_binary_posterior_make)(
    cs_target *t, const cs_edges *edges, bool spins, const cs_family_kind *kind,
    const cs_value *values, cs_given_data *d, cs_error *err)
{
    cs_binary_posterior *p = t->self;
    bool field = kind->parameters > 1;
    cs_status s = cs_site_graph_make(&p->graph, edges, err);
    if (s)
        return s;
    const cs_counted counted = {.graph = &p->graph,
                                .values = 2,
                                .both = !spins,
                                .special = 1,
                                .statistics = kind->parameters};
    p->field = (cs_binary_field){&p->graph, spins, field};
    p->clusters = (cs_potts_field){&p->graph, 2, 2, false};
    p->family.parameters = kind->parameters;
    p->family.n_data = p->graph.sites;
    p->family.statistics = statistics;
    s = cs_state_counts_sites(&p->family.counts, &counted, err);
    if (s)
        return s;
    if (spins)
        to_spins(p);
    if (is_known_torus(p, low_of(kind, &values[CS_FAMILY_LOW])))
        p->family.log_z = torus_log_z_of;
    t->simulate_words = simulate_words(p);
    return cs_family_make(t, &p->family, kind, values, d, err);
}

void CS_VARIANT(cs_binary_posterior_destroy)(cs_target *t)
{
    cs_binary_posterior *p = t->self;
    cs_family_free(&p->family);
    cs_site_graph_free(&p->graph);
}

void CS_VARIANT(cs_binary_posterior_simulate)(const cs_target *t,
                                              const cs_point *at,
                                              const cs_simulation *s)
{
    const cs_binary_posterior *p = t->self;
    cs_past_model m = model_of(p), clusters = clusters_of(p);
    bool either = p->field.spins && !p->field.field;
    cs_past_draw_either(&m, &clusters, either ? ordered : HUGE_VAL, at, s);
}

void CS_VARIANT(cs_binary_posterior_coupling)(const cs_target *t,
                                              const cs_point *at,
                                              const cs_simulation *s,
                                              const cs_coupling *c)
{
    const cs_binary_posterior *p = t->self;
    bool either = p->field.spins && !p->field.field;
    cs_past_model m =
        either && at->x[0] >= ordered ? clusters_of(p) : model_of(p);
    cs_past_watch(&m, at, s, c);
}

void CS_VARIANT(cs_binary_posterior_sweep)(const cs_target *t,
                                           const cs_point *at,
                                           const cs_simulation *s)
{
    cs_past_model m = model_of(t->self);
    cs_past_sweep(&m, at, s);
}
