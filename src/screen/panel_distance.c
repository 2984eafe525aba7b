/* The distance to the exact answer, or to a reference, against steps, rows of
 * data or seconds, all arms in one plot. */
#include "screen/panel.h"

#include <math.h>
#include <stdio.h>

enum { STEPS, WORK, SECONDS, VARIANTS, POINTS = 128, ABSENT = -1 };

/* Of one arm; `log`: the values are natural logarithms. */
typedef struct curve {
    const double *time, *value;
    size_t n;
    double warmup_steps; /* steps of a warm-up, before the first */
    double a_step;       /* what a step of a chain counts on the axis */
    double floor, now;
    bool log;
    char name[64];
    char reference[64]; /* the arm whose mean stands for the exact one */
    double room[POINTS];
} curve;

/* ---- what the axis counts ------------------------------------------------ */

/* Whether some arm has looked at rows of data. */
static bool has_rows(const cs_shot *s)
{
    double sum = 0;
    for (size_t arm = 0; arm < cs_shot_arms(s); arm++)
        sum += cs_shot_number(s, 0, "arm/%zu/data_terms", arm);
    return sum > 0;
}

static const char *axis_name(const cs_shot *s, unsigned variant)
{
    return variant == STEPS     ? "step"
           : variant == SECONDS ? "seconds"
           : has_rows(s)        ? "rows"
                                : "evaluations";
}

/* Work and processor time go by steps: those of a step in the mean. */
static double worth_of_step(const cs_shot *s, size_t arm, unsigned variant)
{
    const char *key = variant == SECONDS ? "seconds"
                      : has_rows(s)      ? "data_terms"
                                         : "evaluations";
    if (variant == STEPS)
        return 1;
    double chains = (double)cs_shot_chains(s, arm);
    return cs_shot_number(s, NAN, "arm/%zu/%s", arm, key) /
           cs_shot_number(s, NAN, "arm/%zu/steps", arm) / fmax(chains, 1);
}

/* Where point i stands on the axis: of the others than steps a logarithm. */
static double place_of(const curve *c, unsigned variant, size_t i)
{
    double steps = c->warmup_steps + c->time[i];
    return variant == STEPS ? steps : log10(steps * c->a_step);
}

/* ---- curves -------------------------------------------------------------- */

static double value_of(const curve *c, const double *row, size_t k, size_t n)
{
    if (!row || k >= n)
        return (double)NAN;
    return c->log ? exp(row[k]) : row[k];
}

/* The discrepancy from a reference. */
static bool find_discrepancy(const cs_shot *s, size_t arm, curve *out)
{
    size_t r, c, n;
    out->time = cs_shot_array(s, &r, &n, "arm/%zu/mmd/time", arm);
    out->value = cs_shot_array(s, &r, &c, "arm/%zu/mmd/curve", arm);
    out->n = n;
    out->log = true;
    if (!out->time || !out->value || c != n)
        return false;
    const cs_row_mmd *v = CS_SHOT_ROWS(s, cs_row_mmd, &c, CS_KEY_MMD, arm);
    out->now = value_of(out, out->value, n - 1, n);
    out->floor = v ? exp(v->floor) : (double)NAN;
    snprintf(out->name, sizeof out->name, "mmd");
    return true;
}

/* The course of an arm's means (the probe means). */
typedef struct course {
    const double *time, *mean, *spread, *sd; /* [n], [n][k], [n][k], [k] */
    size_t n, k;
} course;

static bool find_course(const cs_shot *s, size_t arm, course *m)
{
    size_t r, c;
    m->time = cs_shot_array(s, &r, &m->n, "arm/%zu/means/time", arm);
    m->mean = cs_shot_array(s, &r, &m->k, "arm/%zu/means/mean", arm);
    bool good = m->time && m->mean && r == m->n && m->n > 0;
    m->spread = cs_shot_array(s, &r, &c, "arm/%zu/means/spread", arm);
    good &= m->spread && r == m->n && c == m->k;
    m->sd = cs_shot_array(s, &r, &c, "arm/%zu/means/sd", arm);
    return good && m->sd && r * c == m->k;
}

/* The mean square error of point i, in variances, where the last point of `of`
 * is taken for what is exact. */
static double error_from(const course *m, const course *of, size_t i)
{
    double sum = 0;
    for (size_t d = 0; d < m->k; d++) {
        double off = m->mean[i * m->k + d] - of->mean[(of->n - 1) * of->k + d];
        sum += (m->spread[i * m->k + d] + off * off) / (of->sd[d] * of->sd[d]);
    }
    return sum / (double)m->k;
}

/* Where nothing is known exactly: the exact arm whose chains' means agree best
 * in the end, ABSENT: none. */
static int find_reference(const cs_shot *s, size_t k)
{
    int best = ABSENT;
    double least = HUGE_VAL;
    for (size_t arm = 0; arm < cs_shot_arms(s); arm++) {
        course m;
        double sum = 0, chains = (double)cs_shot_chains(s, arm);
        if (!cs_shot_number(s, 0, "arm/%zu/exact", arm) ||
            !find_course(s, arm, &m) || m.k != k || chains < 2)
            continue;
        for (size_t d = 0; d < k; d++)
            sum += m.spread[(m.n - 1) * k + d] / (m.sd[d] * m.sd[d] * chains);
        if (sum < least) {
            best = (int)arm;
            least = sum;
        }
    }
    return best;
}

/* The error of the mean. */
static bool find_error(const cs_shot *s, size_t arm, curve *out)
{
    size_t r, c;
    course m, of;
    if (!find_course(s, arm, &m) || m.n > POINTS)
        return false;
    const double *mse = cs_shot_array(s, &r, &c, "arm/%zu/means/mse", arm);
    int reference = mse ? ABSENT : find_reference(s, m.k);
    if (!mse && (reference < 0 || !find_course(s, (size_t)reference, &of)))
        return false;
    for (size_t i = 0; i < m.n; i++)
        out->room[i] = !mse    ? error_from(&m, &of, i)
                       : i < c ? mse[i]
                               : (double)NAN;
    if (!mse)
        snprintf(out->reference, sizeof out->reference, "%s",
                 cs_shot_arm(s, (size_t)reference));
    out->time = m.time;
    out->value = out->room;
    out->n = m.n;
    out->now = out->room[m.n - 1];
    out->floor = (double)NAN;
    snprintf(out->name, sizeof out->name, "mse");
    return true;
}

/* Of what was held out, the share whose class the means do not find. */
static bool find_missed(const cs_shot *s, size_t arm, curve *out)
{
    size_t r, c, n;
    out->time = cs_shot_array(s, &r, &n, "arm/%zu/means/time", arm);
    const double *share =
        cs_shot_array(s, &r, &c, "arm/%zu/means/accuracy", arm);
    if (!out->time || !share || c != n || n < 1 || n > POINTS)
        return false;
    for (size_t i = 0; i < n; i++)
        out->room[i] = 1 - share[i];
    out->value = out->room;
    out->n = n;
    out->now = out->room[n - 1];
    out->floor = (double)NAN;
    snprintf(out->name, sizeof out->name, "missed");
    return true;
}

/* What there is to choose from beside the distances of the probe distance. */
static const struct choice {
    const char *name, *key; /* the array of the arm that there is then */
    bool (*find)(const cs_shot *s, size_t arm, curve *out);
} choices[] = {
    {"mmd", "mmd/curve", find_discrepancy},
    {"mse", "means/time", find_error},
    {"missed", "means/accuracy", find_missed},
};
enum { CHOICES = sizeof choices / sizeof *choices };

/* Of the `distances`, whose names it adds, and of the others which is to be
 * shown: from `distances` on those others. */
static size_t choose(const cs_shot *s, const cs_selection *at, size_t arm,
                     size_t distances)
{
    char list[512];
    size_t used = (size_t)snprintf(
        list, sizeof list, "%s",
        distances ? cs_shot_text(s, "arm/%zu/distance/names", arm) : "");
    size_t there[CHOICES], n = 0, r, c;
    for (size_t i = 0; i < CHOICES && used < sizeof list; i++)
        if (cs_shot_array(s, &r, &c, "arm/%zu/%s", arm, choices[i].key)) {
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s",
                                     used ? " " : "", choices[i].name);
            there[n++] = i;
        }
    size_t k = cs_panel_choice(at, list, distances + n);
    return k < distances ? k : n ? distances + there[k - distances] : SIZE_MAX;
}

static bool find_curve(const cs_shot *s, const cs_selection *at, size_t arm,
                       curve *out)
{
    size_t r, c, n = 0, names = 0;
    *out = (curve){.warmup_steps =
                       cs_shot_number(s, 0, "arm/%zu/tuner/steps", arm),
                   .a_step = worth_of_step(s, arm, at->variant % VARIANTS)};
    out->time = cs_shot_array(s, &r, &c, "arm/%zu/distance/time", arm);
    out->value = cs_shot_array(s, &names, &n, "arm/%zu/distance/curve", arm);
    names = out->time && out->value && r * c == n ? names : 0;
    size_t k = choose(s, at, arm, names);
    if (k >= names)
        return k != SIZE_MAX && choices[k - names].find(s, arm, out);
    out->n = n;
    out->value += k * n;
    const double *v = cs_shot_array(s, &r, &c, "arm/%zu/distance/values", arm);
    out->now = value_of(out, v, k, v ? r * c : 0);
    v = cs_shot_array(s, &r, &c, "arm/%zu/distance/floor", arm);
    out->floor = value_of(out, v, k, v ? r * c : 0);
    if (!cs_shot_word(cs_shot_text(s, "arm/%zu/distance/names", arm), k,
                      out->name, sizeof out->name))
        snprintf(out->name, sizeof out->name, "distance");
    return true;
}

/* log10 of the range of all arms, floors included. */
static bool find_range(const cs_shot *s, const cs_selection *at, double *y0,
                       double *y1, double *x0, double *x1)
{
    unsigned variant = at->variant % VARIANTS;
    *y0 = *x0 = HUGE_VAL;
    *y1 = *x1 = -HUGE_VAL;
    for (size_t arm = 0; arm < cs_shot_arms(s); arm++) {
        curve c;
        if (!find_curve(s, at, arm, &c))
            continue;
        for (size_t i = 0; i < c.n; i++) {
            double v = value_of(&c, c.value, i, c.n);
            double x = place_of(&c, variant, i);
            if (v > 0 && isfinite(v) && isfinite(x)) {
                *y0 = fmin(*y0, log10(v));
                *y1 = fmax(*y1, log10(v));
                *x0 = fmin(*x0, x);
                *x1 = fmax(*x1, x);
            }
        }
        if (c.floor > 0)
            *y0 = fmin(*y0, log10(c.floor));
    }
    *y1 = fmax(*y1, *y0 + 0.5);
    if (variant == STEPS)
        *x0 = 0;
    return isfinite(*y0) && isfinite(*y1) && isfinite(*x0) && isfinite(*x1);
}

/* Powers of ten, and three between them when there is room. */
static cs_area draw_axis(const cs_area *a, double y0, double y1)
{
    static const double parts[] = {1, 3};
    cs_plot p = cs_plot_make(a, 0, 1, y0, y1);
    cs_area left = cs_area_part(a, 0, 0, 6, a->h);
    int last = -2;
    if (a->w < 24)
        return *a;
    for (double power = ceil(y1); power >= floor(y0); power--)
        for (size_t k = 2; k-- > 0;) {
            double v = parts[k] * pow(10, power);
            int row = cs_plot_row(&p, log10(v));
            if (row < last + 2 && last >= 0)
                continue;
            if (row >= 0) {
                cs_print_right(&left, row, CS_ROLE_LABEL, "%.3g", v);
                last = row;
            }
        }
    return cs_area_part(a, 7, 0, a->w - 7, a->h);
}

/* Powers of ten under the plot, as many as there is room for. */
static void draw_powers(const cs_area *a, const cs_plot *p, const char *unit)
{
    int end = cs_print_right(a, 0, CS_ROLE_LABEL, " %s", unit), x = -1;
    for (double k = ceil(p->x0); k <= floor(p->x1); k++) {
        int column = cs_plot_column(p, k) + p->area.x - a->x;
        cs_number power = cs_num(pow(10, k));
        if (column > x + (x >= 0))
            x = cs_print_fit(a, column, 0, end - column, CS_ROLE_LABEL, "%s",
                             power.text);
    }
}

static void draw_curve(const cs_plot *p, const curve *c, size_t arm,
                       unsigned variant)
{
    cs_role role = cs_theme_chain(arm);
    int row = c->floor > 0 ? cs_plot_row(p, log10(c->floor)) : -1;
    for (int x = 0; x < p->area.w && row >= 0; x += 2)
        cs_put(&p->area, x, row, CS_ROLE_FAINT, 0xB7);
    double lx = NAN, ly = NAN;
    for (size_t i = 0; i < c->n; i++) {
        double value = value_of(c, c->value, i, c->n);
        double y = value > 0 ? log10(value) : (double)NAN;
        double t = place_of(c, variant, i);
        if (isfinite(y) && isfinite(ly)) {
            double x[] = {lx, t}, v[] = {ly, y};
            cs_plot_curve(p, x, v, 2, role, cs_theme_glyph(arm));
        } else {
            cs_plot_point(p, t, y, role, cs_theme_glyph(arm));
        }
        if (isfinite(y)) {
            lx = t;
            ly = y;
        }
    }
    cs_put(&p->area, p->area.w - 1, cs_plot_row(p, ly), role,
           (unsigned char)cs_theme_glyph(arm));
}

static void draw(const cs_area *a, const cs_shot *s, const cs_selection *at)
{
    double y0, y1, x0, x1;
    unsigned variant = at->variant % VARIANTS;
    if (!find_range(s, at, &y0, &y1, &x0, &x1)) {
        cs_panel_empty(a, s, "There is no distance to the truth.",
                       "Targets whose exact answer is known have one, runs "
                       "with the probe mmd or means others.");
        return;
    }
    cs_area top = cs_area_part(a, 0, 0, a->w, a->h - 2);
    cs_area field = draw_axis(&top, y0, y1);
    cs_plot p = cs_plot_make(&field, x0, x1, y0, y1);
    int x = 0;
    for (size_t arm = 0; arm < cs_shot_arms(s); arm++) {
        curve c;
        if (!find_curve(s, at, arm, &c))
            continue;
        draw_curve(&p, &c, arm, variant);
        int end = cs_print_fit(a, x, a->h - 1, a->w - x, cs_theme_chain(arm),
                               "%c %s %.3g", cs_theme_glyph(arm),
                               cs_shot_arm(s, arm), c.now);
        if (end == x) /* its glyph stands at the curve's end */
            end = cs_print_fit(a, x, a->h - 1, a->w - x, cs_theme_chain(arm),
                               "%c %.3g", cs_theme_glyph(arm), c.now);
        x = end > x ? end + 2 : x;
    }
    cs_area foot = cs_area_part(a, 0, a->h - 2, a->w, 1);
    if (variant == STEPS)
        cs_plot_axis_x(&foot, &p, "step");
    else
        draw_powers(&foot, &p, axis_name(s, variant));
}

static void caption(const cs_shot *s, const cs_selection *at, char *out,
                    size_t size)
{
    curve c;
    for (size_t arm = 0; arm < cs_shot_arms(s); arm++)
        if (find_curve(s, at, arm, &c)) {
            snprintf(out, size, "%s%s%s", c.name,
                     c.floor > 0    ? ", dots: floor"
                     : *c.reference ? " from "
                                    : "",
                     c.reference);
            return;
        }
}

const cs_panel_type cs_panel_distance = {
    .name = "distance",
    .title = "distance from exact",
    .help =
        "How far the visits of an arm are from the exact answer, on a "
        "logarithmic scale: tv is total variation, kl Kullback-Leibler "
        "(nats), chi2 chi-square, ks Kolmogorov-Smirnov of one coordinate. "
        "Curves: the mean "
        "over the chains of each chain's own distance. The figure beside "
        "the name of an arm is that of all its chains together; dots: its "
        "floor, what as many independent draws would have. A sampler that "
        "is right goes down for ever; one that is stuck, or biased by "
        "design, does not. mmd is the discrepancy of the chains' states, at "
        "one "
        "time, from a reference: it goes down to its floor. mse, of the probe "
        "means, is the mean square error of each chain's mean so far, in "
        "variances: 1 / n after n independent draws. Where nothing is known "
        "exactly it is told from the last mean of that exact arm whose chains "
        "agree best, which is named; then its own curve is too low in the end. "
        "missed, of the same probe, is the share of the rows held out whose "
        "class the mean so far does not find. "
        "Against rows of data (or evaluations) and against seconds of a "
        "processor both axes are logarithmic, and all are of one chain: what "
        "a step takes in the mean, times the steps.",
    .options = "o another distance; v against steps, against rows of data or "
               "evaluations, against seconds",
    .width = 26,
    .height = 4,
    .weight = 1.1,
    .draw = draw,
    .caption = caption,
};
