/* A synthetic snapshot in the session's format: two arms of four chains on a
 * mixture of four modes in the plane. */
#pragma once

#include "base/flat.h"
#include "run/draws/quantity_rows.h"
#include "session/client/snapshot_rows.h"

#include <math.h>
#include <string.h>

enum { CANNED_BYTES = 1 << 20 };

static inline double canned_wave(size_t i, size_t chain)
{
    double t = (double)i * 0.15 + (double)chain;
    return sin(t) + 0.5 * sin(2.3 * t + 1) + 0.2 * sin(11 * t);
}

static inline void canned_run(cs_flat *f)
{
    cs_flat_text(f, "running", "run/state");
    cs_flat_text(f, "Two islands", "run/title");
    cs_flat_text(f, "a fixed step stays on one island", "run/shows");
    cs_flat_text(f, "lattice_modes", "run/target");
    cs_flat_text(f, "trace energy acceptance visits map state summary",
                 "run/panels");
    cs_flat_text(f, "chain 3 reached mode 2 for the first time", "run/said/0");
    cs_flat_number(f, 1, "run/messages");
    cs_flat_number(f, 1240512, "run/steps");
    cs_flat_number(f, 41200, "run/rate");
    cs_flat_number(f, 0.62, "run/progress");
    cs_flat_number(f, 2, "run/arms");
    cs_flat_text(f, "a b", "coordinates");
}

static inline cs_decision canned_decision(void)
{
    return (cs_decision){.logp = -1.5,
                         .logp_proposal = -1.25,
                         .logp_change = 0.25,
                         .log_q_forward = -2,
                         .log_q_back = -2.5,
                         .log_ratio = -0.25,
                         .log_uniform = -0.875,
                         .accepted = 1,
                         .moved = 1};
}

static inline void canned_look(cs_flat *f)
{
    *CS_FLAT_ROWS(f, cs_row_look, 1, CS_KEY_LOOK) = (cs_row_look){.chain = 1};
    *CS_FLAT_ROWS(f, cs_decision, 1, CS_KEY_STEP) = canned_decision();
    double *x = cs_flat_array(f, 1, 2, "look/x");
    double *y = cs_flat_array(f, 1, 2, "look/proposal");
    x[0] = 0.5;
    x[1] = -1.25;
    y[0] = 0.75;
    y[1] = -1;
}

/* Adds to the snapshot the estimated and the exact log ratios of 200 steps. */
static inline void canned_ratios(cs_flat *f)
{
    cs_ratio *to = CS_FLAT_ROWS(f, cs_ratio, 200, CS_KEY_RATIOS);
    for (size_t i = 0; i < 200; i++) {
        double truth = 3 * sin(1.7 * (double)i) - 1;
        to[i] = (cs_ratio){1240313 + (double)i, truth + 0.4 * canned_wave(i, 3),
                           truth};
    }
}

/* Adds to the snapshot a grid of spins as observed data, another grid that
 * coupling from the past has simulated in 64 passes, and the result of a
 * step. */
static inline void canned_data(cs_flat *f)
{
    enum { SIDE = 12, POINTS = 64 };
    cs_row_picture *row = CS_FLAT_ROWS(f, cs_row_picture, 1, CS_KEY_DATA);
    *row = (cs_row_picture){.kind = 1,
                            .rows = SIDE,
                            .cols = SIDE,
                            .n = SIDE * SIDE,
                            .values = 2,
                            .high = 1,
                            .layers = 1,
                            .first = -1};
    char *data = cs_flat_room(f, SIDE * SIDE, "data/observed");
    char *made = cs_flat_room(f, SIDE * SIDE, "look/simulated/states");
    char *open = cs_flat_room(f, SIDE * SIDE, "look/coupling/open");
    for (size_t i = 0; i < SIDE * SIDE; i++) {
        data[i] = canned_wave(i, 0) > 0 ? 2 : 1;
        made[i] = canned_wave(i, 2) > 0.2 ? 2 : 1;
        open[i] = canned_wave(i, 3) > 1 ? 2 : 1;
    }
    *CS_FLAT_ROWS(f, cs_row_factors, 1, CS_KEY_FACTORS) =
        (cs_row_factors){41.5, 43.25, 38.5, 39.75, 64, 9216};
    *CS_FLAT_ROWS(f, cs_row_coupling, 1, CS_KEY_COUPLING) =
        (cs_row_coupling){64, POINTS, POINTS / 2};
    double *left = cs_flat_array(f, 1, POINTS + 1, "look/coupling/left");
    for (size_t i = 0; i <= POINTS; i++)
        left[i] = SIDE * SIDE * exp(-0.1 * (double)i);
    left[POINTS] = 0;
}

/* Adds to the snapshot each chain's last decision, for the selected arm, and
 * one change of a parameter. */
static inline void canned_steps_of(cs_flat *f, size_t chains)
{
    cs_decision *to = CS_FLAT_ROWS(f, cs_decision, chains, CS_KEY_STEPS);
    for (size_t i = 0; i < chains; i++) {
        to[i] = canned_decision();
        to[i].accepted = to[i].moved = i < 2;
    }
    cs_row_event *event = CS_FLAT_ROWS(f, cs_row_event, 1, CS_KEY_EVENTS);
    *event = (cs_row_event){.step = 600000};
}

static inline void canned_steps(cs_flat *f)
{
    canned_steps_of(f, 4);
}

static inline void canned_trace(cs_flat *f, size_t arm, size_t chains)
{
    enum { T = 128 };
    const size_t C = chains;
    cs_flat_text(f, "energy a b", "arm/%zu/trace/names", arm);
    double *time = cs_flat_array(f, 1, T, "arm/%zu/trace/time", arm);
    for (size_t i = 0; i < T; i++)
        time[i] = 9691 * (double)(i + 1);
    double *ends = cs_flat_array(f, 1, 2 * T, "arm/%zu/trace/drawn", arm);
    for (size_t i = 0; i < 2 * T; i++)
        ends[i] = 4845.5 * (double)(i + 1);
    double *newest = cs_flat_array(f, 1, T, "arm/%zu/trace/recent", arm);
    for (size_t i = 0; i < T; i++)
        newest[i] = 1240512 - T + 1 + (double)i;
    for (size_t s = 0; s < 3; s++) {
        double *now =
            cs_flat_array(f, C, T, "arm/%zu/trace/%zu/recent", arm, s);
        for (size_t i = 0; i < C * T; i++)
            now[i] = 5 * canned_wave(i % T / 2, i / T + arm) - 230;
        double *low = cs_flat_array(f, C, T, "arm/%zu/trace/%zu/low", arm, s);
        double *high = cs_flat_array(f, C, T, "arm/%zu/trace/%zu/high", arm, s);
        for (size_t i = 0; i < C * T; i++) {
            low[i] = 5 * canned_wave(i % T, i / T + arm) - 230;
            high[i] = low[i] + 2;
        }
        double *drawn =
            cs_flat_array(f, C, 2 * T, "arm/%zu/trace/%zu/drawn", arm, s);
        for (size_t i = 0; i < C * 2 * T; i++)
            drawn[i] = low[i / 2] + 2 * (double)(i * 13 % 32) / 31;
    }
}

static inline void canned_counts(cs_flat *f, size_t arm, size_t chains)
{
    enum { B = 24, T = 40 };
    const size_t C = chains;
    double *edges = cs_flat_array(f, 1, B + 1, "arm/%zu/energy/edges", arm);
    double *counts = cs_flat_array(f, C, B, "arm/%zu/energy/counts", arm);
    double *truth = cs_flat_array(f, 1, B, "arm/%zu/energy/truth", arm);
    double sum = 0;
    for (size_t b = 0; b <= B; b++)
        edges[b] = -290 + 5 * (double)b;
    for (size_t b = 0; b < B; b++) {
        double z = ((double)b - 11) / 4;
        sum += truth[b] = exp(-z * z / 2);
        for (size_t c = 0; c < C; c++)
            counts[c * B + b] = floor(1000 * exp(-z * z / 2) *
                                      (1 + 0.1 * sin((double)(b + c))));
    }
    for (size_t b = 0; b < B; b++)
        truth[b] /= sum;
    cs_row_acceptance *rows =
        CS_FLAT_ROWS(f, cs_row_acceptance, C, CS_KEY_ACCEPTANCE, arm);
    double *good = cs_flat_array(f, 1, 2, "arm/%zu/acceptance/good", arm);
    good[0] = 0.35;
    good[1] = 0.79;
    double *rate = cs_flat_array(f, C, T, "arm/%zu/acceptance/rate", arm);
    double *time = cs_flat_array(f, 1, T, "arm/%zu/acceptance/time", arm);
    for (size_t c = 0; c < C; c++) {
        rows[c] = (cs_row_acceptance){.steps = 310128,
                                      .accepted = 0.6 + 0.01 * (double)c,
                                      .moved = 0.59,
                                      .rolling = 0.62};
        for (size_t i = 0; i < T; i++) {
            time[i] = 31000 * (double)(i + 1);
            rate[c * T + i] = 0.6 + 0.1 * sin((double)(i + 5 * c) / 4);
        }
    }
}

static inline void canned_modes(cs_flat *f, size_t arm, size_t chains)
{
    enum { M = 4, T = 40, H = 24, W = 24 };
    const size_t C = chains;
    double *visits = cs_flat_array(f, C, M, "arm/%zu/modes/visits", arm);
    double *first = cs_flat_array(f, C, M, "arm/%zu/modes/first", arm);
    double *weight = cs_flat_array(f, 1, M, "arm/%zu/modes/weight", arm);
    double *shares = cs_flat_array(f, M, T, "arm/%zu/modes/shares", arm);
    double *jumps = cs_flat_array(f, 1, C, "arm/%zu/modes/jumps", arm);
    for (size_t i = 0; i < C * M; i++) {
        bool seen = arm || i % M == i / M;
        visits[i] = seen ? 1000 + 100 * (double)i : 0;
        first[i] = seen ? 212 * (double)((i ^ arm) + 1) : (double)NAN;
    }
    for (size_t c = 0; c < C; c++)
        jumps[c] = arm ? 63 : 0;
    double *n = cs_flat_array(f, M, M, "arm/%zu/modes/matrix", arm);
    for (size_t i = 0; arm && i < M * M; i++)
        n[i] = i % (M + 1) ? 16 + (double)(i * 7 % 12) : 0;
    for (size_t m = 0; m < M; m++) {
        weight[m] = 0.25;
        for (size_t i = 0; i < T; i++)
            shares[m * T + i] = fmax(0, sin((double)(i + 10 * m) / 5)) / 1.5;
    }
    *CS_FLAT_ROWS(f, cs_row_view, 1, CS_KEY_PLANE_VIEW, arm) =
        (cs_row_view){-3, 3, -3, 3};
    double *counts = cs_flat_array(f, H, W, "arm/%zu/plane/counts", arm);
    double *truth = cs_flat_array(f, H, W, "arm/%zu/plane/truth", arm);
    for (size_t i = 0; i < H * W; i++) {
        double y = fabs((double)(i / W) - 11.5) - 6;
        double x = fabs((double)(i % W) - 11.5) - 6;
        truth[i] = exp(-(x * x + y * y) / 4);
        counts[i] = arm || i % W < W / 2 ? floor(100 * truth[i]) : 0;
    }
}

static inline void canned_distance(cs_flat *f, size_t arm)
{
    cs_flat_text(f, "tv kl", "arm/%zu/distance/names", arm);
    double *now = cs_flat_array(f, 1, 2, "arm/%zu/distance/values", arm);
    double *least = cs_flat_array(f, 1, 2, "arm/%zu/distance/floor", arm);
    double *time = cs_flat_array(f, 1, 40, "arm/%zu/distance/time", arm);
    double *curve = cs_flat_array(f, 2, 40, "arm/%zu/distance/curve", arm);
    for (int i = 0; i < 2; i++) {
        now[i] = arm ? 0.018 : 0.51;
        least[i] = 0.012;
    }
    for (int i = 0; i < 40; i++) {
        time[i] = 31000 * (i + 1.0);
        curve[i] = curve[40 + i] = arm ? 0.6 / sqrt(i + 1.0) : 0.5;
    }
}

/* Adds to the snapshot errors of the mean that decrease as 1 / t, for a target
 * without known moments. */
static inline void canned_means(cs_flat *f, size_t arm)
{
    enum { T = 40, K = 2 };
    double *time = cs_flat_array(f, 1, T, "arm/%zu/means/time", arm);
    double *mean = cs_flat_array(f, T, K, "arm/%zu/means/mean", arm);
    double *spread = cs_flat_array(f, T, K, "arm/%zu/means/spread", arm);
    double *sd = cs_flat_array(f, 1, K, "arm/%zu/means/sd", arm);
    for (size_t i = 0; i < T; i++) {
        time[i] = 31000 * ((double)i + 1);
        for (size_t d = 0; d < K; d++) {
            mean[i * K + d] = 3 + 0.2 * canned_wave(i, arm) / ((double)i + 1);
            spread[i * K + d] = (arm ? 0.01 : 0.05) / ((double)i + 1);
        }
    }
    for (size_t d = 0; d < K; d++)
        sd[d] = 1;
}

/* Adds to the snapshot 30 bins. Bins 5 to 26 have been visited. The weights of
 * the last eight visited bins are still being learned. Only the first arm has
 * gradient multipliers and exact masses of the bins. */
static inline void canned_bins(cs_flat *f, size_t arm)
{
    enum { B = 30 };
    static const char *const keys[] = {"low",    "high",      "weight",
                                       "spread", "visits",    "learning",
                                       "truth",  "multiplier"};
    double *row[8], sum = 0;
    for (size_t k = 0; k < (arm ? 6 : 8); k++)
        row[k] = cs_flat_array(f, 1, B, "arm/%zu/kernel/bin_%s", arm, keys[k]);
    for (size_t i = 0; i < B; i++)
        sum += exp(-0.6 * fmax((double)i - 4, 0)) * (i >= 4);
    for (size_t i = 0; i < B; i++) {
        double z = (double)i, mass = exp(-0.6 * (z - 4)) / sum;
        bool seen = i >= 4 && i < 26;
        row[0][i] = 1 + z;
        row[1][i] = 2 + z;
        row[2][i] = seen ? mass * exp(0.5 * sin(z)) : 1e-9;
        row[3][i] = i == 12 ? 3 : 0.1;
        row[4][i] = seen ? (1 + 0.4 * sin(z / 2)) / 22 : 0;
        row[5][i] = i >= 18 || i < 4;
        if (arm)
            continue;
        row[6][i] = i < 4 ? 0 : i < 20 ? mass : (double)NAN;
        row[7][i] = 1 - 1.4 * exp(-(z - 14) * (z - 14) / 6);
    }
}

/* Adds to the snapshot the numbers of data rows that arms use. Arm 0 draws one
 * in 50 of the rows and keeps an eighth of the drawn rows. Arm 1 has loose
 * bounds, and does not report how many rows are kept. */
static inline void canned_rows(cs_flat *f, size_t arm)
{
    enum { STEPS = 128, CHAINS = 4, BINS = 50 };
    double mean = arm ? 12000 : 200, sd = sqrt(mean);
    cs_flat_number(f, 10000, "arm/%zu/rows/of", arm);
    cs_flat_number(f, mean, "arm/%zu/expected_rows", arm);
    *CS_FLAT_ROWS(f, cs_row_rows, 1, CS_KEY_ROWS_DRAWN, arm) =
        (cs_row_rows){4e6, mean + 1, sd, mean + 4.5 * sd};
    *CS_FLAT_ROWS(f, cs_row_rows, 1, CS_KEY_ROWS_KEPT, arm) =
        arm ? (cs_row_rows){0, NAN, NAN, NAN} : (cs_row_rows){4e6, 24.8, 5, 51};
    double *time = cs_flat_array(f, 1, STEPS, "arm/%zu/rows/recent", arm);
    double *drawn =
        cs_flat_array(f, CHAINS, STEPS, "arm/%zu/rows/drawn/recent", arm);
    double *kept =
        cs_flat_array(f, CHAINS, STEPS, "arm/%zu/rows/kept/recent", arm);
    for (size_t i = 0; i < CHAINS * STEPS; i++) {
        time[i % STEPS] = 1240512 - STEPS + 1 + (double)(i % STEPS);
        drawn[i] = floor(mean + sd * canned_wave(i, arm));
        kept[i] = arm ? (double)NAN : floor(25 + 5 * canned_wave(i + 7, arm));
    }
    double *edge = cs_flat_array(f, 1, BINS + 1, "arm/%zu/rows/edges", arm);
    double *n = cs_flat_array(f, 1, BINS, "arm/%zu/rows/drawn/counts", arm);
    double *k = cs_flat_array(f, 1, BINS, "arm/%zu/rows/kept/counts", arm);
    double width = (mean + 5 * sd) / BINS;
    for (size_t b = 0; b <= BINS; b++)
        edge[b] = width * (double)b - 0.5;
    for (size_t b = 0; b < BINS; b++) {
        double z = (edge[b] + width / 2 - mean) / sd;
        double y = (edge[b] + width / 2 - 25) / 5;
        n[b] = floor(1e5 * exp(-z * z / 2));
        k[b] = arm ? 0 : floor(2e5 * exp(-y * y / 2));
    }
}

/* Adds to the snapshot the energies of a double well along a line. The energies
 * are within the range of the bins of canned_bins. */
static inline void canned_line(cs_flat *f)
{
    enum { N = 401 };
    cs_flat_text(f, "a", "line/name");
    cs_flat_text(f, "through chain 2 of dmala", "line/through");
    cs_flat_number(f, 1240500, "line/step");
    *cs_flat_array(f, 1, 1, "line/marks") = 1.75;
    double *at = cs_flat_array(f, 1, N, "line/at");
    double *energy = cs_flat_array(f, 1, N, "line/energy");
    for (size_t i = 0; i < N; i++) {
        double x = at[i] = -4 + 8 * (double)i / (N - 1);
        energy[i] = 6.6 + 0.6 * (x * x - 5) * (x * x - 5) + 0.4 * x;
    }
}

/* Adds to the snapshot the density of a bimodal quantity and its exact density.
 * The chains have different densities. */
static inline void canned_marginal(cs_flat *f, size_t arm, size_t chains)
{
    enum { B = 64 };
    double *edge = cs_flat_array(f, 1, B + 1, "arm/%zu/draws/0/edges", arm);
    double *all = cs_flat_array(f, 1, B, "arm/%zu/draws/0/all", arm);
    double *share = cs_flat_array(f, chains, B, "arm/%zu/draws/0/shares", arm);
    double *truth = cs_flat_array(f, 1, B, "arm/%zu/draws/0/truth", arm);
    cs_flat_text(f, "marginal=a", "arm/%zu/draws/0/what", arm);
    cs_flat_text(f, "grid", "arm/%zu/draws/0/from", arm);
    for (size_t b = 0; b <= B; b++)
        edge[b] = -3.2 + 0.1 * (double)b;
    for (size_t b = 0; b < B; b++) {
        double x = edge[b] + 0.05, left = exp(-(x + 1.5) * (x + 1.5) * 2);
        double right = exp(-(x - 1.5) * (x - 1.5) * 2);
        truth[b] = 0.1 * (left + right) / sqrt(2 * 3.14159265);
        all[b] = 0.2 * (0.65 * left + 0.35 * right) / sqrt(2 * 3.14159265);
        for (size_t c = 0; c < chains; c++)
            share[c * B + b] = 0.2 * (c % 2 ? left : right) / 2.5;
    }
    *CS_FLAT_ROWS(f, cs_row_marginal, 1, CS_KEY_MARGINAL, arm, (size_t)0) =
        (cs_row_marginal){-0.45, 1.52, 0.21,  -2.18, 2.03, 0.15,
                          0.012, 0.16, 0.006, 19380, 19380};
}

/* Adds autocorrelations to the snapshot: 0.8 to the power of the lag, with
 * noise. */
static inline void canned_lags(cs_flat *f, size_t arm, size_t chains)
{
    enum { N = 60 };
    double *lag = cs_flat_array(f, 1, N, "arm/%zu/draws/1/lag", arm);
    double *mean = cs_flat_array(f, 1, N, "arm/%zu/draws/1/mean", arm);
    double *rho = cs_flat_array(f, chains, N, "arm/%zu/draws/1/rho", arm);
    cs_flat_text(f, "autocorrelation=a", "arm/%zu/draws/1/what", arm);
    for (size_t i = 0; i < N; i++) {
        lag[i] = 256 * (double)i;
        mean[i] = pow(arm ? 0.6 : 0.9, (double)i);
        for (size_t c = 0; c < chains; c++)
            rho[c * N + i] = mean[i] + (i ? 0.06 * canned_wave(i, c + arm) : 0);
    }
    *CS_FLAT_ROWS(f, cs_row_lags, 1, CS_KEY_LAGS, arm, (size_t)1) =
        (cs_row_lags){arm ? 4845 : 1020, arm ? 1024 : 4864, arm ? 2560 : 7680,
                      256};
}

/* Adds to the snapshot rank histograms of the chains. The histograms are
 * uniform, except that the ranks of the third chain are too high. */
static inline void canned_ranks(cs_flat *f, size_t arm, size_t chains)
{
    enum { B = 20 };
    double *n = cs_flat_array(f, chains, B, "arm/%zu/draws/2/counts", arm);
    cs_flat_text(f, "ranks=a", "arm/%zu/draws/2/what", arm);
    for (size_t i = 0; i < chains * B; i++)
        n[i] = round(242 + 18 * canned_wave(i, arm) +
                     (i / B == 2 && !arm ? 14 * ((double)(i % B) - 9.5) : 0));
    *CS_FLAT_ROWS(f, cs_row_ranks, 1, CS_KEY_RANKS, arm, (size_t)2) =
        (cs_row_ranks){0.95, 4845, arm ? 1.002 : 1.03, 4845, chains == 1};
    double *band = cs_flat_array(f, 2, B, "arm/%zu/draws/2/band", arm);
    for (size_t b = 0; b < B; b++) {
        band[b] = 170;
        band[B + b] = 315;
    }
}

static inline void canned_running(cs_flat *f, size_t arm, size_t chains)
{
    enum { T = 64 };
    double *time = cs_flat_array(f, 1, T, "arm/%zu/draws/3/time", arm);
    double *mean = cs_flat_array(f, 2, T, "arm/%zu/draws/3/mean", arm);
    double *one = cs_flat_array(f, chains, T, "arm/%zu/draws/3/chain", arm);
    cs_flat_text(f, "running=a", "arm/%zu/draws/3/what", arm);
    for (size_t i = 0; i < T; i++) {
        double t = (double)i + 1;
        time[i] = 19383 * t;
        mean[i] = 0.4 + canned_wave(i, arm) / t;
        mean[T + i] = i < 8 ? (double)NAN : 0.5 / sqrt(t);
        for (size_t c = 0; c < chains; c++)
            one[c * T + i] = mean[i] + 0.2 * ((double)(c % 4) - 1.5);
    }
    *CS_FLAT_ROWS(f, cs_row_running, 1, CS_KEY_RUNNING, arm, (size_t)3) =
        (cs_row_running){mean[T - 1], mean[2 * T - 1], 0.25};
}

/* Adds to the snapshot draws of two coordinates, which lie along a curve. */
static inline void canned_pairs(cs_flat *f, size_t arm)
{
    enum { S = 32 };
    double *range = cs_flat_array(f, 2, 2, "arm/%zu/draws/4/range", arm);
    double *r = cs_flat_array(f, 2, 2, "arm/%zu/draws/4/correlation", arm);
    double *of = cs_flat_array(f, 1, 2, "arm/%zu/draws/4/scalars", arm);
    double *share[2];
    char *plane = cs_flat_room(f, S * S, "arm/%zu/draws/4/plane/0/1", arm);
    cs_flat_text(f, "pairs=a,b", "arm/%zu/draws/4/what", arm);
    for (size_t k = 0; k < 2; k++) {
        share[k] = cs_flat_array(f, 1, S, "arm/%zu/draws/4/share/%zu", arm, k);
        range[2 * k] = -4;
        range[2 * k + 1] = 4;
        r[3 * k] = 1;
        of[k] = 1 + (double)k;
    }
    r[1] = r[2] = arm ? 0.93 : -0.12;
    for (size_t i = 0; i < S * S; i++) {
        double x = ((double)(i % S) - 15.5) / 4;
        double y = (15.5 - (double)(i / S)) / 4;
        double off = y - (arm ? x : x * x / 3 - 2);
        double p = exp(-off * off * 2 - x * x / 4);
        plane[i] = (char)(unsigned char)(1 + 254 * sqrt(p));
        share[0][i % S] += p;
        share[1][S - 1 - i / S] += p;
    }
}

/* Adds to the snapshot the energies of trajectories, and energy changes. The
 * spread of the energy changes is too small. */
static inline void canned_transitions(cs_flat *f, size_t arm, size_t chains)
{
    static const char *const name[] = {"energy", "change"};
    enum { B = 40 };
    for (size_t k = 0; k < 2; k++) {
        double *edge = cs_flat_array(
            f, 1, B + 1, "arm/%zu/transitions/%s/edges", arm, name[k]);
        double *n = cs_flat_array(f, 1, B, "arm/%zu/transitions/%s/counts", arm,
                                  name[k]);
        for (size_t b = 0; b <= B; b++)
            edge[b] = (k ? 0 : 230) + 0.5 * ((double)b - B / 2);
        for (size_t b = 0; b < B; b++) {
            double z = 0.5 * ((double)b - B / 2 + 0.5) / (k ? 1.2 : 3.5);
            n[b] = floor(1000 / (k ? 1.2 : 3.5) * exp(-z * z / 2));
        }
    }
    double *each =
        cs_flat_array(f, 1, chains, "arm/%zu/transitions/ebfmi", arm);
    for (size_t c = 0; c < chains; c++)
        each[c] = 0.29 - 0.04 * (double)(c % 4);
    cs_flat_number(f, 230, "arm/%zu/transitions/mean", arm);
    cs_flat_number(f, 5012, "arm/%zu/transitions/draws", arm);
}

/* Adds to the snapshot generated quantities of the draws. */
static inline void canned_draws(cs_flat *f, size_t arm, size_t chains)
{
    double *number = cs_flat_array(f, 1, chains, "arm/%zu/draws/chains", arm);
    for (size_t c = 0; c < chains; c++)
        number[c] = 1 + (double)c;
    cs_flat_number(f, 4845, "arm/%zu/draws/n", arm);
    cs_flat_number(f, 256, "arm/%zu/draws/every", arm);
    canned_marginal(f, arm, chains);
    canned_lags(f, arm, chains);
    canned_ranks(f, arm, chains);
    canned_running(f, arm, chains);
    canned_pairs(f, arm);
    if (arm == 0)
        canned_transitions(f, arm, chains);
}

static cs_figures canned_figures(double mean, double sd, double rhat,
                                 double bulk, double tail, double mcse,
                                 double ess)
{
    return (cs_figures){.mean = mean,
                        .sd = sd,
                        .rhat = rhat,
                        .bulk = bulk,
                        .tail = tail,
                        .mcse = mcse,
                        .ess = ess};
}

static inline void canned_arm_of(cs_flat *f, size_t arm, size_t chains)
{
    cs_flat_text(f, arm ? "acs" : "dmala", "arm/%zu/name", arm);
    cs_flat_text(f, "dmala", "arm/%zu/kernel", arm);
    const char *words =
        arm ? ""
            : "all chains start at one place: R-hat cannot see modes "
              "that none of them has reached\n";
    cs_flat_text(f, words, "arm/%zu/words", arm);
    cs_flat_text(f,
                 arm ? ""
                     : "R-hat of lp__ is 1.08: the chains do not agree; run "
                       "longer or change the kernel\n"
                       "all chains start at one place: R-hat cannot see modes "
                       "that none of them has reached\n",
                 "arm/%zu/warnings", arm);
    cs_flat_number(f, 1, "arm/%zu/exact", arm);
    cs_flat_number(f, (double)chains, "arm/%zu/chains", arm);
    cs_flat_number(f, 1240512, "arm/%zu/steps", arm);
    cs_flat_number(f, (arm ? 1.5 : 2) * 4962048, "arm/%zu/gradients", arm);
    cs_flat_number(f, 4962048, "arm/%zu/log_densities", arm);
    cs_flat_number(f, (arm ? 2.5 : 3) * 4962048, "arm/%zu/evaluations", arm);
    cs_flat_number(f, 2, "arm/%zu/params", arm);
    const cs_row_param param[] = {{.value = 0.2,
                                   .min = 1e-6,
                                   .max = 1000,
                                   .def = 0.2,
                                   .flags = CS_PARAM_LOG,
                                   .driven = (double)arm},
                                  {.value = 0.5, .max = 1, .def = 0.5}};
    for (size_t k = 0; k < 2; k++) {
        *CS_FLAT_ROWS(f, cs_row_param, 1, CS_KEY_PARAM, arm, k) = param[k];
        cs_flat_text(f, k ? "balance" : "step", "arm/%zu/param/%zu/name", arm,
                     k);
        cs_flat_text(f, "", "arm/%zu/param/%zu/unit", arm, k);
        cs_flat_text(f, k ? "balance of the proposal" : "step size",
                     "arm/%zu/param/%zu/help", arm, k);
    }
    canned_trace(f, arm, chains);
    canned_counts(f, arm, chains);
    canned_modes(f, arm, chains);
    cs_flat_text(f, "lp__ a", "arm/%zu/diagnostics/names", arm);
    cs_figures *t = CS_FLAT_ROWS(f, cs_figures, 2, CS_KEY_FIGURES, arm);
    t[0] = canned_figures(-230, 5, arm ? 1.002 : 1.08, 212, 180, 0.3, 278);
    t[1] = canned_figures(0, 1, arm ? 1.001 : 1.03, 640, 500, 0.04, 625);
    cs_flat_number(f, 4845, "arm/%zu/diagnostics/n", arm);
    cs_flat_number(f, 0, "arm/%zu/diagnostics/whole", arm);
    cs_flat_text(f,
                 arm ? ""
                     : "R-hat of lp__ is 1.08: the chains do not agree; run "
                       "longer or change the kernel\n",
                 "arm/%zu/diagnostics/words", arm);
    canned_distance(f, arm);
    canned_bins(f, arm);
    canned_rows(f, arm);
    canned_means(f, arm);
    canned_draws(f, arm, chains);
    cs_flat_number(f, arm ? 0 : 1, "arm/%zu/failed", arm);
    cs_flat_number(f, arm ? 12.5 : 7, "arm/%zu/seconds", arm);
}

static inline void canned_arm(cs_flat *f, size_t arm)
{
    canned_arm_of(f, arm, 4);
}

/* Returns one spin of a picture of 12 x 12 spins. The kernel's auxiliary
 * variable has the same values. */
static inline unsigned canned_spin(size_t arm, size_t chain, size_t i)
{
    size_t row = i / 12, col = i % 12;
    return (row * row + 3 * col * (chain + 1) + 5 * arm) % 7 < 3 + chain % 2;
}

static inline void canned_pictures_of(cs_flat *f, size_t arms, size_t chains)
{
    enum { N = 144 };
    *CS_FLAT_ROWS(f, cs_row_picture, 1, CS_KEY_PICTURE) =
        (cs_row_picture){.kind = 1,
                         .rows = 12,
                         .cols = 12,
                         .n = N,
                         .values = 2,
                         .high = 1,
                         .layers = 1};
    for (size_t arm = 0; arm < arms; arm++) {
        char *x = cs_flat_room(f, chains * N, "arm/%zu/picture/states", arm);
        cs_row_pictured *about =
            CS_FLAT_ROWS(f, cs_row_pictured, chains, CS_KEY_PICTURED, arm);
        cs_flat_number(f, 0, "arm/%zu/picture/first", arm);
        for (size_t i = 0; x && i < chains * N; i++)
            x[i] = (char)(1 + canned_spin(arm, i / N, i % N));
        for (size_t c = 0; about && c < chains; c++) {
            about[c].logp = 64 - 7.5 * (double)(c + arm);
            about[c].failed = arm == 1 && c == 3;
        }
        double *mean = cs_flat_array(f, 1, N, "arm/%zu/moments/mean", arm);
        double *exact =
            arm ? cs_flat_array(f, 1, N, "arm/%zu/moments/exact_mean", arm)
                : NULL;
        for (size_t i = 0; mean && i < N; i++)
            mean[i] = (double)(i * (3 + arm) % N) / (N - 1);
        for (size_t i = 0; exact && i < N; i++)
            exact[i] = 0.5;
    }
    char *y = cs_flat_room(f, N, "look/picture/proposal");
    char *own = cs_flat_room(f, N, "look/picture/own");
    *CS_FLAT_ROWS(f, cs_row_range, 1, CS_KEY_AUX_RANGE) = (cs_row_range){-1, 2};
    for (size_t i = 0; y && own && i < N; i++) {
        y[i] = (char)(1 + canned_spin(0, 1, i) % 2);
        y[i] = i % 31 == 5 ? (char)(3 - y[i]) : y[i];
        own[i] = (char)(unsigned char)(1 + i * 253 / (N - 1));
    }
    cs_flat_text(f, "theta_a", "look/own");
}

static inline void canned_pictures(cs_flat *f, size_t chains)
{
    canned_pictures_of(f, 2, chains);
}

static inline void canned(cs_flat *f, void *memory)
{
    cs_flat_begin(f, memory, CANNED_BYTES);
    canned_run(f);
    canned_look(f);
    canned_steps(f);
    canned_arm(f, 0);
    canned_arm(f, 1);
    canned_pictures(f, 4);
    canned_line(f);
}
