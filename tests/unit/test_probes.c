/* Compares the probes with values that were computed by hand, on synthetic
 * series. */
#include "probe/rows.h"
#include "support/watch.h"

#include "target/enumeration.h"

static const cs_value one_dim = {
    .name = "dim", .kind = CS_PARAM_INT, .given = 1, .number = 1};

/* ---- acceptance ---- */

/* Chain 0 always accepts and chain 1 never accepts. Chain 2 accepts in the
 * first half of 1000 steps, and chain 3 in the second half. The rolling rate is
 * the mean of all steps up to step 256, and then an exponential mean with
 * weight 1/256 per step. After 500 steps with the opposite outcome, a share of
 * (255/256)^500 = 0.14126 of the old value remains. */
static void acceptance_whole_and_rolling(void **state)
{
    enum { N = 1000 };
    watch w;
    double x[4] = {0}, left = pow(255.0 / 256, 500);
    (void)state;
    assert_int_equal(watch_open(&w, "acceptance", "gaussian", &one_dim, 1), 0);
    for (int i = 0; i < N; i++) {
        w.accepted[0] = true;
        w.accepted[2] = i < N / 2;
        w.accepted[3] = i >= N / 2;
        w.moved[3] = i % 4 == 0;
        watch_step(&w, x, NULL);
    }
    watch_report(&w);
    static const double whole[] = {1, 0, 0.5, 0.5}, move[] = {0, 0, 0, 0.25};
    const double rolling[] = {1, 0, left, 1 - left};
    for (size_t c = 0; c < 4; c++) {
        assert_near(entry(&w, "chains", 4 * c), N, 0, 0);
        assert_near(entry(&w, "chains", 4 * c + 1), whole[c], 0, 0);
        assert_near(entry(&w, "chains", 4 * c + 2), move[c], 0, 0);
        assert_near(entry(&w, "chains", 4 * c + 3), rolling[c], 0, 1e-9);
    }
    /* 1000 steps give 125 bins of 8; bin 63 is half accepted */
    assert_int_equal(watch_find(&w, "rate").cols, 125);
    assert_near(entry(&w, "time", 124), 1000, 0, 0);
    assert_near(entry(&w, "rate", 2 * 125 + 61), 1, 0, 0);
    assert_near(entry(&w, "rate", 2 * 125 + 62), 0.5, 0, 0);
    assert_near(entry(&w, "rate", 2 * 125 + 63), 0, 0, 0);
    watch_close(&w);
}

/* A failed chain makes no steps, although its lane still reports the last step
 * that it made. */
static void acceptance_ends_with_its_chain(void **state)
{
    watch w;
    double x[4] = {0};
    (void)state;
    assert_int_equal(watch_open(&w, "acceptance", "gaussian", &one_dim, 1), 0);
    for (int i = 0; i < 100; i++) {
        w.accepted[1] = w.moved[1] = true;
        w.failed[1] = i >= 40;
        watch_step(&w, x, NULL);
    }
    watch_report(&w);
    for (size_t k = 1; k < 4; k++)
        assert_near(entry(&w, "chains", 4 + k), 1, 1e-12, 0);
    assert_near(entry(&w, "chains", 4), 40, 0, 0);
    watch_close(&w);
}

/* ---- movement ---- */

/* Chain 0 changes two of four bits at every step. Chain 1 changes no bit. Chain
 * 2 changes one bit per step in the first half of 100 steps. Chain 3 accepts
 * every fourth step and then changes two bits. The first observation only
 * stores the state. */
static void movement_is_counted(void **state)
{
    static const double both[4][2] = {
        {2, 2}, {0, NAN}, {49 / 99.0, 1}, {2 * 24 / 99.0, 2}};
    watch w;
    double x[16] = {0};
    (void)state;
    assert_int_equal(watch_open(&w, "movement", "bernoulli4", NULL, 0), 0);
    for (int i = 1; i <= 100; i++) {
        bool fourth = i % 4 == 0 && i < 100;
        x[0] = x[1] = i % 2;
        x[8] = i <= 50 ? i % 2 : x[8];
        w.accepted[0] = true;
        w.accepted[2] = i > 1 && i <= 50;
        w.accepted[3] = fourth;
        if (fourth)
            x[14] = x[15] = 1 - x[15];
        watch_step(&w, x, NULL);
    }
    watch_report(&w);
    for (size_t c = 0; c < 4; c++) {
        assert_near(entry(&w, "chains", 4 * c), 99, 0, 0);
        assert_near(entry(&w, "chains", 4 * c + 1), both[c][0], 1e-12, 0);
        assert_near(entry(&w, "chains", 4 * c + 3), both[c][0], 1e-12, 0);
        if (isnan(both[c][1]))
            assert_true(isnan(entry(&w, "chains", 4 * c + 2)));
        else
            assert_near(entry(&w, "chains", 4 * c + 2), both[c][1], 1e-12, 0);
    }
    assert_near(entry(&w, "all", 1), (2 * 99 + 49 + 48) / 396.0, 1e-12, 0);
    assert_near(entry(&w, "all", 2), (2 * 99 + 49 + 48) / (99 + 49 + 24.0),
                1e-12, 0);
    assert_null(watch_find(&w, "gap").data);
    w.probe.every = 2; /* observe every second step */
    watch_report(&w);
    assert_true(isnan(entry(&w, "chains", 2)));
    assert_near(entry(&w, "chains", 1), both[0][0], 1e-12, 0);
    watch_close(&w);
}

/* On a line the chain moves back and forth by 3, so the squared distance is 9.
 * There are no sites. The auxiliary variables of the chains are at distances of
 * 4, 5, 6 and 7, with mean 5.5 and variance 1.25. */
static void movement_on_a_line(void **state)
{
    watch w;
    _Alignas(CS_ALIGN) double aux[WATCH_LANES] = {0};
    (void)state;
    assert_int_equal(watch_open(&w, "movement", "gaussian", &one_dim, 1), 0);
    for (int i = 0; i < 10; i++) {
        double at = 3 * (i % 2), x[4] = {at, at, at, at};
        for (int l = 0; l < 4; l++)
            aux[l] = at - 4 - l;
        w.aux = aux;
        w.aux_rows = 1;
        w.failed[3] = i >= 5;
        watch_step(&w, x, NULL);
    }
    watch_report(&w);
    assert_true(isnan(entry(&w, "all", 1)));
    assert_near(entry(&w, "all", 3), 9, 1e-12, 0);
    assert_near(entry(&w, "chains", 4 * 3), 4, 0, 0);
    /* the last chain makes only half of the steps */
    double mean = (10 * (4 + 5 + 6) + 5 * 7) / 35.0;
    double square = (10 * (16 + 25 + 36) + 5 * 49) / 35.0;
    assert_near(entry(&w, "gap", 0), mean, 1e-12, 0);
    assert_near(entry(&w, "gap", 1), sqrt(square - mean * mean), 1e-9, 0);
    watch_close(&w);
}

/* ---- trace ---- */

/* Chain c has the ramp x = step / 10, shifted by c. Compares the minima and
 * maxima of bins of 8 steps. */
static void trace_keeps_the_envelope(void **state)
{
    watch w;
    (void)state;
    assert_int_equal(watch_open(&w, "trace", "gaussian", &one_dim, 1), 0);
    for (int i = 1; i <= 1000; i++) {
        double x[4];
        for (int c = 0; c < 4; c++)
            x[c] = i / 10.0 + c;
        watch_step(&w, x, NULL);
    }
    watch_report(&w);
    assert_string_equal(watch_find(&w, "names").text, "energy x.1");
    for (size_t c = 0; c < 4; c++) {
        assert_near(entry(&w, "1/low", c * 125), 0.1 + (double)c, 1e-15, 0);
        assert_near(entry(&w, "1/high", c * 125), 0.8 + (double)c, 1e-15, 0);
        assert_near(entry(&w, "1/low", c * 125 + 124), 99.3 + (double)c, 1e-15,
                    0);
        assert_near(entry(&w, "0/high", c * 125 + 124), 100 + (double)c, 1e-15,
                    0); /* log p = -x */
    }
    watch_close(&w);
}

/* ---- moments ---- */

/* The four chains are at 1 2 3 4, and then at 5 6 7 8. The mean is 4.5, the
 * variance is 6 with divisor 7, and the chains' means are 3 4 5 6. The exact
 * distribution is N(0, 1). */
static void moments_are_pooled(void **state)
{
    static const double x[2][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}};
    watch w;
    (void)state;
    assert_int_equal(watch_open(&w, "moments", "gaussian", &one_dim, 1), 0);
    watch_step(&w, x[0], NULL);
    watch_step(&w, x[1], NULL);
    watch_report(&w);
    assert_near(entry(&w, "mean", 0), 4.5, 1e-15, 0);
    assert_near(entry(&w, "sd", 0), sqrt(6), 1e-15, 0);
    assert_near(entry(&w, "mcse", 0), sqrt(5.0 / 3 / 4), 1e-15, 0);
    assert_near(entry(&w, "error", 0), 4.5, 1e-15, 0);
    assert_near(entry(&w, "error", 1), 1 / sqrt(8), 1e-15, 0);
    assert_near(entry(&w, "error", 2), 0.5 * log(6), 1e-15, 0);
    assert_near(entry(&w, "error", 3), 0.25, 1e-15, 0);
    watch_close(&w);
}

/* ---- modes ---- */

/* Two of the chains stay in one of the nine wells each. One chain alternates
 * between two wells every ten steps, and one enters another well at step 81. */
static void modes_are_counted(void **state)
{
    static const double at = 1 / 0.6;
    watch w;
    (void)state;
    assert_int_equal(watch_open(&w, "modes", "nine_modes", NULL, 0), 0);
    for (int i = 0; i < 100; i++) {
        double x[8] = {-at, -at, 0.1, -0.1, at, i / 10 % 2 ? at : -at, 0, at};
        if (i >= 80)
            x[6] = at;
        watch_step(&w, x, NULL);
    }
    watch_report(&w);
    /* modes are ordered (-,-) (-,0) (-,+) (0,-) (0,0) ... */
    assert_near(entry(&w, "visits", 0 * 9 + 0), 100, 0, 0);
    assert_near(entry(&w, "visits", 1 * 9 + 4), 100, 0, 0);
    assert_near(entry(&w, "visits", 2 * 9 + 6), 50, 0, 0);
    assert_near(entry(&w, "visits", 2 * 9 + 8), 50, 0, 0);
    assert_near(entry(&w, "visits", 3 * 9 + 5), 80, 0, 0);
    assert_near(entry(&w, "first", 3 * 9 + 8), 81, 0, 0);
    assert_true(isnan(entry(&w, "first", 0 * 9 + 8)));
    static const double jumps[] = {0, 0, 9, 1};
    for (size_t c = 0; c < 4; c++)
        assert_near(entry(&w, "jumps", c), jumps[c], 0, 0);
    /* Each row is the mode before a jump, each column the mode after it. One
     * chain makes 5 jumps in one direction and 4 jumps back, another chain
     * makes one jump. */
    for (size_t i = 0; i < 81; i++)
        assert_near(entry(&w, "matrix", i),
                    i == 6 * 9 + 8   ? 5
                    : i == 8 * 9 + 6 ? 4
                    : i == 5 * 9 + 8 ? 1
                                     : 0,
                    0, 0);
    /* the modes 0 4 6 8 5 have the shares 1/4, 1/4, 1/8, 7/40 and 1/5 */
    static const double share[9] = {0.25, 0, 0, 0, 0.25, 0.2, 0.125, 0, 0.175};
    double tv = 0;
    for (size_t m = 0; m < 9; m++)
        tv += 0.5 * fabs(share[m] - w.target->exact.mode_weight[m]);
    assert_near(entry(&w, "tv", 0), tv, 1e-9, 0);
    watch_close(&w);
}

/* ---- energy ---- */

static double truth_between(watch *w, double low, double high)
{
    cs_flat_entry edge = watch_find(w, "edges");
    double sum = 0;
    for (size_t b = 0; b + 1 < edge.cols; b++)
        if (edge.data[b] >= low && edge.data[b + 1] <= high)
            sum += entry(w, "truth", b);
    return sum;
}

/* -log p increases from 0 to 8 in steps of 1/4. All these values are borders of
 * bins, so each energy is counted in the bin above the border. */
static void energies_are_counted(void **state)
{
    watch w;
    double x[8] = {0}, logp[4], total = 0;
    (void)state;
    assert_int_equal(watch_open(&w, "energy", "gaussian", NULL, 0), 0);
    for (int i = 0; i < 33; i++) {
        for (int c = 0; c < 4; c++)
            logp[c] = -0.25 * i;
        watch_step(&w, x, logp);
    }
    watch_report(&w);
    cs_flat_entry edge = watch_find(&w, "edges"), n = watch_find(&w, "counts");
    for (size_t b = 0; b < n.cols; b++) {
        double inside = 0;
        for (int i = 0; i < 33; i++)
            inside += 0.25 * i >= edge.data[b] && 0.25 * i < edge.data[b + 1];
        assert_near(n.data[b], inside, 0, 0);
        total += n.data[b];
    }
    assert_near(total, 33, 0, 0);
    assert_near(entry(&w, "moments", 0), 4, 1e-12, 0);
    assert_near(entry(&w, "moments", 1), 0.25 * sqrt(33.0 * 34 / 12), 1e-12, 0);
    /* in two dimensions -log p is exponential */
    assert_string_equal(watch_find(&w, "truth_from").text, "formula");
    assert_near(truth_between(&w, 1, 2), exp(-1) - exp(-2), 1e-9, 0);
    watch_close(&w);
}

/* Passes a wide range of energies to the probe, so that its histogram covers
 * them. */
static void cover(watch *w, double low, double high)
{
    double x[4 * WATCH_DIM] = {0}, logp[4];
    for (int i = 0; i <= 200; i++) {
        for (int c = 0; c < 4; c++)
            logp[c] = -(low + (high - low) * i / 200);
        watch_step(w, x, logp);
    }
    watch_report(w);
}

/* Tests other sources of exact energies. For sixteen states, the state with the
 * largest mass, 0.16757, has the energy 1.786. For nine wells, a grid is
 * compared with a midpoint sum on another grid. For a mixture in five
 * dimensions, exact draws are used. At the centre of its lighter component
 * (weight 1/5), the energy is the component's own energy plus half a chi-square
 * with 5 degrees of freedom. */
static void energies_have_truths(void **state)
{
    static const double means[] = {-50, 0, 0, 0, 0, 50, 0, 0, 0, 0};
    static const double weights[] = {0.2, 0.8};
    const cs_value mixture[] = {{.name = "means",
                                 .kind = CS_PARAM_ARRAY,
                                 .given = 1,
                                 .array = means,
                                 .rows = 2,
                                 .cols = 5},
                                {.name = "weights",
                                 .kind = CS_PARAM_ARRAY,
                                 .given = 1,
                                 .array = weights,
                                 .rows = 2,
                                 .cols = 1}};
    watch w;
    (void)state;
    assert_int_equal(watch_open(&w, "energy", "bernoulli4", NULL, 0), 0);
    cover(&w, 0, 5);
    assert_string_equal(watch_find(&w, "truth_from").text, "all states");
    assert_near(truth_between(&w, 0, 2), 0.16757, 1e-3, 0);
    assert_near(truth_between(&w, 0, 5), 1, 1e-12, 0);
    watch_close(&w);

    assert_int_equal(watch_open(&w, "energy", "nine_modes", NULL, 0), 0);
    cover(&w, -8, 8);
    assert_string_equal(watch_find(&w, "truth_from").text, "grid");
    double below = 0, all = 0;
    for (int i = 0; i < 701; i++)
        for (int j = 0; j < 701; j++) {
            double x = -2.5 + 5 * (i + 0.5) / 701,
                   y = -2.5 + 5 * (j + 0.5) / 701;
            double e = (x * x + y * y - 10 * cos(1.2 * M_PI * x) -
                        10 * cos(1.2 * M_PI * y)) /
                           3 +
                       fmax(x * x + y * y - 7, 0);
            all += exp(-e);
            below += e < -5 ? exp(-e) : 0;
        }
    assert_near(truth_between(&w, -8, -5), below / all, 5e-3, 0);
    watch_close(&w);

    assert_int_equal(watch_open(&w, "energy", "mixture", mixture, 2), 0);
    cover(&w, 0, 30);
    assert_string_equal(watch_find(&w, "truth_from").text, "8192 exact draws");
    double sum = 0, mean = 0;
    cs_flat_entry edge = watch_find(&w, "edges");
    for (size_t b = 0; b + 1 < edge.cols; b++) {
        double share = entry(&w, "truth", b);
        sum += share;
        mean += share * 0.5 * (edge.data[b] + edge.data[b + 1]);
    }
    /* E(-log p) = 5/2 + 5/2 log 2 pi - sum w log w, with a standard error of
     * 1.6 / sqrt(8192) */
    double want = 2.5 + 2.5 * log(2 * M_PI) - 0.2 * log(0.2) - 0.8 * log(0.8);
    assert_near(sum, 1, 1e-9, 0);
    assert_near(mean, want, 0, 0.08);
    watch_close(&w);
}

/* ---- plane ---- */

/* Returns the index of the fullest cell of an array. */
static size_t fullest(watch *w, const char *key)
{
    cs_flat_entry e = watch_find(w, key);
    size_t best = 0;
    assert_non_null(e.data);
    for (size_t i = 0; i < e.rows * e.cols; i++)
        best = e.data[i] > e.data[best] ? i : best;
    return best;
}

/* A lattice with 25 modes has 450 x 450 values, which are summed over cells of
 * eight values. The modes are in the correct cells, and the total mass is 1. */
static void a_lattice_has_a_plane(void **state)
{
    watch w;
    double sum = 0;
    (void)state;
    assert_int_equal(watch_open(&w, "plane", "lattice_modes", NULL, 0), 0);
    double x[8] = {75, 300, 75, 300, 75, 300, 75, 300};
    watch_step(&w, x, NULL);
    watch_report(&w);
    cs_flat_entry truth = watch_find(&w, "truth"),
                  view = watch_find(&w, "view");
    size_t wide = truth.cols, high = truth.rows;
    assert_int_equal(wide, 57); /* 450 / 8, rounded up */
    assert_int_equal(high, 45); /* 450 / 10 */
    assert_near(view.data[1], 455.5, 0, 0);
    for (size_t i = 0; i < wide * high; i++)
        sum += truth.data[i];
    assert_near(sum, 1, 1e-12, 0);
    size_t at = fullest(&w, "counts"); /* (75, 300): column 9, row 30 */
    assert_int_equal(at % wide, 9);
    assert_int_equal(high - 1 - at / wide, 30);
    /* each mode has 1/25 of the mass; in the plane, 97 % of the mass of
     * exp(-r / 3.75) is at most 20 from the centre */
    double near = 0;
    for (size_t r = 0; r < high; r++)
        for (size_t c = 0; c < wide; c++)
            if (r + 2 >= at / wide && r <= at / wide + 2 && c >= 6 && c <= 12)
                near += truth.data[r * wide + c];
    assert_near(near, 0.97 / 25, 0.04, 0);
    assert_near(entry(&w, "outside", 0), 0, 0, 0);
    watch_close(&w);
}

/* Coordinates 3 and 1 of a correlated Gaussian are shown in a given window.
 * Their correlation is rho^2, so the ratio of two cells is exp of a quadratic
 * form. */
static void a_pair_of_a_normal(void **state)
{
    const cs_value values[] = {
        {.name = "dim", .kind = CS_PARAM_INT, .given = 1, .number = 3},
        {.name = "rho", .kind = CS_PARAM_REAL, .given = 1, .number = 0.8}};
    const cs_value ask[] = {
        {.name = "x", .kind = CS_PARAM_INT, .given = 1, .number = 3},
        {.name = "y", .kind = CS_PARAM_INT, .given = 1, .number = 1},
        {.name = "left", .kind = CS_PARAM_REAL, .given = 1, .number = -1},
        {.name = "right", .kind = CS_PARAM_REAL, .given = 1, .number = 2}};
    watch w;
    double rho = 0.64;
    (void)state;
    assert_int_equal(watch_open(&w, "plane", "gaussian", values, 2), 0);
    cs_probe_fini(&w.probe);
    assert_int_equal(
        cs_probe_init(&w.probe, cs_probe_find("plane"), ask, 4, w.target, NULL),
        CS_OK);
    cs_probe_settle(&w.probe);
    double x[12] = {0.1, 9, 1.9, 0.1, 9, 1.9, 0.1, 9, 1.9, 0.1, 9, 2.1};
    watch_step(&w, x, NULL);
    watch_report(&w);
    cs_flat_entry view = watch_find(&w, "view"),
                  truth = watch_find(&w, "truth");
    static const double want[] = {-1, 2, -4, 4};
    for (size_t i = 0; i < 4; i++)
        assert_near(view.data[i], want[i], 0, 0);
    assert_near(entry(&w, "axes", 0), 2, 0, 0);
    assert_near(entry(&w, "outside", 0), 1, 0, 0);
    size_t at = fullest(&w, "counts");
    assert_near(entry(&w, "counts", at), 3, 0, 0);
    assert_int_equal(at % 64, 61);      /* (1.9 + 1) / 3 * 64 */
    assert_int_equal(47 - at / 64, 24); /* (0.1 + 4) / 8 * 48 */
    double a[2], logp[2];
    for (int k = 0; k < 2; k++) {
        size_t row = k ? 20 : 26, col = k ? 50 : 20;
        double p = -1 + 3 * ((double)col + 0.5) / 64;
        double q = 4 - 8 * ((double)row + 0.5) / 48;
        a[k] = log(truth.data[row * 64 + col]);
        logp[k] = -0.5 * (p * p - 2 * rho * p * q + q * q) / (1 - rho * rho);
    }
    assert_near(a[1] - a[0], logp[1] - logp[0], 0,
                0.02); /* the density is curved within a cell */
    watch_close(&w);
}

/* The probe keeps the last 16 of 20 steps with their proposals and outcomes.
 * For a chain that failed at step 18, the probe keeps the last steps of this
 * chain. */
static void a_plane_keeps_the_newest_moves(void **state)
{
    enum { STEPS = 20, KEPT = 16 };
    const cs_value two = {
        .name = "dim", .kind = CS_PARAM_INT, .given = 1, .number = 2};
    watch w;
    double proposal[2 * WATCH_LANES];
    (void)state;
    assert_int_equal(watch_open(&w, "plane", "gaussian", &two, 1), 0);
    w.proposal = proposal;
    for (int i = 1; i <= STEPS; i++) {
        double x[8];
        for (int c = 0; c < 4; c++) {
            x[2 * c] = i + 100 * c;
            x[2 * c + 1] = -i;
            w.accepted[c] = (i + c) % 3 == 0;
        }
        for (int l = 0; l < WATCH_LANES; l++) {
            proposal[l] = 0.5 * i + 10 * l;
            proposal[WATCH_LANES + l] = 0.25 * i;
        }
        w.failed[2] = i >= 18;
        watch_step(&w, x, NULL);
    }
    watch_report(&w);
    cs_flat_entry moves = watch_find(&w, "moves");
    assert_int_equal(moves.rows, 4 * KEPT);
    const cs_row_move *move = (const cs_row_move *)moves.data;
    for (int c = 0; c < 4; c++)
        for (int k = 0; k < KEPT; k++, move++) {
            int i = (c == 2 ? 17 : STEPS) - KEPT + 1 + k;
            assert_near(move->x, i + 100 * c, 0, 0);
            assert_near(move->y, -i, 0, 0);
            assert_near(move->to_x, 0.5 * i + 10 * c, 0, 0);
            assert_near(move->to_y, 0.25 * i, 0, 0);
            assert_near(move->accepted, (i + c) % 3 == 0, 0, 0);
        }
    w.proposal = NULL;
    watch_step(&w, (double[8]){0}, NULL);
    watch_report(&w);
    move = (const cs_row_move *)watch_find(&w, "moves").data;
    assert_true(isnan(move[KEPT - 1].to_x) && !isnan(move[KEPT - 2].to_x));
    watch_close(&w);
}

/* In the plane of two bits each of the four states is one cell, which has its
 * exact mass. */
static void bits_are_four_cells(void **state)
{
    watch w;
    double x[16] = {0, 1, 0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0};
    (void)state;
    assert_int_equal(watch_open(&w, "plane", "bernoulli4", NULL, 0), 0);
    watch_step(&w, x, NULL);
    watch_report(&w);
    assert_int_equal(watch_find(&w, "counts").rows, 2);
    assert_int_equal(watch_find(&w, "counts").cols, 2);
    static const double counts[] = {2, 1, 1, 0}; /* y = 1 is the first row */
    for (size_t i = 0; i < 4; i++)
        assert_near(entry(&w, "counts", i), counts[i], 0, 0);
    double mean = 0; /* the first bit is 1 in the right column */
    mean += entry(&w, "truth", 1) + entry(&w, "truth", 3);
    assert_near(mean, w.target->exact.mean[0], 1e-12, 0);
    watch_close(&w);
}

/* ---- transitions ---- */

/* The first chain has the energies 0, 1, 3, 2, 4, and the energies of the
 * second chain are higher by 10. The sum of the squares of the changes 1, 2, -1
 * and 2 is 10. The sum of the squared deviations of the energies from 2 is also
 * 10. */
static void transitions_are_counted(void **state)
{
    static const double energy[] = {0, 1, 3, 2, 4};
    double now[WATCH_LANES], x[8] = {0};
    watch w;
    (void)state;
    assert_int_equal(watch_open(&w, "transitions", "nine_modes", NULL, 0), 0);
    w.energy = now;
    for (int i = 0; i < 5; i++) {
        for (size_t l = 0; l < WATCH_LANES; l++)
            now[l] = energy[i] + (l == 1 ? 10 : 0);
        watch_step(&w, x, NULL);
    }
    watch_report(&w);
    for (size_t c = 0; c < 4; c++)
        assert_near(entry(&w, "ebfmi", c), 1, 1e-12, 0);
    assert_near(entry(&w, "mean", 0), 4.5, 1e-12, 0);
    assert_near(entry(&w, "draws", 0), 20, 0, 0);
    cs_flat_entry edge = watch_find(&w, "change/edges");
    cs_flat_entry n = watch_find(&w, "change/counts");
    for (size_t b = 0; b < n.cols; b++) {
        double want = 0;
        for (int i = 1; i < 5; i++) {
            double change = energy[i] - energy[i - 1];
            want += change >= edge.data[b] && change < edge.data[b + 1];
        }
        assert_near(n.data[b], 4 * want, 0, 0);
    }
    edge = watch_find(&w, "energy/edges");
    n = watch_find(&w, "energy/counts");
    double high = 0;
    for (size_t b = 0; b < n.cols; b++)
        high += edge.data[b] >= 10 ? n.data[b] : 0;
    assert_near(high, 5, 0, 0);
    watch_close(&w);
}

/* ---- log p unknown ---- */

/* If log p is unknown, a probe omits the results that need log p, and reports
 * its other results. */
static void without_log_density(void **state)
{
    const cs_probe_type *probe;
    (void)state;
    for (size_t i = 0; (probe = cs_probe_at(i)); i++) {
        static watch w;
        double x[WATCH_CHAINS * WATCH_DIM] = {0};
        const char *target = strcmp(probe->name, "tours") == 0 ? "tsp"
                             : strcmp(probe->name, "mmd") == 0 ? "bernoulli4"
                                                               : "nine_modes";
        if (probe->column)
            continue; /* the probe reads a column of a kernel, not log p */
        assert_int_equal(watch_open(&w, probe->name, target, NULL, 0), CS_OK);
        w.no_logp = true;
        for (int k = 0; k < 600; k++) {
            for (size_t d = 0; strcmp(target, "nine_modes") == 0 && d < 8; d++)
                x[d] = watch_normal();
            watch_step(&w, x, NULL);
        }
        watch_report(&w);
        if (strcmp(probe->name, "diagnostics") == 0) {
            for (size_t k = 0; k < 4; k++)
                assert_true(isnan(entry(&w, "all", k)));
            for (size_t k = 4; k < 12; k++)
                assert_true(isfinite(entry(&w, "all", k)));
        }
        if (strcmp(probe->name, "energy") == 0) {
            assert_null(watch_find(&w, "counts").data);
            assert_true(isnan(entry(&w, "moments", 0)));
        }
        if (strcmp(probe->name, "trace") == 0) {
            assert_true(isnan(entry(&w, "0/low", 0)));
            assert_true(isnan(entry(&w, "0/recent", 0)));
            assert_true(isfinite(entry(&w, "1/low", 0)));
        }
        watch_close(&w);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(acceptance_whole_and_rolling),
    cmocka_unit_test(acceptance_ends_with_its_chain),
    cmocka_unit_test(movement_is_counted),
    cmocka_unit_test(movement_on_a_line),
    cmocka_unit_test(trace_keeps_the_envelope),
    cmocka_unit_test(moments_are_pooled),
    cmocka_unit_test(modes_are_counted),
    cmocka_unit_test(transitions_are_counted),
    cmocka_unit_test(energies_are_counted),
    cmocka_unit_test(energies_have_truths),
    cmocka_unit_test(a_plane_keeps_the_newest_moves),
    cmocka_unit_test(a_lattice_has_a_plane),
    cmocka_unit_test(a_pair_of_a_normal),
    cmocka_unit_test(bits_are_four_cells),
    cmocka_unit_test(without_log_density),
};
TESTS(test_probes)
