/* Compares the events in the ring buffers of a run with the events found by
 * watching every step, for every kernel on every compatible target with modes.
 * In some runs there are long sequences of rejections, or chains diverge or
 * stop. Also tests events after a run has been rewound and advanced again. */
#include "support/by_name.h"
#include "support/support.h"
#include "support/tempered.h"

#include "base/memory.h"
#include "kernel/decision.h"
#include "run/arms/arms.h"
#include "run/history/changes.h"
#include "run/history/event_list.h"
#include "run/rewind.h"
#include "run/run.h"
#include "run/save.h"
#include "run/views/view.h"

#include <stdlib.h>
#include <string.h>

enum { CHAINS = 11, STEPS = 160, MOST = 1 << 16, MODES = 64 };
enum { ALL_CHAINS = 32 * CHAINS }; /* for kernels that move chains jointly */

/* Events found by watching every step. */
typedef struct list {
    cs_event e[MOST];
    size_t n;
} list;

static void add(void *self, const cs_event *e)
{
    list *l = self;
    assert_true(l->n < MOST);
    l->e[l->n++] = *e;
}

static int in_order(const void *a, const void *b)
{
    const cs_event *x = a, *y = b;
    if (x->step != y->step)
        return x->step < y->step ? -1 : 1;
    if (x->chain != y->chain)
        return x->chain < y->chain ? -1 : 1;
    return (int)x->kind - (int)y->kind;
}

/* ---- watching every step ---- */

typedef struct watch {
    list seen;
    size_t last[ALL_CHAINS];
    bool been[ALL_CHAINS][MODES];
    uint64_t refused[ALL_CHAINS];
    double divergent[ALL_CHAINS], odd[ALL_CHAINS];
    bool stopped[ALL_CHAINS];
} watch;

static size_t nearest(const cs_target *t, const double *x)
{
    const cs_exact *e = &t->exact;
    size_t dim = t->space.dim, best = 0;
    double least = HUGE_VAL, r = e->mode_radius;
    for (size_t m = 0; m < e->n_modes; m++) {
        double square = 0;
        for (size_t d = 0; d < dim; d++) {
            double by = x[d] - e->modes[m * dim + d];
            square += by * by;
        }
        if (square < least)
            best = m + 1;
        least = square < least ? square : least;
    }
    return r > 0 && least > r * r ? 0 : best;
}

static void put(watch *w, uint64_t step, size_t chain, cs_event_kind kind,
                double a, double b)
{
    const cs_event e = {
        .step = step, .chain = chain, .kind = kind, .a = a, .b = b};
    add(&w->seen, &e);
}

static void look_at_mode(watch *w, cs_run *r, size_t c, uint64_t step)
{
    size_t mode = nearest(cs_run_target(r), cs_run_chain(r, 0, c).x);
    if (mode && !w->been[c][mode])
        put(w, step, c, CS_EVENT_VISIT, (double)mode, (double)w->last[c]);
    else if (mode && w->last[c] != mode)
        put(w, step, c, CS_EVENT_JUMP, (double)mode, (double)w->last[c]);
    if (mode)
        w->been[c][mode] = true, w->last[c] = mode;
}

static void look(watch *w, cs_run *r, bool modes)
{
    uint64_t step = cs_run_steps(r);
    for (size_t c = 0; c < cs_run_arm(r, 0).chains; c++) {
        cs_chain_view v = cs_run_decision(r, 0, c);
        if (v.failed) {
            if (!w->stopped[c])
                put(w, step, c, CS_EVENT_STOP, 0, 0);
            w->stopped[c] = true;
            continue;
        }
        w->refused[c] = v.last.accepted != 0 ? 0 : w->refused[c] + 1;
        if (w->refused[c] == CS_EVENT_LONG)
            put(w, step, c, CS_EVENT_REJECTIONS, 0, 0);
        if (v.tally.divergent > w->divergent[c])
            put(w, step, c, CS_EVENT_DIVERGENCE, 0, 0);
        w->divergent[c] = v.tally.divergent;
        if (v.tally.not_finite > w->odd[c])
            put(w, step, c, CS_EVENT_NAN, 0, 0);
        w->odd[c] = v.tally.not_finite;
        if (modes)
            look_at_mode(w, r, c, step);
    }
}

/* ---- both compared ------------- */

static size_t after(const list *l, uint64_t since, size_t chain,
                    cs_event_kind kind, cs_event *out)
{
    size_t n = 0;
    for (size_t i = 0; i < l->n; i++)
        if (l->e[i].step > since && l->e[i].chain == chain &&
            l->e[i].kind == kind)
            out[n++] = l->e[i];
    qsort(out, n, sizeof *out, in_order);
    return n;
}

/* Returns the step from which no event may be missing: the step of the eighth
 * newest event in the same ring buffer. Jumps and visits share a ring buffer.
 * Only the very first visit is stored separately. */
static uint64_t held_from(const list *seen, size_t chain, cs_event_kind kind)
{
    static cs_event e[MOST], more[MOST];
    size_t n = after(seen, 0, chain, kind, e), m = 0;
    if (kind == CS_EVENT_JUMP)
        m = after(seen, 0, chain, CS_EVENT_VISIT, more);
    for (size_t i = 1; i < m; i++)
        e[n++] = more[i];
    qsort(e, n, sizeof *e, in_order);
    return n > CS_RING ? e[n - CS_RING].step : 0;
}

static bool is_same(const cs_event *a, const cs_event *b, cs_event_kind kind)
{
    if (a->step != b->step)
        return false;
    /* If b->b is 0, the mode that the jump left is unknown and not compared. */
    return kind != CS_EVENT_JUMP ||
           (a->a == b->a && (b->b == 0 || a->b == b->b));
}

/* Returns true if this jump is the newest jump to its mode. The newest jump to
 * each mode is stored outside the ring buffer. */
static bool is_newest(const cs_event *e, size_t n, size_t i)
{
    for (size_t k = i + 1; k < n; k++)
        if (e[k].a == e[i].a)
            return false;
    return e[i].kind == CS_EVENT_JUMP;
}

/* Returns true if all events are present. After the ring buffer has overflowed,
 * returns true if exactly the events from some step on are present. */
static bool agree(const list *seen, const list *held, uint64_t since,
                  size_t chain, cs_event_kind kind, bool lost)
{
    static cs_event a[MOST], b[MOST];
    size_t n = after(seen, since, chain, kind, a);
    size_t m = after(held, since, chain, kind, b), k = 0;
    uint64_t from = lost ? held_from(seen, chain, kind) : 0;
    if (lost && n < CS_RING && kind == CS_EVENT_DIVERGENCE)
        return false; /* the ring holds only this many entries */
    for (size_t i = 0; i < n; i++) {
        if (k < m && is_same(&a[i], &b[k], kind))
            k++;
        else if (a[i].step >= from || is_newest(a, n, i))
            return false;
    }
    return k == m;
}

static bool same_events(const watch *w, const cs_run *r, bool modes)
{
    static list held;
    uint64_t end = cs_run_steps(r);
    const uint64_t since[] = {0, 7, end / 2, end - 3, end - 1, end};
    for (size_t i = 0; i < sizeof since / sizeof *since; i++)
        for (size_t c = 0; c < cs_run_arm(r, 0).chains; c++) {
            held.n = 0;
            unsigned lost = cs_run_events(r, 0, c, since[i], add, &held);
            for (cs_event_kind k = 0; k < CS_EVENT_SWAP; k++) {
                bool of_modes = k == CS_EVENT_JUMP || k == CS_EVENT_VISIT;
                if ((!of_modes || modes) &&
                    !agree(&w->seen, &held, since[i], c, k, lost >> k & 1)) {
                    print_message("%s of chain %zu after step %llu\n",
                                  cs_event_title(k), c + 1,
                                  (unsigned long long)since[i]);
                    return false;
                }
            }
        }
    return true;
}

static uint64_t warmup; /* steps that are not observed */
static bool strict = true;

static cs_run *open_run(cs_target *t, const cs_kernel *k, size_t lanes)
{
    cs_arm_spec arm = {.name = "a", .kernel = *k};
    const cs_probe_spec probe[] = {{.type = cs_probe_find("acceptance")},
                                   {.type = cs_probe_find("modes")}};
    cs_run_spec spec = {.target = t,
                        .arms = &arm,
                        .n_arms = 1,
                        .chains = CHAINS,
                        .seed = 5,
                        .warmup = warmup,
                        .probes = probe,
                        .n_probes = t->exact.n_modes ? 2 : 1,
                        .workers = 1,
                        .block_lanes = lanes,
                        .strict = strict,
                        .keep = 8};
    cs_run *r = NULL;
    assert_int_equal(cs_run_create(&r, &spec, NULL), CS_OK);
    return r;
}

/* Returns true if all states are draws of the target. States that are not draws
 * do not count as visits. */
static bool all_draw(const cs_kernel *k, const cs_target *t)
{
    return !(k->type->flags & (CS_KERNEL_WEIGHS | CS_KERNEL_SELECTS)) &&
           cs_kernel_group(k) == 1 && t->exact.n_modes > 1 &&
           t->exact.n_modes < MODES;
}

static size_t counted[CS_EVENT_KINDS];

static bool hold(cs_target *t, const cs_kernel *k, uint64_t steps, size_t lanes)
{
    static watch w;
    bool modes = all_draw(k, t);
    w = (watch){.seen.n = 0};
    cs_run *one = open_run(t, k, 0), *two = open_run(t, k, lanes);
    uint64_t done = 1;
    for (uint64_t i = 0; i < steps && done; i++) {
        assert_int_equal(cs_run_advance(one, 1, &done, NULL), CS_OK);
        if (done && i >= warmup)
            look(&w, one, modes);
    }
    assert_int_equal(cs_run_advance(two, steps, NULL, NULL), CS_OK);
    bool good = same_events(&w, one, modes) && same_events(&w, two, modes);
    for (size_t i = 0; i < w.seen.n; i++)
        counted[w.seen.e[i].kind]++;
    cs_run_destroy(one);
    cs_run_destroy(two);
    return good;
}

static bool rings_hold_what_happens(cs_target *t, const cs_kernel *k)
{
    return t->space.dim > 32 || (k->type->flags & CS_KERNEL_ENSEMBLE) ||
           hold(t, k, STEPS, 3);
}

static void of_every_kernel(void **state)
{
    (void)state;
    for_all_fits(rings_hold_what_happens, false);
    assert_true(counted[CS_EVENT_VISIT] > 100);
    assert_true(counted[CS_EVENT_JUMP] > 100);
}

/* Returns a kernel whose steps are much too long. */
static cs_kernel clumsy(const char *name, double step)
{
    cs_kernel k;
    const cs_kernel_type *type = cs_kernel_find(name);
    const cs_value given[] = {{.name = "step", .number = step}};
    assert_int_equal(cs_kernel_init(&k, type, given, 1, NULL), CS_OK);
    return k;
}

static void of_clumsy_kernels(void **state)
{
    (void)state;
    static const struct {
        const char *kernel, *target;
        double step;
    } all[] = {{"random_walk", "mixture", 200},
               {"random_walk", "nine_modes", 90},
               {"hmc", "robust_regression", 1.2},
               {"hmc", "nine_modes", 9},
               {"mala", "mixture", 9}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        cs_target *t = target_of(all[i].target);
        cs_kernel k = clumsy(all[i].kernel, all[i].step);
        warmup = i * 13;
        if (!hold(t, &k, 3000, 5))
            fail_msg("%s on %s", all[i].kernel, all[i].target);
        cs_target_release(t);
    }
    warmup = 0;
    assert_true(counted[CS_EVENT_REJECTIONS] > 50);
    assert_true(counted[CS_EVENT_DIVERGENCE] > 50);
}

/* ---- chains that stop ---- */

static void dies_at_three(cs_move *m)
{
    for (size_t l = 0; l < m->lanes; l++) {
        m->info.accepted[l] = m->info.moved[l] = false;
        m->info.logp[l] = m->streams.step == 3 + m->streams.chain[l] * 130
                              ? (double)NAN
                              : m->info.logp[l];
    }
}

static void nothing(cs_move *m)
{
    (void)m;
}

static void of_chains_that_stop(void **state)
{
    (void)state;
    static const cs_kernel_type mortal = {.name = "mortal",
                                          .spaces = CS_CONTINUOUS,
                                          .init = nothing,
                                          .step = dies_at_three};
    const cs_kernel k = {.type = &mortal};
    cs_target *t = target_of("mixture");
    size_t before = counted[CS_EVENT_STOP];
    assert_true(hold(t, &k, 600, 4));
    assert_true(counted[CS_EVENT_STOP] >= before + 4);
    cs_target_release(t);
}

/* ---- NaN and infinity ----- */

static void odd_at_times(cs_move *m)
{
    for (size_t l = 0; l < m->lanes; l++) {
        bool odd = m->streams.step % 37 == m->streams.chain[l];
        m->info.accepted[l] = m->info.moved[l] = false;
        m->info.logp_proposal[l] = odd ? (double)NAN : -1;
        m->info.log_ratio[l] = odd ? (double)NAN : -1;
    }
}

static void of_what_is_no_number(void **state)
{
    (void)state;
    static const cs_kernel_type type = {.name = "odd",
                                        .spaces = CS_CONTINUOUS,
                                        .init = nothing,
                                        .step = odd_at_times};
    const cs_kernel k = {.type = &type};
    cs_target *t = target_of("mixture");
    size_t before = counted[CS_EVENT_NAN];
    strict = false;
    assert_true(hold(t, &k, 600, 4));
    strict = true;
    assert_true(counted[CS_EVENT_NAN] > before + 40);
    cs_target_release(t);
}

/* ---- order of time ------------------------------------------------------- */

static void assert_same(const cs_run *a, const cs_run *b)
{
    static list x, y;
    x.n = y.n = 0;
    assert_int_equal(cs_run_events(a, CS_EVERY, CS_EVERY, 0, add, &x),
                     cs_run_events(b, CS_EVERY, CS_EVERY, 0, add, &y));
    assert_int_equal(x.n, y.n);
    assert_memory_equal(x.e, y.e, x.n * sizeof *x.e);
}

static void they_go_back_and_forth(void **state)
{
    (void)state;
    static const uint64_t way[] = {2500, 100, 101, 2999, 0, 1500, 1499, 3000};
    cs_target *t = target_of("mixture");
    cs_kernel k = clumsy("random_walk", 60);
    cs_run *a = open_run(t, &k, 0);
    run_steps(a, 3000);
    for (size_t i = 0; i < sizeof way / sizeof *way; i++) {
        cs_run *b = open_run(t, &k, 3);
        run_steps(b, way[i]);
        assert_int_equal(cs_run_travel(a, way[i], NULL), CS_OK);
        assert_same(a, b);
        cs_run_destroy(b);
    }
    cs_run_destroy(a);
    cs_target_release(t);
}

static void they_are_saved(void **state)
{
    (void)state;
    unsigned char *bytes;
    size_t size;
    cs_target *t = target_of("mixture");
    cs_kernel k = clumsy("random_walk", 60);
    cs_run *a = open_run(t, &k, 0), *b = open_run(t, &k, 3);
    run_steps(a, 2000);
    assert_int_equal(cs_run_save(a, &bytes, &size, NULL), CS_OK);
    assert_int_equal(cs_run_load(b, bytes, size, NULL), CS_OK);
    assert_same(a, b);
    run_steps(a, 1000);
    run_steps(b, 1000);
    assert_same(a, b);
    cs_free(bytes);
    cs_run_destroy(a);
    cs_run_destroy(b);
    cs_target_release(t);
}

/* ---- swaps, changes, messages - */

/* Each swap is reported by two chains, and each of the two names the other one.
 * Swaps occur only at steps of the tempering ladder. */
static void swaps_are_of_two(void **state)
{
    (void)state;
    static list l;
    const double value[CS_KERNEL_PARAMS] = {1};
    cs_kernel k =
        around(cs_kernel_find("random_walk"), value, RUNGS, HOTTEST, 3);
    cs_target *t = target_of("mixture");
    cs_run *r = open_run(t, &k, 4);
    size_t swaps = 0;
    run_steps(r, 400);
    l.n = 0;
    cs_run_events(r, 0, CS_EVERY, 385, add, &l);
    for (size_t i = 0; i < l.n; i++) {
        bool other = false;
        if (l.e[i].kind != CS_EVENT_SWAP)
            continue;
        assert_int_equal(l.e[i].step % 3, 0);
        for (size_t j = 0; j < l.n; j++)
            other |= l.e[j].kind == CS_EVENT_SWAP &&
                     l.e[j].step == l.e[i].step &&
                     l.e[j].a == (double)l.e[i].chain + 1 &&
                     l.e[i].a == (double)l.e[j].chain + 1;
        assert_true(other);
        swaps++;
    }
    assert_true(swaps > 10);
    cs_run_destroy(r);
    cs_kernel_release(&k);
    cs_target_release(t);
}

static void changes_are_events(void **state)
{
    (void)state;
    static list l;
    char text[200];
    cs_target *t = target_of("mixture");
    cs_kernel k = kernel_of("random_walk");
    cs_run *r = open_run(t, &k, 0);
    run_steps(r, 50);
    assert_int_equal(cs_run_set(r, 0, "step", 0.5, NULL), CS_OK);
    run_steps(r, 50);
    assert_int_equal(cs_run_travel(r, 20, NULL), CS_OK);
    l.n = 0;
    cs_run_events(r, CS_EVERY, CS_EVERY, 20, add, &l);
    /* The change at step 50 is listed, although the run is now at step 20. */
    assert_int_equal(l.n, 1);
    assert_int_equal(l.e[0].step, 50);
    cs_event_words(r, &l.e[0], text, sizeof text);
    assert_string_equal(text, "change: a.step");
    const cs_event e = {.chain = 1, .kind = CS_EVENT_JUMP, .a = 2, .b = 1};
    cs_event_words(r, &e, text, sizeof text);
    assert_string_equal(text, "chain 2 of arm a: jump from mode 1 to mode 2");
    cs_run_destroy(r);
    cs_target_release(t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(of_every_kernel),
    cmocka_unit_test(of_clumsy_kernels),
    cmocka_unit_test(of_chains_that_stop),
    cmocka_unit_test(of_what_is_no_number),
    cmocka_unit_test(they_go_back_and_forth),
    cmocka_unit_test(they_are_saved),
    cmocka_unit_test(swaps_are_of_two),
    cmocka_unit_test(changes_are_events),
};
TESTS(test_events)
