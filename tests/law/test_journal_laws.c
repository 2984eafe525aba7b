/* Tests laws about changes that a user makes to a run, for every registered
 * kernel and with any number of workers and blocks. For any changes between
 * steps, a rewind is exact, and the text of the journal reproduces the run. */
#include "run/arms/arms.h"
#include "run/draws/kept_draws.h"
#include "run/history/changes.h"
#include "run/rewind.h"
#include "run/run.h"
#include "run/run_replay.h"
#include "run/save.h"
#include "run/views/reports.h"
#include "support/by_name.h"
#include "support/run_laws.h"
#include "support/support.h"

#include "base/memory.h"

#include <stdatomic.h>
#include <string.h>

enum { CHAINS = 11, MOST_DIM = 64 };

static cs_run *open_run(cs_target *t, const cs_kernel *k, size_t workers,
                        size_t lanes)
{
    size_t least = cs_kernel_least(k, t);
    cs_arm_spec arm[2] = {
        {.name = "a", .kernel = *k},
        {.name = "b", .kernel = *k, .chains = least > 2 ? least : 2}};
    cs_probe_spec probe[2] = {{.type = cs_probe_find("diagnostics")},
                              {.type = cs_probe_find("trace")}};
    cs_run_spec spec = {.target = t,
                        .arms = arm,
                        .n_arms = 2,
                        .chains = CHAINS,
                        .seed = 11,
                        .probes = probe,
                        .n_probes = 2,
                        .workers = workers,
                        .block_lanes = lanes,
                        .keep = 1 << 10};
    cs_run *r = NULL;
    assert_int_equal(cs_run_create(&r, &spec, NULL), CS_OK);
    return r;
}

static size_t report_of(cs_run *r, unsigned char *out, size_t capacity)
{
    cs_flat f;
    cs_flat_begin(&f, out, capacity);
    cs_run_report(r, &f);
    assert_false(f.full);
    return f.used;
}

/* Compares work, states, tallies, kept draws and all probe reports bit for
 * bit. */
static bool same(cs_run *a, cs_run *b)
{
    static unsigned char left[1 << 20], right[1 << 20];
    static double x[1 << 17], y[1 << 17];
    size_t n = report_of(a, left, sizeof left);
    if (report_of(b, right, sizeof right) != n || memcmp(left, right, n) != 0)
        return false;
    for (size_t arm = 0; arm < 2; arm++) {
        cs_arm_view u = cs_run_arm(a, arm), v = cs_run_arm(b, arm);
        if (u.steps != v.steps || memcmp(&u.work, &v.work, sizeof u.work) != 0)
            return false;
        for (size_t c = 0; c < u.chains; c++) {
            cs_tally p = cs_run_chain(a, arm, c).tally;
            cs_tally q = cs_run_chain(b, arm, c).tally;
            n = cs_run_draws(a, arm, c, x, NULL);
            if (n != cs_run_draws(b, arm, c, y, NULL) ||
                memcmp(x, y, n * (1 + cs_run_target(a)->space.dim) * 8) != 0 ||
                memcmp(&p, &q, sizeof p) != 0)
                return false;
        }
    }
    return true;
}

/* Returns the first parameter that may change during a run, or NULL. */
static const cs_param *changeable(const cs_kernel *k)
{
    for (size_t i = 0; i < k->type->n_params; i++)
        if (!(k->type->params[i].flags & CS_PARAM_FIXED))
            return &k->type->params[i];
    return NULL;
}

/* Returns a value of the parameter other than its default. */
static double another(const cs_param *p)
{
    if (p->kind == CS_PARAM_CHOICE)
        return p->def > 0 ? 0 : 1;
    return p->kind == CS_PARAM_INT ? p->def + 1 : p->def * 0.7;
}

/* Returns a linear schedule over the next steps, from the default to another
 * value. The values are integers where the parameter requires this. */
static cs_schedule between(const cs_param *p)
{
    const cs_schedule_type *type = cs_schedule_find("linear");
    cs_schedule s = cs_schedule_constant(another(p));
    if (p->kind == CS_PARAM_REAL && type)
        s = (cs_schedule){.type = type, .values = {p->def, another(p), 30, 90}};
    return s;
}

/* Makes one change of each kind that a run supports, with some steps of the run
 * between two changes. */
static void turn_knobs(cs_run *r, const cs_kernel *k)
{
    const cs_param *p = changeable(k);
    const cs_target *t = cs_run_target(r);
    double x[MOST_DIM];
    cs_plan plan = {.driven = {false}};
    run_steps(r, 20);
    if (p)
        assert_int_equal(cs_run_set(r, 0, p->name, another(p), NULL), CS_OK);
    run_steps(r, 13);
    assert_true(t->space.dim <= MOST_DIM);
    memcpy(x, cs_run_chain(r, 0, 7).x, t->space.dim * sizeof *x);
    assert_int_equal(cs_run_set_state(r, 1, 1, x, NULL), CS_OK);
    run_steps(r, 11);
    if (p) {
        cs_schedule s = between(p);
        assert_int_equal(cs_run_set_schedule(r, 1, p->name, &s, NULL), CS_OK);
        assert_true(cs_plan_drive(&plan, (size_t)(p - k->type->params), &s));
    }
    run_steps(r, 17);
    assert_int_equal(cs_run_set_kernel(r, 0, k, &plan, NULL), CS_OK);
    run_steps(r, 9);
}

static bool going_back(cs_target *t, const cs_kernel *k)
{
    cs_run *one = open_run(t, k, 1, 32), *two = open_run(t, k, 2, 3);
    turn_knobs(one, k);
    turn_knobs(two, k);
    uint64_t here = cs_run_steps(one);
    turn_knobs(one, k);
    assert_int_equal(cs_run_rewind(one, here, NULL), CS_OK);
    bool ok = same(one, two);
    run_steps(one, 30);
    run_steps(two, 30);
    ok = ok && same(one, two);
    cs_run_destroy(one);
    cs_run_destroy(two);
    return ok;
}

/* Replays the journal of a run that was rewound once. A saved copy of the run
 * must have the same journal. `spoil` may then change the text, and another run
 * replays it. */
static bool replay_with(cs_target *t, const cs_kernel *k,
                        void (*spoil)(char *text))
{
    cs_run *one = open_run(t, k, 1, 32), *two = open_run(t, k, 2, 3);
    cs_run *saved = open_run(t, k, 1, 8);
    unsigned char *bytes;
    size_t size;
    char *text, *again;
    turn_knobs(one, k);
    assert_int_equal(cs_run_rewind(one, 50, NULL), CS_OK);
    turn_knobs(one, k);
    assert_int_equal(cs_run_journal_text(one, &text, NULL), CS_OK);
    assert_int_equal(cs_run_save(one, &bytes, &size, NULL), CS_OK);
    assert_int_equal(cs_run_load(saved, bytes, size, NULL), CS_OK);
    assert_int_equal(cs_run_journal_text(saved, &again, NULL), CS_OK);
    assert_string_equal(text, again);
    if (spoil)
        spoil(text);
    bool ok = cs_run_replay(two, text, NULL) == CS_OK && same(one, two);
    run_steps(one, 30);
    run_steps(two, 30);
    ok = ok && same(one, two);
    cs_free(text);
    cs_free(again);
    cs_free(bytes);
    cs_run_destroy(one);
    cs_run_destroy(two);
    cs_run_destroy(saved);
    return ok;
}

static bool journals_replay(cs_target *t, const cs_kernel *k)
{
    return replay_with(t, k, NULL);
}

static void every_kernel_goes_back(void **state)
{
    (void)state;
    assert_true(for_all_fits(going_back, true) > 0);
}

static void every_journal_replays(void **state)
{
    (void)state;
    assert_true(for_all_fits(journals_replay, true) > 0);
}

/* Tests a change to a wrapper with list parameters. The journal reproduces the
 * wrapper, both in a run that continues and in a saved run. */
static void tempered_kernels_are_made_again(void **state)
{
    (void)state;
    const double hot[] = {1, 2.5, 7}, weight[] = {0, 1.25, 0.1};
    const cs_value list = {
        .kind = CS_PARAM_ARRAY, .given = 1, .rows = 3, .cols = 1};
    cs_value given[2] = {list, list};
    given[0].name = "temperatures";
    given[0].array = hot;
    given[1].name = "log_weights";
    given[1].array = weight;
    cs_target *t = target_of("gaussian");
    cs_kernel inner = kernel_of("mala"), k;
    cs_plan plan = {.driven = {false}};
    const cs_schedule quarter = cs_schedule_constant(0.25);
    assert_true(cs_plan_drive(&plan, 4, &quarter));
    assert_int_equal(cs_kernel_wrap(&k, cs_kernel_find("simulated_tempering"),
                                    given, 2, &inner, NULL),
                     CS_OK);
    cs_run *one = open_run(t, &inner, 1, 32), *two = open_run(t, &inner, 2, 3);
    cs_run *saved = open_run(t, &inner, 1, 8);
    char *text;
    unsigned char *bytes;
    size_t size;
    run_steps(one, 20);
    assert_int_equal(cs_run_set_kernel(one, 0, &k, &plan, NULL), CS_OK);
    run_steps(one, 60);
    assert_int_equal(cs_run_set_kernel(one, 1, &k, NULL, NULL), CS_OK);
    run_steps(one, 60);
    assert_int_equal(cs_run_journal_text(one, &text, NULL), CS_OK);
    assert_int_equal(cs_run_save(one, &bytes, &size, NULL), CS_OK);
    assert_int_equal(cs_run_replay(two, text, NULL), CS_OK);
    assert_true(same(one, two));
    assert_int_equal(cs_run_load(saved, bytes, size, NULL), CS_OK);
    run_steps(one, 30);
    run_steps(saved, 30);
    assert_true(same(one, saved));
    assert_int_equal(cs_run_rewind(two, 50, NULL), CS_OK);
    run_steps(two, 5);
    cs_free(text);
    cs_free(bytes);
    cs_run_destroy(one);
    cs_run_destroy(two);
    cs_run_destroy(saved);
    cs_kernel_release(&k);
    cs_target_release(t);
}

/* ---- faults that the laws must detect - */

static void a_step_early(char *text)
{
    char *line = strchr(text, '\n') + 1;
    assert_memory_equal(line, "20 1 value step ", 16);
    memcpy(line, "19", 2);
}

static void a_digit_off(char *text)
{
    char *at = strstr(text, "value step "), *digit = strchr(at, '\n') - 4;
    *digit = *digit == '5' ? '4' : '5';
}

static void a_change_less(char *text)
{
    char *line = strstr(text, " state "), *next = strchr(line, '\n') + 1;
    while (line[-1] != '\n')
        line--;
    memmove(line, next, strlen(next) + 1);
}

static void a_wrong_journal_is_noticed(void **state)
{
    (void)state;
    cs_target *t = target_of("gaussian");
    cs_kernel k = kernel_of("mala");
    assert_true(journals_replay(t, &k));
    assert_false(replay_with(t, &k, a_step_early));
    assert_false(replay_with(t, &k, a_digit_off));
    assert_false(replay_with(t, &k, a_change_less));
    cs_target_release(t);
}

static atomic_ulong hidden;

static size_t no_words(const cs_target *t, const double *values)
{
    (void)t;
    (void)values;
    return 0;
}

static void nothing(cs_move *m)
{
    (void)m;
}

static void count_calls(cs_move *m)
{
    double n = (double)atomic_fetch_add(&hidden, 1);
    for (size_t l = 0; l < m->lanes; l++)
        m->x[l] = n;
    cs_eval_log_density(m->eval, CS_NOW, m->x, m->info.logp);
}

static void hidden_memory_is_noticed(void **state)
{
    const cs_kernel_type forgetful = {.name = "forgetful",
                                      .spaces = CS_CONTINUOUS,
                                      .memory_words = no_words,
                                      .scratch_words = no_words,
                                      .init = nothing,
                                      .step = count_calls};
    cs_target *t;
    cs_kernel k = {.type = &forgetful};
    (void)state;
    t = target_of("gaussian");
    assert_false(going_back(t, &k));
    assert_false(journals_replay(t, &k));
    cs_target_release(t);
}

/* ---- text that is not a journal ------------------------------------------ */

static const char *const bad[] = {
    "",
    "x",
    "5",
    "5 3 value step 1\n9 end\n",
    "5 0 value step 1\n9 end\n",
    "5 1 value leap 1\n9 end\n",
    "5 1 value step\n9 end\n",
    "5 1 value step 1x\n9 end\n",
    "5 1 value step -1\n9 end\n",
    "5 1 schedule step\n"
    "9 end\n",
    "5 1 schedule step linear 1\n"
    "9 end\n",
    "5 1 schedule step cs.schedule.linear { from = 1 }\n"
    "9 end\n",
    "5 1 schedule step cs.schedule.linear { from = 1, to = 0, steps = 9, "
    "leap = 1 }\n"
    "9 end\n",
    "5 1 schedule step { }\n"
    "9 end\n",
    "5 1 schedule step { 1, nan }\n"
    "9 end\n",
    "5 1 schedule step cs.schedule.function { }\n"
    "9 end\n",
    "5 1 kernel mala\n"
    "9 end\n",
    "5 1 kernel cs.kernel.mala\n"
    "9 end\n",
    "5 1 kernel cs.kernel.mala { step = 0.1\n"
    "9 end\n",
    "5 1 kernel cs.kernel.mala { step = 0.1 } more\n"
    "9 end\n",
    "5 1 kernel cs.kernel.mala { step = }\n"
    "9 end\n",
    "5 1 kernel cs.kernel.mala { step = -1 }\n"
    "9 end\n",
    "5 1 kernel cs.kernel.mala { step = true }\n"
    "9 end\n",
    "5 1 kernel cs.kernel.mala { leap = cs.schedule.constant { value = 1 } "
    "}\n"
    "9 end\n",
    "5 1 kernel cs.kernel.none { }\n"
    "9 end\n",
    "5 1 kernel cs.kernel.gibbs { }\n"
    "9 end\n",
    "5 1 kernel cs.kernel.parallel_tempering { }\n"
    "9 end\n",
    "5 1 kernel cs.kernel.parallel_tempering { kernel = "
    "cs.kernel.parallel_tempering { kernel = cs.kernel.mala { } } }\n"
    "9 end\n",
    "5 1 kernel cs.kernel.simulated_tempering { temperatures = { 1, 0.5 }, "
    "kernel = cs.kernel.mala { } }\n"
    "9 end\n",
    "5 1 kernel cs.kernel.simulated_tempering { temperatures = 2, kernel = "
    "cs.kernel.mala { } }\n"
    "9 end\n",
    "5 1 kernel cs.kernel.simulated_tempering { heat = { 1 }, kernel = "
    "cs.kernel.mala { } }\n"
    "9 end\n",
    "5 1 kernel cs.kernel.simulated_tempering { kernel = cs.kernel.gibbs { "
    "} }\n"
    "9 end\n",
    "5 1 state 99 { 0, 0 }\n9 end\n",
    "5 1 state 1 { 0 }\n9 end\n",
    "5 1 state 1 { 0, nan }\n9 end\n",
    "5 1 state 1 0 0\n9 end\n",
    "# chainscope journal 1\n9 end\n",
    "5 1 script step\n9 end\n",
    "5 1 sing\n9 end\n",
    "5 1 value step 1\n4 end\n",
    "5 1 value step 1\n"};

static void nonsense_is_refused(void **state)
{
    (void)state;
    cs_target *t = target_of("gaussian");
    cs_kernel k = kernel_of("mala");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        cs_run *r = open_run(t, &k, 1, 8);
        cs_error err = {0};
        if (cs_run_replay(r, bad[i], &err) == CS_OK)
            fail_msg("accepted: %s", bad[i]);
        assert_true(err.what[0] != 0);
        cs_run_destroy(r);
    }
    cs_target_release(t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_kernel_goes_back),
    cmocka_unit_test(every_journal_replays),
    cmocka_unit_test(tempered_kernels_are_made_again),
    cmocka_unit_test(a_wrong_journal_is_noticed),
    cmocka_unit_test(hidden_memory_is_noticed),
    cmocka_unit_test(nonsense_is_refused),
};
TESTS(test_journal_laws)
