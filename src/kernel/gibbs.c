/* gibbs: one site a step takes a value from its exact conditional.
 *
 *   p(x_i = v | the rest) = exp(U(x with x_i = v)) / sum over all values
 *
 * Geman and Geman, "Stochastic relaxation, Gibbs distributions, and the
 * Bayesian restoration of images" (1984). Random scan takes a uniform site;
 * systematic scan takes site (step - 1) mod dim, which leaves the target
 * invariant but is not reversible. U is carried along by its differences and
 * computed anew every 1024 steps, so that rounding does not pile up. */
#include "kernel/accept.h"

#include <math.h>

enum { SCAN };
enum { RANDOM, SYSTEMATIC };
enum { ANEW = 1024 };

/* scratch: differences[values], the uniform, the new value, site numbers. */
static size_t scratch_words(const cs_target *t)
{
    return (size_t)t->space.values + 3;
}

static size_t memory_words(const cs_target *t)
{
    (void)t;
    return 0;
}

static void init(cs_move *m)
{
    (void)m;
}

static void choose_sites(cs_move *m, double *uniform, uint32_t *site)
{
    bool systematic = cs_move_param(m, SCAN)[0] == SYSTEMATIC;
    uint32_t turn = (uint32_t)((m->streams.step - 1) % m->dim);
    if (!systematic)
        cs_fill_uniform(&m->streams, CS_FOR_SITE, 1, uniform);
    for (size_t l = 0; l < m->lanes; l++) {
        uint32_t any = systematic ? 0 : (uint32_t)(uniform[l] * (double)m->dim);
        site[l] = systematic ? turn : any < m->dim ? any : any - 1;
    }
}

/* Draws the index of a value from weights exp(d_v), d[values][lanes], for
 * eight lanes; *change = d of the drawn one. A value of weight 0 is never
 * drawn. NaN in, index of the last value but NaN in *change. */
static cs_vd draw_value(double *d, size_t values, size_t lanes, cs_vd uniform,
                        cs_vd *change)
{
    cs_vd top = cs_load(d), total = cs_vset(0), below = total, index = total;
    for (size_t v = 1; v < values; v++)
        top = cs_vmax(top, cs_load(d + v * lanes));
    for (size_t v = 0; v < values; v++)
        total += cs_vexp(cs_load(d + v * lanes) - top);
    cs_vd threshold = uniform * total;
    *change = cs_vset(CS_VM_NAN);
    for (size_t v = 0; v < values; v++) {
        cs_vd weight = cs_vexp(cs_load(d + v * lanes) - top);
        cs_vi here = (below <= threshold) & (weight > 0.0);
        index = cs_vselect(here, cs_vset((double)v), index);
        *change = cs_vselect(here, cs_load(d + v * lanes), *change);
        below += weight;
    }
    return index;
}

/* Eight lanes: the new value, and what becomes of info. */
static void redraw(cs_move *m, size_t l, double *d, cs_vd uniform,
                   const uint32_t *site, double *value)
{
    cs_info *i = &m->info;
    cs_vd change, old, low = cs_vset(m->space->low);
    size_t values = (size_t)m->space->values;
    for (size_t k = 0; k < CS_VECTOR; k++)
        old[k] = m->x[site[l + k] * m->lanes + l + k];
    cs_vd drawn = low + draw_value(d + l, values, m->lanes, uniform, &change);
    cs_vi failed = cs_load_bool(m->failed + l) | (change != change);
    drawn = cs_vselect(failed, old, drawn);
    cs_vi moved = drawn != old;
    change = cs_vselect(moved, change, cs_vset(0));
    cs_store(value + l, drawn);
    cs_store(i->u_change + l, change);
    cs_store(i->u + l, cs_load(i->u + l) + change);
    cs_store(i->u_proposal + l, cs_load(i->u + l));
    cs_store(i->log_ratio + l, cs_vset(0));
    cs_store(i->log_q_forward + l, cs_vset(0));
    cs_store(i->log_q_back + l, cs_vset(0));
    cs_store(i->log_u + l, cs_vset(0));
    cs_store_bool(i->accepted + l, ~(moved & 0));
    cs_store_bool(i->moved + l, moved);
    cs_store_bool(m->failed + l, failed);
}

static void step(cs_move *m)
{
    double *d = m->scratch;
    double *uniform = d + (size_t)m->space->values * m->lanes;
    double *value = uniform + m->lanes;
    uint32_t *site = (uint32_t *)(void *)(value + m->lanes);
    m->info.proposal = NULL;
    choose_sites(m, uniform, site);
    cs_eval_site(m->eval, m->x, m->info.u, site, d);
    cs_fill_uniform(&m->streams, CS_FOR_PROPOSAL, 1, uniform);
    for (size_t l = 0; l < m->lanes; l += CS_VECTOR)
        redraw(m, l, d, cs_load(uniform + l), site, value);
    cs_eval_set_site(m->eval, m->x, site, value);
    if (m->streams.step % ANEW == 0)
        cs_eval_log_density(m->eval, CS_NOW, m->x, m->info.u);
}

static const char *const scans[] = {"random", "systematic", NULL};

static const cs_param rows[] = {
    [SCAN] = {.name = "scan",
              .kind = CS_PARAM_CHOICE,
              .flags = CS_PARAM_SHARED,
              .max = 1,
              .choices = scans,
              .help = "which site comes next: any, or one after the other"},
};

const cs_kernel_type CS_VARIANT(cs_kernel_gibbs) = {
    .name = "gibbs",
    .title = "Gibbs",
    .ref = "Geman and Geman, Stochastic relaxation, Gibbs distributions, and "
           "the Bayesian restoration of images, 1984",
    .help = "Redraws one site a step from its exact conditional.",
    .spaces = CS_DISCRETE,
    .flags = CS_KERNEL_EXACT,
    .params = rows,
    .n_params = sizeof rows / sizeof *rows,
    .memory_words = memory_words,
    .scratch_words = scratch_words,
    .init = init,
    .step = step,
};
