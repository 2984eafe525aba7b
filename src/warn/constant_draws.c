/* Warnings about coordinates that never change, counts at their largest value,
 * and labels. */
#include "warn/diagnosed_draws.h"

#include "base/count.h"
#include "warn/kinds.h"

#include <stdio.h>

/* Kinds of coordinates that are constant in some chains. */
typedef enum extent {
    EVERYWHERE, /* equal in all chains */
    APART,      /* the chains differ by more than chance */
    RARE        /* the changes are too few for a comparison */
} extent;

static bool is_of(const cs_diagnosis *d, extent kind)
{
    const cs_constant_chains *c = &d->constant;
    if (c->chains == 0)
        return false;
    if (kind == APART || c->apart)
        return kind == APART && c->apart;
    return (kind == EVERYWHERE) == (c->chains == c->of);
}

/* Returns the number of coordinates of a kind; *first is the first of them. */
static size_t count(const cs_warn_draws *d, extent kind, size_t *first)
{
    size_t n = 0;
    for (size_t k = d->scalars; k-- > 0;)
        if (is_of(&d->d[k], kind)) {
            n++;
            *first = k;
        }
    return n;
}

/* Writes the names of the first coordinates of a kind: "z.3, z.5 and 4 more". */
static void put_names(const cs_warn_draws *d, extent kind, size_t n, cs_page *p)
{
    enum { NAMED = 4 };
    char name[CS_WARN_NAME];
    for (size_t k = 0, done = 0; k < d->scalars && done < NAMED; k++) {
        if (!is_of(&d->d[k], kind))
            continue;
        d->name(d->self, k, name);
        cs_page_put(p, "%s%s", done++ ? ", " : "", name);
    }
    if (n > NAMED)
        cs_page_put(p, " and %zu more", n - NAMED);
}

bool cs_warn_draws_constant(const cs_warn_draws *d, cs_page *p)
{
    size_t first, n = count(d, EVERYWHERE, &first);
    if (n == 0)
        return false;
    put_names(d, EVERYWHERE, n, p);
    if (n == 1)
        cs_page_put(p, " is constant (%.6g in all draws)",
                    d->d[first].constant.value);
    else
        cs_page_put(p, " are constant");
    cs_page_put(p, "; a constant has no R-hat and no ESS\n");
    return true;
}

bool cs_warn_draws_constant_apart(const cs_warn_draws *d, cs_page *p)
{
    size_t first, n = count(d, APART, &first);
    if (n == 0)
        return false;
    const cs_constant_chains *c = &d->d[first].constant;
    put_names(d, APART, n, p);
    if (n > 1)
        cs_page_put(p, " are constant in some chains, and have other values in "
                       "others");
    else if (c->chains == c->of)
        cs_page_put(p, " is constant in each chain, at different values");
    else
        cs_page_put(p,
                    " is constant in %zu of %zu chains, and changes in the "
                    "others",
                    c->chains, c->of);
    cs_page_put(p, ": the chains do not agree; run longer or change the "
                   "kernel\n");
    return true;
}

bool cs_warn_draws_constant_rare(const cs_warn_draws *d, cs_page *p)
{
    size_t first, n = count(d, RARE, &first);
    if (n == 0)
        return false;
    put_names(d, RARE, n, p);
    cs_page_put(p,
                " %s in some chains only, too rarely for R-hat and ESS: run "
                "longer\n",
                n > 1 ? "change" : "changes");
    return true;
}

/* Reports draws at the largest value of a count, which the model does not
 * have. */
bool cs_warn_draws_end(const cs_warn_draws *d, cs_page *p)
{
    char name[CS_WARN_NAME];
    size_t n = 0, first = 0;
    for (size_t k = d->scalars; k-- > 0;)
        if (d->d[k].at_end) {
            n++;
            first = k;
        }
    if (n == 0)
        return false;
    d->name(d->self, first, name);
    cs_page_put(p,
                "%zu of %zu draws of the count %s are at its largest value%s: "
                "the results are those of a model with this limit; raise it, "
                "cs.count(n, most)\n",
                d->d[first].at_end, d->chains * d->draws, name,
                n > 1 ? ", and other counts reach theirs" : "");
    return true;
}

bool cs_warn_draws_labels(const cs_warn_draws *d, cs_page *p)
{
    const cs_warn_labels *l = d->labels;
    if (!l)
        return false;
    cs_page_put(p,
                "the labels of %s may be exchangeable: the means of %s in "
                "chain %zu are those of chain %zu in another order; order %s, "
                "or use quantities that do not depend on the order\n",
                l->labels, l->vector, l->chain[1], l->chain[0], l->vector);
    return true;
}
