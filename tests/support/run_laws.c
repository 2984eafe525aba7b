/* Laws of runs. Results do not depend on workers, blocks, interruptions, or a
 * temporary lack of memory. */
#include "support/run_laws.h"
#include "run/arms/arms.h"
#include "run/history/changes.h"
#include "run/rewind.h"
#include "run/run.h"
#include "run/save.h"

#include "base/memory.h"
#include "support/by_name.h"
#include "support/support.h"

#include <string.h>

enum { CHAINS = 11, STEPS = 60 };

static cs_status open_run(cs_target *t, const cs_kernel *k, size_t workers,
                          size_t lanes, cs_run **run)
{
    cs_arm_spec arm = {.name = "a", .kernel = *k};
    cs_run_spec spec = {.target = t,
                        .arms = &arm,
                        .n_arms = 1,
                        .chains = CHAINS,
                        .seed = 11,
                        .workers = workers,
                        .block_lanes = lanes,
                        .keep = 16,
                        .rewind_bytes = 1 << 20};
    return cs_run_create(run, &spec, NULL);
}

static cs_run *opened(cs_target *t, const cs_kernel *k, size_t workers,
                      size_t lanes)
{
    cs_run *r = NULL;
    assert_int_equal(open_run(t, k, workers, lanes, &r), CS_OK);
    return r;
}

/* Returns true if steps, states, energies and tallies of two runs are equal bit
 * for bit. If `work`, the counts of work must be equal too. */
static bool same(cs_run *a, cs_run *b, bool work)
{
    cs_arm_view u = cs_run_arm(a, 0), v = cs_run_arm(b, 0);
    size_t dim = cs_run_target(a)->space.dim * sizeof(double);
    if (u.steps != v.steps ||
        (work && memcmp(&u.work, &v.work, sizeof u.work) != 0))
        return false;
    for (size_t c = 0; c < u.chains; c++) {
        cs_chain_view x = cs_run_chain(a, 0, c), y = cs_run_chain(b, 0, c);
        if (memcmp(x.x, y.x, dim) != 0 ||
            memcmp(&x.last.logp, &y.last.logp, 8) != 0 ||
            memcmp(&x.tally, &y.tally, sizeof x.tally) != 0)
            return false;
        for (size_t i = 0; i < x.aux_rows; i++)
            if (memcmp(&x.aux[i * x.aux_stride], &y.aux[i * y.aux_stride], 8))
                return false;
    }
    return true;
}

/* Advances a run by n steps. Returns false if the run made fewer steps. (The
 * run makes fewer steps if the default rate is too large for the target, so
 * that all chains fail.) */
static bool lives(cs_run *r, uint64_t n)
{
    uint64_t done;
    assert_int_equal(cs_run_advance(r, n, &done, NULL), CS_OK);
    return done == n;
}

/* Returns true if a run in blocks of `lanes` reaches the same states as `one`.
 * At least one chain of `one` must be alive. */
static bool as_in_blocks(cs_run *one, cs_target *t, const cs_kernel *k,
                         size_t lanes)
{
    uint64_t steps = cs_run_steps(one);
    cs_run *two = opened(t, k, 2, lanes);
    run_steps(two, steps / 2);
    run_steps(two, steps / 2);
    bool good = same(one, two, true);
    cs_run_destroy(two);
    return good;
}

/* Returns true if blocks of any size give the same states. Blocks of one lane
 * cost the most time, so they make only a third of the steps. */
bool run_blocks(cs_target *t, const cs_kernel *k)
{
    cs_run *one = opened(t, k, 1, 32);
    bool good = !lives(one, STEPS / 3) || as_in_blocks(one, t, k, 1);
    if (good && lives(one, STEPS - STEPS / 3))
        good = as_in_blocks(one, t, k, 3) && as_in_blocks(one, t, k, 8);
    cs_run_destroy(one);
    return good;
}

/* Loads the saved state of `one` into `two`, continues both, and compares
 * them. */
static bool goes_on(cs_run *one, cs_run *two)
{
    unsigned char *bytes;
    size_t size;
    assert_int_equal(cs_run_save(one, &bytes, &size, NULL), CS_OK);
    bool alive = lives(one, STEPS);
    if (alive) {
        assert_int_equal(cs_run_load(two, bytes, size, NULL), CS_OK);
        run_steps(two, STEPS);
    }
    cs_free(bytes);
    return !alive || same(one, two, true);
}

bool run_resume(cs_target *t, const cs_kernel *k)
{
    cs_run *one = opened(t, k, 1, 32), *two = opened(t, k, 2, 8);
    bool good = !lives(one, STEPS) || goes_on(one, two);
    cs_run_destroy(one);
    cs_run_destroy(two);
    return good;
}

/* Makes a third of the steps, sets the state of one chain, and makes another
 * third of the steps. Returns false if all chains failed. */
static bool changes(cs_run *r)
{
    size_t dim = cs_run_target(r)->space.dim;
    double x[8] = {0};
    bool small = dim <= 8;
    if (small)
        memcpy(x, cs_run_chain(r, 0, 3).x, dim * sizeof *x);
    if (!lives(r, STEPS / 3))
        return false;
    if (small)
        assert_int_equal(cs_run_set_state(r, 0, 1, x, NULL), CS_OK);
    return lives(r, STEPS / 3);
}

/* Rewinds to a step between two checkpoints and continues. The state of a chain
 * is changed during the repeated steps. */
bool run_rewind(cs_target *t, const cs_kernel *k)
{
    cs_run *one = opened(t, k, 1, 32), *two = opened(t, k, 1, 32);
    bool good = true;
    if (changes(one) && lives(one, STEPS)) {
        assert_true(changes(two));
        assert_int_equal(cs_run_rewind(one, cs_run_steps(two), NULL), CS_OK);
        good = same(one, two, true);
        run_steps(one, STEPS);
        run_steps(two, STEPS);
        good = good && same(one, two, true);
    }
    cs_run_destroy(one);
    cs_run_destroy(two);
    return good;
}

/* ---- memory -------------------------------------------------------------- */

/* A test in which one allocation fails; n is the number of this allocation. */
typedef struct want {
    cs_target *t;
    const cs_kernel *k;
    unsigned long n;
    bool for_ever, reached, wrong;
} want;

/* Returns true if `s` reports an error. Later allocations succeed, so the
 * caller can retry. */
static bool refused(want *w, cs_status s)
{
    if (s == CS_OK)
        return false;
    w->wrong |= s != CS_MEMORY || w->reached;
    w->reached = true;
    cs_memory_fail_at(0, false);
    return true;
}

static void use(want *w, cs_run *r, cs_run *other)
{
    unsigned char *bytes = NULL;
    size_t size = 0;
    w->wrong |= cs_run_advance(r, 7, NULL, NULL) != CS_OK;
    if (refused(w, cs_run_set_kernel(r, 0, w->k, NULL, NULL)))
        w->wrong |= cs_run_set_kernel(r, 0, w->k, NULL, NULL) != CS_OK;
    w->wrong |= cs_run_advance(r, 7, NULL, NULL) != CS_OK;
    if (refused(w, cs_run_save(r, &bytes, &size, NULL)))
        w->wrong |= cs_run_save(r, &bytes, &size, NULL) != CS_OK;
    if (refused(w, cs_run_load(other, bytes, size, NULL)))
        w->wrong |= cs_run_load(other, bytes, size, NULL) != CS_OK;
    cs_free(bytes);
}

/* Checks that a run with one failed allocation ends in the same state as the
 * reference. Returns true if n exceeds the number of allocations. */
static bool one_failure(want *w, cs_run *reference)
{
    cs_run *r = NULL, *other = NULL;
    w->reached = w->wrong = false;
    cs_memory_fail_at(w->n, w->for_ever);
    if (refused(w, open_run(w->t, w->k, 1, 8, &r)))
        w->wrong |= r || open_run(w->t, w->k, 1, 8, &r) != CS_OK;
    if (!w->wrong && refused(w, open_run(w->t, w->k, 1, 32, &other)))
        w->wrong |= other || open_run(w->t, w->k, 1, 32, &other) != CS_OK;
    if (!w->wrong)
        use(w, r, other);
    bool all = cs_memory_requests() < w->n && !w->reached;
    cs_memory_fail_at(0, false);
    w->wrong = w->wrong || !same(r, reference, false) ||
               !same(other, reference, false);
    cs_run_destroy(r);
    cs_run_destroy(other);
    return all;
}

bool run_memory(cs_target *t, const cs_kernel *k)
{
    cs_run *reference = opened(t, k, 1, 32);
    run_steps(reference, 7);
    assert_int_equal(cs_run_set_kernel(reference, 0, k, NULL, NULL), CS_OK);
    run_steps(reference, 7);
    bool good = true;
    for (int for_ever = 0; for_ever < 2; for_ever++) {
        want w = {.t = t, .k = k, .for_ever = for_ever};
        bool all = false;
        while (good && !all) {
            w.n++;
            all = one_failure(&w, reference);
            good = !w.wrong && w.n < 1000;
        }
    }
    cs_run_destroy(reference);
    return good;
}

/* ---- the list ------------------------------------------------------------ */

#define ON_SMALL_TARGETS(law)                                                  \
    static bool small_##law(const setting *s, const points *p)                 \
    {                                                                          \
        return run_##law(p->target, &s->kernel);                               \
    }
ON_SMALL_TARGETS(blocks)
ON_SMALL_TARGETS(resume)
ON_SMALL_TARGETS(rewind)
ON_SMALL_TARGETS(memory)

/* Selects the default parameters. They suffice for this law, because the number
 * of allocations depends on the kernel and the space, and hardly on parameter
 * values. */
static bool with_defaults(const setting *s, const points *p)
{
    (void)p;
    return law_has_defaults(s);
}

const kernel_law run_laws[] = {
    {"blocks", owed_by_all, NULL, small_blocks},
    {"resume", owed_by_all, NULL, small_resume},
    {"rewind", owed_by_all, NULL, small_rewind},
    {"memory", owed_by_all, with_defaults, small_memory},
    {NULL, NULL, NULL, NULL}};
