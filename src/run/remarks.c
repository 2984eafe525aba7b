#include "run/remarks.h"

#include "run/doubts.h"
#include "run/report_view.h"
#include "run/rows_drawn.h"
#include "run/trouble.h"
#include "stat/diagnostics.h"

#include <math.h>
#include <string.h>

/* ---- modes ---------------------------------------------------------------- */

/* Visits of all chains to the modes of the target, n = 0: none are known. */
typedef struct modes {
    cs_report_view look;
    const double *visits, *weight; /* [chains][n]; [n], NULL: not known */
    size_t n, chains;
} modes;

/* `told` (NULL: nothing yet) has the reports that were made already. */
static modes look_at_modes(cs_run *run, size_t arm, const cs_flat *told)
{
    modes m = {.look = cs_report_view_open(run, arm, "modes", told)};
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

/* Modes that chain c has been to. */
static size_t visited_by(const modes *m, size_t c)
{
    size_t n = 0;
    for (size_t k = 0; k < m->n; k++)
        n += m->visits[c * m->n + k] > 0;
    return n;
}

/* Chains that have been to mode k. */
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

enum { EXPECTED = 100, SHORT = 10 }; /* visits; so many times too few */

/* A mode that was reached, and has next to nothing of what it ought to have:
 * a step that strayed there counts as a visit. */
static void words_of_shares(const modes *m, double all, cs_page *p)
{
    size_t few = 0, worst = 0;
    double least = 1.0 / SHORT;
    for (size_t k = 0; k < m->n && m->weight; k++) {
        double want = m->weight[k] * all, part = visits_to(m, k) / want;
        if (want < EXPECTED || !(part > 0) || !(part < 1.0 / SHORT))
            continue;
        few++;
        worst = part < least ? k : worst;
        least = fmin(part, least);
    }
    if (few)
        cs_page_put(p,
                    "%zu of %zu known modes have less than a tenth of their "
                    "mass: mode %zu has %.3g %% of the visits, exactly %.3g "
                    "%%\n",
                    few, m->n, worst + 1, 100 * visits_to(m, worst) / all,
                    100 * m->weight[worst]);
}

/* Chains that have been to mode k for long enough; all of them where they are
 * too short to tell. */
static size_t chains_long_at(const modes *m, size_t k)
{
    size_t n = 0;
    for (size_t c = 0; c < m->chains; c++) {
        const double *row = m->visits + c * m->n;
        double want = 0;
        for (size_t i = 0; i < m->n; i++)
            want += row[i] * (m->weight ? m->weight[k] : 1 / (double)m->n);
        n += want < EXPECTED || !(row[k] < want / SHORT);
    }
    return n;
}

/* All chains together may have been everywhere, and none of them have left
 * where it began: then the shares are those of the starts. */
static void words_of_each(const modes *m, cs_page *p)
{
    size_t apart = 0, worst = 0, fewest = m->chains;
    for (size_t k = 0; k < m->n; k++) {
        size_t n = chains_long_at(m, k);
        if (n == 0 || n == m->chains)
            continue;
        apart++;
        worst = n < fewest ? k : worst;
        fewest = n < fewest ? n : fewest;
    }
    if (apart)
        cs_page_put(p,
                    "%zu of %zu known modes were hardly or never visited by "
                    "some chains, mode %zu by %zu of %zu: they seldom go from "
                    "mode to mode, and shares depend on the starts\n",
                    apart, m->n, worst + 1, m->chains - fewest, m->chains);
}

static void words_of_modes(cs_run *run, size_t arm, const cs_flat *told,
                           cs_page *p)
{
    modes m = look_at_modes(run, arm, told);
    double all, missed = 0;
    size_t n = visited(&m, &all);
    for (size_t k = 0; k < m.n && m.weight; k++)
        missed += visits_to(&m, k) > 0 ? 0 : m.weight[k];
    if (n < m.n && all > 0) {
        cs_page_put(p, "%zu of %zu known modes were never visited", m.n - n,
                    m.n);
        if (m.weight)
            cs_page_put(p, ", with %.3g of the mass", missed);
        cs_page_put(p, "; every figure is of the others alone\n");
    }
    words_of_shares(&m, all, p);
    words_of_each(&m, p);
    cs_report_view_close(&m.look);
}

/* ---- words ---------------------------------------------------------------- */

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

static void words_of_learning(const cs_run *run, size_t arm, cs_page *p)
{
    double share = cs_learning_share(run, arm);
    if (share > 0)
        cs_page_put(p,
                    "%.3g %% of the draws were made while the weight of "
                    "their bin was still being learned (learning__ = 1): what "
                    "these count is not settled\n",
                    100 * share);
}

/* Why the draws of a kernel are not exactly those of the target. */
static void words_of_bias(const cs_run *run, size_t arm,
                          const cs_kernel *kernel, cs_page *p)
{
    const cs_kernel_type *type = kernel->type;
    const char *why = "has no accept step: its draws are off by what its step "
                      "size makes of them";
    if (cs_kernel_is_exact(kernel, cs_run_target(run)))
        return;
    if (type->flags & CS_KERNEL_EXACT)
        why = "is not exact with the values that it has: its draws are not of "
              "the whole target";
    else if (type->flags & CS_KERNEL_ESTIMATES)
        why = "accepts by an estimate that may err: its draws are off by what "
              "it gets wrong";
    else if (type->flags & (CS_KERNEL_ACCEPTS | CS_KERNEL_DECIDES))
        why = "learns its weights on the way: its draws are off by what these "
              "change, less and less";
    else if (cs_learning_share(run, arm) > 0)
        why = "has no accept step and learns its weights on the way: its draws "
              "are off by what its step size and these make of them";
    cs_page_put(p, "%s %s\n", type->name, why);
}

void cs_arm_words(cs_run *run, size_t arm, const cs_flat *told, cs_page *p)
{
    cs_arm_view v = cs_run_arm(run, arm);
    cs_trouble_words(run, arm, p);
    if (v.tuning.active && v.steps > 0 && (!told || v.finished))
        cs_page_put(p,
                    "no draws: the run ended at step %llu, before its warm-up "
                    "did; make it longer\n",
                    (unsigned long long)v.steps);
    words_of_bias(run, arm, v.kernel, p);
    cs_rows_drawn_words(run, arm, p);
    words_of_learning(run, arm, p);
    words_of_modes(run, arm, told, p);
    if (cs_run_one_place(run) && v.chains > cs_kernel_group(v.kernel))
        cs_page_put(p, "all chains start at one place: R-hat cannot see modes "
                       "that none of them has reached\n");
    cs_doubts_words(run, arm, told, p);
}

/* ---- what is known -------------------------------------------------------- */

/* One of the distances: what it is of as many independent draws, and what the
 * exact answer may be off. */
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
        cs_page_put(p, "; that answer may be off by %.2g", d->law);
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

/* The first so many; returns how many there were. */
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

/* By all chains together, by every one of them, and by each. */
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
        cs_page_put(p, ", %zu by every chain; a chain visited %zu",
                    visited_by_all(m), least);
        if (most > least)
            cs_page_put(p, " to %zu", most);
    }
    cs_page_put(p, "\n");
}

/* Of a discrete state: whether chains are alike, and which sites move. */
typedef struct discrete {
    double alike, least, never, apart, sites; /* NAN: not known */
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
        cs_page_put(p, ", %.0f change in no chain and differ between them",
                    d->apart);
    if (d->alike >= 0 && isfinite(d->of_least.chi2))
        cs_page_put(p,
                    "; chains alike: p = %.2g (chi-square of %s %.3g of %.3g, "
                    "corrected for autocorrelation; least of all sites, "
                    "times their number)",
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
    modes m = look_at_modes(run, arm, NULL);
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
    modes m = look_at_modes(run, arm, NULL);
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
