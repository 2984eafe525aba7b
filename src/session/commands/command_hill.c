/* Implements `hill`: edits a landscape of Gaussian hills in the plane while
 * chains run on it. The landscape is a target of the type `mixture`. The
 * lists that define the hills are set together, and are stored like other
 * parameters of the target. */
#include "base/count.h"
#include "base/decimal.h"
#include "base/memory.h"
#include "run/arms/arms.h"
#include "run/history/changes.h"
#include "session/commands/command.h"
#include "session/state/reopen.h"
#include "targets/real/mixture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { HILLS = 16, PARTS = 3 };
#define LEAST_WIDTH 1e-6

typedef struct hills {
    size_t n;
    double x[HILLS][2], sd[HILLS], share[HILLS]; /* positions, standard
                                                  * deviations, and shares of
                                                  * the mass (their sum is 1) */
} hills;

static cs_status take(const cs_session *s, hills *h, cs_error *err)
{
    const cs_target *t = cs_run_target(s->open.run);
    const cs_mixture *m = cs_mixture_of(t);
    if (!m || t->space.dim != 2) {
        cs_fail(err, CS_UNSUPPORTED,
                "`hill` needs a mixture in two dimensions; the target is %s",
                t->name);
        cs_hint(err, "open scenarios/start/09_landscape.lua");
        return CS_UNSUPPORTED;
    }
    if (m->n > HILLS)
        return cs_fail(err, CS_UNSUPPORTED,
                       "the mixture has more than %d hills", HILLS);
    h->n = m->n;
    memcpy(h->x, m->means, m->n * sizeof *h->x);
    memcpy(h->sd, m->sd, m->n * sizeof *h->sd);
    memcpy(h->share, m->weight, m->n * sizeof *h->share);
    return CS_OK;
}

/* ---- target parameters --------------------------------------------------- */

static const char *const names[PARTS] = {"means", "weights", "sds"};

static void put_number(cs_page *p, double x)
{
    char digits[CS_DECIMAL];
    size_t n = cs_decimal_put(x, digits);
    cs_page_put(p, "%.*s", (int)n, digits);
}

/* Writes lists in the syntax of Lua: "{{0,1},{2,3}}", "{0.5,0.5}". */
static void spell(const hills *h, size_t part, cs_page *p)
{
    cs_page_put(p, "{");
    for (size_t k = 0; k < h->n; k++) {
        cs_page_put(p, k ? "," : "");
        if (part == 0) {
            cs_page_put(p, "{");
            put_number(p, h->x[k][0]);
            cs_page_put(p, ",");
            put_number(p, h->x[k][1]);
            cs_page_put(p, "}");
        } else {
            put_number(p, part == 1 ? h->share[k] : h->sd[k]);
        }
    }
    cs_page_put(p, "}");
}

/* Returns the value to which the user has set the parameter. If the user has
 * not set it, returns NULL. [own] */
static char *remembered(const cs_session *s, const char *key)
{
    size_t n = strlen(key);
    for (size_t i = 0; i < s->sets.n; i++)
        if (strncmp(s->sets.set[i], key, n) == 0 && s->sets.set[i][n] == '=')
            return cs_copy_text(s->sets.set[i] + n + 1);
    return NULL;
}

static void set_back(cs_session *s, const char *key, const char *text)
{
    if (text)
        cs_sets_put(&s->sets, key, text, NULL);
    else
        cs_sets_drop(&s->sets, key);
}

/* Replaces the lists of the target by text[PARTS]. If this fails, no list is
 * changed. */
static cs_status build(cs_session *s, const char *const *text, cs_error *err)
{
    char key[PARTS][32], *was[PARTS];
    cs_status status = cs_record_none(s->record, err);
    for (size_t i = 0; i < PARTS; i++) {
        snprintf(key[i], sizeof key[i], "target.%s", names[i]);
        was[i] = remembered(s, key[i]);
        if (status == CS_OK)
            status = cs_sets_put(&s->sets, key[i], text[i], err);
    }
    if (status == CS_OK)
        status = cs_session_reopen(s, NULL, 0, NULL, err);
    for (size_t i = 0; i < PARTS; i++) {
        if (status)
            set_back(s, key[i], was[i]);
        cs_free(was[i]);
    }
    return status;
}

static void can_undo(cs_session *s, const hills *was)
{
    cs_page line = {0};
    cs_page_put(&line, "hill set");
    for (size_t i = 0; i < PARTS; i++) {
        cs_page_put(&line, " ");
        spell(was, i, &line);
    }
    cs_way_back_add(&s->back, line.full ? NULL : line.text,
                    "the previous landscape");
    cs_free(line.text);
}

/* ---- changes of hills ---------------------------------------------------- */

typedef struct change {
    hills h;
    size_t of;      /* index of the changed hill */
    bool quiet;     /* true if a single undo reverses both this change and the
                     * previous change */
    char said[120]; /* description of the change */
} change;

/* Sets the share of hill k. The shares of the other hills keep their ratios. */
static void weigh(hills *h, size_t k, double share)
{
    double rest = 1 - h->share[k];
    for (size_t i = 0; i < h->n; i++)
        h->share[i] *= i == k ? 1 : rest > 0 ? (1 - share) / rest : 1;
    if (!(rest > 0))
        for (size_t i = 0; i < h->n; i++)
            h->share[i] = (1 - share) / fmax((double)h->n - 1, 1);
    h->share[k] = share;
}

static cs_status numbers(char **word, size_t n, double *out, cs_error *err)
{
    cs_status status = CS_OK;
    for (size_t i = 0; i < n && status == CS_OK; i++)
        status = cs_command_number(word[i], &out[i], err);
    return status;
}

static cs_status check_width(double sd, cs_error *err)
{
    return sd >= LEAST_WIDTH && sd <= 1e6
               ? CS_OK
               : cs_fail(err, CS_RANGE, "a width must be between %g and 1e6",
                         LEAST_WIDTH);
}

static cs_status check_share(double share, cs_error *err)
{
    if (share > 0 && share < 1)
        return CS_OK;
    cs_fail(err, CS_RANGE,
            "a weight is a share of the total: it must be above 0 and below 1");
    cs_hint(err, "give a share such as 0.3; the other weights keep their "
                 "relative sizes");
    return CS_RANGE;
}

/* Implements hill add X Y [WIDTH [WEIGHT]]. */
static cs_status add(change *c, char **word, size_t n, cs_error *err)
{
    hills *h = &c->h;
    double v[4] = {0, 0, h->sd[h->n - 1], 1.0 / ((double)h->n + 1)};
    if (n < 2 || n > 4)
        return cs_fail(err, CS_INPUT, "`hill add` needs X Y [WIDTH [WEIGHT]]");
    if (h->n == HILLS)
        return cs_fail(err, CS_RANGE, "a landscape has at most %d hills",
                       HILLS);
    cs_status status = numbers(word, n, v, err);
    if (status == CS_OK)
        status = check_width(v[2], err);
    if (status == CS_OK)
        status = check_share(v[3], err);
    if (status)
        return status;
    c->of = h->n++;
    h->x[c->of][0] = v[0];
    h->x[c->of][1] = v[1];
    h->sd[c->of] = v[2];
    h->share[c->of] = 0;
    weigh(h, c->of, v[3]);
    snprintf(c->said, sizeof c->said, "hill %zu is at (%.4g, %.4g)", c->of + 1,
             v[0], v[1]);
    return CS_OK;
}

static cs_status find_hill(const hills *h, const char *word, size_t *k,
                           cs_error *err)
{
    double number;
    cs_status status = cs_command_number(word, &number, err);
    if (status == CS_OK &&
        !(number >= 1 && number <= (double)h->n && number == floor(number)))
        status =
            cs_fail(err, CS_RANGE,
                    "the number of a hill must be between 1 and %zu", h->n);
    if (status == CS_OK)
        *k = (size_t)number - 1;
    return status;
}

/* Implements hill drop N. */
static cs_status drop(change *c, char **word, size_t n, cs_error *err)
{
    hills *h = &c->h;
    size_t k = 0;
    cs_status status =
        n == 1
            ? find_hill(h, word[0], &k, err)
            : cs_fail(err, CS_INPUT, "`hill drop` needs the number of a hill");
    if (status == CS_OK && h->n == 1)
        status = cs_fail(err, CS_RANGE, "the last hill cannot be removed");
    if (status)
        return status;
    weigh(h, k, 0);
    h->n--;
    memmove(h->x[k], h->x[k + 1], (h->n - k) * sizeof *h->x);
    memmove(&h->sd[k], &h->sd[k + 1], (h->n - k) * sizeof *h->sd);
    memmove(&h->share[k], &h->share[k + 1], (h->n - k) * sizeof *h->share);
    snprintf(c->said, sizeof c->said, "hill %zu is removed", k + 1);
    return CS_OK;
}

static cs_status put_at(change *c, const double *v, cs_error *err)
{
    (void)err;
    memcpy(c->h.x[c->of], v, sizeof *c->h.x);
    snprintf(c->said, sizeof c->said, "hill %zu is at (%.4g, %.4g)", c->of + 1,
             v[0], v[1]);
    return CS_OK;
}

/* Moves a hill that the mouse drags. A single undo reverses the whole
 * movement. */
static cs_status drag(change *c, const double *v, cs_error *err)
{
    c->quiet = true;
    return put_at(c, v, err);
}

static cs_status widen(change *c, const double *v, cs_error *err)
{
    c->h.sd[c->of] = v[0];
    snprintf(c->said, sizeof c->said, "hill %zu has the width %.4g", c->of + 1,
             v[0]);
    return check_width(v[0], err);
}

static cs_status reweigh(change *c, const double *v, cs_error *err)
{
    cs_status status = check_share(v[0], err);
    if (status == CS_OK && c->h.n == 1)
        status = cs_fail(err, CS_RANGE, "the weight of a single hill is 1");
    if (status == CS_OK)
        weigh(&c->h, c->of, v[0]);
    snprintf(c->said, sizeof c->said, "hill %zu has the weight %.4g", c->of + 1,
             v[0]);
    return status;
}

/* Implements hill N at X Y, hill N width W and hill N weight W. */
static cs_status alter(change *c, char **word, size_t n, cs_error *err)
{
    static const struct {
        const char *name;
        size_t numbers;
        cs_status (*act)(change *c, const double *v, cs_error *err);
    } table[] = {{"at", 2, put_at},
                 {"drag", 2, drag},
                 {"width", 1, widen},
                 {"weight", 1, reweigh}};
    double v[2] = {0, 0};
    cs_status status = find_hill(&c->h, word[0], &c->of, err);
    if (status)
        return status;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (n < 2 || strcmp(table[i].name, word[1]) != 0 ||
            n - 2 != table[i].numbers)
            continue;
        status = numbers(word + 2, n - 2, v, err);
        return status ? status : table[i].act(c, v, err);
    }
    cs_fail(err, CS_INPUT,
            "`hill N` must be followed by `at X Y`, `width W` or `weight W`");
    cs_hint(err, "for example `hill %s at 1 -2`", word[0]);
    return CS_INPUT;
}

static void list(cs_session *s, const hills *h)
{
    char text[2048];
    size_t used = 0;
    for (size_t k = 0; k < h->n && used < sizeof text; k++)
        used += (size_t)snprintf(text + used, sizeof text - used,
                                 "hill %zu at (%.6g, %.6g), width %.6g, weight "
                                 "%.4g\n",
                                 k + 1, h->x[k][0], h->x[k][1], h->sd[k],
                                 h->share[k]);
    cs_message_text(&s->front.out, text);
}

/* Implements hill set MEANS WEIGHTS SDS, the command that is stored for
 * undo. */
static cs_status set_lists(cs_session *s, char **word, const hills *was,
                           cs_error *err)
{
    cs_status status = build(s, (const char *const *)word, err);
    if (status)
        return status;
    can_undo(s, was);
    cs_run_note_change(s->open.run, "target.hills", 0, NULL);
    cs_session_say(
        s, "the previous landscape is restored: draws begin at this step");
    return CS_OK;
}

cs_status cs_command_hill(cs_session *s, char **word, size_t n, cs_error *err)
{
    change c = {.of = 0};
    cs_page page[PARTS] = {{0}};
    cs_status status = take(s, &c.h, err);
    const hills was = c.h;
    if (status)
        return status;
    if (n == 0) {
        list(s, &c.h);
        return CS_OK;
    }
    if (strcmp(word[1], "set") == 0 && n == 1 + PARTS)
        return set_lists(s, word + 2, &was, err);
    if (strcmp(word[1], "add") == 0)
        status = add(&c, word + 2, n - 1, err);
    else if (strcmp(word[1], "drop") == 0)
        status = drop(&c, word + 2, n - 1, err);
    else
        status = alter(&c, word + 1, n, err);
    for (size_t i = 0; i < PARTS; i++)
        spell(&c.h, i, &page[i]);
    if (status == CS_OK && (page[0].full || page[1].full || page[2].full))
        status = cs_fail(err, CS_MEMORY, "out of memory for the hills");
    if (status == CS_OK)
        status = build(
            s, (const char *const[]){page[0].text, page[1].text, page[2].text},
            err);
    for (size_t i = 0; i < PARTS; i++)
        cs_free(page[i].text);
    if (status)
        return status;
    if (!c.quiet)
        can_undo(s, &was);
    cs_run_note_change(s->open.run, "target.hills", (double)c.of + 1, NULL);
    cs_session_say(s, "%s from step %s: draws begin at this step", c.said,
                   cs_count((double)cs_run_steps(s->open.run)).text);
    cs_command_answer(s, "%s", s->reported.newest);
    return CS_OK;
}
