/* Tests coordinates that never change in some chains: they are counted, and the
 * chains disagree if this is not by chance. Tests the sentences about them and
 * about labels that may be exchangeable. */
#include "support/support.h"

#include "base/memory.h"
#include "stat/constant_chains.h"
#include "stat/series.h"
#include "warn/kinds.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CHAINS = 4, DRAWS = 64 };

/* Fills chain c with `value`, except every `every`th draw (0: none), which has
 * the value plus 1. */
static void fill(double *x, size_t c, double value, size_t every)
{
    for (size_t i = 0; i < DRAWS; i++)
        x[c * DRAWS + i] = value + (every && i % every == every - 1);
}

static cs_constant_chains count(const double *x)
{
    return cs_constant_chains_of((cs_draws){x, DRAWS, CHAINS});
}

static void constant_everywhere(void **state)
{
    double x[CHAINS * DRAWS];
    (void)state;
    for (size_t c = 0; c < CHAINS; c++)
        fill(x, c, 3, 0);
    cs_constant_chains f = count(x);
    assert_int_equal(f.chains, CHAINS);
    assert_int_equal(f.of, CHAINS);
    assert_true(f.value == 3 && !f.apart);
}

/* Chains that are constant at different values are apart: all of them, one of
 * four, and two of four. */
static void constant_at_different_values(void **state)
{
    double x[CHAINS * DRAWS];
    (void)state;
    for (size_t c = 0; c < CHAINS; c++)
        fill(x, c, (double)c, 0);
    assert_true(count(x).apart);
    for (size_t c = 0; c < CHAINS; c++)
        fill(x, c, c == 2 ? 1 : 0, 0);
    assert_true(count(x).apart);
    for (size_t c = 0; c < CHAINS; c++)
        fill(x, c, (double)(c % 2), 0);
    assert_true(count(x).apart);
}

/* Three chains have the other value in half of their draws. If they change in
 * every step, a chain never has it with probability 2^-64; if each has changed
 * once, with probability 1/4. A single change could have happened in any
 * chain. */
static void constant_in_one_chain(void **state)
{
    double x[CHAINS * DRAWS];
    (void)state;
    fill(x, 0, 1, 0);
    for (size_t c = 1; c < CHAINS; c++)
        fill(x, c, 1, 2);
    cs_constant_chains f = count(x);
    assert_true(f.chains == 1 && f.apart);
    for (size_t c = 1; c < CHAINS; c++)
        for (size_t i = 0; i < DRAWS; i++)
            x[c * DRAWS + i] = 1 + (i >= DRAWS / 2);
    assert_false(count(x).apart);
    for (size_t c = 1; c < CHAINS; c++)
        fill(x, c, 1, c == 1 ? DRAWS : 0);
    f = count(x);
    assert_true(f.chains == 3 && !f.apart);
    for (size_t c = 0; c < CHAINS; c++)
        fill(x, c, 1, 4);
    f = count(x);
    assert_true(f.chains == 0 && !f.apart);
}

/* Ranks of discrete draws are averaged over ties, so that R-hat and ESS do not
 * depend on the order of equal draws: here of 0, 0, 1, 1, 1, 2. */
static void ties_have_mean_ranks(void **state)
{
    const double x[] = {1, 0, 2, 1, 0, 1}, want[] = {4, 1.5, 6, 4, 1.5, 4};
    double rank[6];
    (void)state;
    assert_int_equal(cs_ranks(x, 6, rank, NULL), CS_OK);
    for (size_t i = 0; i < 6; i++)
        assert_true(rank[i] == want[i]);
}

/* ---- sentences ------------------------------------------------------------- */

static void name_of(const void *self, size_t k, char name[CS_WARN_NAME])
{
    (void)self;
    snprintf(name, CS_WARN_NAME, k ? "z.%zu" : "lp__", k);
}

static bool says(cs_warn_find_draws *find, const cs_warn_draws *d,
                 const char *want)
{
    cs_page p = {0};
    bool found = find(d, &p) && strcmp(p.text, want) == 0;
    if (!found)
        print_error("%s", p.text ? p.text : "(nothing)\n");
    cs_free(p.text);
    return found;
}

static void constants_are_named(void **state)
{
    enum { SCALARS = 8 };
    cs_diagnosis all[SCALARS];
    cs_page p = {0};
    cs_warn_draws d = {.d = all,
                       .scalars = SCALARS,
                       .chains = CHAINS,
                       .draws = DRAWS,
                       .name = name_of};
    (void)state;
    for (size_t k = 0; k < SCALARS; k++)
        all[k] = cs_no_diagnosis(NULL);
    assert_false(cs_warn_draws_constant(&d, &p));
    assert_false(cs_warn_draws_constant_apart(&d, &p));
    assert_false(cs_warn_draws_constant_rare(&d, &p));
    all[3].constant = (cs_constant_chains){CHAINS, CHAINS, 2, false};
    assert_true(says(cs_warn_draws_constant, &d,
                     "z.3 is constant (2 in all draws); a constant has no "
                     "R-hat and no ESS\n"));
    all[1].constant = (cs_constant_chains){1, CHAINS, 2, false};
    assert_true(says(cs_warn_draws_constant_rare, &d,
                     "z.1 changes in some chains only, too rarely for R-hat "
                     "and ESS: run longer\n"));
    all[1].constant.apart = true;
    assert_true(says(cs_warn_draws_constant_apart, &d,
                     "z.1 is constant in 1 of 4 chains, and changes in the "
                     "others: the chains do not agree; run longer or change "
                     "the kernel\n"));
    all[1].constant.chains = CHAINS;
    assert_true(says(cs_warn_draws_constant_apart, &d,
                     "z.1 is constant in each chain, at different values: the "
                     "chains do not agree; run longer or change the kernel\n"));
    for (size_t k = 1; k < SCALARS; k++)
        all[k].constant = (cs_constant_chains){CHAINS, CHAINS, 2, true};
    assert_true(says(cs_warn_draws_constant_apart, &d,
                     "z.1, z.2, z.3, z.4 and 3 more are constant in some "
                     "chains, and have other values in others: the chains do "
                     "not agree; run longer or change the kernel\n"));
    const cs_warn_labels labels = {"z", "mu", {1, 3}};
    assert_false(cs_warn_draws_labels(&d, &p));
    d.labels = &labels;
    assert_true(says(cs_warn_draws_labels, &d,
                     "the labels of z may be exchangeable: the means of mu in "
                     "chain 3 are those of chain 1 in another order; order mu, "
                     "or use quantities that do not depend on the order\n"));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(constant_everywhere),
    cmocka_unit_test(constant_at_different_values),
    cmocka_unit_test(constant_in_one_chain),
    cmocka_unit_test(ties_have_mean_ranks),
    cmocka_unit_test(constants_are_named),
};
TESTS(test_constant_chains)
