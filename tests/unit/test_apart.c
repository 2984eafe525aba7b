/* Tests which possible states moves of few sites connect: the parts, the widest
 * jump between them and the bounded search are compared with all pairs of states,
 * for random sets of possible states; and that kernels change no more sites in a
 * step than they declare. */
#include "support/support.h"

#include "chain/block.h"
#include "check/apart.h"
#include "check/state_search.h"

#include <math.h>
#include <string.h>

/* Two labels of three values, and four bits. */
enum { DIM = 6, STATES = 3 * 3 * 16, KERNEL_LANES = 8 };
static const cs_part parts[] = {{"z", CS_CATEGORICAL, 0, 2, 1, 3, false},
                                {"b", CS_BINARY, 2, 4, 0, 2, false}};

static bool is_possible[STATES];
static uint64_t drawn;

static double uniform(void)
{
    drawn = drawn * 6364136223846793005u + 1442695040888963407u;
    return (double)(drawn >> 11) * 0x1p-53;
}

static size_t index_of(const double *x)
{
    size_t index = 0;
    for (size_t i = 0; i < DIM; i++)
        index = i < 2 ? 3 * index + (size_t)x[i] - 1 : 2 * index + (size_t)x[i];
    return index;
}

static cs_status create(cs_target *t, const cs_value *v, cs_error *err)
{
    (void)v;
    (void)err;
    t->space =
        (cs_space){.kind = CS_MIXED, .dim = DIM, .n_parts = 2, .part = parts};
    return CS_OK;
}

static void destroy(cs_target *t)
{
    (void)t;
}

static void log_density(const cs_target *t, const cs_point *at, double *logp)
{
    double x[DIM];
    (void)t;
    for (size_t l = 0; l < at->lanes; l++) {
        for (size_t i = 0; i < DIM; i++)
            x[i] = at->x[i * at->lanes + l];
        logp[l] = is_possible[index_of(x)] ? 0 : -HUGE_VAL;
    }
}

static const cs_target_type chosen = {.name = "chosen",
                                      .create = create,
                                      .destroy = destroy,
                                      .log_density = log_density};

/* A kernel that declares moves of up to `most` sites. */
static size_t most;
static size_t sites_at_once(const double *values)
{
    (void)values;
    return most;
}
static const cs_kernel_type type = {
    .name = "any", .spaces = CS_DISCRETE, .sites_at_once = sites_at_once};

static size_t distance(const cs_site_list *s, size_t a, size_t b)
{
    double x[DIM], y[DIM];
    size_t n = 0;
    cs_site_list_state(s, a, x);
    cs_site_list_state(s, b, y);
    for (size_t i = 0; i < DIM; i++)
        n += x[i] != y[i];
    return n;
}

/* Numbers the parts that steps of at most `sites` sites connect. Returns their
 * number. */
static size_t parts_by_pairs(const cs_site_list *s, size_t sites, int32_t *part)
{
    size_t n = 0;
    for (size_t k = 0; k < STATES; k++)
        part[k] = is_possible[k] ? (int32_t)n++ : CS_APART_NOWHERE;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t a = 0; a < STATES; a++)
            for (size_t b = 0; b < STATES; b++)
                if (part[a] >= 0 && part[b] > part[a] &&
                    distance(s, a, b) <= sites) {
                    int32_t was = part[b];
                    n--;
                    changed = true;
                    for (size_t k = 0; k < STATES; k++)
                        part[k] = part[k] == was ? part[a] : part[k];
                }
    }
    return n;
}

static void choose_states(double share)
{
    size_t n = 0;
    for (size_t k = 0; k < STATES; k++)
        n += is_possible[k] = uniform() < share;
    is_possible[0] |= n == 0;
}

/* Compares the parts, and the jump, with all pairs. */
static void compare_parts(const cs_site_list *s, const cs_site_moves *moves)
{
    int32_t part[STATES], right[STATES];
    size_t n, all = parts_by_pairs(s, most, right);
    cs_apart_jump j;
    for (size_t k = 0; k < STATES; k++)
        part[k] = is_possible[k] ? 0 : CS_APART_NOWHERE;
    assert_true(cs_apart_by_moves(s, moves, part, &n));
    assert_int_equal(n, all);
    for (size_t a = 0; a < STATES; a++)
        for (size_t b = 0; b < STATES; b++)
            assert_int_equal(part[a] == part[b], right[a] == right[b]);
    assert_true(cs_apart_find_jump(s, part, n, &j));
    assert_int_equal(j.sites > 0, n > 1);
    if (n == 1)
        return;
    assert_int_equal(distance(s, j.from, j.to), j.sites);
    assert_int_equal(parts_by_pairs(s, j.sites, right), 1);
    assert_true(parts_by_pairs(s, j.sites - 1, right) > 1);
}

/* Compares the search from a state with all pairs. */
static void compare_search(const cs_site_list *s, const cs_kernel *kernel,
                           const cs_target *t, size_t start)
{
    int32_t part[STATES];
    double x[DIM];
    size_t connected = 0, nearest = DIM + 1;
    cs_state_search f;
    parts_by_pairs(s, most, part);
    for (size_t a = 0; a < STATES; a++) {
        connected += part[a] == part[start];
        for (size_t b = 0; b < STATES; b++)
            if (part[a] == part[start] && part[b] >= 0 &&
                part[b] != part[start] && distance(s, a, b) < nearest)
                nearest = distance(s, a, b);
    }
    cs_site_list_state(s, start, x);
    assert_true(cs_state_search_open(&f, t, kernel, NULL, x));
    cs_state_search_run(&f, NULL, HUGE_VAL);
    assert_true(f.closed);
    assert_int_equal(f.connected, connected);
    assert_int_equal(f.found, nearest <= DIM);
    if (f.found)
        assert_int_equal(distance(s, cs_site_list_index(s, f.from),
                                  cs_site_list_index(s, f.to)),
                         nearest);
    for (size_t k = 0; k < STATES; k++) {
        cs_site_list_state(s, k, x);
        assert_int_equal(cs_state_search_has(&f, x), part[k] == part[start]);
    }
    cs_state_search_close(&f);
}

static void parts_and_jumps_are_those_of_all_pairs(void **state)
{
    (void)state;
    const cs_kernel kernel = {.type = &type};
    cs_target *t;
    cs_site_list s;
    cs_site_moves moves;
    double x[DIM] = {1, 1, 0, 0, 0, 0};
    assert_int_equal(cs_target_create(&chosen, NULL, 0, &t, NULL), CS_OK);
    assert_true(cs_site_list_open(&s, t, x));
    assert_int_equal(s.states, STATES);
    for (size_t trial = 0; trial < 60; trial++) {
        most = 1 + trial % 3;
        choose_states(trial % 4 == 0 ? 0.3 : 0.01 + 0.01 * (double)(trial % 6));
        assert_true(cs_site_moves_open(&moves, &s, &kernel, NULL));
        compare_parts(&s, &moves);
        cs_site_moves_close(&moves);
        size_t start = 0;
        while (!is_possible[start])
            start++;
        compare_search(&s, &kernel, t, start);
    }
    cs_site_list_close(&s);
    cs_target_release(t);
}

/* ---- kernels -------------------------------------------------------------- */

/* Returns the largest number of bits that change in a step of the kernel. */
static size_t most_changed(cs_target *t, const cs_kernel *k)
{
    size_t changed = 0, dim = t->space.dim;
    double before[16 * KERNEL_LANES];
    cs_block *b;
    assert_int_equal(
        cs_block_create(&b, t, k, 5, 0, KERNEL_LANES, NULL, 0, NULL), CS_OK);
    assert_int_equal(cs_block_start(b, NULL, NULL), CS_OK);
    assert_true(dim * b->lanes <= 16 * KERNEL_LANES);
    for (size_t step = 0; step < 400; step++) {
        memcpy(before, b->move.x, dim * b->lanes * sizeof *before);
        cs_block_run(b, NULL, 1, NULL);
        for (size_t l = 0; l < KERNEL_LANES; l++) {
            size_t n = 0;
            for (size_t at = l; at < dim * b->lanes; at += b->lanes)
                n += b->move.x[at] != before[at];
            changed = n > changed ? n : changed;
        }
    }
    cs_block_destroy(b);
    return changed;
}

static void kernels_change_as_many_sites_as_they_declare(void **state)
{
    (void)state;
    static const struct {
        const char *kernel;
        cs_value value[2];
        size_t n, sites;
    } cases[] = {
        {"gibbs", {{.name = "sites", .number = 1}}, 1, 1},
        {"gibbs", {{.name = "sites", .number = 3}}, 1, 3},
        {"random_walk", {{.name = "flips", .number = 2}}, 1, 2},
        {"locally_balanced", {{.name = NULL}}, 0, 1},
        {"gwg", {{.name = "flips", .number = 3}}, 1, 3},
        {"hamming_ball",
         {{.name = "sites", .number = 5}, {.name = "radius", .number = 1}},
         2,
         2},
        {"hamming_ball",
         {{.name = "sites", .number = 3}, {.name = "radius", .number = 2}},
         2,
         3}};
    cs_target *t;
    assert_int_equal(
        cs_target_create(cs_target_find("bernoulli4"), NULL, 0, &t, NULL),
        CS_OK);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cs_value value[2];
        cs_kernel k;
        for (size_t v = 0; v < 2; v++) {
            value[v] = cases[i].value[v];
            value[v].kind = CS_PARAM_INT;
            value[v].given = 1;
        }
        assert_int_equal(cs_kernel_init(&k, cs_kernel_find(cases[i].kernel),
                                        value, cases[i].n, NULL),
                         CS_OK);
        assert_int_equal(k.type->sites_at_once(k.values), cases[i].sites);
        assert_int_equal(most_changed(t, &k), cases[i].sites);
        cs_kernel_release(&k);
    }
    cs_target_release(t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(parts_and_jumps_are_those_of_all_pairs),
    cmocka_unit_test(kernels_change_as_many_sites_as_they_declare),
};
TESTS(test_apart)
