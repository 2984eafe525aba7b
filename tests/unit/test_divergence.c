/* Tests the learner for contrastive divergence by direct calls: failed chains,
 * planted faults, and the evaluation on rows of independent bits. */
#include "support/support.h"

#include "base/memory.h"
#include "learn/divergence.h"

#include <math.h>
#include <string.h>

enum { CHAINS = 20, SEED = 7, ROWS = 60, DIM = 8 };

static cs_target *machine(void)
{
    const cs_value given[] = {
        {.name = "visible", .kind = CS_PARAM_INT, .given = 1, .number = DIM},
        {.name = "hidden", .kind = CS_PARAM_INT, .given = 1, .number = 6}};
    cs_target *t;
    assert_int_equal(
        cs_target_create(cs_target_find("rbm"), given, 2, &t, NULL), CS_OK);
    return t;
}

/* Returns a data set in which row i has its first i % (DIM + 1) bits set. */
static cs_data_set *data(void)
{
    static double x[ROWS * DIM];
    cs_data_set *set;
    cs_target *t = machine();
    for (size_t i = 0; i < ROWS * DIM; i++)
        x[i] = i % DIM < i / DIM % (DIM + 1);
    assert_int_equal(cs_data_of_states(&set, x, ROWS, DIM, &t->space, NULL),
                     CS_OK);
    cs_target_release(t);
    return set;
}

static cs_learner learner_of(cs_divergence_spec spec)
{
    cs_divergence *made;
    const cs_value rate = {
        .name = "rate", .kind = CS_PARAM_REAL, .given = 1, .number = 0.1};
    cs_data_set *own = spec.train ? NULL : data();
    if (own)
        spec.train = own;
    spec.batch = 20;
    assert_int_equal(cs_optimiser_init(&spec.optimiser,
                                       cs_optimiser_find("sgd"), &rate, 1,
                                       NULL),
                     CS_OK);
    assert_int_equal(cs_divergence_create(&made, &spec, NULL), CS_OK);
    cs_data_release(own);
    return (cs_learner){.type = &cs_learns_by_divergence, .self = made};
}

/* A learner that is called directly, its target and its data. */
typedef struct by_hand {
    cs_learner how;
    cs_target *own;
    cs_learning at;
    bool placed, failed[CHAINS];
} by_hand;

static void open_by_hand(by_hand *h, const cs_target *t,
                         cs_divergence_spec spec)
{
    h->how = learner_of(spec);
    assert_int_equal(cs_target_learner(t, &h->own, NULL), CS_OK);
    const cs_learner_type *type = h->how.type;
    void *self = h->how.self;
    memset(h->failed, 0, sizeof h->failed);
    h->at = (cs_learning){
        .self = self,
        .target = h->own,
        .seed = SEED,
        .updates = 2,
        .chains = CHAINS,
        .x = cs_alloc(CHAINS * t->space.dim, 8),
        .failed = h->failed,
        .placed = &h->placed,
        .memory = cs_alloc(type->words(self, h->own, CHAINS), 8),
        .scratch = cs_alloc(type->scratch_words(self, h->own, CHAINS) + 1, 8)};
    type->begin(&h->at);
    h->placed = false;
}

static void close_by_hand(by_hand *h)
{
    cs_free(h->at.x);
    cs_free(h->at.memory);
    cs_free(h->at.scratch);
    cs_target_release(h->own);
    h->how.type->release(h->how.self);
}

/* Returns the entry of the report with this name. */
static cs_flat_entry reported(const by_hand *h, const char *name)
{
    static unsigned char buffer[1 << 17];
    cs_flat out;
    cs_flat_entry e = {0};
    cs_flat_begin(&out, buffer, sizeof buffer);
    h->how.type->report(&h->at, "", &out);
    cs_flat_find(buffer, out.used, &e, "%s", name);
    return e;
}

/* ---- chains that fail ---------------------------------------------------- */

typedef void update(const cs_learning *l);

static bool judges_without_chains(update *by)
{
    by_hand h;
    cs_target *t = machine();
    open_by_hand(&h, t, (cs_divergence_spec){.runs = 10, .temperatures = 5});
    memset(h.failed, true, sizeof h.failed);
    for (h.at.update = 1; h.at.update <= h.at.updates; h.at.update++)
        by(&h.at);
    bool good = reported(&h, "judged").rows == 1;
    close_by_hand(&h);
    cs_target_release(t);
    return good;
}

/* Returns true if at least one chain is at this state. */
static bool stands_at(const by_hand *h, const double *state)
{
    size_t dim = h->own->space.dim;
    bool found = false;
    for (size_t c = 0; c < CHAINS; c++)
        found |= memcmp(h->at.x + c * dim, state, dim * sizeof *state) == 0;
    return found;
}

/* Returns true if a buffer with one state per chain is used correctly. After
 * the update, each living chain must be at its previous state, and all states
 * must have been resampled. The failed chain must be at its initial state. Only
 * the initial state has both zeros and ones; every other state has only zeros
 * or only ones. */
static bool buffer_turns_over(update *by)
{
    enum { FAILED = 4 };
    by_hand h;
    cs_target *t = machine();
    size_t dim = t->space.dim;
    double began[DIM], ones = 0;
    open_by_hand(&h, t, (cs_divergence_spec){.buffer = CHAINS});
    for (size_t k = 0; k < DIM; k++)
        ones += began[k] = h.at.x[FAILED * dim + k];
    assert_true(ones > 0 && ones < DIM);
    for (size_t i = 0; i < CHAINS * dim; i++)
        h.at.x[i] = (double)(i / dim % 2);
    h.failed[FAILED] = true;
    h.at.update = 1;
    by(&h.at);
    ones = 0;
    for (size_t i = 0; i < CHAINS * dim; i++)
        ones += h.at.x[i];
    for (size_t k = 0; k < DIM; k++)
        ones -= began[k];
    bool good =
        h.placed && stands_at(&h, began) && ones == (double)(CHAINS / 2 * dim);
    close_by_hand(&h);
    cs_target_release(t);
    return good;
}

static void what_is_learned_is_judged_when_all_chains_have_failed(void **state)
{
    (void)state;
    assert_true(judges_without_chains(cs_learns_by_divergence.update));
}

static void the_buffer_turns_over_beside_a_chain_that_has_failed(void **state)
{
    (void)state;
    assert_true(buffer_turns_over(cs_learns_by_divergence.update));
}

/* ---- planted faults ------------------------------------------------------ */

static size_t living(const cs_learning *l)
{
    size_t n = 0;
    for (size_t c = 0; c < l->chains; c++)
        n += !l->failed[c];
    return n;
}

/* Fault: if no chain is alive, the learner does nothing, not even at the end of
 * learning. */
static void gives_up(const cs_learning *l)
{
    if (living(l))
        cs_learns_by_divergence.update(l);
}

/* Fault: if a chain has failed, no chain is moved. */
static void stands_still(const cs_learning *l)
{
    double was[CHAINS * DIM];
    memcpy(was, l->x, sizeof was);
    cs_learns_by_divergence.update(l);
    if (living(l) < l->chains) {
        memcpy(l->x, was, sizeof was);
        *l->placed = false;
    }
}

/* Fault: the living chains are renumbered first, so that each chain returns to
 * the state of the chain next to it. */
static void closes_up_first(const cs_learning *l)
{
    cs_learning other = *l;
    bool failed[CHAINS];
    size_t dim = l->target->space.dim, to = 0;
    for (size_t c = 0; c < l->chains; c++)
        if (!l->failed[c])
            memmove(l->x + to++ * dim, l->x + c * dim, dim * sizeof *l->x);
    for (size_t c = 0; c < l->chains; c++)
        failed[c] = c >= to;
    other.failed = failed;
    cs_learns_by_divergence.update(&other);
}

static void faults_of_failed_chains_are_caught(void **state)
{
    (void)state;
    assert_false(judges_without_chains(gives_up));
    assert_false(buffer_turns_over(stands_still));
    assert_false(buffer_turns_over(closes_up_first));
}

static void
independent_bits_are_judged_on_the_rows_that_the_model_is(void **state)
{
    (void)state;
    by_hand h;
    cs_target *t = machine();
    cs_data_set *set = data();
    double error, some = cs_data_independent(set, set, 7, &error);
    open_by_hand(&h, t, (cs_divergence_spec){.train = set, .judge_rows = 7});
    assert_true(reported(&h, "independent").data[0] == some);
    assert_true(cs_data_independent(set, set, 0, &error) != some);
    close_by_hand(&h);
    cs_data_release(set);
    cs_target_release(t);
}

static void data_that_are_all_the_same_are_refused(void **state)
{
    (void)state;
    double x[3 * DIM] = {[1] = 1, [DIM + 1] = 1, [2 * DIM + 1] = 1};
    cs_target *t = machine();
    cs_divergence *made = NULL;
    cs_data_set *set[2];
    cs_error err = {0};
    cs_data_of_states(&set[0], x, 3, DIM, &t->space, NULL);
    x[3 * DIM - 1] = 1;
    cs_data_of_states(&set[1], x, 3, DIM, &t->space, NULL);
    cs_divergence_spec spec = {.train = set[0], .batch = 2};
    assert_int_equal(cs_divergence_create(&made, &spec, &err), CS_INPUT);
    assert_string_equal(err.what, "all 3 rows of the data are the same");
    spec.train = set[1];
    assert_int_equal(cs_divergence_create(&made, &spec, &err), CS_OK);
    cs_learns_by_divergence.release(made);
    cs_data_release(set[0]);
    cs_data_release(set[1]);
    cs_target_release(t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(what_is_learned_is_judged_when_all_chains_have_failed),
    cmocka_unit_test(the_buffer_turns_over_beside_a_chain_that_has_failed),
    cmocka_unit_test(faults_of_failed_chains_are_caught),
    cmocka_unit_test(data_that_are_all_the_same_are_refused),
    cmocka_unit_test(independent_bits_are_judged_on_the_rows_that_the_model_is),
};
TESTS(test_divergence)
