/* The strip of arms. It has one line per arm with the newest energies, the
 * effective draws per unit of work, the modes found and the verdict on the
 * draws. */
#include "screen/panels/arm_table.h"
#include "screen/panels/sentence.h"
#include "screen/state/ui.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NEWEST = 50, SPARK = 5, INTERVAL = 7, MODES = 5, ESS = 5, VERDICT = 13 };

/* The columns of the strip; -1: the column is not shown. */
typedef struct columns {
    int name, name_w, spark, ess, interval, modes, modes_w, verdict;
} columns;

/* The values of all arms. */
typedef struct strip {
    cs_racers racers;
    cs_race race;
    double low, high; /* ends of the axis of intervals; NAN: none */
    int modes;        /* columns for the modes found; 0: no arm has modes */
} strip;

static columns columns_of(int w, int modes)
{
    columns c = {.name = 3, .spark = -1, .interval = -1, .modes = -1};
    c.modes_w = modes;
    int right = w - VERDICT;
    bool wide = w >= 50;
    c.verdict = right;
    if (modes)
        c.modes = right -= modes + 1;
    if (wide)
        c.interval = right -= INTERVAL + 1;
    c.ess = right -= ESS + 1;
    if (wide)
        c.spark = right -= SPARK + 1;
    c.name_w = right - c.name - 1;
    return c;
}

static int widest(int w, int other)
{
    w = w < MODES ? MODES : w;
    return w < other ? other : w;
}

static void find_values(const cs_shot *s, const cs_selection *at, strip *out)
{
    double low, high;
    size_t r, n;
    const cs_figure_look look = cs_panel_look(at);
    cs_race_line_up(s, &look, &out->racers);
    cs_race_find(&out->racers, CS_RACE_ESS, &out->race);
    out->low = HUGE_VAL;
    out->high = 0;
    out->modes = 0;
    for (size_t i = 0; i < cs_shot_arms(s); i++) {
        if (cs_race_interval(&out->race, i, &low, &high) && low > 0) {
            out->low = fmin(out->low, low);
            out->high = fmax(out->high, high);
        }
        if (cs_shot_array(s, &r, &n, "arm/%zu/modes/visits", i) && n > 1)
            out->modes = widest(out->modes, snprintf(NULL, 0, "%zu/%zu", n, n));
    }
}

/* Draws the means of the newest energies of the first chain, ten steps per
 * column. */
static void draw_spark(const cs_area *a, int x, int y, const cs_shot *s,
                       size_t arm, cs_role role)
{
    size_t r, n;
    double mean[SPARK] = {0};
    const double *v = cs_shot_array(s, &r, &n, "arm/%zu/trace/0/recent", arm);
    if (!v || r < 1 || n < SPARK)
        return;
    size_t each = (n < NEWEST ? n : NEWEST) / SPARK, from = n - SPARK * each;
    for (size_t i = 0; i < SPARK * each; i++)
        mean[i / each] += v[from + i] / (double)each;
    cs_sparkline(a, x, y, SPARK, mean, SPARK, role);
}

/* Draws an interval on the common logarithmic axis. */
static void draw_interval(const cs_area *a, int x, int y, const strip *f,
                          size_t arm)
{
    double low, high, whole = log(f->high / f->low);
    if (!cs_race_interval(&f->race, arm, &low, &high) || !(low > 0) ||
        !(whole > 0))
        return;
    double scale = (INTERVAL - 1) / whole, at = f->race.arm[arm].value;
    int from = (int)lround(log(low / f->low) * scale);
    int to = (int)lround(log(high / f->low) * scale);
    int middle = (int)lround(log(at / f->low) * scale);
    for (int i = from; i <= to; i++)
        cs_put(a, x + i, y, CS_ROLE_LABEL,
               i == from ? 0x251C
               : i == to ? 0x2524
                         : 0x2500);
    cs_put(a,
           x + (middle < from ? from
                : middle > to ? to
                              : middle),
           y, CS_ROLE_VALUE, 0x25CF);
}

static cs_role role_of(cs_arm_verdict v)
{
    return v == CS_VERDICT_WRONG  ? CS_ROLE_ERROR
           : v == CS_VERDICT_GOOD ? CS_ROLE_VALUE
                                  : CS_ROLE_WARN;
}

/* Writes a number that is rounded until it fits. */
static const char *round_ess(double ess, char *text, size_t size)
{
    snprintf(text, size, "%s", cs_num(ess).text);
    bool large = ess >= 1000; /* as 1.02k */
    for (int digits = 3; digits > 0 && cs_text_width(text) > ESS; digits--)
        snprintf(text, size, "%.*g%s", digits, large ? ess / 1000 : ess,
                 large ? "k" : "");
    return text;
}

static void draw_values(const cs_area *a, int y, const cs_shot *s,
                        const columns *c, const strip *f, const cs_arm_row *r)
{
    cs_arm_verdict verdict;
    double ess = f->race.arm[r->arm].value;
    ess = isfinite(ess) ? ess : r->ess_per_work;
    bool next = strstr(cs_shot_text(s, "course/coming"), "ess") != NULL;
    if (cs_too_early(s) || cs_shot_asks(s) || next)
        ess = (double)NAN;
    char text[32];
    if (isfinite(ess))
        cs_print(a, c->ess, y, CS_ROLE_VALUE, "%*.*s", ESS, ESS,
                 round_ess(ess, text, sizeof text));
    else
        cs_print(a, c->ess, y, CS_ROLE_LABEL, "%*s", ESS, "-");
    if (c->interval >= 0 && isfinite(ess))
        draw_interval(a, c->interval, y, f, r->arm);
    if (c->modes >= 0 && r->modes > 0) {
        char found[24];
        snprintf(found, sizeof found, "%.0f/%.0f", r->found, r->modes);
        cs_print(a, c->modes, y, CS_ROLE_VALUE, "%*.*s", c->modes_w, c->modes_w,
                 found);
    }
    if (cs_verdict_of(s, r->arm, &verdict))
        cs_print(a, c->verdict, y, role_of(verdict), "%s",
                 cs_verdict_name(verdict, false));
}

static void draw_head(const cs_area *a, const columns *c, const strip *f)
{
    char ess[40];
    snprintf(ess, sizeof ess, "%.30s", f->race.brief);
    cs_print(a, c->name, 0, CS_ROLE_LABEL, "arm");
    if (c->spark >= 0)
        cs_print(a, c->spark - 1, 0, CS_ROLE_LABEL, "newest");
    int x = c->interval >= 0 ? c->interval : c->ess;
    int end = x + (c->interval >= 0 ? INTERVAL : ESS);
    cs_print_cut(a, end - cs_text_width(ess), 0, cs_text_width(ess),
                 CS_ROLE_LABEL, "%s", ess);
    if (c->modes >= 0)
        cs_print(a, c->modes, 0, CS_ROLE_LABEL, "%*s", c->modes_w, "modes");
    cs_print(a, c->verdict, 0, CS_ROLE_LABEL, "verdict");
}

/* Draws the line of an arm. */
static void draw_arm(const cs_area *a, int y, cs_ui *ui, const cs_shot *s,
                     const columns *c, const strip *f, size_t arm)
{
    const cs_arm_row row = cs_arm_row_of(s, arm, ui->look.unit);
    bool chosen = arm == ui->look.arm;
    if (chosen)
        cs_put(a, 0, y, CS_ROLE_FOCUS, 0x25B8);
    cs_print(a, 1, y, cs_theme_chain(arm), "%c", cs_theme_glyph(arm));
    cs_print_cut(a, c->name, y, c->name_w, cs_theme_chain(arm), "%s",
                 cs_shot_arm(s, arm));
    if (arm == ui->look.pinned) /* shown beside the chosen arm */
        cs_put(a, chosen ? 2 : 0, y, CS_ROLE_FOCUS, 'P');
    if (c->spark >= 0)
        draw_spark(a, c->spark, y, s, arm, cs_theme_chain(arm));
    draw_values(a, y, s, c, f, &row);
    if (chosen && cs_shot_arms(s) > 1)
        cs_attribute(a, 0, y, a->w, CS_BOLD);
    cs_ui_hit(ui, a, (cs_hit){CS_HIT_ARM, 0, y, a->w, (unsigned)arm, 0});
}

void cs_view_strip(const cs_area *a, cs_ui *ui, const cs_shot *s)
{
    size_t n = cs_shot_arms(s), lines = a->h > 1 ? (size_t)a->h - 1 : 0;
    strip f;
    if (n == 0 || lines == 0)
        return;
    find_values(s, &ui->look, &f);
    const columns c = columns_of(a->w, f.modes);
    draw_head(a, &c, &f);
    bool more = n > lines && lines > 1;
    size_t shown = more ? lines - 1 : lines;
    size_t first = ui->look.arm < shown ? 0 : ui->look.arm + 1 - shown;
    for (size_t i = 0; i < shown && first + i < n; i++)
        draw_arm(a, (int)i + 1, ui, s, &c, &f, first + i);
    if (more)
        cs_print(a, c.name, a->h - 1, CS_ROLE_LABEL, "%zu more", n - shown);
}
