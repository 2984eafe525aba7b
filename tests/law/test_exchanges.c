/* Tests interfaces for future features. These are replica exchange between the
 * chains of an arm, weights that a kernel learns and attaches to its draws, and
 * a target that learns from its chains. The kernels and the target are defined
 * here. Results do not depend on workers, on blocks, on a rewind or on a
 * checkpoint. */
#include "support/by_name.h"
#include "support/support.h"

#include "base/memory.h"
#include "chain/block.h"
#include "run/arms/arms.h"
#include "run/draws/kept_draws.h"
#include "run/history/changes.h"
#include "run/rewind.h"
#include "run/run.h"
#include "run/save.h"
#include "run/views/view.h"

#include <string.h>

enum { CHAINS = 6, SEED = 4 };

/* ---- a target that learns ------------------------------------------------ */

static cs_status create(cs_target *t, const cs_value *v, cs_error *err)
{
    (void)v;
    t->space = (cs_space){.kind = CS_CONTINUOUS, .dim = 1};
    t->cache_words = 1; /* log p, to check the cache */
    t->n_learned = 1;
    t->learned = cs_alloc(1, sizeof(double));
    return t->learned ? CS_OK : cs_fail(err, CS_MEMORY, "no memory");
}

static void destroy(cs_target *t)
{
    cs_free(t->learned);
}

/* Log p of two wells with sd 1 at +-4, up to a constant. */
static double wells(double x)
{
    double a = -0.5 * (x - 4) * (x - 4), b = -0.5 * (x + 4) * (x + 4);
    return fmax(a, b) + log1p(exp(-fabs(a - b)));
}

static void log_density(const cs_target *t, const cs_point *at, double *logp)
{
    for (size_t l = 0; l < at->lanes; l++)
        at->cache[l] = logp[l] = wells(at->x[l] - t->learned[0]);
}

static const cs_target_type moving = {.name = "moving",
                                      .create = create,
                                      .destroy = destroy,
                                      .log_density = log_density};

/* ---- a tempered random walk ---------------------------------------------- */

/* Rows of the memory: log p, which moves with the state; the inverse
 * temperature; and the number of swaps with the next chain. */
enum { CARRIED, BETA, TAKEN, WORDS };
static const char *const stats[] = {"beta__", NULL};

static size_t memory_words(const cs_target *t, const double *values)
{
    (void)t;
    (void)values;
    return WORDS;
}

static size_t carried_words(const cs_target *t, const double *values)
{
    (void)t;
    (void)values;
    return 1;
}

static size_t scratch_words(const cs_target *t, const double *values)
{
    (void)t;
    (void)values;
    return 1;
}

static void init(cs_move *m)
{
    for (size_t l = 0; l < m->lanes; l++) {
        m->memory[CARRIED * m->lanes + l] = m->info.logp[l];
        if (m->fresh)
            m->memory[BETA * m->lanes + l] =
                pow(0.45, (double)(m->streams.chain[l]));
    }
}

static void step(cs_move *m)
{
    size_t n = m->lanes;
    cs_info *i = &m->info;
    i->proposal = m->scratch;
    cs_fill_normal(&m->streams, CS_FOR_PROPOSAL, 1, m->scratch);
    cs_fill_log_uniform(&m->streams, CS_FOR_ACCEPT, 1, i->log_uniform);
    for (size_t l = 0; l < n; l++)
        m->scratch[l] += m->x[l];
    cs_eval_log_density(m->eval, CS_NEXT, m->scratch, i->logp_proposal);
    for (size_t l = 0; l < n; l++) {
        double beta = m->memory[BETA * n + l];
        i->logp_change[l] = i->logp_proposal[l] - i->logp[l];
        i->log_ratio[l] = beta * i->logp_change[l];
        i->accepted[l] = i->moved[l] = i->log_uniform[l] < i->log_ratio[l];
        if (i->accepted[l]) {
            m->x[l] = m->scratch[l];
            i->logp[l] = m->memory[CARRIED * n + l] = i->logp_proposal[l];
        }
        i->stat[l] = beta;
    }
    cs_eval_accept(m->eval, i->accepted);
}

static uint64_t every_five(const double *values)
{
    (void)values;
    return 5;
}

/* Neighbours swap with probability min(1, exp((b_i - b_j) (U_j - U_i))). Even
 * and odd pairs alternate. */
static void exchange(const cs_exchange *m)
{
    for (size_t i = m->step / 5 % 2; i + 1 < m->chains; i += 2) {
        double a = m->lane[i].memory[BETA * m->lane[i].stride];
        double b = m->lane[i + 1].memory[BETA * m->lane[i + 1].stride];
        double ratio = (a - b) * (m->logp[i + 1] - m->logp[i]);
        if (m->failed[i] || m->failed[i + 1] || log(m->uniform[i]) >= ratio)
            continue;
        m->from[i] = i + 1;
        m->from[i + 1] = i;
        m->lane[i].memory[TAKEN * m->lane[i].stride]++;
    }
}

/* The same kernel without the exchange. */
static const cs_kernel_type alone = {.name = "alone",
                                     .spaces = CS_CONTINUOUS,
                                     .stats = stats,
                                     .memory_words = memory_words,
                                     .scratch_words = scratch_words,
                                     .init = init,
                                     .step = step};

static const cs_exchange_type swaps = {.period = every_five, .run = exchange};

static cs_kernel_type replicas(void)
{
    cs_kernel_type type = alone;
    type.name = "replicas";
    type.exchange = &swaps;
    type.carried_words = carried_words;
    return type;
}

/* Moves the target's shift halfway to the mean of the chains. */
static void learn(const cs_exchange *m)
{
    double mean = 0;
    for (size_t c = 0; c < m->chains; c++)
        mean += m->lane[c].x[0] / (double)m->chains;
    m->target->learned[0] = 0.5 * (m->target->learned[0] + mean);
    m->target->generation++;
}

static cs_run *open_run(const cs_kernel_type *type, size_t workers,
                        size_t lanes)
{
    cs_arm_spec arm = {.name = "a", .kernel.type = type};
    cs_run_spec spec = {.arms = &arm,
                        .n_arms = 1,
                        .chains = CHAINS,
                        .seed = SEED,
                        .workers = workers,
                        .block_lanes = lanes};
    cs_run *r;
    assert_int_equal(cs_target_create(&moving, NULL, 0, &spec.target, NULL), 0);
    assert_int_equal(cs_run_create(&r, &spec, NULL), CS_OK);
    cs_target_release(spec.target);
    return r;
}

static bool same(cs_run *a, cs_run *b)
{
    bool good = cs_run_target(a)->learned[0] == cs_run_target(b)->learned[0];
    for (size_t c = 0; c < CHAINS; c++) {
        cs_chain_view u = cs_run_chain(a, 0, c);
        double x = u.x[0];
        cs_chain_view v = cs_run_chain(b, 0, c);
        good = good && x == v.x[0] && u.last.logp == v.last.logp &&
               memcmp(&u.tally, &v.tally, sizeof u.tally) == 0;
        /* log p must be that of the state under the current target */
        good = good && fabs(u.last.logp -
                            wells(x - cs_run_target(a)->learned[0])) < 1e-12;
    }
    return good;
}

/* Returns true if the results do not depend on workers, blocks, interruptions,
 * a rewind and a checkpoint. */
static bool law(const cs_kernel_type *type)
{
    cs_run *one = open_run(type, 1, 32), *two = open_run(type, 2, 1);
    cs_run *three = open_run(type, 2, 4);
    unsigned char *bytes;
    size_t size;
    run_steps(one, 335); /* the last step has an exchange */
    for (size_t i = 0; i < 5; i++)
        run_steps(two, 67);
    bool good = same(one, two);
    assert_int_equal(cs_run_save(one, &bytes, &size, NULL), CS_OK);
    assert_int_equal(cs_run_load(three, bytes, size, NULL), CS_OK);
    run_steps(one, 200);
    assert_int_equal(cs_run_rewind(one, 335, NULL), CS_OK);
    good = good && same(one, two) && same(three, two);
    run_steps(one, 100);
    run_steps(two, 100);
    run_steps(three, 100);
    good = good && same(one, two) && same(three, two);
    cs_free(bytes);
    cs_run_destroy(one);
    cs_run_destroy(two);
    cs_run_destroy(three);
    return good;
}

static void replicas_do_not_mind(void **state)
{
    const cs_kernel_type type = replicas();
    (void)state;
    assert_true(law(&type));
}

static void a_learned_target_does_not_mind(void **state)
{
    static const cs_exchange_type learns = {every_five, learn, NULL, NULL};
    cs_kernel_type type = replicas();
    (void)state;
    type.exchange = &learns;
    assert_true(law(&type));
}

/* Fault: an exchange that stores data outside of the run. */
static double elsewhere;

static void learn_elsewhere(const cs_exchange *m)
{
    elsewhere += 0.125;
    m->target->learned[0] = elsewhere;
    m->target->generation++;
}

/* Fault: a target that changes without declaring it. */
static void learn_silently(const cs_exchange *m)
{
    learn(m);
    m->target->generation--;
}

static void hidden_learning_is_noticed(void **state)
{
    static const cs_exchange_type outside = {every_five, learn_elsewhere, NULL,
                                             NULL},
                                  silently = {every_five, learn_silently, NULL,
                                              NULL};
    cs_kernel_type type = replicas();
    (void)state;
    type.exchange = &outside;
    assert_false(law(&type));
    type.exchange = &silently;
    assert_false(law(&type));
}

/* Returns the share of steps that the first chain spends in the right well;
 * *jumps receives the number of crossings. */
static double right_well(const cs_kernel_type *type, double *jumps)
{
    cs_run *r = open_run(type, 1, 4);
    double right = 0, before = 0;
    *jumps = 0;
    for (size_t i = 0; i < 20000; i++) {
        run_steps(r, 5);
        double x = cs_run_chain(r, 0, 0).x[0];
        right += x > 0;
        *jumps += i > 0 && (x > 0) != (before > 0);
        before = x;
    }
    cs_run_destroy(r);
    return right / 20000;
}

/* Without exchange the cold chain rarely crosses the barrier, where the density
 * is only exp(-8) times its maximum. With replicas it crosses often and spends
 * half of the time in the right well. There are some thousand crossings, so
 * this share of the time has a standard error of 2 %. */
static void replicas_cross(void **state)
{
    const cs_kernel_type type = replicas();
    double together, single;
    (void)state;
    double share = right_well(&type, &together);
    right_well(&alone, &single);
    assert_true(together > 800 && single < 100);
    assert_near(share, 0.5, 0, 0.08);
}

/* A temperature belongs to a chain and is recorded with the draws of this
 * chain, even if chains exchange their states. */
static double heard[CHAINS];

static void hear(void *self, size_t arm, size_t chain, const double *rows,
                 size_t n)
{
    (void)self, (void)arm;
    heard[chain] = rows[(n - 1) * 4 + 2]; /* columns: lp__, accept_stat__,
                                           * beta__, x */
}

static void what_is_learned_stays(void **state)
{
    const cs_kernel_type type = replicas();
    const char *const *name;
    static const double x = 3;
    cs_run *r = open_run(&type, 2, 4);
    (void)state;
    assert_int_equal(cs_run_columns(r, 0, &name), 3);
    assert_string_equal(name[2], "beta__");
    assert_int_equal(cs_run_sink(r, hear, NULL, 1, NULL), CS_OK);
    run_steps(r, 50);
    assert_int_equal(cs_run_set_state(r, 0, 3, &x, NULL), CS_OK);
    run_steps(r, 50);
    for (size_t c = 0; c < CHAINS; c++)
        assert_near(heard[c], pow(0.45, (double)c), 1e-15, 0);
    cs_run_destroy(r);
}

/* ---- memory of the caches ------------------------------------------------ */

/* A target's cache for the current state is stored before the kernel's memory.
 * Its cache for the proposal is stored before the kernel's scratch memory.
 * Neither cache overlaps with the kernel's memory. */
static void both_caches_have_room(void **state)
{
    (void)state;
    cs_target *t = NULL;
    cs_block *b = NULL;
    const cs_kernel k = kernel_of("random_walk");
    assert_int_equal(cs_target_create(&moving, NULL, 0, &t, NULL), CS_OK);
    assert_int_equal(cs_block_create(&b, t, &k, SEED, 0, CHAINS, NULL, 0, NULL),
                     CS_OK);
    const double *now = b->eval.cache[CS_NOW], *next = b->eval.cache[CS_NEXT];
    size_t words = t->cache_words * b->lanes;
    assert_true(now >= b->slab && now + words <= b->move.memory);
    assert_true(next >= b->scratch && next + words <= b->move.scratch);
    assert_true(next + words <= b->eval.scratch);
    cs_block_destroy(b);
    cs_target_release(t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(both_caches_have_room),
    cmocka_unit_test(replicas_do_not_mind),
    cmocka_unit_test(a_learned_target_does_not_mind),
    cmocka_unit_test(hidden_learning_is_noticed),
    cmocka_unit_test(replicas_cross),
    cmocka_unit_test(what_is_learned_stays),
};
TESTS(test_exchanges)
