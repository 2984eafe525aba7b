/* What a run says of draws that a test makes up: a kernel whose steps put
 * given numbers into the chains. */
#include "support/support.h"

#include "base/memory.h"
#include "run/run.h"
#include "stat/diagnostics.h"

#include <stdio.h>
#include <string.h>

enum { CHAINS = 4, ROOM = 1 << 20 };

typedef double (*series)(uint64_t step, uint64_t chain, size_t d);
static series fed; /* what the next run is fed with */

/* Of no part of ours: splitmix64, two of them through Box and Muller. */
static double uniform(uint64_t step, uint64_t chain, size_t d, uint64_t k)
{
    uint64_t z = ((step * 61 + chain) * 1009 + d) * 2 + k;
    z *= UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return ((double)((z ^ z >> 31) >> 11) + 0.5) * 0x1p-53;
}

static double normal(uint64_t step, uint64_t chain, size_t d)
{
    return sqrt(-2 * log(uniform(step, chain, d, 0))) *
           cos(6.283185307179586 * uniform(step, chain, d, 1));
}

static void feed(cs_move *m)
{
    for (size_t l = 0; l < m->lanes; l++) {
        uint64_t chain = m->streams.chain[l < m->live ? l : 0];
        for (size_t d = 0; d < m->dim; d++)
            m->x[d * m->lanes + l] = fed(m->streams.step, chain, d);
        m->info.logp[l] = fed(m->streams.step, chain, m->dim);
        m->info.accepted[l] = m->info.moved[l] = true;
    }
}

typedef struct said {
    cs_run *run;
    cs_target *target;
    cs_kernel_type type;
    cs_flat f;
} said;

static void open_fed(said *s, series what, size_t dim, size_t chains)
{
    const cs_value given = {
        .name = "dim", .kind = CS_PARAM_INT, .given = 1, .number = (double)dim};
    const cs_probe_spec probe = {.type = cs_probe_find("diagnostics")};
    cs_arm_spec arm = {.name = "a"};
    memset(s, 0, sizeof *s);
    fed = what;
    s->type = *cs_kernel_find("random_walk");
    assert_int_equal(cs_kernel_init(&arm.kernel, &s->type, NULL, 0, NULL),
                     CS_OK);
    s->type.step = feed;
    assert_int_equal(cs_target_create(cs_target_find("gaussian"), &given, 1,
                                      &s->target, NULL),
                     CS_OK);
    const cs_run_spec spec = {.target = s->target,
                              .arms = &arm,
                              .n_arms = 1,
                              .chains = chains,
                              .probes = &probe,
                              .n_probes = 1,
                              .workers = 1};
    assert_int_equal(cs_run_create(&s->run, &spec, NULL), CS_OK);
    void *room = cs_alloc(1, ROOM);
    assert_non_null(room);
    cs_flat_begin(&s->f, room, ROOM);
}

static void move(said *s, uint64_t steps)
{
    assert_int_equal(cs_run_advance(s->run, steps, NULL, NULL), CS_OK);
}

static void close_fed(said *s)
{
    cs_run_destroy(s->run);
    cs_target_release(s->target);
    cs_free(s->f.base);
}

static void look(said *s)
{
    cs_flat_begin(&s->f, s->f.base, ROOM);
    assert_true(cs_run_report_one(s->run, 0, "diagnostics", "", &s->f));
    assert_false(s->f.full);
}

static cs_flat_entry entry(const said *s, const char *key)
{
    cs_flat_entry e;
    if (!cs_flat_find(s->f.base, s->f.used, &e, "%s", key))
        fail_msg("no %s", key);
    return e;
}

static double number(const said *s, const char *key)
{
    return entry(s, key).data[0];
}

static const cs_figures *row(const said *s, size_t k)
{
    cs_flat_entry e = entry(s, "table");
    const cs_figures *rows = CS_ENTRY_ROWS(e, cs_figures);
    assert_true(rows && k < e.rows);
    return rows + k;
}

static void assert_says(said *s, const char *what)
{
    const char *words = entry(s, "words").text;
    if (!strstr(words, what))
        fail_msg("not said: \"%s\", but: \"%s\"", what, words);
}

static void assert_reason(said *s, const char *want)
{
    look(s);
    assert_string_equal(entry(s, "reason").text, want);
}

/* ---- figures -------------------------------------------------------------- */

static double mixes(uint64_t step, uint64_t chain, size_t d)
{
    return normal(step, chain, d);
}

/* Of all draws, where all are kept, the figures are those of stat/diagnostics,
 * which is held against the reference implementation. */
static void figures_are_those_of_the_draws(void **state)
{
    enum { N = 6001 };
    static double x[CHAINS * N];
    said s;
    (void)state;
    open_fed(&s, mixes, 2, CHAINS);
    move(&s, 1000);
    look(&s); /* what was found before does not stay */
    move(&s, N - 1000);
    look(&s);
    assert_true(number(&s, "n") == N && number(&s, "whole") == 1);
    for (size_t k = 0; k < 3; k++) {
        for (size_t i = 0; i < CHAINS * N; i++)
            x[i] = k ? mixes(i % N + 1, i / N, k - 1)
                     : mixes(i % N + 1, i / N, 2); /* log p */
        cs_draws d = {x, N, CHAINS};
        const cs_figures *r = row(&s, k);
        assert_near(r->mean, cs_diagnose(d).figures.mean, 1e-12, 1e-15);
        assert_near(r->sd, cs_diagnose(d).figures.sd, 1e-12, 0);
        assert_near(r->rhat, cs_rhat(d, NULL), 1e-12, 0);
        assert_near(r->bulk, cs_ess_bulk(d, NULL), 1e-12, 0);
        assert_near(r->tail, cs_ess_tail(d, NULL), 1e-9, 0);
        assert_near(r->mcse, cs_mcse_mean(d, NULL), 1e-12, 0);
        assert_near(r->ess, cs_ess_mean(d, NULL), 1e-12, 0);
    }
    assert_reason(&s, "");
    close_fed(&s);
}

/* However long the run, thousands of draws of each chain are looked at, evenly
 * chosen; all of them where that was asked for. Errors are those of all. */
static void enough_draws_are_kept(void **state)
{
    said s;
    (void)state;
    open_fed(&s, mixes, 3, CHAINS);
    move(&s, 40000);
    look(&s);
    assert_true(number(&s, "n") == 5000 && number(&s, "every") == 8);
    assert_true(number(&s, "whole") == 0);
    assert_near(row(&s, 1)->bulk, CHAINS * 5000, 0.1, 0);
    assert_near(row(&s, 1)->ess, CHAINS * 40000, 0.25, 0);
    assert_near(row(&s, 1)->mcse, 1 / sqrt(CHAINS * 40000), 0.15, 0);
    assert_reason(&s, "");
    close_fed(&s);
    open_fed(&s, mixes, 3, CHAINS);
    cs_run_judge_all(s.run, 2);
    move(&s, 40000);
    look(&s);
    assert_true(number(&s, "n") == 20000 && number(&s, "every") == 2);
    assert_near(row(&s, 1)->bulk, CHAINS * 20000, 0.1, 0);
    close_fed(&s);
}

/* What a copy says, on whatever thread, is what the run says. */
static void aside_it_is_the_same(void **state)
{
    said s;
    cs_copy c = {.run = NULL};
    cs_figures table[3];
    (void)state;
    open_fed(&s, mixes, 2, CHAINS);
    move(&s, 3000);
    assert_int_equal(cs_copy_take(&c, s.run, 0, 0, NULL), CS_OK);
    move(&s, 500);
    cs_flat_begin(&s.f, s.f.base, ROOM);
    cs_copy_report(&c, &s.f);
    memcpy(table, entry(&s, "arm/0/diagnostics/table").data, sizeof table);
    look(&s);
    assert_true(row(&s, 1)->bulk > table[1].bulk + 500);
    assert_int_equal(cs_run_rewind(s.run, 3000, NULL), CS_OK);
    look(&s);
    assert_memory_equal(table, row(&s, 0), sizeof table);
    cs_copy_fini(&c);
    close_fed(&s);
}

/* ---- words ---------------------------------------------------------------- */

static double one_of_sixty(uint64_t step, uint64_t chain, size_t d)
{
    return normal(step, chain, d) + (d == 58 && chain == 1 ? 20 : 0);
}

static void every_coordinate_is_judged(void **state)
{
    said s;
    (void)state;
    open_fed(&s, one_of_sixty, 60, CHAINS);
    move(&s, 2000);
    look(&s);
    assert_int_equal(entry(&s, "table").rows, 61);
    assert_true(row(&s, 59)->rhat > 1.2 && row(&s, 58)->rhat < 1.01);
    assert_says(&s, "R-hat of x.59 is");
    assert_says(&s, "do not agree");
    close_fed(&s);
}

static double third_is_stuck(uint64_t step, uint64_t chain, size_t d)
{
    return chain == 2 ? 3 : normal(step, chain, d);
}

static double all_are_stuck(uint64_t step, uint64_t chain, size_t d)
{
    (void)step, (void)d;
    return (double)chain;
}

static double flat_energy(uint64_t step, uint64_t chain, size_t d)
{
    return d == 1 ? 2 : normal(step, chain, d);
}

static double flat_coordinate(uint64_t step, uint64_t chain, size_t d)
{
    return d == 0 ? 2 : normal(step, chain, d);
}

static double far_start(uint64_t step, uint64_t chain, size_t d)
{
    return normal(step, chain, d) +
           (step < 60 ? 40 * exp(-(double)step / 15) : 0);
}

/* Slow, so that R-hat is over its limit by chance; the chains are alike. */
static double few_draws(uint64_t step, uint64_t chain, size_t d)
{
    double sum = 0;
    for (uint64_t k = 0; k < 12; k++)
        sum += normal(step / 12 + k / 6, chain, d) * (double)(1 + k % 3);
    return sum;
}

static void what_is_wrong_is_said(void **state)
{
    static const struct {
        series what;
        size_t dim, steps;
        const char *said;
    } cases[] = {
        {third_is_stuck, 1, 200, "chain 3 is stuck: all its draws are equal"},
        {all_are_stuck, 1, 200, "chain 1 is stuck: all its draws are equal"},
        {flat_energy, 1, 200, "lp__: all draws are equal"},
        {flat_coordinate, 2, 200, "x.1: all draws are equal"},
        {mixes, 1, 0, "there are no draws"},
        {far_start, 2, 4000, "the first quarter of the draws of"},
        {few_draws, 30, 500, "perhaps by chance"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        said s;
        open_fed(&s, cases[i].what, cases[i].dim, CHAINS);
        move(&s, cases[i].steps);
        look(&s);
        assert_says(&s, cases[i].said);
        bool apart =
            cases[i].what == all_are_stuck || cases[i].what == third_is_stuck;
        if (!apart)
            assert_null(strstr(entry(&s, "words").text, "do not agree"));
        close_fed(&s);
    }
}

/* A run that mixes is not called bad more often the longer it goes: here never,
 * of the 4 x 4096 draws that are looked at and of any other number. */
static void what_mixes_is_called_good(void **state)
{
    (void)state;
    said s;
    open_fed(&s, mixes, 20, CHAINS);
    for (size_t i = 0; i < 30; i++) {
        move(&s, 700);
        look(&s);
        assert_null(strstr(entry(&s, "words").text, "do not agree"));
        assert_null(strstr(entry(&s, "words").text, "quarter"));
    }
    close_fed(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_are_those_of_the_draws),
        cmocka_unit_test(enough_draws_are_kept),
        cmocka_unit_test(aside_it_is_the_same),
        cmocka_unit_test(every_coordinate_is_judged),
        cmocka_unit_test(what_is_wrong_is_said),
        cmocka_unit_test(what_mixes_is_called_good),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
