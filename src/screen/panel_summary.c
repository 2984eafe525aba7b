/* The table of arms: what each has done, what it cost, what it found. */
#include "screen/panel.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct row {
    const char *kernel;
    double steps, accepted, r_hat, ess, gradients, log_densities, found, modes;
} row;

/* The worst R-hat and the smallest ESS of all scalars: that of all steps,
 * which grows with the run, so that it may be set against the work. */
static void diagnose(const cs_shot *s, size_t arm, row *out)
{
    size_t r, c;
    const double *t =
        cs_shot_array(s, &r, &c, "arm/%zu/diagnostics/table", arm);
    out->r_hat = out->ess = NAN;
    for (size_t i = 0; t && c >= 7 && i < r; i++) {
        out->r_hat = fmax(out->r_hat, t[i * c + 2]);
        out->ess = fmin(out->ess, t[i * c + 6]);
    }
}

static row row_of(const cs_shot *s, size_t arm)
{
    size_t r, c;
    row out = {.kernel = cs_shot_text(s, "arm/%zu/kernel", arm),
               .steps = cs_shot_number(s, NAN, "arm/%zu/steps", arm),
               .gradients = cs_shot_number(s, NAN, "arm/%zu/gradients", arm),
               .log_densities =
                   cs_shot_number(s, NAN, "arm/%zu/log_densities", arm)};
    diagnose(s, arm, &out);
    const double *a =
        cs_shot_array(s, &r, &c, "arm/%zu/acceptance/chains", arm);
    double steps = 0, accepted = 0;
    for (size_t i = 0; a && c >= 2 && i < r; i++) {
        steps += a[i * c];
        accepted += a[i * c] * a[i * c + 1];
    }
    out.accepted = accepted / steps;
    const double *v = cs_shot_array(s, &r, &c, "arm/%zu/modes/visits", arm);
    out.modes = (double)c;
    for (size_t m = 0; v && m < c; m++) {
        double sum = 0;
        for (size_t k = 0; k < r; k++)
            sum += v[k * c + m];
        out.found += sum > 0;
    }
    return out;
}

static const struct column {
    const char *name;
    int width;
} columns[] = {{"arm", 12},      {"kernel", 10}, {"steps", 8},
               {"accept", 7},    {"R-hat", 7},   {"ESS", 7},
               {"ESS/1kg", 8},   {"modes", 8},   {"gradients", 10},
               {"densities", 10}};

static void cell(const row *r, size_t column, char *out, size_t size)
{
    snprintf(out, size, "-");
    double v = NAN;
    switch (column) {
    case 2:
        v = r->steps;
        break;
    case 5:
        v = r->ess;
        break;
    case 8:
        v = r->gradients;
        break;
    case 9:
        v = r->log_densities;
        break;
    default:
        break;
    }
    if (column == 6 && r->gradients > 0)
        v = 1000 * r->ess / r->gradients;
    if (isfinite(v))
        cs_short(v, out, size);
    if (column == 1)
        snprintf(out, size, "%s", r->kernel);
    if (column == 3 && isfinite(r->accepted))
        snprintf(out, size, "%.3f", r->accepted);
    if (column == 4 && isfinite(r->r_hat))
        snprintf(out, size, "%.3g%s", r->r_hat, r->r_hat > 1.01 ? "!" : "");
    if (column == 7 && r->modes > 0)
        snprintf(out, size, "%.0f/%.0f", r->found, r->modes);
}

static void draw(const cs_area *a, const cs_shot *s, const cs_look_at *at)
{
    size_t arms = cs_shot_arms(s), n = sizeof columns / sizeof *columns;
    if (arms == 0) {
        cs_panel_empty(a, s, "No arm.", "Open a scenario.");
        return;
    }
    for (size_t i = 0; i < arms + 1 && (int)i < a->h; i++) {
        row r = i ? row_of(s, i - 1) : (row){0};
        int x = 0, y = (int)i;
        for (size_t k = 0; k < n && x + columns[k].width <= a->w; k++) {
            char text[64];
            if (i)
                cell(&r, k, text, sizeof text);
            if (i == 0)
                cs_print(a, x, y, CS_ROLE_LABEL, "%-*s", columns[k].width,
                         columns[k].name);
            else if (k == 0)
                cs_print(a, x, y, cs_theme_chain(i - 1), "%c %.*s",
                         cs_theme_glyph(i - 1), columns[0].width - 3,
                         cs_shot_arm(s, i - 1));
            else
                cs_print(a, x, y,
                         strchr(text, '!') ? CS_ROLE_WARN : CS_ROLE_NORMAL,
                         "%.*s", columns[k].width - 1, text);
            x += columns[k].width;
        }
        if (i == at->arm + 1 && arms > 1)
            cs_attribute(a, 0, y, a->w, CS_BOLD);
    }
    const char *reason = cs_shot_text(s, "arm/%zu/diagnostics/reason", at->arm);
    if (*reason && (int)arms + 1 < a->h)
        cs_print_wrapped(a, 0, (int)arms + 1, CS_ROLE_FAINT, reason);
}

const cs_panel_type cs_panel_summary = {
    .name = "summary",
    .title = "summary",
    .help = "A row an arm: steps of each chain, accepted share, the worst "
            "R-hat and the smallest ESS of all scalars, ESS for a "
            "thousand gradients, modes found, and the work of all chains: "
            "gradients and log densities. Compare arms at equal work. "
            "- means: not known, or not defined yet.",
    .width = 36,
    .height = 2,
    .weight = 1.2,
    .tall = 0.5,
    .draw = draw,
};
