/* Publishes the lesson of the open scenario, and covers what would give away
 * the truth of its question. */
#include "base/memory.h"
#include "figure/figure.h"
#include "session/publish/publish.h"
#include "session/state/session_state.h"
#include "stat/worst.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { VALUE = 4096 };

/* The keys of a lesson. */
static const char *const keys[] = {
    "step",      "of",          "text",         "panels",  "points",
    "over",      "broken",      "ask",          "kind",    "choices",
    "place",     "answer",      "first",        "covers",  "truth",
    "mark",      "because",     "margin",       "right",   "wrong",
    "point/arm", "point/value", "point/word",   "point/x", "chosen",
    "asked",     "votes",       "votes_second", "voters",  "voters_second",
    "coming"};

/* Publishes each value under "course/KEY". The parts of a list are separated by
 * line breaks. */
void cs_session_put_course(const cs_session *s, cs_flat *f)
{
    char value[VALUE];
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (!cs_course_value(&s->course, keys[i], value, sizeof value))
            continue;
        for (char *c = value; *c; c++)
            *c = *c == '\r' ? '\n' : *c;
        cs_flat_text(f, value, "course/%s", keys[i]);
    }
}

/* ---- covers ------------------------------------------------------------------ */

/* The last parts of keys of arms and of the run that state a verdict. */
static const char *const verdicts[] = {"warnings", "warned", "words",
                                       "severity", "off",    "lesson",
                                       "apart",    "broken", "held"};

/* The last parts of keys of arms that state the exact answer, or the distance
 * from it. */
static const char *const exact[] = {
    "modes/tv",  "plane/tv",  "plane/truth",  "energy/truth",   "reason",
    "modes/all", "sites/off", "modes/weight", "acceptance/good"};

/* Figures that are columns of diagnostics/table; any other figure is covered
 * with the whole report of its probe. */
static const struct {
    const char *figure;
    size_t first, last; /* members of cs_figures, as numbers */
} columns[] = {
#define MEMBER(name) (offsetof(cs_figures, name) / sizeof(double))
    {"mean", MEMBER(mean), MEMBER(mean)},
    {"log_density", MEMBER(mean), MEMBER(mean)},
    {"sd", MEMBER(sd), MEMBER(sd)},
    {"log_density_sd", MEMBER(sd), MEMBER(sd)},
    {"rhat", MEMBER(rhat), MEMBER(rhat)},
    {"ess", MEMBER(bulk), MEMBER(ess)},
    {"ess_bulk", MEMBER(bulk), MEMBER(ess)},
    {"ess_tail", MEMBER(bulk), MEMBER(ess)},
    {"ess_per_work", MEMBER(bulk), MEMBER(ess)},
    {"mcse", MEMBER(bulk), MEMBER(ess)},
    {"median", MEMBER(median), MEMBER(median)},
    {"mad", MEMBER(mad), MEMBER(mad)},
#undef MEMBER
};

/* The entries that are covered while a question is open. */
typedef struct cover {
    char probe[8][32]; /* whole reports */
    size_t n;
    bool decision, kernel;
    bool column[sizeof(cs_figures) / sizeof(double)]; /* columns of the table */
} cover;

/* Adds what the word covers: a figure; "decision", the newest decisions and
 * those of the next step; or "kernel", the kernels of the arms. */
static void add_figure(cover *c, const char *name)
{
    c->decision |= strcmp(name, "decision") == 0;
    c->kernel |= strcmp(name, "kernel") == 0;
    const cs_figure_type *t = cs_figure_find(name);
    bool column = false;
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        bool same = strcmp(columns[i].figure, name) == 0;
        for (size_t k = columns[i].first; same && k <= columns[i].last; k++)
            c->column[k] = column = true;
    }
    if (!t || c->n >= sizeof c->probe / sizeof *c->probe)
        return;
    const char *probe = t->probe ? t->probe : "acceptance";
    if (!column || strcmp(probe, "diagnostics") != 0)
        snprintf(c->probe[c->n++], sizeof *c->probe, "%s/", probe);
}

static bool ends_with(const char *key, const char *end)
{
    size_t n = strlen(key), m = strlen(end);
    return n > m && key[n - m - 1] == '/' && strcmp(key + n - m, end) == 0;
}

static bool ends_with_one(const char *key, const char *const *end, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (ends_with(key, end[i]))
            return true;
    return false;
}

/* Returns true for entries that are covered from the opening of a lesson until
 * its last answer is revealed: verdicts, and the texts of the scenario that
 * state its results. */
static bool is_verdict(const char *key)
{
    if (strcmp(key, "run/shows") == 0 || strcmp(key, "run/lesson") == 0)
        return true;
    return (strncmp(key, "arm/", 4) == 0 || strcmp(key, "run/apart") == 0) &&
           ends_with_one(key, verdicts, sizeof verdicts / sizeof *verdicts);
}

/* Returns true for the exact distribution and the running mean of a quantity
 * that a panel shows. */
static bool is_quantity(const char *key)
{
    return strstr(key, "/draws/") &&
           (ends_with(key, "truth") || ends_with(key, "mean"));
}

/* Returns true for the keys after "look/" of decisions. */
static bool is_decision(const char *key)
{
    static const char *const heads[] = {"step", "preview/", "turns/", "ratios",
                                        "proposal"};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        if (strncmp(key, heads[i], strlen(heads[i])) == 0)
            return true;
    return false;
}

/* Returns true for an entry of an arm, after "arm/I/", that describes its kernel:
 * parameters, the reports of the kernel, and its work, since kernels of other
 * kinds need other evaluations. */
static bool is_kernel(const char *rest)
{
    static const char *const words[] = {
        "params",      "title",       "exact",  "loose",     "expected_rows",
        "logp",        "seconds",     "passes", "gradients", "site_differences",
        "data_terms",  "evaluations", "metric", "tuner",     "log_densities",
        "simulations", "site_updates"};
    static const char *const heads[] = {"kernel/",   "param/",  "list/",
                                        "tuner/",    "metric/", "schedule/",
                                        "observed_", "member"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(rest, words[i]) == 0)
            return true;
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        if (strncmp(rest, heads[i], strlen(heads[i])) == 0)
            return true;
    return false;
}

/* Returns true for an entry of the chosen chain, after "look/", that only some
 * kernels have: auxiliary variables, trajectories, noise, and log p. */
static bool is_look_of_kernel(const char *rest)
{
    static const char *const heads[] = {"own",  "noise/", "tree",
                                        "path", "logp",   "true_logp"};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        if (strncmp(rest, heads[i], strlen(heads[i])) == 0)
            return true;
    return false;
}

/* Returns true if the reports of a probe are left out. */
static bool hides(const cover *c, const char *probe)
{
    for (size_t i = 0; i < c->n; i++)
        if (strcmp(c->probe[i], probe) == 0)
            return true;
    return false;
}

/* Returns true if an entry of an arm or of the run is left out while the question
 * is open. The events include visits of modes. */
static bool is_covered(const cover *c, const char *key)
{
    if (strncmp(key, "moment/", 7) == 0)
        return hides(c, "modes/");
    if (strncmp(key, "look/", 5) == 0)
        return (c->decision && is_decision(key + 5)) ||
               (c->kernel && is_look_of_kernel(key + 5));
    if (strncmp(key, "arm/", 4) != 0)
        return false;
    if (is_quantity(key) ||
        ends_with_one(key, exact, sizeof exact / sizeof *exact))
        return true;
    const char *rest = strchr(key + 4, '/');
    if (rest && strncmp(rest, "/distance/", 10) == 0)
        return true;
    if (rest && c->kernel && is_kernel(rest + 1))
        return true;
    for (size_t i = 0; rest && i < c->n; i++)
        if (strncmp(rest + 1, c->probe[i], strlen(c->probe[i])) == 0)
            return true;
    return false;
}

/* Returns true if column `column` of an entry is made unknown: the covered
 * columns of a table of figures, and all figures of a quantity that a panel
 * shows (means, standard deviations and distances in one row). */
static bool is_unknown(const cover *c, const cs_flat_entry *e, size_t column)
{
    if (strstr(e->key, "/draws/"))
        return ends_with(e->key, "figures");
    return e->cols == sizeof(cs_figures) / sizeof(double) &&
           ends_with(e->key, "diagnostics/table") && c->column[column];
}

/* Appends an entry, base[at, end), with its covered columns made unknown. */
static void add_entry(const cover *c, const cs_flat_entry *e,
                      const unsigned char *base, size_t at, size_t end,
                      cs_flat *f)
{
    if (c->kernel && ends_with(e->key, "kernel") &&
        strncmp(e->key, "arm/", 4) == 0) {
        cs_flat_text(f, "covered", "%s", e->key);
        return;
    }
    if (!e->data || strncmp(e->key, "arm/", 4) != 0 ||
        !(ends_with(e->key, "table") || ends_with(e->key, "figures"))) {
        cs_flat_add(f, base + at, end - at);
        return;
    }
    double *to = cs_flat_array(f, e->rows, e->cols, "%s", e->key);
    for (size_t i = 0; to && i < e->rows * e->cols; i++)
        to[i] = is_unknown(c, e, i % e->cols) ? (double)NAN : e->data[i];
}

void cs_session_cover(const cs_session *s, cs_flat *f)
{
    char words[512] = "", word[64];
    bool asks = cs_course_asks(&s->course);
    cover c = {.n = 0};
    if (!cs_course_hides(&s->course))
        return;
    cs_course_value(&s->course, "covers", words, sizeof words);
    for (size_t i = 0; cs_fact_word(words, i, word, sizeof word); i++)
        add_figure(&c, word);
    size_t used = f->used, at = 0, begin = 0;
    unsigned char *copy = cs_alloc(used ? used : 1, 1);
    cs_flat_entry e;
    if (!copy) { /* nothing is shown rather than the truth */
        f->used = 0;
        return;
    }
    memcpy(copy, f->base, used);
    f->used = 0;
    for (; cs_flat_next(copy, used, &at, &e); begin = at)
        if (asks && !is_verdict(e.key) && !is_covered(&c, e.key))
            add_entry(&c, &e, copy, begin, at, f);
        else if (!asks && !is_verdict(e.key))
            cs_flat_add(f, copy + begin, at - begin);
    cs_free(copy);
}
