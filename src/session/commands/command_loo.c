/* Prints results that are computed from the log likelihood and the log prior of
 * the draws. The fields of a line are separated by tabs. */
#include "base/page.h"
#include "run/arms/arms.h"
#include "run/summary/log_lik.h"
#include "session/commands/command.h"

#include "base/memory.h"

#include <assert.h>
#include <stdarg.h>
#include <string.h>

/* The name in a word, or NULL for "-" or a missing word. */
static const char *named(char **word, size_t n, size_t i)
{
    return i <= n && strcmp(word[i], "-") != 0 ? word[i] : NULL;
}

static void put_name(const cs_session *s, size_t arm, size_t scalar, cs_page *p)
{
    char name[CS_PART_NAME];
    cs_target_coordinate(cs_run_target(s->open.run), scalar - 1, name,
                         sizeof name);
    cs_page_put(p, "%s\t%s", cs_run_arm_name(s->open.run, arm), name);
}

/* Writes n numbers, each after a tab, and ends the line. */
static void put_numbers(cs_page *p, size_t n, const double *x)
{
    for (size_t i = 0; i < n; i++) {
        cs_page_put(p, "\t");
        cs_page_exact(p, x[i]);
    }
    cs_page_put(p, "\n");
}

/* Sends the page if the command succeeded, and frees it. */
static cs_status send_page(cs_session *s, cs_page *p, cs_status status,
                           cs_error *err)
{
    if (status == CS_OK && p->full)
        status = cs_fail(err, CS_MEMORY, "out of memory for the results");
    if (status == CS_OK && p->text)
        cs_printer_page(s, p);
    cs_free(p->text);
    return status;
}

cs_status cs_command_loo(cs_session *s, char **word, size_t n, cs_error *err)
{
    assert(s->open.run);
    cs_page p = {0};
    cs_status status = CS_OK;
    for (size_t a = 0; a < cs_run_arms(s->open.run) && status == CS_OK; a++) {
        cs_run_loo l;
        const cs_loo_ask ask = {.name = named(word, n, 1)};
        status = cs_run_loo_find(s->open.run, a, &ask, &l, err);
        for (size_t i = 0; i < l.of.n && status == CS_OK; i++) {
            const cs_loo *o = &l.point[i];
            put_name(s, a, l.of.scalar[i], &p);
            put_numbers(&p, 6,
                        (double[]){o->elpd, o->k, o->lpd, o->waic, o->error,
                                   o->reliable});
        }
        cs_run_loo_free(&l);
    }
    return send_page(s, &p, status, err);
}

cs_status cs_command_sensitivity(cs_session *s, char **word, size_t n,
                                 cs_error *err)
{
    assert(s->open.run);
    cs_page p = {0};
    cs_power_ask ask = {.prior = named(word, n, 2),
                        .likelihood = named(word, n, 3),
                        .alpha = CS_POWER};
    cs_status status = n ? cs_command_number(word[1], &ask.alpha, err) : CS_OK;
    if (status == CS_OK && !(ask.alpha > 1 && ask.alpha <= 2))
        status = cs_fail(err, CS_RANGE,
                         "the power must be above 1 and at most 2, not %g",
                         ask.alpha);
    for (size_t a = 0; a < cs_run_arms(s->open.run) && status == CS_OK; a++) {
        cs_run_power r;
        status = cs_run_power_find(s->open.run, a, &ask, &r, err);
        for (size_t i = 0; i < r.n && status == CS_OK; i++) {
            put_name(s, a, r.scalar[i], &p);
            put_numbers(
                &p, 4, (double[]){r.prior[i], r.likelihood[i], r.k[0], r.k[1]});
        }
        cs_run_power_free(&r);
    }
    return send_page(s, &p, status, err);
}
