/* Enumeration of all states of a target, for the laws that need it. The screen
 * uses another enumeration (target/enumeration.h), which must be ready
 * immediately. That enumeration therefore excludes targets with many states if
 * a script evaluates the density or if the density sums over data. The
 * enumeration for laws may take longer, and therefore covers more targets. */
#include "base/clock.h"
#include "base/memory.h"
#include "check/laws.h"
#include "check/sites.h"

#include <string.h>

enum { PORTION = 64 };

/* Share of the time limit for the values of the discrete coordinates in a space
 * with real ones. */
#define SHARE 0.25

/* Evaluates the log density of all states, in about the given number of seconds
 * at most. */
static bool evaluate(const cs_site_list *s, double seconds, double *logp)
{
    size_t n = (size_t)s->states, dim = s->t->space.dim;
    double *x = cs_alloc(PORTION * dim, sizeof *x), from = cs_clock_work();
    bool good = x != NULL;
    for (size_t k = 0; good && k < n; k += PORTION) {
        size_t some = n - k < PORTION ? n - k : PORTION;
        for (size_t i = 0; i < some; i++)
            cs_site_list_state(s, k + i, x + i * dim);
        good = cs_enumeration_evaluate(s->t, x, some, logp + k) &&
               cs_clock_work() - from < seconds;
    }
    cs_free(x);
    return good;
}

void cs_check_list_states(cs_check *c, const cs_target *t)
{
    double states = cs_space_states(&t->space);
    c->states = NULL;
    c->listed = (cs_enumeration){0};
    if (!cs_space_is_countable(&t->space) || states > CS_CHECK_STATES)
        return;
    const cs_enumeration *known = cs_enumeration_of(t);
    if (known->all && known->n) {
        c->states = known;
        return;
    }
    cs_enumeration *aux = &c->listed;
    aux->all = true;
    aux->n = (size_t)states;
    aux->logp = cs_alloc(aux->n, sizeof *aux->logp);
    aux->p = cs_alloc(aux->n, sizeof *aux->p);
    cs_site_list s = {0};
    if (aux->logp && aux->p && cs_site_list_open(&s, t, c->place) &&
        evaluate(&s, c->seconds, aux->logp) &&
        cs_enumeration_normalise(aux->logp, aux->n, aux->p))
        c->states = aux;
    cs_site_list_close(&s);
}

bool cs_check_list_sites(const cs_check *c, const cs_site_list *s,
                         double **logp)
{
    bool countable = cs_space_is_countable(&s->t->space);
    *logp = NULL;
    if (s->states > CS_CHECK_STATES || (countable && !c->states))
        return false;
    *logp = cs_alloc((size_t)s->states, sizeof **logp);
    if (*logp && countable)
        memcpy(*logp, c->states->logp, c->states->n * sizeof **logp);
    return *logp && (countable || evaluate(s, SHARE * c->seconds, *logp));
}
