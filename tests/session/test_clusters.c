/* Tests the clusters of sites that a session computes for the screen. Without
 * coupling, each cluster is a single site. If all bonds are present, there are
 * one or two clusters. At any coupling, all sites of a cluster have equal
 * values. The sizes of clusters agree with those in the kernel
 * swendsen_wang. */
#include "run/arms/arms.h"
#include "run/run.h"
#include "support/by_name.h"
#include "support/support.h"

#include "session/publish/publish.h"
#include "session/state/session_state.h"

#include <stdio.h>
#include <string.h>

enum { SIDE = 8, N = SIDE * SIDE };

static cs_session session;
static _Alignas(8) unsigned char memory[1 << 14];
static cs_flat shot;

static void open_ising(double beta)
{
    const cs_value given[] = {
        {.name = "rows", .kind = CS_PARAM_INT, .given = 1, .number = SIDE},
        {.name = "cols", .kind = CS_PARAM_INT, .given = 1, .number = SIDE},
        {.name = "beta", .kind = CS_PARAM_REAL, .given = 1, .number = beta}};
    cs_target *t = NULL;
    assert_int_equal(
        cs_target_create(cs_target_find("ising"), given, 3, &t, NULL), CS_OK);
    const cs_arm_spec arm = {.name = "one", .kernel = kernel_of("gibbs")};
    const cs_run_spec spec = {
        .target = t, .arms = &arm, .n_arms = 1, .chains = 2, .seed = 3};
    memset(&session, 0, sizeof session);
    assert_int_equal(cs_run_create(&session.open.run, &spec, NULL), CS_OK);
    cs_target_release(t);
}

static double number_of(const char *key)
{
    cs_flat_entry e;
    assert_true(cs_flat_find(shot.base, shot.used, &e, "%s", key) && e.data);
    return *e.data;
}

static const char *look(void)
{
    cs_flat_entry e;
    cs_flat_begin(&shot, memory, sizeof memory);
    cs_session_put_clusters(&session, 0, N, &shot);
    assert_true(
        cs_flat_find(shot.base, shot.used, &e, "look/picture/clusters"));
    assert_int_equal(strlen(e.text), N);
    return e.text;
}

static void without_coupling_sites_are_alone(void **state)
{
    (void)state;
    open_ising(0);
    look();
    assert_true(number_of("look/picture/clusters_n") == N);
    assert_near(number_of("look/picture/clusters_share"), 1.0 / N, 1e-12, 0);
    cs_run_destroy(session.open.run);
}

/* If all possible bonds are present, each cluster is a domain of equal values.
 * The chain has only a few domains. In each of the largest clusters, all sites
 * have equal values. */
static void clusters_are_of_one_value(void **state)
{
    static const double beta[] = {0.2, 0.44, 30};
    double before = N + 1;
    (void)state;
    for (size_t k = 0; k < 3; k++) {
        open_ising(beta[k]);
        run_steps(session.open.run, 2000);
        const char *rank = look();
        cs_lane_view at = cs_run_lane(session.open.run, 0, 0);
        double value[CS_CLUSTERS_NAMED], n[CS_CLUSTERS_NAMED + 1] = {0};
        for (size_t i = 0; i < CS_CLUSTERS_NAMED; i++)
            value[i] = -1;
        for (size_t i = 0; i < N; i++) {
            size_t r = (size_t)(rank[i] - 1);
            double x = at.x[i * at.stride];
            assert_true(r <= CS_CLUSTERS_NAMED);
            n[r]++;
            if (r == CS_CLUSTERS_NAMED)
                continue;
            assert_true(value[r] < 0 || value[r] == x);
            value[r] = x;
        }
        for (size_t r = 1; r < CS_CLUSTERS_NAMED; r++)
            assert_true(n[r] <= n[r - 1]);
        assert_near(number_of("look/picture/clusters_share"), n[0] / N, 1e-12,
                    0);
        assert_true(number_of("look/picture/clusters_n") < before);
        before = number_of("look/picture/clusters_n");
        cs_run_destroy(session.open.run);
    }
    assert_true(before <= 8);
}

/* Checks that the number of bonds agrees with the number of clusters. While
 * there are only a few bonds, each bond reduces the number of clusters by
 * one. */
static void bonds_hold_as_often_as_they_should(void **state)
{
    enum { TIMES = 400 };
    double sum = 0;
    (void)state;
    open_ising(0.01);
    for (size_t i = 0; i < TIMES; i++) {
        run_steps(session.open.run, 1);
        look();
        cs_lane_view at = cs_run_lane(session.open.run, 0, 0);
        double satisfied = 0;
        const cs_target *t = cs_run_target(session.open.run);
        for (size_t s = 0; s < N; s++) {
            cs_site_bonds b = t->type->sites.bonds(t, s);
            for (size_t j = 0; j < b.n; j++) {
                double strength = b.scale * b.strength[j];
                bool alike =
                    at.x[s * at.stride] == at.x[b.other[j] * at.stride];
                satisfied +=
                    alike == (strength > 0) ? -0.5 * expm1(-fabs(strength)) : 0;
            }
        }
        sum += N - number_of("look/picture/clusters_n") - satisfied;
    }
    /* each count is Poisson with a mean of 1 to 2, and loops are rare */
    assert_near(sum / TIMES, 0, 0, 0.25);
    cs_run_destroy(session.open.run);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(without_coupling_sites_are_alone),
    cmocka_unit_test(clusters_are_of_one_value),
    cmocka_unit_test(bonds_hold_as_often_as_they_should),
};
TESTS(test_clusters)
