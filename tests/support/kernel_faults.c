/* Typical programming errors, as faults that the laws of kernels must detect.
 * Each fault wraps or replaces a function of the registered kernel. */
#include "base/memory.h"
#include "support/laws.h"
#include "support/path_faults.h"
#include "support/slice_faults.h"

#include <math.h>
#include <string.h>

static cs_kernel_type inner; /* the registered kernel */

enum { ROOM = 10000 * 8 };
static _Thread_local double before[ROOM]; /* states of all lanes before a step;
                                           * one array per worker thread */
static _Thread_local _Alignas(
    CS_ALIGN) double params[CS_KERNEL_PARAMS * LAW_CHAINS];

static void remember(const cs_move *m)
{
    memcpy(before, m->x, m->dim * m->lanes * sizeof *before);
}

/* Moves the lanes selected by `accept` to the proposal, and all other lanes
 * back to the old state. Recomputes gradient and log p. */
static void decide_again(cs_move *m, const bool *accept)
{
    for (size_t l = 0; l < m->lanes; l++)
        for (size_t at = l; at < m->dim * m->lanes; at += m->lanes)
            m->x[at] = accept[l] ? m->info.proposal[at] : before[at];
    cs_eval_log_density(m->eval, CS_NOW, m->x, m->info.logp);
    if (inner.init)
        inner.init(m);
}

static void forgets_the_rejection(cs_move *m)
{
    bool accept[LAW_CHAINS];
    remember(m);
    inner.step(m);
    memset(accept, 1, sizeof accept);
    decide_again(m, accept);
}

static void drops_the_reverse_term(cs_move *m)
{
    bool accept[LAW_CHAINS];
    remember(m);
    inner.step(m);
    for (size_t l = 0; l < m->lanes; l++)
        accept[l] = m->info.log_uniform[l] <
                    m->info.logp_change[l] - m->info.log_q_forward[l];
    decide_again(m, accept);
}

/* Decides again, with another log q for the reverse move, whether the move is
 * accepted. Records that log q. */
static void accept_again(cs_move *m, const double *back)
{
    bool accept[LAW_CHAINS];
    for (size_t l = 0; l < m->lanes; l++) {
        m->info.log_q_back[l] = back[l];
        m->info.log_ratio[l] =
            m->info.logp_change[l] + back[l] - m->info.log_q_forward[l];
        accept[l] = m->info.log_uniform[l] < m->info.log_ratio[l];
        m->info.accepted[l] = accept[l];
    }
    decide_again(m, accept);
}

static void goes_back_with_replacement(cs_move *m)
{
    double back[LAW_CHAINS];
    remember(m);
    inner.step(m);
    path_back_with_replacement(m, back);
    accept_again(m, back);
}

static void forgets_who_stays(cs_move *m)
{
    double back[LAW_CHAINS];
    remember(m);
    inner.step(m);
    flow_back_of_flips(m, before, back);
    accept_again(m, back);
}

static void turns_the_reverse_term_round(cs_move *m)
{
    bool accept[LAW_CHAINS];
    remember(m);
    inner.step(m);
    for (size_t l = 0; l < m->lanes; l++)
        accept[l] = m->info.log_uniform[l] < m->info.logp_change[l] -
                                                 m->info.log_q_back[l] -
                                                 m->info.log_q_forward[l];
    decide_again(m, accept);
}

/* Fault for barker: the density of the reverse move is computed with the
 * gradient at the old state. The two softplus terms of the ratio then reduce to
 * one linear term, because softplus(a) - softplus(-a) = a. */
static void goes_back_by_the_old_gradient(cs_move *m)
{
    double gradient[4 * LAW_CHAINS];
    bool accept[LAW_CHAINS];
    remember(m);
    memcpy(gradient, m->memory, m->dim * m->lanes * sizeof *gradient);
    inner.step(m);
    for (size_t l = 0; l < m->lanes; l++) {
        double ratio = m->info.logp_change[l];
        for (size_t at = l; at < m->dim * m->lanes; at += m->lanes)
            ratio -= (m->info.proposal[at] - before[at]) * gradient[at];
        accept[l] = m->info.log_uniform[l] < ratio;
    }
    decide_again(m, accept);
}

static void ignores_the_accept_noise(cs_move *m)
{
    bool accept[LAW_CHAINS];
    remember(m);
    inner.step(m);
    for (size_t l = 0; l < m->lanes; l++)
        accept[l] = m->info.log_ratio[l] > 0;
    decide_again(m, accept);
}

static void takes_a_parameter_for_another(cs_move *m)
{
    const double *right = m->param;
    size_t n = inner.n_params * m->lanes;
    memcpy(params, right, n * sizeof *params);
    for (size_t l = 0; l < m->lanes; l++)
        params[l] *= 0.5;
    m->param = params;
    inner.step(m);
    m->param = right;
}

/* Fault: the first rows of the memory (a gradient, or an auxiliary variable)
 * are not updated. */
static void keeps_a_stale_memory(cs_move *m)
{
    double memory[4 * LAW_CHAINS];
    memcpy(memory, m->memory, m->dim * m->lanes * sizeof *memory);
    inner.step(m);
    memcpy(m->memory, memory, m->dim * m->lanes * sizeof *memory);
}

/* Fault: the step size of a coordinate grows with the value of the coordinate,
 * and the acceptance ratio ignores this. */
static void strides_further_out(cs_move *m)
{
    const double *right = m->param;
    memcpy(params, right, inner.n_params * m->lanes * sizeof *params);
    for (size_t l = 0; l < m->lanes; l++)
        params[l] *= 0.3 + fabs(m->x[l]);
    m->param = params;
    inner.step(m);
    m->param = right;
}

static void keeps_an_old_density(cs_move *m)
{
    double logp[LAW_CHAINS];
    memcpy(logp, m->info.logp, m->lanes * sizeof *logp);
    inner.step(m);
    memcpy(m->info.logp, logp, m->lanes * sizeof *logp);
}

static void says_all_were_accepted(cs_move *m)
{
    inner.step(m);
    memset(m->info.accepted, 1, m->lanes * sizeof(bool));
}

static void takes_every_auxiliary(cs_move *m)
{
    inner.step(m);
    memcpy(m->memory, m->info.aux_proposal,
           m->dim * m->lanes * sizeof *m->memory);
}

/* Fault: decides by the change of log p instead of the change of the joint log
 * density. */
static void forgets_the_coupling(cs_move *m)
{
    bool accept[LAW_CHAINS];
    remember(m);
    inner.step(m);
    for (size_t l = 0; l < m->lanes; l++)
        accept[l] = m->info.log_uniform[l] < m->info.logp_change[l];
    decide_again(m, accept);
}

/* Fault for stretch: the ratio contains z^d instead of z^(d-1). */
static void counts_one_dimension_more(cs_move *m)
{
    bool accept[LAW_CHAINS];
    remember(m);
    inner.step(m);
    for (size_t l = 0; l < m->lanes; l++)
        accept[l] = m->info.log_uniform[l] <
                    m->info.log_ratio[l] + log(m->info.stat[l]);
    decide_again(m, accept);
}

/* Fault: the forward proposal uses the exact gradient, but the reverse proposal
 * uses the force, which is an approximate gradient. */
static void is_steered_one_way(cs_move *m)
{
    _Alignas(CS_ALIGN) double logp[LAW_CHAINS];
    cs_eval_gradient(m->eval, CS_NOW, m->x, logp, m->memory);
    inner.step(m);
}

static size_t too_many_rows(const cs_target *t, const double *values)
{
    (void)values;
    return 2 * t->space.dim + 1;
}

static const cs_aux too_many_variables[] = {
    {.name = "a", .help = "", .rows = too_many_rows}, {.name = NULL}};
static const cs_aux_type too_many = {.variable = too_many_variables};

static void takes_u_for_a_density(cs_move *m, const double *from,
                                  const double *to, double *out)
{
    inner.log_q(m, from, to, out);
    cs_eval_log_density(m->eval, CS_NEXT, from, out);
}

/* Makes a step. At every n-th call, undoes the move of the first lane. */
static void stay_every(unsigned long n, unsigned long *calls, cs_move *m)
{
    remember(m);
    inner.step(m);
    if (++*calls % n == 0)
        for (size_t at = 0; at < m->dim * m->lanes; at += m->lanes)
            m->x[at] = before[at];
}

static void remembers_in_secret(cs_move *m)
{
    static _Thread_local unsigned long calls;
    stay_every(3, &calls, m);
}

/* Fault: the move of the first lane is undone at every 7th call. Calls are
 * counted over all runs, so a repeated run differs from the first run. */
static void remembers_for_long(cs_move *m)
{
    static _Thread_local unsigned long calls;
    stay_every(7, &calls, m);
}

static void force_for_gradient(const cs_target *t, const cs_point *at,
                               double *logp, double *g)
{
    static _Thread_local _Alignas(CS_ALIGN) float f[2 * LAW_CHAINS];
    t->type->log_density(t, at, logp);
    t->type->force(t, at, f);
    for (size_t i = 0; i < t->space.dim * at->lanes; i++)
        g[i] = (double)f[i];
}

/* Fault: the first half step of the momentum uses the exact gradient, but the
 * last half step uses the force, which is an approximate gradient in single
 * precision. */
static void ends_in_single(cs_move *m)
{
    const cs_target *right = m->eval->target;
    cs_target_type type = *right->type;
    cs_target wrong = *right;
    type.gradient = force_for_gradient;
    wrong.type = &type;
    m->eval->target = &wrong;
    inner.step(m);
    m->eval->target = right;
    inner.init(m);
}

/* Fault: the first site keeps its old value after every step. */
static void forgets_a_site(cs_move *m)
{
    remember(m);
    inner.step(m);
    memcpy(m->x, before, m->lanes * sizeof *before);
    cs_eval_log_density(m->eval, CS_NOW, m->x, m->info.logp);
}

static void skips_every_fourth_step(cs_move *m)
{
    bool accept[LAW_CHAINS] = {false};
    remember(m);
    inner.step(m);
    if (m->streams.step % 4 == 0)
        decide_again(m, accept);
}

static void evaluates_in_secret(cs_move *m)
{
    cs_point at = {.x = m->x,
                   .cache = m->eval->cache[CS_NOW],
                   .scratch = m->eval->scratch,
                   .lanes = m->lanes,
                   .live = m->live};
    inner.step(m);
    m->eval->target->type->log_density(m->eval->target, &at, m->info.logp);
}

static void ignores_new_data(cs_move *m)
{
    size_t words =
        cs_kernel_memory_words(&(cs_kernel){.type = &inner}, m->eval->target);
    if (m->streams.step == 0)
        inner.init(m);
    else
        memset(m->memory, 0, words * m->lanes * sizeof *m->memory);
}

static void leaves_the_space(cs_move *m)
{
    inner.step(m);
    if (m->streams.step == 5)
        m->x[0] += 0.5;
}

static void overflows(cs_move *m)
{
    inner.step(m);
    for (size_t l = 0; l < m->lanes; l++)
        m->x[l] *= m->param[l] > 1e50 ? HUGE_VAL : 1;
}

static void stops_where_it_should_refuse(cs_move *m)
{
    inner.step(m);
    for (size_t l = 0; l < m->lanes; l++)
        m->failed[l] |= isnan(m->info.log_ratio[l]);
}

static void forgets_the_refusal(cs_move *m)
{
    inner.step(m);
    for (size_t l = 0; l < m->lanes; l++)
        if (isnan(m->info.log_ratio[l]))
            m->info.log_ratio[l] = -1;
}

/* Fault: a biased kernel moves even where log p is NaN. */
static void goes_on_at_nan(cs_move *m)
{
    inner.step(m);
    for (size_t at = 0; at < m->dim * m->lanes; at++)
        m->x[at] = m->info.proposal[at];
}

static cs_status blames_the_target(const cs_target *t, const double *values,
                                   cs_error *err)
{
    (void)values;
    void *block = cs_alloc(1, 8);
    cs_free(block);
    return block ? CS_OK : cs_fail(err, CS_UNSUPPORTED, "not %s", t->name);
}

#define MASSES &small_masses
#define SITES &small_sites
#define BANANA &small_banana
#define WELLS &small_wells
/* Fault: proposals are drawn with odds in single precision, but log q is
 * computed from odds in double precision. */
static void scores_what_was_meant(cs_move *m, const double *from,
                                  const double *to, double *out)
{
    inner.log_q(m, from, to, out);
    for (size_t l = 0; l < m->lanes; l++)
        out[l] *= 1 + 1e-8;
}

#define STEP(f)                                                                \
    {                                                                          \
        .step = f                                                              \
    }

/* Moves a coordinate outside the window of the kernel. */
static void moves_the_rest(cs_move *m)
{
    inner.step(m);
    for (size_t i = 0; m->eval->around && i < 2 * m->dim; i++)
        m->eval->around[i * m->lanes] += m->streams.step == 9;
}

/* Exchanges the first two coordinates without telling the evaluator. */
static void moves_in_secret(cs_move *m)
{
    for (size_t l = 0; m->streams.step == 3 && l < m->lanes; l++) {
        double x = m->x[l];
        m->x[l] = m->x[m->lanes + l];
        m->x[m->lanes + l] = x;
    }
    inner.step(m);
}

const kernel_fault kernel_faults[] = {
    {"cycle", "mala", &small_banana, {0.5}, STEP(moves_the_rest)},
    {"cycle", "gibbs", SITES, {0, 1}, STEP(moves_the_rest)},
    {"window", "gibbs", SITES, {0, 1}, STEP(moves_the_rest)},
    {"window", "mala", &small_banana, {0.5}, STEP(moves_the_rest)},
    {"window", "gibbs", MASSES, {0, 1}, STEP(moves_in_secret)},
    {"matrix",
     "dula",
     MASSES,
     {1, 0.5},
     {.flags = CS_KERNEL_EXACT | CS_KERNEL_GRADIENT}},
    {"bias", "dula", MASSES, {1, 0.8}, {0}},
    {"bias", "dmala", SITES, {1, 0.5}, {0}},

    {"frequencies", "dmala", MASSES, {1, 0.5}, STEP(forgets_the_rejection)},
    {"frequencies", "dmala", MASSES, {1, 0.5}, STEP(drops_the_reverse_term)},
    {"frequencies", "dmala", MASSES, {1, 0.5}, STEP(ignores_the_accept_noise)},
    {"frequencies",
     "dmala",
     MASSES,
     {1, 0.5},
     STEP(takes_a_parameter_for_another)},
    {"frequencies", "dmala", MASSES, {1, 0.5}, STEP(keeps_a_stale_memory)},
    {"frequencies",
     "random_walk",
     &small_lattice,
     {1, 1, 1},
     STEP(forgets_the_rejection)},
    {"frequencies", "gibbs", SITES, {0, 1}, STEP(skips_every_fourth_step)},

    {"frequencies", "gibbs", MASSES, {0, 2}, STEP(forgets_a_site)},
    {"frequencies", "swendsen_wang", &small_spins, {0}, STEP(forgets_a_site)},
    {"frequencies", "wolff", &small_colours, {0}, STEP(forgets_a_site)},
    {"frequencies", "block_gibbs", &small_spins, {1}, STEP(forgets_a_site)},
    {"frequencies", "hamming_ball", MASSES, {3, 2}, STEP(forgets_a_site)},

    {"frequencies",
     "gwg",
     MASSES,
     {0, 1, 1, CS_GRADIENT_FLOAT},
     STEP(is_steered_one_way)},
    {"frequencies",
     "dmala",
     MASSES,
     {0.6, 0.5, 0, CS_GRADIENT_FLOAT},
     STEP(is_steered_one_way)},

    {"frequencies",
     "path_auxiliary",
     MASSES,
     {2.3},
     STEP(goes_back_with_replacement)},
    {"frequencies", "dlmc", MASSES, {1}, STEP(forgets_who_stays)},
    {"frequencies", "dlmc", SITES, {0.5, 1}, STEP(keeps_a_stale_memory)},

    {"proposals",
     "dlmc",
     &small_lattice,
     {1},
     STEP(takes_a_parameter_for_another)},
    {"proposals",
     "dmala",
     &small_lattice,
     {1, 0.5},
     STEP(takes_a_parameter_for_another)},
    {"proposals",
     "dmala",
     MASSES,
     {0.6, 0.5, 0, CS_GRADIENT_FLOAT},
     {.log_q = scores_what_was_meant}},
    {"proposals", "dula", &small_lattice, {1, 0.5}, STEP(keeps_a_stale_memory)},

    {"sums", "dmala", SITES, {1, 0.5}, STEP(takes_a_parameter_for_another)},
    {"sums", "dmala", SITES, {1, 0.5}, {.log_q = takes_u_for_a_density}},

    {"again", "random_walk", BANANA, {1, 1, 1}, STEP(remembers_for_long)},

    {"record", "dmala", SITES, {1, 0.5}, STEP(forgets_the_rejection)},
    {"record", "dmala", SITES, {1, 0.5}, STEP(drops_the_reverse_term)},
    {"record", "dmala", SITES, {1, 0.5}, STEP(ignores_the_accept_noise)},
    {"record", "dmala", SITES, {1, 0.5}, STEP(takes_a_parameter_for_another)},
    {"record", "dmala", SITES, {1, 0.5}, STEP(keeps_a_stale_memory)},
    {"record",
     "gwg",
     MASSES,
     {0, 1, 1, CS_GRADIENT_FLOAT},
     STEP(is_steered_one_way)},
    {"record", "mala", BANANA, {0.8}, STEP(forgets_the_rejection)},
    {"record", "mala", BANANA, {0.8}, STEP(takes_a_parameter_for_another)},
    {"record", "mala", BANANA, {0.8}, STEP(keeps_a_stale_memory)},

    {"record", "barker", BANANA, {0.8}, STEP(turns_the_reverse_term_round)},
    {"record", "barker", BANANA, {0.8}, STEP(goes_back_by_the_old_gradient)},
    {"record", "barker", BANANA, {0.8}, STEP(keeps_a_stale_memory)},

    {"record", "h2mc", BANANA, {0.8, 1.5}, STEP(turns_the_reverse_term_round)},
    {"record", "h2mc", BANANA, {0.8, 1.5}, STEP(forgets_the_rejection)},
    {"record", "h2mc", BANANA, {0.8, 1.5}, STEP(keeps_a_stale_memory)},

    {"record", "hmc", BANANA, {0.6, 2}, STEP(forgets_the_rejection)},
    {"record", "hmc", BANANA, {0.6, 2}, STEP(keeps_an_old_density)},
    {"record", "nuts", BANANA, {1.5, 1}, STEP(says_all_were_accepted)},
    {"record", "nuts", BANANA, {0.6, 3}, STEP(keeps_an_old_density)},
    {"stationarity", "nuts", BANANA, {0.6, 3}, STEP(keeps_a_stale_memory)},
    {"record", "random_walk", SITES, {1, 1, 1}, STEP(says_all_were_accepted)},
    {"record", "gibbs", SITES, {0, 1}, STEP(keeps_an_old_density)},
    {"record", "dula", MASSES, {1, 0.5}, STEP(remembers_in_secret)},

    {"leapfrog", "hmc", BANANA, {0.12, 7}, STEP(keeps_a_stale_memory)},
    {"leapfrog", "hmc", BANANA, {0.12, 7}, STEP(takes_a_parameter_for_another)},

    {"leapfrog", "hmc", BANANA, {0.3, 3, 1}, STEP(ends_in_single)},

    {"own balance",
     "edula",
     MASSES,
     {1, 0.5, 1, 0.5},
     {.flags = CS_KERNEL_EXACT | CS_KERNEL_GRADIENT}},
    {"own proposals",
     "edula",
     SITES,
     {1, 0.5, 0.5, 0.3},
     STEP(takes_a_parameter_for_another)},
    {"record",
     "edmala",
     MASSES,
     {1, 0.5, 0.5, 0.3},
     STEP(forgets_the_coupling)},
    {"record",
     "edmala",
     &small_lattice,
     {1, 0.5, 0.5, 0.3},
     STEP(keeps_a_stale_memory)},
    {"own proposals",
     "edula",
     SITES,
     {1, 0.5, 0.5, 0.3, 1},
     STEP(takes_a_parameter_for_another)},
    {"record",
     "edmala",
     SITES,
     {1, 0.5, 0.5, 0.3, 1},
     STEP(forgets_the_coupling)},
    {"record",
     "edmala_glu",
     MASSES,
     {1, 0.5, 0.5},
     STEP(forgets_the_rejection)},
    {"record",
     "edmala",
     MASSES,
     {1, 0.5, 0.5, 0.6},
     STEP(takes_every_auxiliary)},
    {"own log q",
     "edmala",
     MASSES,
     {1, 0.5, 0.5, 0.3},
     {.log_q = takes_u_for_a_density}},
    {"own stationarity",
     "edmala",
     MASSES,
     {1, 0.5, 0.5, 0.6},
     STEP(takes_every_auxiliary)},
    {"own names", "edmala", &small_bits, {1, 0.5, 1, 0.5}, {.aux = &too_many}},

    {"work", "random_walk", BANANA, {1, 1, 1}, STEP(evaluates_in_secret)},
    {"work", "gibbs", &small_bits, {0, 1}, STEP(evaluates_in_secret)},
    {"work", "wolff", &small_spins, {0}, STEP(evaluates_in_secret)},
    {"refresh", "random_walk", BANANA, {1, 1, 1}, STEP(remembers_in_secret)},
    {"odd grounds", "dmala", &small_bits, {1, 0.5}, STEP(leaves_the_space)},
    {"odd grounds",
     "random_walk",
     &small_lattice,
     {1, 1, 1},
     STEP(forgets_the_rejection)},
    {"extremes", "mala", BANANA, {0.5}, STEP(overflows)},
    {"NaN density", "mala", BANANA, {0.5}, STEP(stops_where_it_should_refuse)},
    {"NaN density", "dula", SITES, {1, 0.5}, STEP(goes_on_at_nan)},

    {"NaN gradient", "dmala", &small_bits, {1, 0.5}, STEP(forgets_the_refusal)},
    {"NaN gradient", "mala", BANANA, {0.5}, STEP(forgets_the_refusal)},

    {"blocks", "random_walk", BANANA, {1, 1, 1}, STEP(remembers_in_secret)},
    {"resume", "random_walk", BANANA, {1, 1, 1}, STEP(remembers_in_secret)},
    {"rewind", "random_walk", BANANA, {1, 1, 1}, STEP(remembers_in_secret)},
    {"memory", "random_walk", BANANA, {1, 1, 1}, {.check = blames_the_target}},

    {"balance", "hmc", BANANA, {0.3, 3, 1}, STEP(ends_in_single)},
    {"balance", "hmc", WELLS, {0.6, 2}, STEP(forgets_the_rejection)},
    {"balance", "dmala", MASSES, {1, 0.5}, STEP(drops_the_reverse_term)},
    {"reach", "gibbs", MASSES, {0, 1}, STEP(forgets_a_site)},
    {"reach", "dmala", &small_lattice, {1, 0.5}, STEP(forgets_a_site)},

    {"transitions", "dmala", MASSES, {1, 0.5}, STEP(forgets_the_rejection)},
    {"stationarity", "dmala", MASSES, {1, 0.5}, STEP(forgets_the_rejection)},
    {"stationarity",
     "path_auxiliary",
     MASSES,
     {2.3},
     STEP(goes_back_with_replacement)},
    {"stationarity", "dlmc", MASSES, {1}, STEP(forgets_who_stays)},
    {"record", "dlmc", MASSES, {1}, STEP(forgets_who_stays)},
    {"balance", "path_auxiliary", MASSES, {2.3}, STEP(drops_the_reverse_term)},
    {"stationarity", "mala", WELLS, {0.8}, STEP(drops_the_reverse_term)},
    {"record", "hmc", WELLS, {0.6, 2}, STEP(forgets_the_rejection)},
    {"leapfrog", "hmc", WELLS, {0.12, 7}, STEP(keeps_a_stale_memory)},
    {"stationarity", "mala", BANANA, {0.8}, STEP(drops_the_reverse_term)},
    {"stationarity",
     "barker",
     BANANA,
     {0.8},
     STEP(turns_the_reverse_term_round)},
    {"stationarity",
     "barker",
     WELLS,
     {0.8},
     STEP(goes_back_by_the_old_gradient)},
    {"balance", "barker", WELLS, {0.8}, STEP(goes_back_by_the_old_gradient)},
    {"stationarity", "hmc", BANANA, {0.6, 2}, STEP(forgets_the_rejection)},
    {"stationarity",
     "random_walk",
     &small_lattice,
     {1, 1, 1},
     STEP(ignores_the_accept_noise)},
    {"stationarity", "hmc", BANANA, {0.3, 3, 1}, STEP(ends_in_single)},
    {"stationarity",
     "metropolis_within_gibbs",
     WELLS,
     {1, 0},
     STEP(strides_further_out)},
    {"record",
     "metropolis_within_gibbs",
     BANANA,
     {1, 1},
     STEP(forgets_the_rejection)},
    {"stationarity",
     "slice",
     WELLS,
     {0.5, 3, 1, 10},
     STEP(slice_steps_out_on_one_side)},
    {"stationarity",
     "slice",
     WELLS,
     {8, 0, 1, 10},
     STEP(slice_shrinks_to_the_wrong_side)},
    {"stationarity",
     "elliptical_slice",
     WELLS,
     {0, 1, 1},
     STEP(ellipse_in_half_a_bracket)},
    {"stationarity", "stretch", BANANA, {2}, STEP(counts_one_dimension_more)},
    {"record", "stretch", WELLS, {2}, STEP(counts_one_dimension_more)},
    {"stationarity",
     "independence",
     WELLS,
     {0.3, 2, 1},
     STEP(forgets_the_coupling)},
    {"record", "independence", BANANA, {0.3, 2, 1}, STEP(forgets_the_coupling)},
    {"record", "slice", BANANA, {1, 10, 1, 2}, STEP(keeps_an_old_density)},
    {"work", "slice_direction", BANANA, {1, 10}, STEP(evaluates_in_secret)},
    {"ranks",
     "elliptical_slice",
     BANANA,
     {0, 1, 1},
     STEP(ellipse_in_half_a_bracket)},
    {"ranks", "dmala", MASSES, {1, 0.5}, STEP(forgets_the_rejection)},
    {"ranks", "dmala", MASSES, {1, 0.5}, STEP(drops_the_reverse_term)},
    {"ranks", "random_walk", BANANA, {1, 1, 1}, STEP(ignores_the_accept_noise)},
    {"joint law", "dmala", &small_bits, {1, 0.5}, {.init = ignores_new_data}},
    {"joint law", "mala", BANANA, {0.5}, {.init = ignores_new_data}},
    {"joint law",
     "random_walk",
     BANANA,
     {1, 1, 1},
     STEP(forgets_the_rejection)},
    {NULL, NULL, NULL, {0}, {0}}};

void kernel_spoil(const kernel_fault *f, cs_kernel_type *out)
{
    inner = *cs_kernel_find(f->kernel);
    *out = inner;
    out->init = f->with.init ? f->with.init : inner.init;
    out->step = f->with.step ? f->with.step : inner.step;
    out->check = f->with.check ? f->with.check : inner.check;
    out->log_q = f->with.log_q ? f->with.log_q : inner.log_q;
    out->aux = f->with.aux ? f->with.aux : inner.aux;
    out->flags = f->with.flags ? f->with.flags : inner.flags;
}
