/* Laws of runs, for every kernel on the first registered target it fits: no
 * result depends on workers or blocks, and saved bytes go on bit for bit.
 * Each law is shown a kernel that breaks it. */
#include "support/support.h"

#include "base/memory.h"
#include "run/run.h"

#include <stdatomic.h>
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
                        .rewind_bytes = 1};
    return cs_run_create(run, &spec, NULL);
}

static void move(cs_run *r, uint64_t n)
{
    assert_int_equal(cs_run_advance(r, n, NULL, NULL), CS_OK);
}

/* Bit for bit: work, states, energies, tallies. */
static bool same(cs_run *a, cs_run *b)
{
    cs_arm_view u = cs_run_arm(a, 0), v = cs_run_arm(b, 0);
    size_t dim = cs_run_target(a)->space.dim * sizeof(double);
    if (memcmp(&u.work, &v.work, sizeof u.work) != 0)
        return false;
    for (size_t c = 0; c < CHAINS; c++) {
        cs_chain_view x = cs_run_chain(a, 0, c), y = cs_run_chain(b, 0, c);
        if (memcmp(x.x, y.x, dim) != 0 || memcmp(&x.u, &y.u, 8) != 0 ||
            memcmp(&x.tally, &y.tally, sizeof x.tally) != 0)
            return false;
    }
    return true;
}

static bool blocks_do_not_matter(cs_target *t, const cs_kernel *k)
{
    cs_run *one, *two;
    assert_int_equal(open_run(t, k, 1, 32, &one), CS_OK);
    assert_int_equal(open_run(t, k, 2, 3, &two), CS_OK);
    move(one, STEPS);
    move(two, STEPS / 2);
    move(two, STEPS / 2);
    bool ok = same(one, two);
    cs_run_destroy(one);
    cs_run_destroy(two);
    return ok;
}

static bool saved_bytes_go_on(cs_target *t, const cs_kernel *k)
{
    cs_run *one, *two;
    unsigned char *bytes;
    size_t size;
    assert_int_equal(open_run(t, k, 1, 32, &one), CS_OK);
    assert_int_equal(open_run(t, k, 2, 8, &two), CS_OK);
    move(one, STEPS);
    assert_int_equal(cs_run_save(one, &bytes, &size, NULL), CS_OK);
    assert_int_equal(cs_run_load(two, bytes, size, NULL), CS_OK);
    move(one, STEPS);
    move(two, STEPS);
    bool ok = same(one, two);
    cs_free(bytes);
    cs_run_destroy(one);
    cs_run_destroy(two);
    return ok;
}

/* Calls `law` for each pair that fits; counts them. */
static size_t for_all(bool (*law)(cs_target *t, const cs_kernel *k))
{
    const cs_kernel_type *kt;
    const cs_target_type *tt;
    size_t n = 0;
    for (size_t i = 0; (kt = cs_kernel_at(i)); i++) {
        cs_kernel k;
        if (cs_kernel_init(&k, kt, NULL, 0, NULL) != CS_OK)
            continue;
        for (size_t j = 0; (tt = cs_target_at(j)); j++) {
            cs_target *t;
            if (cs_target_create(tt, NULL, 0, &t, NULL) != CS_OK)
                continue;
            bool fits = cs_kernel_fits(&k, t, NULL) == CS_OK;
            if (fits && !law(t, &k))
                fail_msg("kernel %s on target %s", kt->name, tt->name);
            n += fits;
            cs_target_release(t);
        }
    }
    return n;
}

static void no_kernel_minds_blocks(void **state)
{
    (void)state;
    assert_true(for_all(blocks_do_not_matter) > 0);
}

static void every_kernel_goes_on(void **state)
{
    (void)state;
    assert_true(for_all(saved_bytes_go_on) > 0);
}

/* ---- a kernel that remembers outside its memory ---- */

static atomic_ulong hidden;

static size_t no_words(const cs_target *t)
{
    (void)t;
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
}

static const cs_kernel_type forgetful = {.name = "forgetful",
                                         .spaces = CS_CONTINUOUS,
                                         .memory_words = no_words,
                                         .scratch_words = no_words,
                                         .init = nothing,
                                         .step = count_calls};

static void hidden_memory_is_noticed(void **state)
{
    cs_target *t;
    cs_kernel k = {.type = &forgetful};
    (void)state;
    assert_int_equal(
        cs_target_create(cs_target_find("gaussian"), NULL, 0, &t, NULL), CS_OK);
    assert_false(blocks_do_not_matter(t, &k));
    assert_false(saved_bytes_go_on(t, &k));
    cs_target_release(t);
}

/* ---- a density that becomes NaN ---- */

static void spoil(cs_move *m)
{
    for (size_t l = 0; l < m->lanes; l++) {
        m->x[l] += 1;
        if (m->streams.chain[l] == 4 && m->streams.step == 7)
            m->failed[l] = true;
    }
}

static void nan_stops_its_chain_only(void **state)
{
    cs_kernel_type type = forgetful;
    cs_kernel k = {.type = &type};
    cs_target *t;
    cs_run *r;
    char text[256];
    (void)state;
    type.step = spoil;
    assert_int_equal(
        cs_target_create(cs_target_find("gaussian"), NULL, 0, &t, NULL), CS_OK);
    assert_int_equal(open_run(t, &k, 2, 8, &r), CS_OK);
    move(r, 20);
    for (size_t c = 0; c < CHAINS; c++) {
        cs_chain_view v = cs_run_chain(r, 0, c);
        assert_true(v.failed == (c == 4));
        assert_true(v.tally.steps == (c == 4 ? 6 : 20));
    }
    assert_true(cs_run_fault(r, text, sizeof text));
    assert_non_null(strstr(text, "chain 5 of arm a at step 7, x = ("));
    assert_false(cs_run_fault(r, text, sizeof text));
    cs_run_destroy(r);
    cs_target_release(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_kernel_minds_blocks),
        cmocka_unit_test(every_kernel_goes_on),
        cmocka_unit_test(hidden_memory_is_noticed),
        cmocka_unit_test(nan_stops_its_chain_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
