/* The draws and the quantiles of summaries. */
#include "run/draws/kept_draws.h"
#include "run/draws/recall.h"
#include "session/commands/command.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Reads percentages separated by commas, in ascending order. */
static bool read_percents(const char *text, cs_probabilities *p)
{
    char *end;
    for (*p = (cs_probabilities){.n = 0};; text = end + 1) {
        double x = strtod(text, &end) / 100;
        if (end == text || p->n == CS_QUANTILES_MOST || !(x > 0 && x < 1) ||
            (p->n && x <= p->p[p->n - 1]))
            return false;
        p->p[p->n++] = x;
        if (!*end)
            return true;
        if (*end != ',')
            return false;
    }
}

cs_status cs_command_quantiles(cs_session *s, char **word, size_t n,
                               cs_error *err)
{
    assert(s->open.run && n >= 1);
    (void)n;
    cs_probabilities p;
    if (!read_percents(word[1], &p)) {
        cs_fail(err, CS_INPUT, "'%.80s' is not a list of percentages", word[1]);
        cs_hint(err,
                "at most %d numbers between 0 and 100 in ascending order, for "
                "example 2.5,50,97.5",
                CS_QUANTILES_MOST);
        return CS_INPUT;
    }
    cs_run_set_quantiles(s->open.run, &p);
    return CS_OK;
}

cs_status cs_command_draws(cs_session *s, char **word, size_t n, cs_error *err)
{
    assert(s->open.run);
    (void)n;
    (void)word;
    (void)err;
    cs_run_keep_all(s->open.run);
    return CS_OK;
}
