/* Simulation-based calibration of the open scenario: each run has simulated
 * data, and the ranks of the true values are stored, as by `chainscope sbc`. */
#include "base/memory.h"
#include "base/text.h"
#include "screen/state/background_type.h"
#include "session/commands/command.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool create(cs_background_runs *b)
{
    cs_calibrated *c = b->calibrated = cs_alloc(1, sizeof *c);
    if (c) {
        b->n = &c->n;
        b->of = &c->of;
        b->left = &c->left;
    }
    return c != NULL;
}

static cs_status begin(cs_background_runs *b, const char *typed, cs_error *err)
{
    uint64_t n = 0;
    cs_status status = cs_command_count(typed, &n, err);
    if (status == CS_OK && (n < 1 || n > CS_CALIBRATIONS))
        status = cs_fail(err, CS_RANGE,
                         "at most %d data sets; use chainscope sbc for more",
                         CS_CALIBRATIONS);
    b->calibrated->of = n;
    b->calibrated->rows = 0;
    return status;
}

static bool describe(const cs_background_runs *b, size_t i, cs_job *job)
{
    (void)b;
    snprintf(job->name, sizeof job->name, "data set %zu", i + 1);
    return cs_job_set(job, "sbc=%zu", i + 1) &&
           cs_job_set(job, "default_warmup=usual") && cs_job_set(job, "read=1");
}

static cs_calibrated_row *row_of(cs_calibrated *made, const char *arm,
                                 const char *quantity)
{
    char a[48], q[48];
    cs_text_clean(arm, a, sizeof a);
    cs_text_clean(quantity, q, sizeof q);
    for (size_t i = 0; i < made->rows; i++)
        if (strcmp(made->row[i].arm, a) == 0 &&
            strcmp(made->row[i].quantity, q) == 0)
            return &made->row[i];
    if (made->rows == CS_CALIBRATED_ROWS)
        return NULL;
    cs_calibrated_row *r = &made->row[made->rows++];
    memcpy(r->arm, a, sizeof a);
    memcpy(r->quantity, q, sizeof q);
    r->n = 0;
    return r;
}

/* Reads lines of the tab-separated fields "arm quantity rank of ..."; see
 * lua/chainscope/results.lua. */
static void take(cs_background_runs *b, const char *text)
{
    char *copy = cs_copy_text(text);
    for (char *line = copy; line && *line;) {
        char *next = strchr(line, '\n'), *field[4] = {line};
        if (next)
            *next++ = 0;
        for (int i = 1; i < 4 && field[i - 1]; i++) {
            field[i] = strchr(field[i - 1], '\t');
            if (field[i])
                *field[i]++ = 0;
        }
        cs_calibrated_row *r =
            field[3] ? row_of(b->calibrated, field[0], field[1]) : NULL;
        if (r && r->n < CS_CALIBRATIONS) {
            r->rank[r->n++] = strtod(field[2], NULL);
            b->calibrated->draws = (size_t)strtod(field[3], NULL);
        }
        line = next;
    }
    cs_free(copy);
}

static void say(const cs_background_runs *b, char *text, size_t size)
{
    size_t of = *b->of;
    snprintf(text, size, "calibration finished: %zu data set%s", of,
             of == 1 ? "" : "s");
}

const cs_background_type cs_background_type_calibration = {
    .name = "sbc",
    .verb = "calibrate",
    .what = "the calibration is",
    .has = "the calibration is",
    .query = "results ranks",
    .budget = true,
    .create = create,
    .begin = begin,
    .describe = describe,
    .take = take,
    .say = say};
