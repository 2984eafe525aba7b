#include "screen/calibrations.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/text.h"
#include "session/words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = CS_WIRE_BYTES, ANSWER = 64 << 10 };

/* What has been asked of the session, and the ids of the replies. */
enum { NOTHING, QUIET, OPENED, MOVED, ASKED };

struct cs_calibrations {
    cs_calibrated made;
    const cs_app_link *link; /* [borrowed] */
    cs_client *client;       /* [own] of the run that is being made, or NULL */
    uint32_t answered;       /* the last reply that has come */
    bool asked;              /* for the ranks */
    cs_shot shot;            /* of that session [borrowed] */
    double opened;           /* of the run that they are of, run/opened */
    double began;            /* when, in seconds */
    long told;               /* seconds that are left, as shown */
    size_t used;             /* of the answer */
    char answer[ANSWER], open[LINE];
};

cs_calibrations *cs_calibrations_create(const cs_app_link *link)
{
    cs_calibrations *c = cs_alloc(1, sizeof *c);
    if (c)
        c->link = link;
    return c;
}

static void end_session(cs_calibrations *c)
{
    if (c->client) {
        cs_client_close(c->client, 0);
        cs_client_destroy(c->client);
    }
    c->client = NULL;
    c->shot = (cs_shot){0};
    c->answered = NOTHING;
    c->asked = false;
    c->used = 0;
}

static void stop(cs_calibrations *c)
{
    end_session(c);
    c->made.n = c->made.of = c->made.rows = 0;
}

void cs_calibrations_destroy(cs_calibrations *c)
{
    if (!c)
        return;
    end_session(c);
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
    if (!c->client)
        return 0;
    cs_client_fds(c->client, fd);
    return fd[1] >= 0 ? 2 : 1;
}

/* ---- beginning ----------------------------------------------------------- */

cs_status cs_calibrations_start(cs_calibrations *c, const cs_shot *s, size_t n,
                                cs_error *err)
{
    const char *file = cs_shot_text(s, "run/file");
    const char *sets = cs_shot_text(s, "run/sets");
    stop(c);
    if (n == 0)
        return CS_OK;
    if (n > CS_CALIBRATIONS)
        return cs_fail(
            err, CS_RANGE,
            "there are %d data sets at most: chainscope sbc has more",
            CS_CALIBRATIONS);
    if (!c->link->another || cs_shot_arms(s) == 0)
        return cs_fail(err, CS_UNSUPPORTED, "nothing is open to calibrate");
    if (*cs_shot_text(s, "run/watched"))
        return cs_fail(err, CS_UNSUPPORTED,
                       "these draws are read: only their scenario can be "
                       "calibrated");
    memcpy(c->open, "open ", 6);
    if (!cs_words_quote(file, c->open + 5, LINE - 5) ||
        strlen(c->open) + strlen(sets) + 40 >= LINE)
        return cs_fail(err, CS_INPUT, "more is set than a run can be given");
    strcat(c->open, " ");
    strcat(c->open, sets);
    c->made.of = n;
    c->made.left = (double)NAN;
    c->opened = cs_shot_number(s, 0, "run/opened");
    c->began = cs_clock();
    c->told = -1;
    return CS_OK;
}

static cs_status begin(cs_calibrations *c, cs_error *err)
{
    size_t at = strlen(c->open);
    cs_status status = c->link->another(c->link->self, &c->client, err);
    if (status)
        return status;
    snprintf(c->open + at, LINE - at, " sbc=%zu default_warmup=usual read=1",
             c->made.n + 1);
    status = cs_client_send(c->client, "reports", QUIET, err);
    if (status == CS_OK)
        status = cs_client_send(c->client, c->open, OPENED, err);
    c->open[at] = 0;
    return status ? status : cs_client_send(c->client, "run", MOVED, err);
}

/* ---- going on ------------------------------------------------------------ */

/* Takes what the session says; its refusal, or its end, is the error. */
static cs_status listen(cs_calibrations *c, cs_error *err)
{
    char why[200];
    const cs_message *m;
    bool alive = cs_client_alive(c->client, why, sizeof why);
    cs_client_calm(c->client);
    while ((m = cs_client_reply(c->client))) {
        if (m->status)
            return cs_fail(err, (cs_status)m->status, "%s",
                           (const char *)m->body);
        size_t room = ANSWER - 1 - c->used;
        if (m->id == ASKED) {
            size_t n = m->size < room ? m->size : room;
            memcpy(c->answer + c->used, m->body, n);
            c->used += n;
        }
        if (!m->part)
            c->answered = m->id;
    }
    cs_client_snapshot(c->client, &c->shot.base, &c->shot.used);
    return alive || c->answered == ASKED ? CS_OK
                                         : cs_fail(err, CS_IO, "%s", why);
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
    end_session(c);
}

static cs_status go_on(cs_calibrations *c, cs_error *err)
{
    if (!c->client)
        return begin(c, err);
    cs_status status = listen(c, err);
    if (status || c->answered < MOVED || !c->shot.used ||
        strcmp(cs_shot_text(&c->shot, "run/state"), "running") == 0)
        return status;
    if (!c->asked) {
        if (isnan(cs_shot_number(&c->shot, NAN, "run/progress")))
            return cs_fail(err, CS_INPUT, "the scenario has no budget");
        c->asked = true;
        return cs_client_send(c->client, "results ranks", ASKED, err);
    }
    if (c->answered == ASKED)
        keep(c);
    return CS_OK;
}

/* Says how long it takes to the end of all; true: that is news. */
static bool estimate(cs_calibrations *c)
{
    double share = (double)c->made.n / (double)c->made.of;
    double spent = cs_clock() - c->began;
    c->made.left = share > 0 ? spent * (1 - share) / share : (double)NAN;
    long told = c->made.left < 1e9 ? (long)ceil(c->made.left) : -1;
    bool news = told != c->told;
    c->told = told;
    return news;
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
    if (cs_shot_number(s, 0, "run/opened") != c->opened) {
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
    bool news = estimate(c);
    return news || c->made.n != n;
}
