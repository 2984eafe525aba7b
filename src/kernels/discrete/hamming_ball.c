/* hamming_ball: an auxiliary state u is drawn uniformly from the ball of states
 * that differ from x at no more than `radius` sites, all from one set of sites;
 * x is then drawn from the target restricted to the ball around u:
 *
 *   u ~ uniform on H(x),  p(x' | u) = exp(log p(x')) / sum over H(u)
 *
 * Titsias and Yau, "The Hamming Ball Sampler" (2017), section 3, where it is
 * called HB-sites-radius. No move is ever rejected. Differences from the paper:
 * each chain draws its own set of sites in each step, whereas the published
 * comparisons use one shuffled order for all chains; a changed site may take
 * any of its other values. All states of the ball are evaluated by site
 * differences. log p is updated by differences and evaluated every 1024
 * steps. */
#include "kernels/discrete/ball.h"

enum { SITES, RADIUS };

/* Returns the scratch size in doubles per lane: the arrays of ball.h, then
 * uniforms. */
static size_t scratch_words(const cs_target *t, const double *values)
{
    (void)values;
    return cs_ball_words(t) + CS_BALL_SITES + 1;
}

/* Moves every lane to the values to[sites][lanes], one site after another, and
 * updates b->now. */
static void go(cs_ball *b, const double *to)
{
    cs_move *m = b->m;
    size_t n = m->lanes;
    uint32_t *site = (uint32_t *)(void *)b->logp_trial;
    for (size_t change = 0; change < b->radius; change++) {
        for (size_t l = 0; l < n; l++) {
            size_t k = 0;
            while (k + 1 < b->sites &&
                   m->x[b->site[k * n + l] * n + l] == to[k * n + l])
                k++;
            site[l] = b->site[k * n + l];
            b->value[l] = to[k * n + l];
        }
        cs_ball_differences(b, site, b->now);
        for (size_t l = 0; l < n; l++)
            b->now[l] = b->d[(size_t)(b->value[l] - m->space->low) * n + l];
        cs_eval_set_site(m->eval, m->x, site, b->value);
    }
}

/* Moves every lane to the auxiliary state u, the centre of the next ball. */
static void draw_centre(cs_ball *b, double *uniform)
{
    cs_move *m = b->m;
    size_t size = cs_ball_size(b->sites, b->radius, b->values, CS_BALL_STATES);
    double *to = b->logp; /* logp is not yet in use */
    cs_fill_uniform(&m->streams, CS_FOR_AUXILIARY, 1, uniform);
    for (size_t l = 0; l < m->lanes; l++) {
        double number = floor(uniform[l] * (double)size);
        b->value[l] = fmin(number, (double)size - 1);
    }
    memcpy(b->centre, b->old, b->sites * m->lanes * sizeof *to);
    cs_ball_values(b, b->value, to);
    go(b, to);
}

static void step(cs_move *m)
{
    cs_ball b;
    double *uniform = cs_ball_lay(&b, m, m->scratch);
    cs_ball_bound(&b, (size_t)cs_move_param(m, SITES)[0],
                  (size_t)cs_move_param(m, RADIUS)[0]);
    m->info.proposal = NULL;
    cs_fill_uniform(&m->streams, CS_FOR_SITE, b.sites, uniform);
    cs_ball_any_sites(&b, uniform);
    cs_ball_read(&b, b.old);
    memcpy(b.now, m->info.logp, m->lanes * sizeof *b.now);
    draw_centre(&b, uniform);
    cs_fill_uniform(&m->streams, CS_FOR_PROPOSAL, 1, uniform);
    cs_ball_resample(&b, uniform);
    cs_finish_resampled_anew(m);
}

static cs_status check(const cs_target *t, const double *values, cs_error *err)
{
    size_t dim = t->space.dim, radius = (size_t)values[RADIUS];
    size_t sites = (size_t)values[SITES];
    sites = sites < dim ? sites : dim;
    if (cs_ball_size(sites, radius, (size_t)t->space.values,
                     CS_BALL_STATES + 1) <= CS_BALL_STATES)
        return CS_OK;
    cs_fail(err, CS_RANGE, "hamming_ball: the ball has more than %d states",
            CS_BALL_STATES);
    cs_hint(err, "use fewer sites or a smaller radius");
    return CS_RANGE;
}

/* The centre may be an impossible state. */
static size_t sites_at_once(const double *values)
{
    return (size_t)fmin(values[SITES], 2 * values[RADIUS]);
}

static const cs_param rows[] = {
    [SITES] = {.name = "sites",
               .unit = "sites",
               .kind = CS_PARAM_INT,
               .flags = CS_PARAM_SHARED,
               CS_PARAM_RANGE(1, CS_BALL_SITES, 10),
               .help = "number of sites that may change in a step",
               .ref = "Titsias and Yau 2017, section 3"},
    [RADIUS] = {.name = "radius",
                .unit = "sites",
                .kind = CS_PARAM_INT,
                .flags = CS_PARAM_SHARED | CS_PARAM_SIZE,
                CS_PARAM_RANGE(1, CS_BALL_SITES, 1),
                .help =
                    "radius of the Hamming ball: maximum number of the chosen "
                    "sites that may differ from the centre of the ball",
                .ref = "Titsias and Yau 2017, section 3"},
};

const cs_kernel_type CS_VARIANT(cs_kernel_hamming_ball) = {
    .name = "hamming_ball",
    .title = "Hamming ball",
    .ref = "Titsias and Yau, The Hamming Ball Sampler, 2017",
    .help = "Draws an auxiliary state near the current state, then redraws a "
            "random set of sites from the target restricted to a Hamming ball "
            "around the auxiliary state.",
    .spaces = CS_DISCRETE,
    .flags = CS_KERNEL_EXACT | CS_KERNEL_REVERSIBLE,
    CS_PARAM_TABLE(rows),
    .sites_at_once = sites_at_once,
    .scratch_words = scratch_words,
    .check = check,
    .step = step,
};
