/* Applies the laws of probes to every registered probe on every compatible
 * registered target. Each law also detects its planted fault. */
#include "support/by_name.h"
#include "support/support.h"

#include "base/memory.h"
#include "kernel/accept.h"
#include "run/arms/arms.h"
#include "run/run.h"
#include "run/save.h"
#include "run/views/reports.h"
#include "run/views/view.h"

#include <string.h>

enum { CHAINS = 7, STEPS = 300, BYTES = 4 << 20 };

static cs_run *open_run(cs_target *t, const cs_probe_type *probe, size_t lanes)
{
    cs_arm_spec arm = {.name = "a"};
    cs_probe_spec spec = {.type = probe};
    cs_run *r = NULL;
    assert_int_equal(cs_kernel_init(&arm.kernel, cs_kernel_find("random_walk"),
                                    NULL, 0, NULL),
                     CS_OK);
    cs_run_spec run = {.target = t,
                       .arms = &arm,
                       .n_arms = 1,
                       .chains = CHAINS,
                       .seed = 3,
                       .probes = &spec,
                       .n_probes = probe ? 1 : 0,
                       .workers = lanes ? 2 : 1,
                       .block_lanes = lanes,
                       .keep = 8,
                       .rewind_bytes = 1};
    assert_int_equal(cs_run_create(&r, &run, NULL), CS_OK);
    return r;
}

static bool same_report(cs_run *a, cs_run *b)
{
    static _Alignas(8) unsigned char left[BYTES], right[BYTES];
    cs_flat l, r;
    cs_flat_begin(&l, left, sizeof left);
    cs_flat_begin(&r, right, sizeof right);
    cs_run_report(a, &l);
    cs_run_report(b, &r);
    return !l.full && l.used == r.used && memcmp(left, right, l.used) == 0;
}

static bool same_chains(cs_run *a, cs_run *b)
{
    size_t bytes = cs_run_target(a)->space.dim * sizeof(double);
    for (size_t c = 0; c < CHAINS; c++)
        if (memcmp(cs_run_chain(a, 0, c).x, cs_run_chain(b, 0, c).x, bytes))
            return false;
    return true;
}

/* Returns true if the report does not depend on workers, blocks and pauses. */
static bool blocks_do_not_matter(cs_target *t, const cs_probe_type *probe)
{
    static const size_t lanes[] = {1, 3, 32};
    cs_run *one = open_run(t, probe, 0);
    bool good = true;
    run_steps(one, STEPS);
    for (size_t k = 0; k < 3; k++) {
        cs_run *two = open_run(t, probe, lanes[k]);
        run_steps(two, STEPS / 3);
        run_steps(two, STEPS - STEPS / 3);
        good &= same_report(one, two);
        cs_run_destroy(two);
    }
    cs_run_destroy(one);
    return good;
}

static bool saved_reports_go_on(cs_target *t, const cs_probe_type *probe)
{
    cs_run *one = open_run(t, probe, 0), *two = open_run(t, probe, 3);
    unsigned char *bytes;
    size_t size;
    run_steps(one, STEPS);
    assert_int_equal(cs_run_save(one, &bytes, &size, NULL), CS_OK);
    assert_int_equal(cs_run_load(two, bytes, size, NULL), CS_OK);
    run_steps(one, STEPS);
    run_steps(two, STEPS);
    bool good = same_report(one, two);
    cs_free(bytes);
    cs_run_destroy(one);
    cs_run_destroy(two);
    return good;
}

/* Returns true if the probe does not change the run. */
static bool chains_do_not_notice(cs_target *t, const cs_probe_type *probe)
{
    cs_run *one = open_run(t, probe, 0), *two = open_run(t, NULL, 0);
    run_steps(one, STEPS);
    run_steps(two, STEPS);
    bool good = same_chains(one, two);
    cs_run_destroy(one);
    cs_run_destroy(two);
    return good;
}

static bool same_checkpoints(cs_run *a, cs_run *b)
{
    unsigned char *bytes[2];
    size_t size[2];
    assert_int_equal(cs_run_save(a, &bytes[0], &size[0], NULL), CS_OK);
    cs_run_settle(b, 1);
    assert_int_equal(cs_run_save(b, &bytes[1], &size[1], NULL), CS_OK);
    bool good = size[0] == size[1] && memcmp(bytes[0], bytes[1], size[0]) == 0;
    cs_free(bytes[0]);
    cs_free(bytes[1]);
    return good;
}

/* Returns true if the time at which the exact distribution is computed does not
 * matter. The chains, the checkpoints made before and after this time, and the
 * report must be the same. */
static bool settling_is_not_noticed(cs_target *t, const cs_probe_type *probe)
{
    cs_run *one = open_run(t, probe, 0), *two = open_run(t, probe, 0);
    bool good = cs_run_settle(one, 1) && same_checkpoints(one, one);
    run_steps(one, STEPS);
    run_steps(two, STEPS);
    good &= same_checkpoints(two, two) && same_chains(one, two);
    good &= same_report(one, two) && cs_run_settle(two, 0);
    cs_run_destroy(one);
    cs_run_destroy(two);
    return good;
}

static cs_flat glance(cs_run *r, unsigned char buffer[BYTES])
{
    cs_flat f;
    cs_flat_begin(&f, buffer, BYTES);
    cs_run_glance(r, 0, 0, &f);
    return f;
}

/* Returns true if a copy of the run gives a report of the step of the copy,
 * even after the run has continued. A second copy must replace the first
 * copy. */
static bool copies_report_their_step(cs_target *t, const cs_probe_type *probe)
{
    static _Alignas(8) unsigned char now[BYTES], later[BYTES];
    cs_run *r = open_run(t, probe, 3);
    cs_copy copy = {0};
    bool good = true;
    for (int i = 0; i < 2; i++) {
        run_steps(r, STEPS);
        assert_int_equal(cs_copy_take(&copy, r, 0, 0, NULL), CS_OK);
        cs_flat f = glance(r, now), g;
        run_steps(r, STEPS);
        cs_flat_begin(&g, later, BYTES);
        cs_copy_report(&copy, &g);
        good &= !f.full && f.used == g.used && !memcmp(now, later, f.used) &&
                copy.step == cs_run_steps(r) - STEPS;
    }
    cs_copy_fini(&copy);
    cs_run_destroy(r);
    return good;
}

/* Returns true if the failure of any allocation is reported. */
static bool lack_of_memory_is_said(cs_target *t, const cs_probe_type *probe)
{
    cs_status s = CS_MEMORY;
    for (unsigned long n = 1; s == CS_MEMORY; n++) {
        cs_probe p;
        cs_memory_fail_at(n, false);
        s = cs_probe_init(&p, probe, NULL, 0, t, NULL);
        cs_memory_fail_at(0, false);
        if (s == CS_OK)
            cs_probe_fini(&p);
    }
    return s == CS_OK;
}

/* ---- states of weight 0 ---- */

/* A kernel that draws new states at each step. In two of three steps, depending
 * on the chain, the states are not draws of the target. With `wild` the states
 * that are not draws take other values. */
static size_t hot_words(const cs_target *t, const double *values)
{
    (void)values;
    return 3 * t->space.dim;
}

static size_t no_words(const cs_target *t, const double *values)
{
    (void)t;
    (void)values;
    return 0;
}

static void hot_init(cs_move *m)
{
    (void)m;
}

static void hot_step(cs_move *m)
{
    const bool *wild = m->self;
    size_t n = m->lanes, dim = m->dim;
    double *both = m->scratch, logp[64], x[64];
    cs_fill_uniform(&m->streams, CS_FOR_PROPOSAL, 2 * dim, both);
    for (size_t l = 0; l < n; l++) {
        bool hot = (m->streams.step + m->streams.chain[l]) % 3 != 0;
        for (size_t d = 0; d < dim; d++)
            logp[d] = both[(hot && *wild ? dim + d : d) * n + l];
        cs_target_start(m->eval->target, logp, x);
        for (size_t d = 0; d < dim; d++)
            m->x[d * n + l] = x[d];
        m->info.moved[l] = true;
    }
    cs_finish_moved(m);
    for (size_t l = 0; l < n; l++)
        m->info.log_weight[l] =
            (m->streams.step + m->streams.chain[l]) % 3 ? -HUGE_VAL : 0;
}

static cs_run *open_hot(cs_target *t, const cs_probe_type *probe, bool *wild)
{
    const cs_kernel_type hot = {.name = "hot",
                                .spaces = CS_DISCRETE | CS_CONTINUOUS,
                                .flags = CS_KERNEL_WEIGHS | CS_KERNEL_SELECTS,
                                .memory_words = no_words,
                                .scratch_words = hot_words,
                                .init = hot_init,
                                .step = hot_step};
    static cs_kernel_type type;
    type = hot;
    cs_arm_spec arm = {.name = "a", .kernel = {.type = &type, .self = wild}};
    cs_probe_spec spec = {.type = probe, .every = 1};
    cs_run_spec run = {.target = t,
                       .arms = &arm,
                       .n_arms = 1,
                       .chains = CHAINS,
                       .seed = 3,
                       .probes = &spec,
                       .n_probes = 1,
                       .workers = 1,
                       .keep = 8,
                       .rewind_bytes = 1};
    cs_run *r = NULL;
    assert_int_equal(cs_run_create(&r, &run, NULL), CS_OK);
    run_steps(r, STEPS);
    return r;
}

/* Returns true if the reports use only draws of the target. Probes that report
 * the state of every chain are exempt from this law. */
static bool hot_states_do_not_matter(cs_target *t, const cs_probe_type *probe)
{
    bool wild[2] = {false, true};
    if (probe->all_chains || t->space.dim > 64)
        return true;
    cs_run *one = open_hot(t, probe, &wild[0]);
    cs_run *two = open_hot(t, probe, &wild[1]);
    bool good = same_report(one, two);
    cs_run_destroy(one);
    cs_run_destroy(two);
    return good;
}

static const struct law {
    const char *name;
    bool (*holds)(cs_target *t, const cs_probe_type *probe);
} laws[] = {{"blocks do not matter", blocks_do_not_matter},
            {"saved reports continue", saved_reports_go_on},
            {"chains do not notice", chains_do_not_notice},
            {"settling is not noticed", settling_is_not_noticed},
            {"hot states do not matter", hot_states_do_not_matter},
            {"lack of memory is reported", lack_of_memory_is_said},
            {"copies report their step", copies_report_their_step}};
enum { LAWS = sizeof laws / sizeof *laws };

static bool can_watch(cs_target *t, const cs_probe_type *probe)
{
    cs_probe p;
    if (cs_probe_init(&p, probe, NULL, 0, t, NULL) != CS_OK)
        return false;
    cs_probe_fini(&p);
    return true;
}

static size_t obeyed(const cs_probe_type *probe)
{
    const cs_target_type *type;
    size_t n = 0;
    for (size_t i = 0; (type = cs_target_at(i)); i++) {
        cs_target *t;
        if (cs_target_create(type, NULL, 0, &t, NULL) != CS_OK)
            continue;
        bool can = can_watch(t, probe);
        bool tried = can && n % TARGETS_EVERY == 0;
        for (size_t k = 0; tried && k < LAWS; k++)
            if (!laws[k].holds(t, probe))
                fail_msg("probe %s on %s violates the law: %s", probe->name,
                         type->name, laws[k].name);
        n += can;
        cs_target_release(t);
    }
    return n;
}

static void every_probe_obeys(void **state)
{
    (void)state;
    const cs_probe_type *probe;
    for (size_t i = 0; (probe = cs_probe_at(i)); i++)
        assert_true(obeyed(probe) > 0);
}

/* ---- planted faults, one per law ----------------------------------------- */

static cs_status one_word(cs_probe *p, cs_target *t, cs_error *err)
{
    (void)t;
    (void)err;
    p->words = 1;
    return CS_OK;
}

static cs_status blames_the_target(cs_probe *p, cs_target *t, cs_error *err)
{
    void *block = cs_alloc(1, 1);
    cs_free(block);
    return block ? one_word(p, t, err) : CS_UNSUPPORTED;
}

static void report_words(const cs_probe *p, const cs_lane_memory *chain,
                         size_t n, const char *prefix, cs_flat *out)
{
    (void)p;
    double *to = cs_flat_array(out, 1, n, "%swords", prefix);
    for (size_t c = 0; to && c < n; c++)
        to[c] = chain[c].word[0];
}

/* Fault: counts all lanes of the block. */
static void counts_lanes(const cs_probe *p, const cs_step_view *s,
                         double *memory)
{
    (void)p;
    for (size_t l = 0; l < s->lanes; l++)
        memory[l] += (double)s->live;
}

static _Atomic unsigned long calls; /* calls from all threads */

static void counts_in_secret(const cs_probe *p, const cs_step_view *s,
                             double *memory)
{
    (void)p;
    calls++;
    for (size_t l = 0; l < s->lanes; l++)
        memory[l] = (double)calls;
}

static void pushes(const cs_probe *p, const cs_step_view *s, double *memory)
{
    (void)p;
    (void)memory;
    union {
        const double *seen;
        double *aux;
    } x = {.seen = s->x};
    for (size_t l = 0; l < s->lanes; l++)
        x.aux[l] += 1e-9;
}

static void counts_when_settled(const cs_probe *p, const cs_step_view *s,
                                double *memory)
{
    for (size_t l = 0; l < s->lanes; l++)
        memory[l] += p->settled;
}

static void settles(cs_probe *p)
{
    (void)p;
}

/* Fault: reports a number that is not in the memory of the lanes. */
static void report_calls(const cs_probe *p, const cs_lane_memory *chain,
                         size_t n, const char *prefix, cs_flat *out)
{
    (void)p, (void)chain, (void)n;
    cs_flat_number(out, (double)calls, "%scalls", prefix);
}

/* Fault: does not check whether a state is a draw of the target. */
static void sums(const cs_probe *p, const cs_step_view *s, double *memory)
{
    (void)p;
    for (size_t l = 0; l < s->lanes; l++)
        memory[l] += s->failed[l] ? 0 : s->x[l];
}

static void faults_are_found(void **state)
{
    (void)state;
    const cs_probe_type faulty[LAWS] = {
        {.name = "counts_lanes", .create = one_word, .observe = counts_lanes},
        {.name = "counts_in_secret",
         .create = one_word,
         .observe = counts_in_secret},
        {.name = "pushes", .create = one_word, .observe = pushes},
        {.name = "counts_when_settled",
         .create = one_word,
         .observe = counts_when_settled,
         .settle = settles},
        {.name = "sums", .create = one_word, .observe = sums},
        {.name = "blames_the_target",
         .create = blames_the_target,
         .observe = counts_lanes},
        {.name = "report_calls",
         .create = one_word,
         .observe = counts_in_secret,
         .report = report_calls}};
    cs_target *t;
    assert_int_equal(
        cs_target_create(cs_target_find("gaussian"), NULL, 0, &t, NULL), CS_OK);
    for (size_t k = 0; k < LAWS; k++) {
        cs_probe_type probe = faulty[k];
        probe.report = probe.report ? probe.report : report_words;
        if (laws[k].holds(t, &probe))
            fail_msg("the fault %s is not detected by the law: %s", probe.name,
                     laws[k].name);
    }
    cs_target_release(t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_probe_obeys),
    cmocka_unit_test(faults_are_found),
};
TESTS(test_probe_laws)
