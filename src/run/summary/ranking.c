#include "run/summary/ranking.h"

#include "run/arms/run_state.h"
#include "run/summary/paired.h"

#include <assert.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 64, CLAUSE = 512 };

/* ---- figures ------------------------------------------------------------- */

static bool has_figure(const cs_ranking *r, size_t i)
{
    double x = r->arm[i].value;
    return isfinite(x) && (r->seen || r->merit == CS_MERIT_NONE || x > 0);
}

/* Returns a value by which arms are ordered: larger is better. */
static double worth(const cs_ranking *r, size_t i)
{
    return r->merit == CS_MERIT_LESS ? -r->arm[i].value : r->arm[i].value;
}

void cs_ranking_sort(const cs_ranking *r, size_t *order)
{
    for (size_t i = 0; i < r->n; i++) {
        size_t at = i;
        while (at && has_figure(r, i) &&
               (!has_figure(r, order[at - 1]) ||
                worth(r, i) > worth(r, order[at - 1])))
            at--;
        memmove(order + at + 1, order + at, (i - at) * sizeof *order);
        order[at] = i;
    }
}

static bool has_error(const cs_contender *c)
{
    return c->error >= 0 && isfinite(c->error) && c->freedom > 0;
}

/* Compares two arms over the runs in which both arms have the figure. */
static bool lead_of_runs(const cs_ranking *r, size_t a, size_t b, double level,
                         cs_lead *lead)
{
    size_t better = r->merit == CS_MERIT_LESS ? b : a;
    cs_paired p = cs_paired_of(r->run + better, r->run + (a + b - better),
                               r->runs, r->n, !r->seen);
    double far =
        p.n < CS_RANKING_RUNS ? (double)NAN : cs_paired_reach(&p, level);
    *lead = (cs_lead){p.mean, p.mean - far, p.mean + far};
    if (!r->seen)
        *lead = (cs_lead){exp(lead->ratio), exp(lead->low), exp(lead->high)};
    return isfinite(far);
}

bool cs_ranking_lead(const cs_ranking *r, size_t a, size_t b, double level,
                     cs_lead *lead)
{
    const cs_contender *x = &r->arm[a], *y = &r->arm[b];
    assert(level > 0 && level < 1);
    if (r->runs)
        return lead_of_runs(r, a, b, level, lead);
    double ratio = x->value / y->value;
    ratio = r->merit == CS_MERIT_LESS ? 1 / ratio : ratio;
    *lead = (cs_lead){ratio, (double)NAN, (double)NAN};
    if (!has_error(x) || !has_error(y) || !(ratio > 0))
        return false;
    double e = x->error * x->error, f = y->error * y->error, sum = e + f;
    double freedom =
        sum > 0 ? sum * sum / (e * e / x->freedom + f * f / y->freedom) : 1;
    double far = gsl_cdf_tdist_Pinv(0.5 + level / 2, freedom) *
                 (sum > 0 ? sqrt(sum) : 0);
    lead->low = ratio * exp(-far);
    lead->high = ratio * exp(far);
    return true;
}

/* ---- text ---------------------------------------------------------------- */

/* A text of clauses separated by "; ", or of list elements with another
 * separator. A clause that does not fit is left out completely. */
typedef struct page {
    char *text;
    size_t size, used;
} page;

static void put(page *p, const char *between, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void put(page *p, const char *between, const char *format, ...)
{
    char clause[CLAUSE];
    va_list args;
    va_start(args, format);
    vsnprintf(clause, sizeof clause, format, args);
    va_end(args);
    const char *before = p->used ? between : "";
    size_t n = strlen(before) + strlen(clause);
    if (p->used + n + 1 > p->size)
        return;
    snprintf(p->text + p->used, p->size - p->used, "%s%s", before, clause);
    p->used += n;
}

/* A number with two digits. If a number above 1 would be printed as 1, it gets
 * more digits. */
typedef struct digits {
    char text[32];
} digits;

static digits write(double x)
{
    digits out;
    int places = x >= 9.95 ? 0 : 1;
    if (x < 0.95)
        places = x > 0.095 ? 2 : 3;
    double off = fabs(x - 1);
    while (places < 6 && off < 0.6 * pow(10, -places) && off > 0)
        places++;
    snprintf(out.text, sizeof out.text, "%.*f", places, x);
    if (x >= 1e6 || x < 1e-3)
        snprintf(out.text, sizeof out.text, "%.1e", x);
    return out;
}

typedef bool is_one(const cs_ranking *r, size_t i, double of);

/* Writes the list of the arms for which `is` is true ("`a`", "`a` and `b`" or
 * "`a`, `b` and `c`"). Returns the number of these arms. */
static size_t list(const cs_ranking *r, is_one *is, double of, page *p)
{
    size_t n = 0, seen = 0;
    for (size_t i = 0; i < r->n; i++)
        n += is(r, i, of);
    for (size_t i = 0; i < r->n; i++)
        if (is(r, i, of))
            put(p, ++seen < n ? ", " : " and ", "`%s`", r->arm[i].name);
    return n;
}

/* ---- modes --------------------------------------------------------------- */

static bool knows_modes(const cs_ranking *r)
{
    return r->modes > 1;
}

/* Returns the largest number of modes found by an arm that can win; -1:
 * unknown. */
static double max_modes(const cs_ranking *r)
{
    double most = -1;
    for (size_t i = 0; knows_modes(r) && i < r->n; i++)
        if (!r->arm[i].barred && r->arm[i].modes > most)
            most = r->arm[i].modes;
    return most;
}

static bool has_found(const cs_ranking *r, size_t i, double modes)
{
    return r->arm[i].modes == modes && !r->arm[i].barred;
}

/* Writes the arms that found the largest number of modes, then each of the
 * other arms. */
static void say_modes(const cs_ranking *r, page *p)
{
    char names[CLAUSE] = "";
    page who = {names, sizeof names, 0};
    double most = max_modes(r);
    if (most < 0)
        return;
    size_t n = list(r, has_found, most, &who);
    put(p, "; ", "%s %s %.0f of %.0f modes%s", names, n > 1 ? "find" : "finds",
        most, r->modes, r->at ? r->at : "");
    for (size_t i = 0; i < r->n; i++) {
        const cs_contender *c = &r->arm[i];
        if (c->barred || !(c->modes < most))
            continue;
        put(p, "; ", c->stays ? "`%s` is stuck in %.0f" : "`%s` finds %.0f",
            c->name, c->modes);
    }
}

/* ---- figures ------------------------------------------------------------- */

/* Returns true if the arm is compared. Arms that found fewer modes than another
 * arm are excluded, because figures do not show missed modes. Arms whose figure
 * is too inaccurate are also excluded. */
static bool takes_part(const cs_ranking *r, size_t i, double most)
{
    bool fewer = most >= 0 && !(r->arm[i].modes >= most);
    const cs_contender *c = &r->arm[i];
    return has_figure(r, i) && !c->barred && !c->vague && !c->apart && !fewer;
}

static size_t find_leader(const cs_ranking *r, double most)
{
    size_t best = r->n;
    for (size_t i = 0; i < r->n; i++)
        if (takes_part(r, i, most) &&
            (best == r->n || worth(r, i) > worth(r, best)))
            best = i;
    return best;
}

size_t cs_ranking_leader(const cs_ranking *r)
{
    return r->apart ? r->n : find_leader(r, -1);
}

/* Results of comparing an arm with the leader. */
typedef enum verdict { APART, UNKNOWN, OPEN, LED, VERDICTS } verdict;
typedef struct leads {
    verdict of[MOST];
    cs_lead lead[MOST];
    size_t n[VERDICTS];
} leads;

static void compare(const cs_ranking *r, size_t leader, double most, leads *out)
{
    size_t others = 0, n = r->n < MOST ? r->n : MOST;
    memset(out, 0, sizeof *out);
    for (size_t i = 0; i < n; i++)
        others += i != leader && takes_part(r, i, most);
    for (size_t i = 0; i < n; i++) {
        if (i == leader || !takes_part(r, i, most))
            continue;
        double level = 1 - 0.05 / (double)others;
        bool known = cs_ranking_lead(r, leader, i, level, &out->lead[i]);
        double even = r->seen ? 0 : 1;
        out->of[i] = !known ? UNKNOWN : out->lead[i].low > even ? LED : OPEN;
        out->n[out->of[i]]++;
    }
}

/* A ratio as in "12x (9.1 to 16)", or a difference as in "by 1.2 (0.9 to
 * 1.5)". */
typedef struct lead_words {
    char text[128];
} lead_words;

static lead_words write_lead(const cs_ranking *r, const cs_lead *l)
{
    lead_words out;
    if (r->seen)
        snprintf(out.text, sizeof out.text, "by %.3g (%.3g to %.3g)", l->ratio,
                 l->low, l->high);
    else
        snprintf(out.text, sizeof out.text, "%sx (%s to %s)",
                 write(l->ratio).text, write(l->low).text, write(l->high).text);
    return out;
}

/* Writes the list of the arms with the result `of`, as in "`b` 12x (9.1 to 16)
 * and `c` 2.0x (1.5 to 2.7)"; if `of` is UNKNOWN, writes only the names. */
static void list_leads(const cs_ranking *r, const leads *l, verdict of,
                       char *text, size_t size)
{
    page p = {text, size, 0};
    size_t seen = 0;
    *text = 0;
    for (size_t i = 0; i < r->n && i < MOST; i++) {
        if (l->of[i] != of)
            continue;
        const char *between = ++seen < l->n[of] ? ", " : " and ";
        if (of == UNKNOWN)
            put(&p, between, "`%s`", r->arm[i].name);
        else
            put(&p, between, "`%s` %s", r->arm[i].name,
                write_lead(r, &l->lead[i]).text);
    }
}

/* Returns the arm whose comparison had the result `of`. There must be only one
 * such arm. */
static size_t find_only(const cs_ranking *r, const leads *l, verdict of)
{
    size_t i = 0;
    while (i + 1 < r->n && l->of[i] != of)
        i++;
    return i;
}

static void say_open(const cs_ranking *r, const leads *l, size_t leader,
                     page *p)
{
    char text[CLAUSE];
    size_t i = find_only(r, l, OPEN);
    const cs_lead *lead = &l->lead[i];
    list_leads(r, l, OPEN, text, sizeof text);
    if (l->n[OPEN] == 1)
        put(p, "; ", "`%s` and `%s` cannot be ranked yet: %s in %s%s",
            r->arm[leader].name, r->arm[i].name, write_lead(r, lead).text,
            r->what, r->where);
    else if (l->n[OPEN])
        put(p, "; ", "`%s` and others cannot be ranked yet: %s in %s%s",
            r->arm[leader].name, text, r->what, r->where);
}

/* Writes which arms the leader leads and by how much, then the comparisons that
 * are not significant. */
static void say_leads(const cs_ranking *r, size_t leader, double most, page *p)
{
    char text[CLAUSE];
    leads l;
    compare(r, leader, most, &l);
    list_leads(r, &l, LED, text, sizeof text);
    if (l.n[LED])
        put(p, "; ", "`%s` leads %s in %s%s", r->arm[leader].name, text,
            r->what, r->where);
    say_open(r, &l, leader, p);
    list_leads(r, &l, UNKNOWN, text, sizeof text);
    if (l.n[UNKNOWN])
        put(p, "; ",
            "`%s` and %s cannot be ranked: the error of their %s is unknown",
            r->arm[leader].name, text, r->what);
}

/* Writes the best and the next best arm, for observed (`seen`) figures. */
static void say_seen(const cs_ranking *r, size_t leader, double most, page *p)
{
    size_t next = r->n;
    bool alike = false;
    for (size_t i = 0; i < r->n; i++)
        if (i != leader && takes_part(r, i, most)) {
            alike |= worth(r, i) == worth(r, leader);
            if (next == r->n || worth(r, i) > worth(r, next))
                next = i;
        }
    if (next == r->n)
        return;
    const char *a = r->arm[leader].name, *b = r->arm[next].name;
    double x = r->arm[leader].value, y = r->arm[next].value;
    if (alike)
        put(p, "; ", "`%s` and `%s` have the same %s, %.6g%s", a, b, r->what, x,
            r->where);
    else
        put(p, "; ", "`%s` has the best %s, %.6g%s; next is `%s`, %.6g", a,
            r->what, x, r->where, b, y);
}

static void say_figures(const cs_ranking *r, page *p)
{
    double most = max_modes(r);
    size_t leader = find_leader(r, most);
    if (r->apart) {
        put(p, "; ", "%s: at least one is wrong, and no arm leads", r->apart);
        return;
    }
    if (leader == r->n || r->merit == CS_MERIT_NONE)
        return;
    if (r->seen && !r->runs)
        say_seen(r, leader, most, p);
    else
        say_leads(r, leader, most, p);
}

/* ---- excluded arms ------------------------------------------------------- */

static void say_others(const cs_ranking *r, page *p)
{
    for (size_t i = 0; i < r->n; i++) {
        const cs_contender *c = &r->arm[i];
        if (c->barred)
            put(p, "; ", "`%s` %s: it cannot win", c->name, c->barred);
        else if (!has_figure(r, i))
            put(p, "; ", "`%s` %s", c->name,
                c->missing ? c->missing : "has no figure");
        else if (c->vague)
            put(p, "; ", "`%s` %s", c->name, c->vague);
    }
}

void cs_ranking_say(const cs_ranking *r, char *text, size_t size)
{
    assert(size > 0);
    page p = {text, size, 0};
    *text = 0;
    if (r->n < 2)
        return;
    say_modes(r, &p);
    say_figures(r, &p);
    say_others(r, &p);
    if (r->inexact)
        put(&p, "; ",
            r->merit == CS_MERIT_LESS ? "none is exact"
                                      : "none is exact, so the distance from "
                                        "the truth is the better measure");
}
