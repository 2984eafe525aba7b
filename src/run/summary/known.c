#include "run/summary/known.h"

#include "run/arms/arms.h"
#include "run/views/report_view.h"
#include "run/views/view.h"
#include "stat/diagnostics.h"

#include <math.h>
#include <string.h>

/* ---- modes --------------------------------------------------------------- */

/* Number of visits to each mode of the target; n = 0: no modes are known. */
typedef struct modes {
    cs_report_view look;
    const double *visits, *weight; /* [chains][n]; [n], or NULL if unknown */
    size_t n, chains;
} modes;

static modes look_at_modes(cs_run *run, size_t arm)
{
    modes m = {.look = cs_report_view_open(run, arm, "modes", NULL)};
    cs_flat_entry e;
    if (!cs_report_view_find(&m.look, "visits", &e))
        return m;
    m.visits = e.data;
    m.chains = e.rows;
    m.n = e.cols;
    if (cs_report_view_find(&m.look, "weight", &e) && e.cols == m.n)
        m.weight = e.data;
    return m;
}

static double visits_to(const modes *m, size_t mode)
{
    double sum = 0;
    for (size_t c = 0; c < m->chains; c++)
        sum += m->visits[c * m->n + mode];
    return sum;
}

/* Counts the modes that chain c has visited. */
static size_t visited_by(const modes *m, size_t c)
{
    size_t n = 0;
    for (size_t k = 0; k < m->n; k++)
        n += m->visits[c * m->n + k] > 0;
    return n;
}

/* Counts the chains that have visited mode k. */
static size_t chains_at(const modes *m, size_t k)
{
    size_t n = 0;
    for (size_t c = 0; c < m->chains; c++)
        n += m->visits[c * m->n + k] > 0;
    return n;
}

static size_t visited_by_all(const modes *m)
{
    size_t n = 0;
    for (size_t k = 0; k < m->n; k++)
        n += chains_at(m, k) == m->chains;
    return n;
}

static size_t visited(const modes *m, double *all)
{
    size_t n = 0;
    *all = 0;
    for (size_t k = 0; k < m->n; k++) {
        double v = visits_to(m, k);
        n += v > 0;
        *all += v;
    }
    return n;
}

double cs_learning_share(const cs_run *run, size_t arm)
{
    double marking = 0, learning = 0;
    size_t chains = cs_run_arm(run, arm).chains;
    for (size_t c = 0; c < chains; c++) {
        cs_tally t = cs_run_decision(run, arm, c).tally;
        marking += t.marking;
        learning += t.learning;
    }
    return marking > 0 ? learning / marking : (double)NAN;
}

/* ---- distances ----------------------------------------------------------- */

/* A distance, the expected value that the distance has for an equal number of
 * independent draws (floor), and the possible error of the exact answer. */
typedef struct distance {
    char name[64];
    double value, floor, law;
} distance;
typedef void each_distance(const distance *d, size_t i, cs_page *p);

static void distance_text(const distance *d, size_t i, cs_page *p)
{
    cs_page_put(p, "%s %s %.3g",
                i ? "," : "  distance from the exact answer:", d->name,
                d->value);
    if (isfinite(d->floor))
        cs_page_put(p, " (independent draws %.3g", d->floor);
    if (isfinite(d->floor) && d->law > d->floor / 2)
        cs_page_put(p, "; the exact answer may be off by %.2g", d->law);
    if (isfinite(d->floor))
        cs_page_put(p, ")");
}

static void number_json(const char *name, double value, size_t i, cs_page *p)
{
    cs_page_put(p, "%s", i ? ", " : "");
    cs_page_quoted(p, name);
    cs_page_put(p, ": ");
    cs_page_number(p, value);
}

static void distance_json(const distance *d, size_t i, cs_page *p)
{
    number_json(d->name, d->value, i, p);
}

static void law_json(const distance *d, size_t i, cs_page *p)
{
    number_json(d->name, d->law, i, p);
}

/* Lists at most `most` distances. Returns the number of all distances. */
static size_t go_through(cs_run *run, size_t arm, size_t most,
                         each_distance *each, cs_page *p)
{
    cs_flat_entry names, values, floor = {.data = NULL}, law = {.data = NULL};
    size_t n = 0;
    cs_report_view l = cs_report_view_open(run, arm, "distance", NULL);
    if (cs_report_view_find(&l, "names", &names) &&
        cs_report_view_find(&l, "values", &values) && names.text) {
        cs_report_view_find(&l, "floor", &floor);
        cs_report_view_find(&l, "law", &law);
        const char *at = names.text;
        for (size_t k = 0; *at && k < values.rows * values.cols && n < most;
             k++) {
            distance d = {.value = values.data[k],
                          .floor = floor.data ? floor.data[k] : (double)NAN,
                          .law = law.data ? law.data[k] : 0};
            size_t size = strcspn(at, " "), room = sizeof d.name - 1;
            memcpy(d.name, at, size < room ? size : room);
            at += size + (at[size] == ' ');
            if (!isnan(d.value))
                each(&d, n++, p);
        }
    }
    cs_report_view_close(&l);
    return n;
}

/* Reports the modes visited by all chains together, by every chain, and by each
 * chain. */
static void text_of_modes(const modes *m, cs_page *p)
{
    double all;
    size_t least = m->n, most = 0;
    for (size_t c = 0; c < m->chains; c++) {
        size_t n = visited_by(m, c);
        least = n < least ? n : least;
        most = n > most ? n : most;
    }
    cs_page_put(p, "  modes visited: %zu of %zu", visited(m, &all), m->n);
    if (m->chains > 1) {
        cs_page_put(p, ", %zu by every chain; each chain visited %zu",
                    visited_by_all(m), least);
        if (most > least)
            cs_page_put(p, " to %zu", most);
    }
    cs_page_put(p, "\n");
}

/* Homogeneity tests of a discrete state, and the sites that change. */
typedef struct discrete {
    double alike, least, never, apart, sites; /* NAN: unknown */
    cs_homogeneity of_least;
    char name[64];
} discrete;

static double number_of(const cs_report_view *l, const char *key)
{
    cs_flat_entry e;
    return cs_report_view_find(l, key, &e) && e.data ? e.data[0] : (double)NAN;
}

static bool look_at_sites(cs_run *run, size_t arm, discrete *d)
{
    cs_flat_entry e;
    cs_report_view l = cs_report_view_open(run, arm, "diagnostics", NULL);
    bool there = cs_report_view_find(&l, "sites", &e);
    const cs_homogeneity *row = there ? CS_ENTRY_ROWS(e, cs_homogeneity) : NULL;
    *d = (discrete){.alike = number_of(&l, "alike"),
                    .least = number_of(&l, "least"),
                    .never = number_of(&l, "never"),
                    .apart = number_of(&l, "apart"),
                    .sites = row ? (double)e.rows : 0};
    if (row && d->alike >= 0) {
        d->of_least = row[(size_t)d->least - 1];
        cs_target_coordinate(cs_run_target(run), (size_t)d->least - 1, d->name,
                             sizeof d->name);
    }
    cs_report_view_close(&l);
    return row;
}

static void text_of_sites(const discrete *d, cs_page *p)
{
    cs_page_put(p, "  sites: %.0f of %.0f never changed", d->never, d->sites);
    if (d->apart > 0)
        cs_page_put(p, ", %.0f change in no chain but differ between chains",
                    d->apart);
    if (d->alike >= 0 && isfinite(d->of_least.chi2))
        cs_page_put(p,
                    "; test of equal chains: p = %.2g (smallest p of all "
                    "sites, times the number of sites; %s: chi-square %.3g, "
                    "%.3g degrees of freedom, corrected for autocorrelation)",
                    d->alike, d->name, d->of_least.chi2, d->of_least.freedom);
    cs_page_put(p, "\n");
}

static void json_of_sites(const discrete *d, cs_page *p)
{
    cs_page_put(p, ", \"sites\": {\"alike\": ");
    cs_page_number(p, d->alike);
    cs_page_put(p, ", \"never_changed\": ");
    cs_page_number(p, d->never);
    cs_page_put(p, ", \"apart\": ");
    cs_page_number(p, d->apart);
    cs_page_put(p, "}");
}

void cs_known_text(cs_run *run, size_t arm, cs_page *p)
{
    discrete sites;
    enum { SHOWN = 4 };
    modes m = look_at_modes(run, arm);
    if (m.n > 1)
        text_of_modes(&m, p);
    cs_report_view_close(&m.look);
    if (go_through(run, arm, SHOWN, distance_text, p))
        cs_page_put(p, "\n");
    if (look_at_sites(run, arm, &sites))
        text_of_sites(&sites, p);
}

static void json_of_chains(const modes *m, cs_page *p)
{
    cs_page_put(p, ", \"modes_visited_by_all\": %zu, \"mode_chains\": [",
                visited_by_all(m));
    for (size_t k = 0; k < m->n; k++)
        cs_page_put(p, "%s%zu", k ? ", " : "", chains_at(m, k));
    cs_page_put(p, "], \"mode_visits\": [");
    for (size_t c = 0; c < m->chains; c++)
        for (size_t k = 0; k < m->n; k++) {
            cs_page_put(p, "%s", k ? ", " : c ? "], [" : "[");
            cs_page_number(p, m->visits[c * m->n + k]);
        }
    cs_page_put(p, m->chains ? "]]" : "]");
}

void cs_known_json(cs_run *run, size_t arm, cs_page *p)
{
    modes m = look_at_modes(run, arm);
    double all;
    size_t n = visited(&m, &all);
    if (m.n) {
        cs_page_put(p,
                    ", \"modes\": %zu, \"modes_visited\": %zu, "
                    "\"mode_shares\": [",
                    m.n, n);
        for (size_t k = 0; k < m.n; k++) {
            cs_page_put(p, "%s", k ? ", " : "");
            cs_page_number(p, visits_to(&m, k) / all);
        }
        cs_page_put(p, "]");
        json_of_chains(&m, p);
    }
    cs_report_view_close(&m.look);
    cs_page_put(p, ", \"distances\": {");
    go_through(run, arm, SIZE_MAX, distance_json, p);
    cs_page_put(p, "}, \"distances_off\": {");
    go_through(run, arm, SIZE_MAX, law_json, p);
    cs_page_put(p, "}");
    discrete sites;
    if (look_at_sites(run, arm, &sites))
        json_of_sites(&sites, p);
}
