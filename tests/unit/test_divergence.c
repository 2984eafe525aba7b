/* A learner by contrastive divergence, called by hand: chains that fail, and on
 * which rows independent bits are judged. */
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

/* Row i has its first i % (DIM + 1) bits set. */
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

/* A learner by hand: its target, and what it is shown. */
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

/* The row of that name in what it reports. */
static cs_flat_entry told(const by_hand *h, const char *name)
{
    static unsigned char room[1 << 17];
    cs_flat out;
    cs_flat_entry e = {0};
    cs_flat_begin(&out, room, sizeof room);
    h->how.type->report(&h->at, "", &out);
    cs_flat_find(room, out.used, &e, "%s", name);
    return e;
}

static void what_is_learned_is_judged_when_all_chains_have_failed(void **state)
{
    (void)state;
    by_hand h;
    cs_target *t = machine();
    open_by_hand(&h, t, (cs_divergence_spec){.runs = 10, .temperatures = 5});
    memset(h.failed, true, sizeof h.failed);
    for (h.at.update = 1; h.at.update <= h.at.updates; h.at.update++)
        h.how.type->update(&h.at);
    assert_int_equal(told(&h, "judged").rows, 1);
    close_by_hand(&h);
    cs_target_release(t);
}

/* Of a buffer with a state for each chain those of living chains go back, and
 * others are taken, whoever has failed. */
static void the_buffer_turns_over_beside_a_chain_that_has_failed(void **state)
{
    (void)state;
    by_hand h;
    cs_target *t = machine();
    size_t dim = t->space.dim;
    open_by_hand(&h, t, (cs_divergence_spec){.buffer = CHAINS});
    for (size_t i = 0; i < CHAINS * dim; i++) /* a chain in two is of ones */
        h.at.x[i] = (double)(i / dim % 2);
    h.failed[4] = true;
    h.at.update = 1;
    h.how.type->update(&h.at);
    assert_true(h.placed);
    double ones = 0;
    for (size_t i = 0; i < CHAINS * dim; i++)
        ones += h.at.x[i];
    /* All are taken again, in another order; of the one that failed, what it
     * began with. */
    assert_true(ones >= (double)(CHAINS / 2 * dim) &&
                ones <= (double)((CHAINS / 2 + 1) * dim));
    close_by_hand(&h);
    cs_target_release(t);
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
    assert_true(told(&h, "independent").data[0] == some);
    assert_true(cs_data_independent(set, set, 0, &error) != some);
    close_by_hand(&h);
    cs_data_release(set);
    cs_target_release(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_learned_is_judged_when_all_chains_have_failed),
        cmocka_unit_test(the_buffer_turns_over_beside_a_chain_that_has_failed),
        cmocka_unit_test(
            independent_bits_are_judged_on_the_rows_that_the_model_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
