/* Extracts the run of a recording: its journal and its inputs. */
#include "base/memory.h"
#include "base/page.h"
#include "data/cast.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Returns the step of an event "s", or -1 if invalid. */
static double number_of(const cs_cast_event *e)
{
    char text[32], *end;
    if (e->size == 0 || e->size >= 20)
        return -1;
    memcpy(text, e->text, e->size);
    text[e->size] = 0;
    double x = strtod(text, &end);
    return *end == 0 && x >= 0 && x < 1e18 && isdigit((unsigned char)*text)
               ? x
               : -1;
}

double cs_cast_step(const cs_cast *c, size_t at)
{
    double step = -1;
    for (size_t i = 0; i <= at && i < c->n; i++)
        if (c->event[i].code == 's')
            step = number_of(&c->event[i]);
    return step;
}

void cs_cast_cut(cs_cast *c, double seconds)
{
    size_t n = 0, frame, next;
    bool has_step = false;
    while (n < c->n && c->event[n].time <= seconds)
        n++;
    for (frame = n; frame && c->event[frame - 1].code != 'o'; frame--)
        has_step |= c->event[frame - 1].code == 's';
    for (next = n; next < c->n && c->event[next].code != 'o'; next++)
        if (!has_step && c->event[next].code == 's')
            n = next + 1;
    c->n = n;
}

/* ---- finding events ------------------------------------------------------ */

/* Indices of events. `journal` is the newest journal that reaches a given step.
 * If no journal reaches the step, it is the newest journal. `inputs` are the
 * inputs of that journal's run, which precede the journal. */
typedef struct found {
    size_t inputs, journal; /* indices of the first event of each; equal to the
                             * recording's `n` if not found */
} found;

static found find(const cs_cast *c)
{
    found now = {c->n, c->n}, best = now;
    size_t inputs = c->n;
    for (size_t i = 0; i < c->n; i++) {
        char code = c->event[i].code;
        if (code == 'T')
            inputs = i;
        if (code == 'J')
            now = (found){inputs, i};
        if (code == 's' && now.journal < c->n)
            best = now;
    }
    return best.journal < c->n ? best : now;
}

static cs_status check_run(const cs_cast *c, const found *at, cs_error *err)
{
    if (at->journal == c->n) {
        cs_fail(err, CS_INPUT, "the recording contains no run");
        cs_hint(err, "chainscope replay shows the pictures");
        return CS_INPUT;
    }
    if (c->summed && at->inputs < c->n)
        return CS_OK;
    cs_fail(err, CS_INPUT,
            "the recording is from an older chainscope, without scenario and "
            "checksums, so it cannot be verified");
    cs_hint(err, "record the run again; chainscope replay shows the pictures");
    return CS_INPUT;
}

/* Concatenates the text of event number `at` and the texts of the following
 * events that have the code `more`. */
static cs_status join(const cs_cast *c, size_t at, char more, cs_page *p,
                      cs_error *err)
{
    char first = c->event[at].code;
    for (size_t i = at; i < c->n; i++) {
        const cs_cast_event *e = &c->event[i];
        if (i > at && e->code == first)
            break;
        if (i == at || e->code == more)
            cs_page_put(p, "%.*s", (int)e->size, e->text);
    }
    if (!p->full && p->text)
        return CS_OK;
    return cs_fail(err, p->full ? CS_MEMORY : CS_INPUT,
                   "the journal of the recording cannot be read");
}

cs_status cs_cast_inputs(const cs_cast *c, char **out, cs_error *err)
{
    cs_page p = {0};
    const found at = find(c);
    cs_status status = check_run(c, &at, err);
    if (status == CS_OK)
        status = join(c, at.inputs, 't', &p, err);
    if (status)
        cs_free(p.text);
    *out = status ? NULL : p.text;
    return status;
}

/* ---- the journal --------------------------------------------------------- */

/* Returns the last step of the journal that starts at event `from`. */
static uint64_t last_step(const cs_cast *c, size_t from)
{
    double end = 0;
    for (size_t i = from; i < c->n; i++) {
        double at = c->event[i].code == 's' ? number_of(&c->event[i]) : 0;
        if (i > from && c->event[i].code == 'J')
            break;
        end = at > end ? at : end;
    }
    return (uint64_t)end;
}

/* Adds to the page all comments of the journal, and its lines up to a step. If
 * a line has no line end, it is incomplete, and is omitted. */
static void put_until(cs_page *p, char *lines, uint64_t step)
{
    for (char *at = lines, *next; (next = strchr(at, '\n')); at = next + 1) {
        *next = 0;
        bool late = isdigit((unsigned char)*at) &&
                    strtoull(at, NULL, 10) > (unsigned long long)step;
        if (!late)
            cs_page_put(p, "%s\n", at);
    }
    cs_page_put(p, "%llu end\n", (unsigned long long)step);
}

cs_status cs_cast_journal(const cs_cast *c, const uint64_t *step, char **out,
                          cs_error *err)
{
    cs_page lines = {0}, p = {0};
    const found at = find(c);
    *out = NULL;
    cs_status status = check_run(c, &at, err);
    if (status == CS_OK)
        status = join(c, at.journal, 'j', &lines, err);
    if (status == CS_OK)
        put_until(&p, lines.text, step ? *step : last_step(c, at.journal));
    if (status == CS_OK && p.full)
        status = cs_fail(err, CS_MEMORY, "out of memory for the journal");
    cs_free(lines.text);
    if (status)
        cs_free(p.text);
    *out = status ? NULL : p.text;
    return status;
}
