/* Texts of the law `reach`. */
#include "check/reach.h"

#include <stdio.h>
#include <string.h>

/* SHOWN: largest number of values in a text. NAMED: largest number of sites that
 * a text names. BALL_SITES, BALL_STATES: limits of the kernel gibbs. */
enum { SHOWN = 12, NAMED = 5, BALL_SITES = 16, BALL_STATES = 1024 };

/* Appends to text[size]; `used` is its length. Returns the new length. */
static size_t append(char *text, size_t size, size_t used, const char *more)
{
    int n = snprintf(text + used, size - used, "%s", more);
    return n > 0 && used + (size_t)n < size ? used + (size_t)n : used;
}

void cs_reach_state_text(const cs_site_list *s, const double *x, char *text,
                         size_t size)
{
    size_t used = 0;
    char one[32];
    text[0] = '\0';
    for (size_t k = 0; k < s->n && k < SHOWN; k++) {
        snprintf(one, sizeof one, "%s%g", k ? " " : "", x[s->coordinate[k]]);
        used = append(text, size, used, one);
    }
    if (s->n > SHOWN)
        append(text, size, used, " ...");
}

/* Writes the names of n sites, such as "z.1, z.2 and z.3". */
static void name_sites(const cs_site_list *s, const uint32_t *site, size_t n,
                       char *text, size_t size)
{
    size_t used = 0, named = n <= NAMED ? n : NAMED - 1;
    char one[48], more[64];
    text[0] = '\0';
    for (size_t k = 0; k < named; k++) {
        cs_target_name_coordinate(s->t, s->coordinate[site[k]], one,
                                  sizeof one);
        snprintf(more, sizeof more, "%s%s",
                 !k           ? ""
                 : k + 1 == n ? " and "
                              : ", ",
                 one);
        used = append(text, size, used, more);
    }
    snprintf(more, sizeof more, " and %zu more", n - named);
    if (named < n)
        append(text, size, used, more);
}

/* Returns true if the kernel gibbs can redraw the sites together. */
static bool suits_gibbs(const cs_site_list *s, const uint32_t *site, size_t n)
{
    double states = 1;
    const cs_part first = cs_space_part(&s->t->space, s->coordinate[site[0]]);
    for (size_t k = 0; k < n; k++) {
        const cs_part p = cs_space_part(&s->t->space, s->coordinate[site[k]]);
        if (p.kind != first.kind || p.low != first.low ||
            p.values != first.values)
            return false;
        states *= p.values;
    }
    return n <= BALL_SITES && states <= BALL_STATES;
}

void cs_reach_together_text(const cs_site_list *s, const cs_site_moves *moves,
                            const double *from, const double *to, char *text,
                            size_t size)
{
    enum { MOST = 64 };
    uint32_t site[MOST];
    size_t n = 0;
    bool known;
    char names[120], advice[96] = "";
    for (size_t k = 0; k < s->n && n < MOST; k++)
        if (from[s->coordinate[k]] != to[s->coordinate[k]])
            site[n++] = (uint32_t)k;
    name_sites(s, site, n, names, sizeof names);
    if (n && suits_gibbs(s, site, n))
        snprintf(advice, sizeof advice,
                 "; use a kernel that moves %s, such as gibbs with sites = %zu",
                 n == 2 ? "both" : "all of them", n);
    else
        snprintf(advice, sizeof advice,
                 "; use a member that draws %s by a function `draw`",
                 n == 2 ? "both" : "all of them");
    bool can = cs_site_moves_reach(moves, site, n, &known);
    snprintf(text, size, "%s must change together%s", names, can ? "" : advice);
}
