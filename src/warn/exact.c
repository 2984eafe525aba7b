/* Warnings about draws that differ from exact values or from other arms. */
#include "warn/kinds.h"

#include "base/count.h"

#include <math.h>
#include <string.h>

bool cs_warn_heat(const cs_warn_facts *f, cs_page *p)
{
    if (f->heat == 1)
        return false;
    cs_page_put(p,
                "%s samples p^(1/T) at temperature T = %g, but the exact law "
                "and the distance from it are those of p, at T = 1\n",
                f->kernel->type->name, f->heat);
    return true;
}

static void put_distance(const cs_warn_facts *f, const cs_warn_distance *d,
                         cs_page *p)
{
    if (strncmp(d->name, "ks.", 3) == 0)
        cs_page_put(p, "%s differs from its exact law by more than chance (ks",
                    d->name + 3);
    else
        cs_page_put(p,
                    "the draws differ from the exact distribution by more than "
                    "chance (%s",
                    d->name);
    cs_page_put(p,
                " %.3g at %s effective draws): %s, or a part of the target was "
                "missed\n",
                d->value, cs_count(round(d->size)).text,
                f->exact ? "the kernel is wrong" : "by the bias of its kernel");
}

bool cs_warn_off(const cs_warn_facts *f, cs_page *p)
{
    for (size_t i = 0; i < f->n_distances; i++)
        put_distance(f, &f->distance[i], p);
    return f->n_distances > 0;
}

static bool put_lines(const char *lines, cs_page *p)
{
    bool any = lines && *lines;
    if (any)
        cs_page_put(p, "%s", lines);
    return any;
}

bool cs_warn_differs(const cs_warn_facts *f, cs_page *p)
{
    return put_lines(f->differs, p);
}

bool cs_warn_arms_disagree(const cs_warn_facts *f, cs_page *p)
{
    return put_lines(f->apart, p);
}

bool cs_warn_biased(const cs_warn_facts *f, cs_page *p)
{
    return put_lines(f->biased, p);
}
