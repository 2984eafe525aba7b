/* psgld: stochastic gradient Langevin dynamics with a diagonal preconditioner.
 *
 *   m:   batch mean of the gradients of the terms, without prior and factor N
 *   V' = decay V + (1 - decay) m^2
 *   G  = 1 / (lambda + sqrt(V'))
 *   x' = x + rate (G g + T Gamma) + sqrt(2 rate T G) z,  z ~ N(0, I)
 *   Gamma_j = dG_j/dx_j
 *           = -(1 - decay) m_j h_j / (sqrt(V'_j) (lambda + sqrt(V'_j))^2),
 *   h_j = dm_j/dx_j
 *
 * for each coordinate. Li, Chen, Carlson and Carin, "Preconditioned stochastic
 * gradient Langevin dynamics for deep neural networks" (2016), Algorithm 1,
 * whose step is 2 rate; V starts at 0. A target without rows of data counts as
 * a single term, and m then includes the declared noise.
 *
 * Like most programs, this kernel leaves out Gamma by default. This causes a
 * bias of order 1 - decay, which a smaller rate does not remove. With
 * `correction`, h_j is computed by central differences on the same batch, at
 * the cost of two more evaluations per coordinate. The kernel is biased even
 * then, because V depends on the past and G and g share a batch. */
#include "kernels/real/stochastic_gradient.h"

enum { TEMPERATURE = CS_SG_PARAMS, DECAY, LAMBDA, CORRECTION };

/* Rows of `next`: the gradient and m. Rows of `kept`: V and h. */
static const cs_sg_layout layout = {.next = 2, .kept = 2, .batch_mean = true};

static size_t memory_words(const cs_target *t, const double *values)
{
    return cs_sg_memory_words(t, values, layout);
}

static size_t carried_words(const cs_target *t, const double *values)
{
    (void)values;
    return (layout.next + layout.kept) * t->space.dim;
}

/* Returns the scratch size in doubles per lane. Layout: the common part, then a
 * state near x, and the gradient and m at that state. */
static size_t scratch_words(const cs_target *t, const double *values)
{
    return cs_sg_scratch_words(t, values, layout) + 3 * t->space.dim;
}

static double *trial_of(const cs_move *m, const cs_sg_step *s)
{
    return cs_sg_own_scratch(m, s);
}

/* Fills `to` with x, but moves coordinate d: by `sign` times the step of the
 * finite difference, in each lane. */
static void put_beside(const cs_move *m, size_t d, double sign, double *to)
{
    memcpy(to, m->x, m->dim * m->lanes * sizeof *to);
    for (size_t l = 0; l < m->lanes; l++) {
        double x = m->x[d * m->lanes + l];
        to[d * m->lanes + l] = x + sign * 6e-6 * fmax(1, fabs(x));
    }
}

/* Computes h[dim][lanes] at x on the current batch. */
static void differentiate(cs_move *m, cs_sg_step *s, double *h)
{
    double *trial = trial_of(m, s), *g = trial + m->dim * m->lanes;
    const double *mean = g + m->dim * m->lanes;
    size_t n = m->lanes;
    for (size_t d = 0; d < m->dim; d++) {
        put_beside(m, d, 1, trial);
        cs_sg_estimate(m, s, CS_NEXT, trial, s->logp, g);
        for (size_t l = 0; l < n; l++)
            h[d * n + l] = mean[d * n + l];
        put_beside(m, d, -1, trial);
        cs_sg_estimate(m, s, CS_NEXT, trial, s->logp, g);
        for (size_t l = 0; l < n; l++)
            h[d * n + l] = (h[d * n + l] - mean[d * n + l]) /
                           (1.2e-5 * fmax(1, fabs(m->x[d * n + l])));
    }
}

static bool is_corrected(const cs_move *m)
{
    return cs_move_param(m, CORRECTION)[0] != 0;
}

static double *kept(const cs_move *m, size_t i)
{
    return m->memory + (layout.next + i) * m->dim * m->lanes;
}

static void init(cs_move *m)
{
    cs_sg_init(m, layout);
    cs_sg_step s = cs_sg_step_of(m, layout);
    cs_sg_draw(m, &s);
    if (is_corrected(m))
        differentiate(m, &s, kept(m, 1));
}

/* Returns Gamma, the part of the drift that corrects for the change of G with
 * x. */
static cs_vd gamma_of(cs_vd mean, cs_vd h, cs_vd root, cs_vd g, cs_vd fresh)
{
    cs_vd gamma = -fresh * mean * h * g * g / root;
    return cs_vselect(root > 0.0, gamma, cs_vset(0));
}

/* Returns m. For a target without rows of data, m includes the declared noise
 * of the gradient. */
static cs_vd mean_of(const cs_move *m, const double *noise, size_t l, size_t at)
{
    if (m->eval->target->n_rows == 0)
        return cs_sg_gradient(m, noise, l, at);
    return cs_load(m->memory + m->dim * m->lanes + at);
}

static void move(cs_move *m, cs_sg_step *s, const double *noise, size_t l)
{
    cs_vd rate = cs_load(cs_move_param(m, CS_SG_RATE) + l);
    cs_vd heat = cs_load(cs_move_param(m, TEMPERATURE) + l);
    cs_vd decay = cs_load(cs_move_param(m, DECAY) + l);
    cs_vd lambda = cs_load(cs_move_param(m, LAMBDA) + l);
    bool corrected = is_corrected(m);
    for (size_t at = l; at < m->dim * m->lanes; at += m->lanes) {
        cs_vd mean = mean_of(m, noise, l, at);
        cs_vd square =
            decay * cs_load(kept(m, 0) + at) + (1 - decay) * mean * mean;
        cs_vd root = cs_vsqrt(square), g = 1 / (lambda + root);
        cs_vd drift = g * cs_sg_gradient(m, noise, l, at);
        if (corrected)
            drift += heat * gamma_of(mean, cs_load(kept(m, 1) + at), root, g,
                                     1 - decay);
        cs_store(kept(m, 0) + at, square);
        cs_store(s->y + at,
                 cs_load(m->x + at) + rate * drift +
                     cs_vsqrt(2 * rate * heat * g) * cs_load(s->y + at));
    }
}

static void step(cs_move *m)
{
    cs_sg_step s = cs_sg_step_of(m, layout);
    const double *noise = cs_sg_normals(m, &s);
    cs_sg_draw(m, &s);
    for (size_t l = 0; l < m->lanes; l += CS_VECTOR)
        move(m, &s, noise, l);
    cs_sg_arrive(m, &s);
    if (!is_corrected(m))
        return;
    cs_sg_draw(m, &s);
    differentiate(m, &s, kept(m, 1));
}

static cs_status check(const cs_target *t, const double *values, cs_error *err)
{
    return cs_sg_check("psgld", t, values, err);
}

static const cs_param rows[] = {
    CS_SG_ROWS("epsilon, the step size, by which the preconditioned gradient "
               "is multiplied",
               "Li et al. 2016, Algorithm 1, whose step size is 2 rate"),
    [TEMPERATURE] =
        {.name = "temperature",
         .flags = CS_PARAM_LOG,
         .max = 1e100,
         .def = 1,
         .help =
             "temperature T: the noise is scaled such that the stationary "
             "density is about exp(log p / T); 0: no noise (gradient descent)"},
    [DECAY] = {.name = "decay",
               .max = 1,
               .def = 0.99,
               .help = "factor by which each step multiplies the running "
                       "mean of squared gradients before it adds the new "
                       "square; 1: the preconditioner is frozen",
               .ref = "Li et al. 2016, Eq. 4 (alpha)"},
    [LAMBDA] =
        {.name = "lambda",
         .flags = CS_PARAM_LOG,
         CS_PARAM_RANGE(1e-100, 1e100, 1e-5),
         .help =
             "lambda, which is added to the denominator of the preconditioner, "
             "so that it is not 0 where the gradients are 0",
         .ref = "Li et al. 2016, Eq. 5"},
    [CORRECTION] =
        {.name = "correction",
         .kind = CS_PARAM_BOOL,
         .flags = CS_PARAM_SHARED | CS_PARAM_FIXED,
         .max = 1,
         .help = "true: each step adds the term Gamma, which corrects for the "
                 "change of the preconditioner. Gamma is computed by finite "
                 "differences, with two more gradients per coordinate",
         .ref = "Li et al. 2016, Eq. 3"},
};

/* Implements `noise` of the kernel type, with G of the last step. */
static bool noise(const cs_noise *at)
{
    size_t dim = at->target->space.dim, n = at->n;
    const double *square = at->memory + layout.next * dim * at->stride;
    if (!cs_sg_noise_of_step(at, layout, at->values[CS_SG_RATE],
                             at->values[TEMPERATURE]))
        return false;
    for (size_t i = 0; i < n; i++) {
        double g = 1 / (at->values[LAMBDA] + sqrt(square[i * at->stride]));
        at->injected[i] *= g;
        for (size_t j = 0; j < n; j++) {
            at->gradient[i * n + j] *= g;
            at->gradient[j * n + i] *= g;
        }
    }
    return true;
}

const cs_kernel_type CS_VARIANT(cs_kernel_psgld) = {
    .name = "psgld",
    .title = "Preconditioned stochastic gradient Langevin dynamics",
    .ref = "Li, Chen, Carlson and Carin, Preconditioned stochastic gradient "
           "Langevin dynamics for deep neural networks, 2016",
    .help = "Langevin steps whose length in each coordinate is adapted to the "
            "size of the recent gradients: shorter where gradients are large. "
            "The kernel is biased because it has no accept step.",
    .flags = CS_SG_FLAGS,
    CS_SG_MEMBERS,
    CS_PARAM_TABLE(rows),
    .memory_words = memory_words,
    .carried_words = carried_words,
    .scratch_words = scratch_words,
    .check = check,
    .init = init,
    .step = step,
    .noise = noise,
};
