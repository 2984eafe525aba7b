/* The table of arms: what each has done, what it cost, what it found; below,
 * the scalars of the chosen arm one by one. */
#include "screen/race.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

typedef struct summary {
    const cs_shot *s;
    size_t arm;
    const cs_unit_row *unit; /* of work */
    double work;             /* of all chains in it */
    double chains, steps, accepted, rolling, r_hat, ess, gradients, densities;
    double terms;  /* data terms */
    double passes; /* over the rows, of a chain; NAN: there are none */
    double seconds, found, modes, distance, floor, failed;
    char which[32]; /* distance it is */
} summary;

static const cs_figures *table_of(const cs_shot *s, size_t arm, size_t *rows)
{
    return CS_SHOT_ROWS(s, cs_figures, rows, CS_KEY_FIGURES, arm);
}

/* The worst R-hat and the smallest ESS of all scalars. */
static void diagnose(summary *out)
{
    size_t rows;
    const cs_figures *row = table_of(out->s, out->arm, &rows);
    out->r_hat = out->ess = NAN;
    for (size_t i = 0; i < rows; i++) {
        out->r_hat = fmax(out->r_hat, row[i].rhat);
        out->ess = fmin(out->ess, row[i].ess);
    }
}

static void find_rates(summary *out)
{
    size_t n;
    const cs_row_acceptance *row = CS_SHOT_ROWS(out->s, cs_row_acceptance, &n,
                                                CS_KEY_ACCEPTANCE, out->arm);
    double steps = 0, rolling = 0;
    for (size_t i = 0; i < n; i++) {
        steps += row[i].steps;
        rolling += row[i].rolling / (double)n;
    }
    out->accepted = cs_shot_accepted(out->s, out->arm);
    out->rolling = steps > 0 ? rolling : (double)NAN;
}

static void count_modes(summary *out)
{
    size_t r, c;
    const double *v =
        cs_shot_array(out->s, &r, &c, "arm/%zu/modes/visits", out->arm);
    out->modes = (double)c;
    for (size_t m = 0; v && m < c; m++) {
        double sum = 0;
        for (size_t k = 0; k < r; k++)
            sum += v[k * c + m];
        out->found += sum > 0;
    }
}

/* One that can be held beside another arm's: the total variation of the states,
 * or where those are not known that of the coordinate farthest above its floor.
 */
static void find_distance(summary *out)
{
    const char *names =
        cs_shot_text(out->s, "arm/%zu/distance/names", out->arm);
    size_t r, n, m;
    const double *v =
        cs_shot_array(out->s, &r, &n, "arm/%zu/distance/values", out->arm);
    const double *f =
        cs_shot_array(out->s, &r, &m, "arm/%zu/distance/floor", out->arm);
    out->distance = out->floor = NAN;
    n = strncmp(names, "tv", 2) == 0 ? 1 : n;
    for (size_t i = 0; v && f && i < n && i < m; i++)
        if (!(v[i] / f[i] <= out->distance / out->floor)) {
            out->distance = v[i];
            out->floor = f[i];
            cs_shot_word(names, i, out->which, sizeof out->which);
        }
}

static summary summary_of(const cs_shot *s, size_t arm, cs_unit unit)
{
    summary out = {.s = s, .arm = arm};
    unit = cs_unit_of_figure(s, unit);
    out.unit = cs_unit_at(unit);
    out.work = cs_shot_work(s, arm, unit);
    out.chains = cs_shot_number(s, NAN, "arm/%zu/chains", arm);
    out.steps = cs_shot_number(s, NAN, "arm/%zu/steps", arm);
    out.gradients = cs_shot_number(s, NAN, "arm/%zu/gradients", arm);
    out.terms = cs_shot_number(s, 0, "arm/%zu/data_terms", arm);
    out.passes = cs_shot_number(s, NAN, "arm/%zu/passes", arm);
    out.densities = cs_shot_number(s, NAN, "arm/%zu/log_densities", arm);
    out.seconds = cs_shot_number(s, NAN, "arm/%zu/seconds", arm);
    out.failed = cs_shot_number(s, 0, "arm/%zu/failed", arm);
    find_distance(&out);
    diagnose(&out);
    find_rates(&out);
    count_modes(&out);
    return out;
}

/* ---- cells ------------------------------------------------------------- */

typedef struct cell {
    char text[32];
    bool warn;
} cell;

static cell number(double v)
{
    cell c = {"-", false};
    if (isfinite(v))
        cs_short(v, c.text, sizeof c.text);
    return c;
}

static cell rate(double v)
{
    cell c = {"-", false};
    if (isfinite(v))
        snprintf(c.text, sizeof c.text, "%.3f", v);
    return c;
}

static cell steps(const summary *r)
{
    return number(r->steps);
}

static cell accepted(const summary *r)
{
    return rate(r->accepted);
}

static cell rolling(const summary *r)
{
    return rate(r->rolling);
}

static cell r_hat(const summary *r)
{
    cell c = rate(r->r_hat);
    c.warn = r->r_hat > CS_RHAT_MOST;
    if (c.warn)
        snprintf(c.text, sizeof c.text, "%.3f!", r->r_hat);
    return c;
}

static cell ess(const summary *r)
{
    return number(r->ess);
}

static cell ess_per_work(const summary *r)
{
    return number(r->unit->in_lot * r->ess / r->work);
}

static cell ess_per_second(const summary *r)
{
    return number(r->ess / r->seconds);
}

static cell distance(const summary *r)
{
    cell c = rate(r->distance);
    /* the floor is of independent draws: a sampler has fewer, ESS of them */
    double fewer = fmax(r->chains * r->steps / r->ess, 1);
    c.warn = r->distance > 3 * r->floor * (isfinite(fewer) ? sqrt(fewer) : 1);
    if (isfinite(r->distance))
        snprintf(c.text, sizeof c.text, "%.3f %.20s", r->distance, r->which);
    return c;
}

static cell floor_of(const summary *r)
{
    return rate(r->floor);
}

static cell modes(const summary *r)
{
    cell c = {"-", r->found < r->modes};
    if (r->modes > 0)
        snprintf(c.text, sizeof c.text, "%.0f/%.0f", r->found, r->modes);
    return c;
}

static cell gradients(const summary *r)
{
    return number(r->gradients);
}

static cell densities(const summary *r)
{
    return number(r->densities);
}

static cell terms(const summary *r)
{
    return number(r->terms);
}

static cell terms_per_step(const summary *r)
{
    return number(r->terms / (r->chains * r->steps));
}

static cell passes(const summary *r)
{
    return number(r->passes);
}

static cell failed(const summary *r)
{
    cell c = number(r->failed);
    c.warn = r->failed > 0;
    if (!c.warn)
        snprintf(c.text, sizeof c.text, "-");
    return c;
}

/* What :check has found of the arm: how many laws hold, or which does not. */
static cell laws(const summary *r)
{
    const char *broken = cs_shot_text(r->s, "arm/%zu/broken", r->arm);
    const char *held = cs_shot_text(r->s, "arm/%zu/held", r->arm);
    cell c = {"not tried", *broken};
    size_t n = *held ? 1 : 0;
    for (const char *at = held; *at; at++)
        n += *at == ' ';
    if (*broken)
        snprintf(c.text, sizeof c.text, "broken!");
    else if (n)
        snprintf(c.text, sizeof c.text, "%zu hold", n);
    return c;
}

static cell kernel(const summary *r)
{
    cell c = {"", false};
    snprintf(c.text, sizeof c.text, "%.31s",
             cs_shot_text(r->s, "arm/%zu/kernel", r->arm));
    return c;
}

/* When a column is shown: for targets with rows of data; once an arm was
 * checked. */
enum { ALWAYS, OF_ROWS, OF_LAWS, WHENS };

/* The most telling first: what does not fit is left out from the end. */
typedef struct column {
    const char *name;
    int width;
    cell (*of)(const summary *);
    int when;
} column;

static const column all_columns[] = {
    {"steps", 8, steps, ALWAYS},
    {"accept", 7, accepted, ALWAYS},
    {"R-hat", 8, r_hat, ALWAYS},
    {"ESS", 7, ess, ALWAYS},
    {"laws", 10, laws, OF_LAWS},
    {"distance", 14, distance, ALWAYS},
    {"(floor)", 8, floor_of, ALWAYS},
    {NULL, 10, ess_per_work, ALWAYS}, /* its name is that of the unit */
    {"modes", 8, modes, ALWAYS},
    {"terms/step", 11, terms_per_step, OF_ROWS},
    {"passes", 8, passes, OF_ROWS},
    {"gradients", 10, gradients, ALWAYS},
    {"densities", 10, densities, ALWAYS},
    {"data terms", 11, terms, OF_ROWS},
    {"kernel", 16, kernel, ALWAYS},
    {"ESS/s", 8, ess_per_second, ALWAYS},
    {"last 256", 9, rolling, ALWAYS},
    {"failed", 7, failed, ALWAYS},
};
enum { ALL_COLUMNS = sizeof all_columns / sizeof *all_columns, ARM = 13 };

/* Those that the arms have something to say of. */
typedef struct shown_columns {
    column at[ALL_COLUMNS];
    size_t n;
    char per_work[24];
} shown_columns;

static const char *name_of(const shown_columns *c, size_t k)
{
    return c->at[k].name ? c->at[k].name : c->per_work;
}

static shown_columns choose_columns(const summary *row, size_t n)
{
    shown_columns out = {.n = 0};
    bool has[WHENS] = {[ALWAYS] = true};
    for (size_t i = 0; i < n; i++) {
        has[OF_ROWS] |= isfinite(row[i].passes);
        has[OF_LAWS] |= strcmp(laws(&row[i]).text, "not tried") != 0;
    }
    snprintf(out.per_work, sizeof out.per_work, "ESS/%s", row->unit->brief);
    for (size_t k = 0; k < ALL_COLUMNS; k++) {
        const column *c = &all_columns[k];
        bool twice = c->name && strcmp(c->name, out.per_work) == 0;
        if (has[c->when] && !twice)
            out.at[out.n++] = *c;
    }
    return out;
}

/* A figure in what room there is: without the words after it, if need be. */
static void draw_cell(const cs_area *a, int x, int y, int w, cell c)
{
    char *blank = strrchr(c.text, ' ');
    while (blank && cs_text_width(c.text) > w) {
        *blank = 0;
        blank = strrchr(c.text, ' ');
    }
    cs_print_cut(a, x, y, w, c.warn ? CS_ROLE_WARN : CS_ROLE_NORMAL, "%s",
                 c.text);
}

/* Whether there is a warning that the arm's figures may be wrong. */
static bool is_warned_of(const summary *r)
{
    return r->failed > 0 || *cs_shot_text(r->s, "arm/%zu/words", r->arm);
}

static void draw_name(const cs_area *a, int x, int y, int w, const summary *r)
{
    cs_print_cut(a, x, y, w, cs_theme_chain(r->arm), "%c %s%s",
                 cs_theme_glyph(r->arm), is_warned_of(r) ? "!" : "",
                 cs_shot_arm(r->s, r->arm));
}

/* An arm a line. */
static int draw_wide(const cs_area *a, const summary *row, size_t n,
                     size_t chosen)
{
    shown_columns c = choose_columns(row, n);
    cs_print(a, 0, 0, CS_ROLE_LABEL, "arm");
    for (size_t i = 0; i < n && (int)i + 1 < a->h; i++) {
        int x = ARM, y = (int)i + 1;
        draw_name(a, 0, y, ARM - 1, &row[i]);
        for (size_t k = 0; k < c.n; k++) {
            int width = c.at[k].width;
            if (x + width > a->w + 1)
                break;
            cs_print(a, x, 0, CS_ROLE_LABEL, "%s", name_of(&c, k));
            draw_cell(a, x, y, width - 1, c.at[k].of(&row[i]));
            x += width;
        }
        if (i == chosen && n > 1)
            cs_attribute(a, 0, y, a->w, CS_BOLD);
    }
    return (int)n + 1;
}

/* An arm a column: for a narrow panel. */
static void draw_tall(const cs_area *a, const summary *row, size_t n,
                      size_t chosen, size_t top)
{
    shown_columns c = choose_columns(row, n);
    size_t most = a->w >= 18 ? (size_t)(a->w - 10) / 8 : 1;
    size_t shown = n < most ? n : most;
    int width = (a->w - 10) / (int)(shown ? shown : 1);
    width = width < 13 ? width : 13;
    size_t first = chosen + 1 > shown ? chosen + 1 - shown : 0;
    for (size_t i = 0; i < shown; i++) {
        int x = 10 + (int)i * width;
        draw_name(a, x, 0, width - 1, &row[first + i]);
        for (int y = 1; y < a->h && top + (size_t)y - 1 < c.n; y++)
            draw_cell(a, x, y, width - 1,
                      c.at[top + (size_t)y - 1].of(&row[first + i]));
    }
    for (int y = 1; y < a->h && top + (size_t)y - 1 < c.n; y++)
        cs_print_cut(a, 0, y, 9, CS_ROLE_LABEL, "%s",
                     name_of(&c, top + (size_t)y - 1));
}

/* Every distance of the chosen arm, each whole; returns the lines used. */
static int draw_distances(const cs_area *a, const cs_shot *s, size_t arm)
{
    size_t r, n, m;
    const double *v = cs_shot_array(s, &r, &n, "arm/%zu/distance/values", arm);
    const double *f = cs_shot_array(s, &r, &m, "arm/%zu/distance/floor", arm);
    const char *names = cs_shot_text(s, "arm/%zu/distance/names", arm);
    char name[64];
    if (!v || a->h < 1)
        return 0;
    int x = cs_print_fit(a, 0, 0, a->w, CS_ROLE_LABEL, "to the exact answer"),
        y = 0;
    x += x ? 2 : 0;
    for (size_t i = 0;
         i < n && y < a->h && cs_shot_word(names, i, name, sizeof name); i++) {
        char floor_text[40] = "";
        if (f && i < m && isfinite(f[i]))
            snprintf(floor_text, sizeof floor_text, " (floor %s)",
                     cs_num(f[i]).text);
        cs_number value = cs_num(v[i]);
        int width = cs_text_width(name) + 1 + (int)strlen(value.text) +
                    (int)strlen(floor_text);
        if (x > 0 && x + width > a->w) { /* whole, on the next line */
            x = 0;
            y++;
        }
        x = cs_print(a, x, y, CS_ROLE_LABEL, "%s ", name);
        x = cs_print(a, x, y, CS_ROLE_VALUE, "%s", value.text);
        x = cs_print(a, x, y, CS_ROLE_LABEL, "%s", floor_text) + 2;
    }
    return y + 1;
}

/* Of a discrete state: sites that do not move, and whether chains are alike. */
static int draw_sites(const cs_area *a, const cs_shot *s, size_t arm)
{
    size_t n;
    const cs_homogeneity *row =
        CS_SHOT_ROWS(s, cs_homogeneity, &n, "arm/%zu/diagnostics/sites", arm);
    double alike = cs_shot_number(s, NAN, "arm/%zu/diagnostics/alike", arm);
    double never = cs_shot_number(s, 0, "arm/%zu/diagnostics/never", arm);
    double apart = cs_shot_number(s, 0, "arm/%zu/diagnostics/apart", arm);
    if (!row || a->h < 1)
        return 0;
    int x = cs_print(a, 0, 0, CS_ROLE_LABEL, "sites that never changed ");
    x = cs_print(a, x, 0, CS_ROLE_VALUE, "%.0f of %zu", never, n);
    if (apart > 0)
        x += cs_print_fit(a, x, 0, a->w - x, CS_ROLE_WARN,
                          ", %.0f differ between chains!", apart);
    if (!isnan(alike))
        cs_print_fit(a, x, 0, a->w - x,
                     alike < 0.001 ? CS_ROLE_WARN : CS_ROLE_LABEL,
                     "  chains alike p %.2g%s (chi-square)", alike,
                     alike < 0.001 ? "!" : "");
    return 1;
}

/* A column of the table of scalars. */
typedef struct scalar_column {
    const char *name;
    size_t at; /* of cs_figures */
    cell (*text)(double value);
    double most; /* what lies above is a warning */
} scalar_column;

static const scalar_column scalar_columns[] = {
    {"mean", offsetof(cs_figures, mean), number, HUGE_VAL},
    {"sd", offsetof(cs_figures, sd), number, HUGE_VAL},
    {"R-hat", offsetof(cs_figures, rhat), rate, CS_RHAT_MOST},
    {"bulk ESS", offsetof(cs_figures, bulk), number, HUGE_VAL},
    {"tail ESS", offsetof(cs_figures, tail), number, HUGE_VAL},
    {"MCSE", offsetof(cs_figures, mcse), number, HUGE_VAL},
    {"mean ESS", offsetof(cs_figures, ess), number, HUGE_VAL},
};
enum { SCALAR_COLUMNS = sizeof scalar_columns / sizeof *scalar_columns };

enum { WORST = 10, MANY = 21 };
enum { TEN = 10 /* columns of each */, EXACT = ARM + 7 * TEN };

/* Of weighted draws quantiles stand in the place of what ranks draws. */
enum { RANKED = 2 /* the first of its columns */ };
static const char *const quantile_heads[CS_QUANTILES] = {"5 %", "50 %", "95 %"};

static bool is_ranked(int k)
{
    return k >= RANKED && k < RANKED + CS_QUANTILES;
}

static void draw_scalar(const cs_area *a, int y, const cs_figures *row,
                        const cs_quantiles *q, int shown)
{
    for (int k = 0; k < shown; k++) {
        const scalar_column *c = &scalar_columns[k];
        double value;
        memcpy(&value, (const char *)row + c->at, sizeof value);
        if (q && is_ranked(k)) {
            cs_print(a, ARM + TEN * k, y, CS_ROLE_NORMAL, "%s",
                     number(q->at[k - RANKED]).text);
            continue;
        }
        bool warn = value > c->most;
        cs_print(a, ARM + TEN * k, y, warn ? CS_ROLE_WARN : CS_ROLE_NORMAL,
                 "%s%s", c->text(value).text, warn ? "!" : "");
    }
}

/* How many columns there is room for. */
static int draw_scalar_heads(const cs_area *a, const cs_shot *s, size_t arm,
                             bool exact, bool weighted)
{
    int shown = a->w > ARM ? (a->w - ARM) / TEN : 0;
    shown = shown < SCALAR_COLUMNS ? shown : (int)SCALAR_COLUMNS;
    cs_print_cut(a, 0, 0, ARM - 1, cs_theme_chain(arm),
                 "%s%s:", cs_shot_flaw(s, arm), cs_shot_arm(s, arm));
    for (int k = 0; k < shown; k++)
        cs_print(a, ARM + TEN * k, 0, CS_ROLE_LABEL, "%s",
                 weighted && is_ranked(k) ? quantile_heads[k - RANKED]
                                          : scalar_columns[k].name);
    if (exact)
        cs_print(a, EXACT, 0, CS_ROLE_TRUTH, "exact mean");
    return shown;
}

/* Of many scalars those with an R-hat over the limit, the worst first. */
static size_t find_worst(const cs_figures *row, size_t rows,
                         size_t worst[WORST])
{
    size_t n = 0;
    for (size_t i = 1; rows > MANY && i < rows; i++) {
        double r = row[i].rhat;
        size_t at = n;
        while (at && r > row[worst[at - 1]].rhat)
            at--;
        if (!(r > CS_RHAT_MOST) || at == WORST)
            continue;
        n += n < WORST;
        memmove(worst + at + 1, worst + at, (n - at - 1) * sizeof *worst);
        worst[at] = i;
    }
    return n;
}

/* What lp__ is, behind its name, where that is not log p. */
static const char *logp_of(const cs_shot *s, size_t arm)
{
    const char *kind = cs_shot_text(s, "arm/%zu/diagnostics/logp", arm);
    return !*kind ? "" : strcmp(kind, "none") == 0 ? " none" : " est.";
}

/* The scalars of the chosen arm, one a line: of many the worst come first. */
static int draw_scalars(const cs_area *a, const cs_shot *s, size_t arm,
                        size_t top)
{
    size_t rows, r, c, n_quantiles;
    const cs_figures *t = table_of(s, arm, &rows);
    const cs_quantiles *q = CS_SHOT_ROWS(s, cs_quantiles, &n_quantiles,
                                         "arm/%zu/diagnostics/quantiles", arm);
    const double *exact =
        cs_shot_array(s, &r, &c, "arm/%zu/moments/exact_mean", arm);
    const char *names = cs_shot_text(s, "arm/%zu/diagnostics/names", arm);
    size_t known = exact && a->w >= EXACT + TEN ? r * c : 0, shown_of = 0;
    if (cs_shot_array(s, &r, &c, "look/x"))
        shown_of = r * c;
    if (known && shown_of &&
        (double)shown_of != cs_shot_number(s, 0, "run/dim"))
        known = 0; /* the scalars are others than the coordinates */
    if (!t || a->h < 3)
        return 0;
    int shown = draw_scalar_heads(a, s, arm, known > 0, q), y = 1;
    size_t worst[WORST], n = find_worst(t, rows, worst);
    for (size_t at = top; at < rows + n && y < a->h; at++, y++) {
        char name[64] = "";
        size_t i = at == 0 || n == 0 ? at : at <= n ? worst[at - 1] : at - n;
        cs_shot_word(names, i, name, sizeof name);
        cs_print_cut(a, 0, y, ARM - 1, CS_ROLE_LABEL, "%s%s", name,
                     i ? "" : logp_of(s, arm));
        draw_scalar(a, y, &t[i], q && i < n_quantiles ? &q[i] : NULL, shown);
        if (i >= 1 && i - 1 < known)
            cs_print(a, EXACT, y, CS_ROLE_TRUTH, "%s",
                     number(exact[i - 1]).text);
    }
    return y;
}

static int draw_lines(const cs_area *a, const char *words, int y)
{
    while (*words && y < a->h) {
        char line[512];
        size_t n = strcspn(words, "\n");
        cs_area rest = cs_area_part(a, 0, y, a->w, a->h - y);
        snprintf(line, sizeof line, "%.*s", (int)n, words);
        y += cs_print_wrapped(&rest, 0, 0, CS_ROLE_WARN, line);
        words += n + (words[n] == '\n');
    }
    return y;
}

/* What is wrong with the draws, a line or more each, in the words of `run`:
 * what their figures do not show; with `all` what they show too. Returns the
 * lines used. */
static int draw_words(const cs_area *a, const cs_shot *s, size_t arm, bool all)
{
    int y = draw_lines(a, cs_shot_text(s, "arm/%zu/words", arm), 0);
    const char *more = cs_shot_text(s, "arm/%zu/diagnostics/words", arm);
    const char *lesson = cs_shot_text(s, "arm/%zu/lesson", arm);
    y = all ? draw_lines(a, more, y) : y;
    if (*lesson && all && y < a->h)
        cs_print_cut(a, 0, y++, a->w, CS_ROLE_LABEL,
                     "shown in %s: ':lesson' opens it", lesson);
    return y;
}

/* What was evaluated of log p beside the work of an arm: a line. */
static int draw_observed(const cs_area *a, const cs_shot *s, size_t arm, int y)
{
    double n = cs_shot_number(s, 0, "arm/%zu/observed_log_densities", arm);
    double terms = cs_shot_number(s, 0, "arm/%zu/observed_data_terms", arm);
    if (!(n > 0) || y >= a->h)
        return 0;
    int x = cs_print(a, 0, y, CS_ROLE_LABEL,
                     "for probes and users: log p of %s state%s",
                     cs_count(n).text, n == 1 ? "" : "s");
    if (terms > 0)
        cs_print_fit(a, x, y, a->w - x, CS_ROLE_LABEL, ", %s data terms",
                     cs_count(terms).text);
    return 1;
}

/* Which effective size is which, and of how many draws; what weights leave of
 * them. */
static int draw_kept(const cs_area *a, const cs_shot *s, size_t arm, int y)
{
    double n = cs_shot_number(s, 0, "arm/%zu/diagnostics/n", arm);
    double whole = cs_shot_number(s, 1, "arm/%zu/diagnostics/whole", arm);
    double judged = cs_shot_number(s, 0, "arm/%zu/diagnostics/judged", arm);
    double of = cs_shot_number(s, 0, "arm/%zu/diagnostics/of", arm);
    double kish = cs_shot_number(s, NAN, "arm/%zu/diagnostics/kish", arm);
    if (!(n > 0) || y >= a->h)
        return 0;
    int x = 0;
    if (isnan(kish)) {
        x = cs_print_fit(a, 0, y, a->w, CS_ROLE_LABEL, "%s %.0f draws%s",
                         whole ? "ESS is the mean's; bulk and tail ESS: ranks "
                                 "and quantiles of the same"
                               : "ESS is the mean's, of all steps; R-hat, bulk "
                                 "and tail ESS are of",
                         n, whole ? " a chain" : " kept a chain");
        if (!x)
            x = cs_print_fit(a, 0, y, a->w, CS_ROLE_LABEL,
                             "mean ESS of %s; bulk and tail of %.0f a chain",
                             whole ? "all draws" : "all steps", n);
    } else
        x = cs_print(a, 0, y, CS_ROLE_LABEL,
                     "weighted: %.0f draws a chain, all worth %.0f that count "
                     "alike",
                     n, kish);
    if (judged < of)
        cs_print(a, x, y, CS_ROLE_LABEL, ", of %.0f of %.0f quantities", judged,
                 of);
    return 1;
}

static int lines_of(const char *text, int room)
{
    int lines = 0;
    for (size_t n; *text && (n = cs_text_line(text, room)); lines++) {
        text += n;
        text += strspn(text, " ");
    }
    return lines;
}

/* What can be said of the arms, as the panel race says it, beneath `y` lines:
 * where it has room as a whole. */
static void draw_sentence(const cs_area *a, const cs_shot *s,
                          const cs_selection *at, int y)
{
    char text[1000] = "";
    cs_racers arms;
    cs_area rest = cs_area_part(a, 0, y + 1, a->w, a->h - y - 1);
    if (cs_shot_arms(s) < 2 || rest.h < 1)
        return;
    cs_race_line_up(s, at, &arms);
    if (cs_race_has(&arms, CS_RACE_ESS))
        cs_race_say(&arms, text, sizeof text);
    if (*text && lines_of(text, rest.w) <= rest.h)
        cs_print_wrapped(&rest, 0, 0, CS_ROLE_NORMAL, text);
}

static void draw(const cs_area *a, const cs_shot *s, const cs_selection *at)
{
    size_t arms = cs_shot_arms(s);
    summary row[CS_SHOT_ARMS];
    if (arms == 0) {
        cs_panel_empty(a, s, "No arm.", "Open a scenario.");
        return;
    }
    for (size_t i = 0; i < arms; i++)
        row[i] = summary_of(s, i, at->unit);
    if (a->w < 64 && a->h > (int)arms + 3) {
        cs_area head = cs_area_part(a, 0, 0, a->w, a->h / 2);
        int used = draw_words(&head, s, at->arm, false);
        cs_area rest = cs_area_part(a, 0, used, a->w, a->h - used);
        draw_tall(
            &rest, row, arms, at->arm,
            cs_panel_top(at, choose_columns(row, arms).n + 1, (size_t)rest.h));
        return;
    }
    int y = draw_wide(a, row, arms, at->arm);
    cs_area rest = cs_area_part(a, 0, y, a->w, a->h - y);
    y += draw_words(&rest, s, at->arm, true);
    size_t rows = 0;
    table_of(s, at->arm, &rows);
    rest = cs_area_part(a, 0, y, a->w, a->h - y);
    y += draw_distances(&rest, s, at->arm);
    rest = cs_area_part(a, 0, y, a->w, a->h - y);
    y += draw_sites(&rest, s, at->arm);
    y += draw_kept(a, s, at->arm, y);
    y += draw_observed(a, s, at->arm, y);
    rest = cs_area_part(a, 0, y + 1, a->w, a->h - y - 1);
    y += 1 + draw_scalars(
                 &rest, s, at->arm,
                 cs_panel_top(at, rows + 1, (size_t)(rest.h > 0 ? rest.h : 0)));
    draw_sentence(a, s, at, y);
}

static void caption(const cs_shot *s, const cs_selection *at, char *out,
                    size_t size)
{
    double failed = 0, divergent = 0, odd = 0;
    (void)at;
    double age = cs_panel_age(s, CS_SHOT_ARMS);
    if (age >= 1)
        snprintf(out, size, "R-hat, ESS: %.0f s old", floor(age));
    for (size_t i = 0; i < cs_shot_arms(s); i++) {
        failed += cs_shot_number(s, 0, "arm/%zu/failed", i);
        divergent += cs_shot_number(s, 0, "arm/%zu/divergent", i);
        odd += cs_shot_number(s, 0, "arm/%zu/not_finite", i);
    }
    if (failed > 0)
        snprintf(out, size, "! %.0f failed", failed);
    else if (divergent > 0)
        snprintf(out, size, "! %s divergent", cs_count(divergent).text);
    else if (odd > 0)
        snprintf(out, size, "! %s not finite", cs_count(odd).text);
}

const cs_panel_type cs_panel_summary = {
    .name = "summary",
    .title = "summary",
    .help = "The arms side by side: steps of each chain, accepted share, the "
            "worst R-hat and the smallest effective sample size (of the mean, "
            "all steps) of all scalars, ESS for so much work of all chains (u "
            "chooses its unit; of 1k ev: a thousand evaluations of the log "
            "density, where a gradient, the differences of all sites and a "
            "pass over all rows of data are one each), the distance to the "
            "exact "
            "answer (total variation, or the "
            "worst Kolmogorov distance of a coordinate) and "
            "its floor (what independent draws would have), modes found, and "
            "the work of "
            "all chains; where the target has rows of data, the data terms "
            "(rows, each time one is evaluated) of a step of a chain and in "
            "all, and the passes over the data that a chain has made. Compare "
            "arms at equal work. - means not known, or "
            "not defined; ! before a name: its figures may be wrong, whatever "
            "they are. Below, what is wrong with the draws of the "
            "chosen arm, then its log density and coordinates; of many the "
            "worst come first. R-hat, bulk and tail ESS come from "
            "thousands of draws of each chain, evenly thinned; in their place "
            "weighted draws have quantiles, and ESS is (sd / MCSE) squared.",
    .options = "page keys scroll",
    .width = 36,
    .height = 2,
    .weight = 1.2,
    .tall = 0.6,
    .draw = draw,
    .caption = caption,
};
