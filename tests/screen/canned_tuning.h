/* Tuners, cycles and weights for the canned snapshot; only some runs have
 * these. */
#pragma once

#include "canned.h"
#include "race/shot.h"

enum { TRIALS = 60, PERIOD = 20 };

/* Adds tuners to the snapshot. The tuner of arm 0 is still searching. The tuner
 * of arm 1 has chosen its plan, and arm 1 has made 340 steps with this plan. */
static inline void canned_tuner(cs_flat *f, size_t arm)
{
    static const char *const phases[] = {"burn-in", "smallest step",
                                         "largest step", "balance"};
    cs_flat_text(f, "acs", "arm/%zu/tuner", arm);
    cs_flat_number(f, arm == 0, "arm/%zu/tuner/active", arm);
    cs_flat_number(f, arm ? 1 : 0.4, "arm/%zu/tuner/part", arm);
    cs_flat_number(f, arm ? 340 : 160, "arm/%zu/tuner/steps", arm);
    cs_flat_number(f, arm ? 340 : 160, "arm/%zu/warm_up", arm);
    cs_flat_number(f, 0.5, "arm/%zu/tuner/target", arm);
    cs_flat_number(f, 2, "arm/%zu/tuner/driven", arm);
    for (size_t k = 0; k < 2; k++)
        cs_flat_number(f, (double)k, "arm/%zu/tuner/param/%zu", arm, k);
    for (size_t k = 0; k < 4; k++)
        cs_flat_text(f, phases[k], "arm/%zu/tuner/phase/%zu", arm, k);
    cs_row_trial *row =
        CS_FLAT_ROWS(f, cs_row_trial, TRIALS, CS_KEY_TRIALS, arm);
    for (size_t i = 0; i < TRIALS; i++) {
        double step = 0.05 * pow(1.08, (double)i);
        row[i] = (cs_row_trial){
            .phase = i ? 1 + (double)(i / 20) : 0,
            .acceptance =
                i ? 1 / (1 + step) + 0.03 * sin(9.0 * (double)i) : (double)NAN,
            .taken = i % 5 == 4,
            .value = {step, i < 40 ? 0.5 : 0.5 + 0.02 * (double)(i % 20)}};
    }
    if (arm == 0)
        row[TRIALS - 1].acceptance = (double)NAN; /* this trial is in
                                                   * progress */
}

static inline void canned_cycle(cs_flat *f, size_t arm)
{
    for (size_t k = 0; k < 2; k++) {
        *CS_FLAT_ROWS(f, cs_row_schedule, 1, CS_KEY_SCHEDULE, arm, k) =
            (cs_row_schedule){348, 348 + PERIOD - 1, PERIOD, 340};
        double *to = cs_flat_array(f, 1, PERIOD, CS_KEY_PLAN_VALUES, arm, k);
        for (size_t i = 0; i < PERIOD; i++) {
            size_t at = (i + 7) % PERIOD; /* seven steps of a cycle are
                                           * complete */
            double wave = cos(3.14159265 * (double)at / PERIOD);
            to[i] = k ? 0.725 + 0.225 * wave : fmax(2.5 * (wave + 1), 0.8);
        }
    }
    double *rate = cs_flat_array(f, 1, PERIOD, "arm/%zu/cycle/acceptance", arm);
    for (size_t i = 0; i < PERIOD; i++)
        rate[i] = 0.6 + 0.01 * (double)i;
}

/* Adds to the snapshot a discrepancy from the target that decreases towards a
 * floor. The curve of a tuned arm starts at the arm's first draws. */
static inline void canned_discrepancy(cs_flat *f, size_t arm)
{
    double *time = cs_flat_array(f, 1, 40, "arm/%zu/mmd/time", arm);
    double *curve = cs_flat_array(f, 1, 40, "arm/%zu/mmd/curve", arm);
    cs_row_mmd *value = CS_FLAT_ROWS(f, cs_row_mmd, 1, CS_KEY_MMD, arm);
    for (int i = 0; i < 40; i++) {
        time[i] = 20 * (i + 1.0);
        curve[i] = -1 - (arm ? 0.1 : 0.03) * i;
    }
    *value = (cs_row_mmd){arm ? -4 : -2, -5.5, 500};
}

/* Adds to the snapshot errors of the means on held-out rows, which decrease. */
static inline void canned_accuracy(cs_flat *f, size_t arm)
{
    size_t rows, n;
    cs_shot s = {.base = f->base, .used = f->used};
    if (!cs_shot_array(&s, &rows, &n, "arm/%zu/means/time", arm))
        return;
    double *share = cs_flat_array(f, 1, n, "arm/%zu/means/accuracy", arm);
    for (size_t i = 0; i < n; i++)
        share[i] = 1 - 0.5 * exp((arm ? -0.1 : -0.06) * (double)i);
}

/* Adds to the snapshot draws whose weights span four powers of ten. A few draws
 * have most of the weight. */
static inline void canned_weights(cs_flat *f, size_t arm)
{
    enum { BINS = 40 };
    double *edge = cs_flat_array(f, 1, BINS + 1, "arm/%zu/weights/edges", arm);
    double *count = cs_flat_array(f, 1, BINS, "arm/%zu/weights/counts", arm);
    double *share = cs_flat_array(f, 1, BINS, "arm/%zu/weights/shares", arm);
    double draws = 0, weight = 0;
    for (int i = 0; i <= BINS; i++)
        edge[i] = 0.1 * i - 2.5;
    for (int i = 0; i < BINS; i++) {
        count[i] =
            floor(4000 * exp(-0.02 * (i - 10) * (i - 10)) + 400.0 / (i + 1));
        share[i] = count[i] * pow(10, edge[i] + 0.05);
        draws += count[i];
        weight += share[i];
    }
    for (int i = 0; i < BINS; i++)
        share[i] /= weight;
    *CS_FLAT_ROWS(f, cs_row_weights, 1, CS_KEY_WEIGHTS, arm) =
        (cs_row_weights){draws, 1200, 1911, 0.0031};
}
