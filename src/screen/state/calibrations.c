#include "screen/state/calibrations.h"

#include "base/memory.h"
#include "base/text.h"
#include "screen/state/background.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ANSWER = 64 << 10 };

struct cs_calibrations {
    cs_calibrated made;
    cs_background run; /* that is being made */
    size_t used;       /* of the answer */
    char answer[ANSWER];
};

cs_calibrations *cs_calibrations_create(const cs_app_link *link)
{
    cs_calibrations *c = cs_alloc(1, sizeof *c);
    if (c)
        c->run.link = link;
    return c;
}

static void stop(cs_calibrations *c)
{
    cs_background_end(&c->run);
    c->used = 0;
    c->made.n = c->made.of = c->made.rows = 0;
}

void cs_calibrations_destroy(cs_calibrations *c)
{
    if (!c)
        return;
    cs_background_end(&c->run);
    cs_free(c);
}

bool cs_calibrations_busy(const cs_calibrations *c)
{
    return c->made.n < c->made.of;
}

const cs_calibrated *cs_calibrations_made(const cs_calibrations *c)
{
    return &c->made;
}

int cs_calibrations_fds(const cs_calibrations *c, int fd[2])
{
    return cs_background_fds(&c->run, fd);
}

/* ---- beginning ----------------------------------------------------------- */

cs_status cs_calibrations_start(cs_calibrations *c, const cs_shot *s, size_t n,
                                cs_error *err)
{
    stop(c);
    if (n == 0)
        return CS_OK;
    if (n > CS_CALIBRATIONS)
        return cs_fail(
            err, CS_RANGE,
            "there are %d data sets at most: chainscope sbc has more",
            CS_CALIBRATIONS);
    cs_status status = cs_background_prepare(&c->run, s, "calibrate", err);
    if (status)
        return status;
    c->made.of = n;
    c->made.left = (double)NAN;
    return CS_OK;
}

static cs_status begin(cs_calibrations *c, cs_error *err)
{
    char difference[80];
    snprintf(difference, sizeof difference,
             " sbc=%zu default_warmup=usual read=1", c->made.n + 1);
    return cs_background_begin(&c->run, difference, "run", err);
}

/* ---- going on ------------------------------------------------------------ */

static void take(void *self, const void *body, size_t size)
{
    cs_calibrations *c = self;
    size_t room = ANSWER - 1 - c->used, n = size < room ? size : room;
    memcpy(c->answer + c->used, body, n);
    c->used += n;
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

/* "arm quantity rank of ..." between tabs, a line each; see
 * lua/chainscope/results.lua. */
static void keep(cs_calibrations *c)
{
    c->answer[c->used] = 0;
    for (char *line = c->answer; line && *line;) {
        char *next = strchr(line, '\n'), *field[4] = {line};
        if (next)
            *next++ = 0;
        for (int i = 1; i < 4 && field[i - 1]; i++) {
            field[i] = strchr(field[i - 1], '\t');
            if (field[i])
                *field[i]++ = 0;
        }
        cs_calibrated_row *r =
            field[3] ? row_of(&c->made, field[0], field[1]) : NULL;
        if (r && r->n < CS_CALIBRATIONS) {
            r->rank[r->n++] = strtod(field[2], NULL);
            c->made.draws = (size_t)strtod(field[3], NULL);
        }
        line = next;
    }
    c->made.n++;
    c->used = 0;
    cs_background_end(&c->run);
}

static cs_status go_on(cs_calibrations *c, cs_error *err)
{
    cs_background *b = &c->run;
    if (!b->client)
        return begin(c, err);
    cs_status status = cs_background_listen(b, take, c, err);
    if (status || !cs_background_rests(b))
        return status;
    if (!b->asked) {
        if (isnan(cs_shot_number(&b->shot, NAN, "run/progress")))
            return cs_fail(err, CS_INPUT, "the scenario has no budget");
        b->asked = true;
        return cs_client_send(b->client, "results ranks", CS_BACKGROUND_ASKED,
                              err);
    }
    if (b->answered != CS_BACKGROUND_ASKED)
        return CS_OK;
    keep(c);
    return cs_calibrations_busy(c) ? begin(c, err) : CS_OK;
}

bool cs_calibrations_tend(cs_calibrations *c, const cs_shot *s, char *text,
                          size_t size, bool *failed)
{
    cs_error err = {0};
    size_t n = c->made.n;
    *text = 0;
    *failed = false;
    if (c->made.of == 0)
        return false;
    if (cs_shot_number(s, 0, "run/opened") != c->run.opened) {
        stop(c);
        snprintf(text, size, "the calibration is dropped: the run is another");
        return true;
    }
    if (!cs_calibrations_busy(c))
        return false;
    if (go_on(c, &err)) {
        char why[400];
        cs_error_format(&err, why, sizeof why);
        stop(c);
        *failed = true;
        snprintf(text, size, "the calibration is ended: %s", why);
        return true;
    }
    if (c->made.n == c->made.of)
        snprintf(text, size, "the calibration is made: %zu data set%s",
                 c->made.of, c->made.of == 1 ? "" : "s");
    bool news = cs_background_estimate(
        &c->run, (double)c->made.n / (double)c->made.of, &c->made.left);
    return news || c->made.n != n;
}
