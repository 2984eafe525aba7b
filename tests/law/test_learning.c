/* Tests learning. The slope of every model is compared with finite differences,
 * and the gradient of contrastive divergence with the exact gradient. An arm
 * that learns gives the same results with any number of workers and blocks,
 * with or without other arms, after a rewind, and from a checkpoint. Each check
 * detects a planted fault. */
#include "support/by_name.h"
#include "support/fake_model.h"
#include "support/far.h"
#include "support/run_laws.h"
#include "support/support.h"

#include "base/memory.h"
#include "learn/divergence.h"
#include "run/arms/arms.h"
#include "run/arms/learner.h"
#include "run/draws/kept_draws.h"
#include "run/history/changes.h"
#include "run/rewind.h"
#include "run/run.h"
#include "run/run_replay.h"
#include "run/save.h"
#include "run/summary/learned_figures.h"
#include "run/views/reports.h"
#include "run/views/view.h"

#include <math.h>
#include <string.h>

enum { CHAINS = 20, SEED = 7 };

/* ---- the slope ----------------------------------------------------------- */

enum { LANES = 8 };

typedef struct bench {
    cs_target *t;
    double *x, *cache, *scratch, *logp, *weight, *d; /* [own] */
} bench;

static bench open_bench(cs_target *t)
{
    size_t words = cs_eval_scratch_words(t) + t->slope_words + 8;
    bench b = {.t = t,
               .x = cs_alloc(t->space.dim * LANES, 8),
               .cache = cs_alloc((t->cache_words + 1) * LANES, 8),
               .scratch = cs_alloc(words * LANES, 8),
               .logp = cs_alloc(LANES, 8),
               .weight = cs_alloc(LANES, 8),
               .d = cs_alloc(t->n_learned, 8)};
    for (size_t d = 0; d < t->space.dim; d++)
        for (size_t l = 0; l < LANES; l++) {
            double u = uniform(3, l, d);
            b.x[d * LANES + l] =
                t->space.low + floor(u * (double)t->space.values);
        }
    return b;
}

static void close_bench(bench *b)
{
    void *const all[] = {b->x, b->cache, b->scratch, b->logp, b->weight, b->d};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        cs_free(all[k]);
}

static double logp_of_first(bench *b)
{
    const cs_point at = {.x = b->x,
                         .cache = b->cache,
                         .scratch = b->scratch,
                         .lanes = LANES,
                         .live = LANES};
    b->t->type->log_density(b->t, &at, b->logp);
    return b->logp[0];
}

/* Returns log p of the first state after h has been added to learned number
 * i. */
static double moved(bench *b, size_t i, double h)
{
    cs_target *t = b->t;
    double was = t->learned[i];
    t->learned[i] = was + h;
    t->type->model->changed(t);
    double logp = logp_of_first(b);
    t->learned[i] = was;
    t->type->model->changed(t);
    return logp;
}

/* Returns a central difference of eighth order. The step is a power of two, so
 * that learned numbers, which are multiples of a smaller power of two, are
 * shifted exactly. */
static double difference(bench *b, size_t i)
{
    static const double c[] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
    const double h = 0x1p-5;
    double sum = 0;
    for (unsigned k = 1; k <= 4; k++)
        sum += c[k - 1] * (moved(b, i, k * h) - moved(b, i, -(k * h)));
    return sum / h;
}

static void slope_of_first(bench *b)
{
    const cs_point at = {
        .x = b->x, .scratch = b->scratch, .lanes = LANES, .live = LANES};
    memset(b->d, 0, b->t->n_learned * sizeof *b->d);
    memset(b->weight, 0, LANES * sizeof *b->weight);
    b->weight[0] = 1;
    b->t->type->model->slope(b->t, &at, b->weight, b->logp, b->d);
}

enum { MOST_TRIED = 400 };

static bool slope_holds(const cs_target *t)
{
    cs_target *own;
    assert_int_equal(cs_target_learner(t, &own, NULL), CS_OK);
    bench b = open_bench(own);
    size_t by = own->n_learned / MOST_TRIED + 1;
    slope_of_first(&b);
    bool good = fabs(b.logp[0] - logp_of_first(&b)) <= 1e-9;
    for (size_t i = 0; i < own->n_learned; i += by)
        good = good && fabs(b.d[i] - difference(&b, i)) <= 1e-9;
    close_bench(&b);
    cs_target_release(own);
    return good;
}

static void every_models_slope_is_its_derivative(void **state)
{
    (void)state;
    const cs_target_type *type;
    size_t n = 0;
    for (size_t i = 0; (type = cs_target_at(i)); i++) {
        cs_target *t = type->model ? target_of(type->name) : NULL;
        if (!t)
            continue;
        n++;
        if (!slope_holds(t))
            fail_msg("the slope of %s is not its derivative", type->name);
        cs_target_release(t);
    }
    assert_true(n >= 1);
}

static void wrong_slope(const cs_target *t, const cs_point *at,
                        const double *weight, double *logp, double *d)
{
    cs_target_find("rbm")->model->slope(t, at, weight, logp, d);
    d[3] += 1e-8 * weight[0];
}

static void a_wrong_slope_is_caught(void **state)
{
    (void)state;
    fake f;
    cs_target *t = machine(&f, 12, 6, 0.3);
    f.model.slope = wrong_slope;
    assert_false(slope_holds(t));
    cs_target_release(t);
}

/* ---- runs ---------------------------------------------------------------- */

/* Returns a data set of states in which odd coordinates are mostly 1. */
static cs_data_set *data_of(const cs_target *t, size_t n)
{
    size_t dim = t->space.dim;
    cs_data_set *set;
    double *x = cs_alloc(n * dim, sizeof *x);
    for (size_t i = 0; i < n; i++)
        for (size_t d = 0; d < dim; d++)
            x[i * dim + d] = uniform(11, i, d) < 0.2 + 0.6 * (double)(d & 1);
    assert_int_equal(cs_data_of_states(&set, x, n, dim, &t->space, NULL),
                     CS_OK);
    cs_free(x);
    return set;
}

/* Returns a learner for one arm; the caller releases it. */
static cs_learner learner_of(const cs_target *t, cs_divergence_spec spec,
                             const char *optimiser, double rate)
{
    cs_divergence *made;
    const cs_value given = number("rate", rate);
    cs_data_set *own = spec.train ? NULL : data_of(t, 60);
    if (own)
        spec.train = own;
    if (!spec.batch)
        spec.batch = 20;
    assert_int_equal(cs_optimiser_init(&spec.optimiser,
                                       cs_optimiser_find(optimiser), &given, 1,
                                       NULL),
                     CS_OK);
    assert_int_equal(cs_divergence_create(&made, &spec, NULL), CS_OK);
    cs_data_release(own);
    return (cs_learner){.type = &cs_learns_by_divergence,
                        .self = made,
                        .steps = 3,
                        .updates = 1000};
}

static cs_run *open_run(cs_target *t, const cs_arm_spec *arms, size_t n,
                        uint64_t seed, size_t workers, size_t lanes)
{
    cs_run *r;
    const cs_run_spec spec = {.target = t,
                              .arms = arms,
                              .n_arms = n,
                              .chains = CHAINS,
                              .seed = seed,
                              .workers = workers,
                              .block_lanes = lanes};
    cs_error err = {0};
    if (cs_run_create(&r, &spec, &err))
        fail_msg("%s", err.what);
    return r;
}

static bool same_numbers(const cs_run *a, size_t i, const cs_run *b, size_t j)
{
    const cs_target *x = cs_run_arm_target(a, i), *y = cs_run_arm_target(b, j);
    return memcmp(x->learned, y->learned, x->n_learned * sizeof(double)) == 0;
}

/* ---- the gradient of contrastive divergence ------------------------------ */

/* Computes the mean of d log p / dw over the data minus its exact mean under
 * the model. */
static void exact_gradient(const cs_target *t, const cs_data_set *set,
                           double *d)
{
    const cs_model_type *model = cs_target_find(t->type->name)->model;
    size_t dim = t->space.dim, states = (size_t)1 << dim;
    bench b = open_bench((cs_target *)(uintptr_t)t);
    double *logp = cs_alloc(states, sizeof *logp), most = -HUGE_VAL, all = 0;
    const cs_point at = {
        .x = b.x, .scratch = b.scratch, .lanes = LANES, .live = LANES};
    memset(d, 0, t->n_learned * sizeof *d);
    memset(b.weight, 0, LANES * sizeof *b.weight);
    for (size_t s = 0; s < states; s++) {
        for (size_t k = 0; k < dim * LANES; k++)
            b.x[k] = (double)(s >> (k / LANES) & 1);
        model->slope(t, &at, b.weight, b.logp, d);
        logp[s] = b.logp[0];
        most = fmax(most, logp[s]);
    }
    for (size_t s = 0; s < states; s++)
        all += exp(logp[s] - most);
    for (size_t s = 0; s < states; s++) {
        for (size_t k = 0; k < dim * LANES; k++)
            b.x[k] = (double)(s >> (k / LANES) & 1);
        b.weight[0] = -exp(logp[s] - most) / all;
        model->slope(t, &at, b.weight, NULL, d);
    }
    for (size_t i = 0; i < set->n; i++) {
        for (size_t l = 0; l < LANES; l++)
            cs_data_state(set, i, LANES, b.x + l);
        b.weight[0] = 1 / (double)set->n;
        model->slope(t, &at, b.weight, NULL, d);
    }
    cs_free(logp);
    close_bench(&b);
}

enum { SEEDS = 10, UPDATES = 300 };

/* Returns the largest error of the estimated gradient, in standard errors over
 * seeds. The steps are so small that the weights hardly change. Hence the total
 * change of the weights is proportional to the mean of the estimates. */
static double farthest(cs_target *t, const char *kernel)
{
    static const double rate = 1e-9;
    cs_divergence_spec spec = {.as_made = true, .batch = 60};
    cs_learner how = learner_of(t, spec, "sgd", rate);
    cs_data_set *set = data_of(t, 60);
    const cs_arm_spec arm = {
        .name = "a", .kernel = kernel_of(kernel), .learner = how};
    cs_target *own;
    assert_int_equal(cs_target_learner(t, &own, NULL), CS_OK);
    size_t n = own->n_learned;
    double *exact = cs_alloc(n, 8), *sum = cs_alloc(n, 8),
           *squares = cs_alloc(n, 8), most = 0;
    exact_gradient(own, set, exact);
    for (size_t seed = 0; seed < SEEDS; seed++) {
        cs_run *r = open_run(t, &arm, 1, seed, 1, 0);
        run_steps(r, 3 * 50); /* warm-up */
        double *was = cs_alloc(n, 8);
        const double *now = cs_run_arm_target(r, 0)->learned;
        memcpy(was, now, n * sizeof *was);
        run_steps(r, 3 * UPDATES);
        for (size_t i = 0; i < n; i++) {
            double g = (now[i] - was[i]) / (rate * UPDATES);
            sum[i] += g / SEEDS;
            squares[i] += g * g / SEEDS;
        }
        cs_free(was);
        cs_run_destroy(r);
    }
    for (size_t i = 0; i < n; i++) {
        double sd = sqrt(fmax(squares[i] - sum[i] * sum[i], 1e-18));
        double error = sd / sqrt(SEEDS - 1);
        most = fmax(most, fabs(sum[i] - exact[i]) / (error + 1e-7));
    }
    cs_free(exact);
    cs_free(sum);
    cs_free(squares);
    cs_target_release(own);
    cs_data_release(set);
    how.type->release(how.self);
    return most;
}

/* The maximum of about 40 values of Student's t with 9 degrees of freedom
 * exceeds 8 with probability 1/500. */
enum { LIMIT = 8 };

static void persistent_chains_estimate_the_gradient(void **state)
{
    (void)state;
    fake f;
    cs_target *t = machine(&f, 6, 4, 0.5);
    static const char *const kernel[] = {"block_gibbs", "gwg", "dmala"};
    for (size_t k = 0; k < 3; k++) {
        double far = farthest(t, kernel[k]);
        if (far > LIMIT)
            fail_msg("%s: a gradient is %.3g standard errors off", kernel[k],
                     far);
    }
    cs_target_release(t);
}

/* Fault: the negative phase is omitted. */
static void data_alone(const cs_target *t, const cs_point *at,
                       const double *weight, double *logp, double *d)
{
    _Alignas(64) double none[64];
    for (size_t l = 0; l < at->lanes; l++)
        none[l] = fmax(weight[l], 0);
    cs_target_find("rbm")->model->slope(t, at, none, logp, d);
}

static void forgotten_chains_are_caught(void **state)
{
    (void)state;
    fake f;
    cs_target *t = machine(&f, 6, 4, 0.5);
    f.model.slope = data_alone;
    assert_true(farthest(t, "block_gibbs") > LIMIT);
    cs_target_release(t);
}

/* ---- several arms -------------------------------------------------------- */

static void two_arms(const cs_target *t, const cs_learner *how,
                     cs_arm_spec arm[2])
{
    (void)t;
    arm[0] = (cs_arm_spec){
        .name = "a", .kernel = kernel_of("block_gibbs"), .learner = *how};
    arm[1] = (cs_arm_spec){
        .name = "b", .kernel = kernel_of("dmala"), .learner = *how};
}

/* Returns true if each arm learns the same as in a run that has only this
 * arm. */
static bool arms_are_apart(cs_target *t, const cs_learner *how)
{
    cs_arm_spec arm[2];
    two_arms(t, how, arm);
    cs_run *both = open_run(t, arm, 2, SEED, 2, 0);
    cs_run *one = open_run(t, arm, 1, SEED, 1, 8);
    cs_run *other = open_run(t, arm + 1, 1, SEED, 1, 8);
    run_steps(both, 61);
    run_steps(one, 61);
    run_steps(other, 61);
    bool good =
        same_numbers(both, 0, one, 0) && same_numbers(both, 1, other, 0);
    assert_false(same_numbers(both, 0, both, 1));
    cs_run_destroy(both);
    cs_run_destroy(one);
    cs_run_destroy(other);
    return good;
}

static void an_arm_learns_what_it_does_alone(void **state)
{
    (void)state;
    fake f;
    cs_target *t = machine(&f, 12, 6, 0.3);
    cs_learner how = learner_of(t, (cs_divergence_spec){0}, "adam", 0.01);
    assert_true(arms_are_apart(t, &how));
    how.type->release(how.self);
    cs_target_release(t);
}

/* Fault: an arm uses the momenta of the arm that was updated just before. */
static double *last_memory;

static void shared_update(const cs_learning *l)
{
    cs_learning other = *l;
    if (last_memory)
        other.memory = last_memory;
    last_memory = l->memory;
    cs_learns_by_divergence.update(&other);
}

static void momenta_of_another_arm_are_caught(void **state)
{
    (void)state;
    fake f;
    cs_target *t = machine(&f, 12, 6, 0.3);
    cs_learner how = learner_of(t, (cs_divergence_spec){0}, "adam", 0.01);
    cs_learner_type wrong = cs_learns_by_divergence;
    cs_arm_spec arm[2];
    wrong.update = shared_update;
    how.type = &wrong;
    two_arms(t, &how, arm);
    cs_run *both = open_run(t, arm, 2, SEED, 1, 0);
    last_memory = NULL;
    run_steps(both, 61);
    last_memory = NULL;
    how.type = &cs_learns_by_divergence;
    arm[0].learner = how;
    cs_run *one = open_run(t, arm, 1, SEED, 1, 0);
    run_steps(one, 61);
    assert_false(same_numbers(both, 0, one, 0));
    cs_run_destroy(both);
    cs_run_destroy(one);
    how.type->release(how.self);
    cs_target_release(t);
}

/* ---- rewinding ----------------------------------------------------------- */

/* An arm that uses every feature: a cycle, a restarting tuner, a buffer, a
 * mean, and evaluations during learning. */
static cs_arm_spec full_arm(const cs_target *t)
{
    cs_divergence_spec spec = {.buffer = 50,
                               .average = 0.9,
                               .judge_every = 20,
                               .runs = 10,
                               .temperatures = 5};
    cs_learner how = learner_of(t, spec, "adam", 0.01);
    const cs_value given[] = {number("trials", 4),
                              number("proposals", 2),
                              number("resolution", 2),
                              number("burn_in", 2),
                              number("settle", 4),
                              number("step_min", 1),
                              number("period", 4),
                              {.name = "floor",
                               .kind = CS_PARAM_TEXT,
                               .text = "running",
                               .given = 1}};
    cs_tuner tuner;
    how.cycle = 8;
    how.first = 2;
    how.retune = 16;
    how.by_update = true;
    assert_int_equal(cs_tuner_init(&tuner, cs_tuner_find("acs"), given,
                                   sizeof given / sizeof *given, NULL),
                     CS_OK);
    return (cs_arm_spec){.name = "a",
                         .kernel = kernel_of("dmala"),
                         .tuner = tuner,
                         .learner = how};
}

enum { FAR = 400, NEAR = 150 };

/* Returns true if a run of the arm gives the same results after a rewind to any
 * earlier step. */
static bool goes_back(cs_target *t, const cs_arm_spec *arm)
{
    cs_run *a = open_run(t, arm, 1, SEED, 1, 0);
    cs_run *b = open_run(t, arm, 1, SEED, 1, 8);
    run_steps(a, FAR);
    run_steps(b, FAR);
    bool good = same_numbers(a, 0, b, 0) && same_run(a, b, true);
    assert_true(cs_run_arm(a, 0).learner.update > 40);
    for (uint64_t to = 0; good && to < FAR; to += 37) {
        assert_int_equal(cs_run_travel(a, to, NULL), CS_OK);
        assert_int_equal(cs_run_travel(a, FAR, NULL), CS_OK);
        good = same_numbers(a, 0, b, 0) && same_run(a, b, true);
    }
    assert_int_equal(cs_run_rewind(b, NEAR, NULL), CS_OK);
    assert_false(same_numbers(a, 0, b, 0));
    run_steps(b, FAR - NEAR);
    good = good && same_numbers(a, 0, b, 0) && same_run(a, b, true);
    cs_run_destroy(a);
    cs_run_destroy(b);
    return good;
}

/* Returns true if the run continues unchanged from the checkpoint of step
 * `at`. */
static bool goes_on(cs_target *t, const cs_arm_spec *arm, uint64_t at)
{
    unsigned char *bytes;
    size_t size;
    cs_run *a = open_run(t, arm, 1, SEED, 1, 0);
    cs_run *b = open_run(t, arm, 1, SEED, 2, 8);
    cs_error err = {0};
    run_steps(a, at);
    assert_int_equal(cs_run_save(a, &bytes, &size, NULL), CS_OK);
    if (cs_run_load(b, bytes, size, &err))
        fail_msg("at step %d: %s", (int)at, err.what);
    run_steps(a, FAR - at);
    run_steps(b, FAR - at);
    bool good = same_numbers(a, 0, b, 0) && same_run(a, b, true);
    cs_free(bytes);
    cs_run_destroy(a);
    cs_run_destroy(b);
    return good;
}

static void what_is_learned_goes_back_and_comes_again(void **state)
{
    (void)state;
    fake f;
    cs_target *t = machine(&f, 12, 6, 0.3);
    cs_arm_spec arm = full_arm(t);
    assert_true(goes_back(t, &arm));
    arm.learner.type->release(arm.learner.self);
    cs_target_release(t);
}

static void what_is_learned_is_in_a_checkpoint(void **state)
{
    (void)state;
    fake f;
    cs_target *t = machine(&f, 12, 6, 0.3);
    cs_arm_spec arm = full_arm(t);
    for (uint64_t at = 1; at < FAR; at += 41)
        if (!goes_on(t, &arm, at))
            fail_msg("the run resumed from step %d differs", (int)at);
    arm.learner.type->release(arm.learner.self);
    cs_target_release(t);
}

/* Fault: every few updates the weight is reset. The updates are counted outside
 * of the learner's memory, so a rewind does not restore the count. */
static unsigned counted;

static void counts_elsewhere(const cs_learning *l)
{
    cs_learns_by_divergence.update(l);
    if (++counted % 7 == 0)
        l->target->learned[0] = 0;
}

static void what_is_kept_elsewhere_is_caught(void **state)
{
    (void)state;
    fake f;
    cs_target *t = machine(&f, 12, 6, 0.3);
    cs_arm_spec arm = full_arm(t);
    cs_learner_type wrong = cs_learns_by_divergence;
    wrong.update = counts_elsewhere;
    arm.learner.type = &wrong;
    counted = 0;
    assert_false(goes_back(t, &arm));
    counted = 0;
    assert_false(goes_on(t, &arm, 42));
    arm.learner.type->release(arm.learner.self);
    cs_target_release(t);
}

static void the_journal_makes_it_again(void **state)
{
    (void)state;
    fake f;
    char *text;
    cs_target *t = machine(&f, 12, 6, 0.3);
    cs_learner how = learner_of(t, (cs_divergence_spec){0}, "adam", 0.01);
    cs_arm_spec arm = {
        .name = "a", .kernel = kernel_of("dmala"), .learner = how};
    cs_run *a = open_run(t, &arm, 1, SEED, 2, 0);
    cs_run *b = open_run(t, &arm, 1, SEED, 1, 8);
    run_steps(a, 31);
    assert_int_equal(cs_run_set(a, 0, "step", 0.7, NULL), CS_OK);
    run_steps(a, 50);
    assert_int_equal(cs_run_journal_text(a, &text, NULL), CS_OK);
    assert_int_equal(cs_run_replay(b, text, NULL), CS_OK);
    assert_true(same_numbers(a, 0, b, 0) && same_run(a, b, true));
    cs_free(text);
    cs_run_destroy(a);
    cs_run_destroy(b);
    how.type->release(how.self);
    cs_target_release(t);
}

/* ---- final results ------------------------------------------------------- */

static void draws_begin_when_it_has_learned(void **state)
{
    (void)state;
    fake f;
    cs_target *t = machine(&f, 12, 6, 0.3);
    cs_learner how = learner_of(t, (cs_divergence_spec){0}, "adam", 0.01);
    how.updates = 10;
    cs_arm_spec arm = {
        .name = "a", .kernel = kernel_of("block_gibbs"), .learner = how};
    cs_run *r = open_run(t, &arm, 1, SEED, 1, 0);
    run_steps(r, 29);
    assert_true(cs_run_arm(r, 0).learner.active);
    assert_int_equal(cs_run_draws(r, 0, 0, NULL, NULL), 0);
    run_steps(r, 1);
    assert_false(cs_run_arm(r, 0).learner.active);
    double *was = cs_alloc(cs_run_arm_target(r, 0)->n_learned, 8);
    memcpy(was, cs_run_arm_target(r, 0)->learned,
           cs_run_arm_target(r, 0)->n_learned * 8);
    run_steps(r, 70);
    assert_int_equal(cs_run_draws(r, 0, 0, NULL, NULL), 70);
    assert_int_equal(cs_run_arm(r, 0).warmup_steps, 30);
    assert_memory_equal(was, cs_run_arm_target(r, 0)->learned,
                        cs_run_arm_target(r, 0)->n_learned * 8);
    cs_free(was);
    cs_run_destroy(r);
    how.type->release(how.self);
    cs_target_release(t);
}

/* Learning increases the exact likelihood of the data. */
static void the_data_become_likelier(void **state)
{
    (void)state;
    fake f;
    cs_target *t = machine(&f, 8, 6, 0.3);
    cs_divergence_spec spec = {.runs = 400, .temperatures = 200, .batch = 60};
    cs_learner how = learner_of(t, spec, "adam", 0.02);
    how.updates = 400;
    cs_arm_spec arm = {
        .name = "a", .kernel = kernel_of("block_gibbs"), .learner = how};
    cs_run *r = open_run(t, &arm, 1, SEED, 2, 0);
    static unsigned char buffer[1 << 17];
    cs_flat out;
    cs_flat_entry e;
    cs_flat_begin(&out, buffer, sizeof buffer);
    run_steps(r, 1200);
    assert_true(cs_run_report_one(r, 0, "learn", "", &out));
    assert_true(cs_flat_find(buffer, out.used, &e, "judged"));
    const cs_judgement *j = CS_ENTRY_ROWS(e, cs_judgement);
    assert_non_null(j);
    assert_true(cs_flat_find(buffer, out.used, &e, "independent"));
    /* The bits of the data are independent. A machine can exceed the likelihood
     * of independent bits only by also learning the noise of the 60 rows. */
    assert_true(j->train > e.data[0] - 0.05 && j->train < e.data[0] + 1);
    cs_run_destroy(r);
    how.type->release(how.self);
    cs_target_release(t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_models_slope_is_its_derivative),
    cmocka_unit_test(a_wrong_slope_is_caught),
    cmocka_unit_test(persistent_chains_estimate_the_gradient),
    cmocka_unit_test(forgotten_chains_are_caught),
    cmocka_unit_test(an_arm_learns_what_it_does_alone),
    cmocka_unit_test(momenta_of_another_arm_are_caught),
    cmocka_unit_test(what_is_learned_goes_back_and_comes_again),
    cmocka_unit_test(what_is_learned_is_in_a_checkpoint),
    cmocka_unit_test(what_is_kept_elsewhere_is_caught),
    cmocka_unit_test(the_journal_makes_it_again),
    cmocka_unit_test(draws_begin_when_it_has_learned),
    cmocka_unit_test(the_data_become_likelier),
};
TESTS(test_learning)
