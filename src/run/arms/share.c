#include "run/arms/share.h"

#include "base/memory.h"
#include "run/arms/run_state.h"
#include "run/arms/world.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool read_number(const char **at, uint64_t *n)
{
    char *end;
    if (!isdigit((unsigned char)**at))
        return false;
    *n = strtoull(*at, &end, 10);
    *at = end;
    return *n > 0 && *n <= CS_MOST_PARTS;
}

cs_status cs_share_read(cs_share *out, const char *text, cs_error *err)
{
    uint64_t part, parts;
    const char *at = text;
    if (read_number(&at, &part) && *at++ == '/' && read_number(&at, &parts) &&
        *at == 0 && part <= parts) {
        *out = (cs_share){part - 1, parts};
        return CS_OK;
    }
    cs_fail(err, CS_INPUT, "--part: expected K/N, not '%s'", text);
    cs_hint(err, "for example 3/16 for the third of 16 parts");
    return CS_INPUT;
}

/* ---- shares ---- */

/* Returns the first chain of a part. It is the smallest c with c * parts / all
 * >= part, where `all` is the total number of chains. */
static uint64_t first_of(cs_share s, uint64_t part, uint64_t all)
{
    return (part * all + s.parts - 1) / s.parts;
}

cs_chains cs_share_of(const cs_run *r, cs_share s, size_t arm)
{
    const cs_arm *a = &r->arm[arm];
    uint64_t before = a->share.before, all = r->n_chains;
    if (cs_share_is_all(s) || (r->together && s.part == 0))
        return (cs_chains){0, a->chains};
    if (r->together)
        return (cs_chains){0, 0};
    uint64_t first = first_of(s, s.part, all),
             end = first_of(s, s.part + 1, all);
    if (a->share.together) {
        bool mine = before >= first && before < end;
        return (cs_chains){0, mine ? a->chains : 0};
    }
    first = first > before ? first - before : 0;
    end = end > before ? end - before : 0;
    end = end < a->chains ? end : a->chains;
    return first < end ? (cs_chains){(size_t)first, (size_t)end}
                       : (cs_chains){0, 0};
}

bool cs_share_has_any(const cs_run *r, cs_share s)
{
    bool any = false;
    for (size_t i = 0; i < r->n_arms; i++)
        any |= cs_share_of(r, s, i).end > 0;
    return any;
}

cs_share cs_run_share(const cs_run *r)
{
    return r->share;
}

bool cs_run_is_part(const cs_run *r)
{
    return cs_run_follows(r) ||
           (!cs_share_is_all(r->share) && !(r->together && r->share.part == 0));
}

const char *cs_run_together(const cs_run *r)
{
    return r->together;
}

/* ---- text ---- */

void cs_share_name(cs_share s, cs_page *p)
{
    if (cs_share_is_all(s))
        cs_page_put(p, "a whole run");
    else
        cs_page_put(p, "part %llu of %llu", (unsigned long long)s.part + 1,
                    (unsigned long long)s.parts);
}

static void put_arm(const cs_arm *a, bool more, cs_page *p)
{
    cs_page_put(p, more ? "; " : "");
    if (a->share.together)
        cs_page_put(p, "all of arm %s, whose chains %s", a->name,
                    a->share.together);
    else if (a->share.own.end - a->share.own.first == a->chains)
        cs_page_put(p, "all of arm %s", a->name);
    else if (a->share.own.end - a->share.own.first == 1)
        cs_page_put(p, "chain %zu of arm %s", a->share.own.end, a->name);
    else
        cs_page_put(p, "chains %zu to %zu of arm %s", a->share.own.first + 1,
                    a->share.own.end, a->name);
}

void cs_share_words(const cs_run *r, cs_page *p)
{
    bool more = false;
    cs_share_name(r->share, p);
    cs_page_put(p, ": ");
    if (r->together) {
        cs_page_put(p, "%s, since %s",
                    r->share.part ? "nothing" : "all of the run", r->together);
        return;
    }
    for (size_t i = 0; i < r->n_arms; i++)
        if (r->arm[i].share.own.end) {
            put_arm(&r->arm[i], more, p);
            more = true;
        }
    if (!more)
        cs_page_put(p, "nothing: its chains are in other parts");
}
