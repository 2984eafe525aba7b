/* Observed and simulated data of a step of the exchange algorithm: log f of
 * both, at the state and at the proposal. */
#include "screen/canvas/field.h"
#include "screen/panels/panel.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LINES = 7 }; /* number of lines of the table */

/* ---- pictures ------------------------------------------------------------ */

static bool find_levels(const cs_shot *s, const cs_field *p, const char *key,
                        cs_picture_tile *t)
{
    const char *text = cs_shot_text(s, "%s", key);
    if (strlen(text) != p->n)
        return false;
    t->pixels = cs_field_pixels(p, (const unsigned char *)text);
    t->role = CS_ROLE_LABEL;
    return true;
}

/* Returns the share of values that differ between two pictures. */
static double share_off(const cs_pixels *a, const cs_pixels *b)
{
    double off = 0;
    for (size_t i = 0; i < a->n; i++)
        off += a->level[i] != b->level[i];
    return off / (double)a->n;
}

/* Displays the pixels whose values had not settled halfway through the
 * coupling. */
static void draw_open(const cs_area *a, const cs_shot *s, const cs_field *p,
                      const cs_tiling *f)
{
    size_t n;
    cs_picture_tile t = {.tour = NULL};
    const cs_row_coupling *at =
        CS_SHOT_ROWS(s, cs_row_coupling, &n, CS_KEY_COUPLING);
    if (!at || n != 1 || f->n < 3 ||
        !find_levels(s, p, "look/coupling/open", &t))
        return;
    t.pixels.most = 1;
    t.pixels.palette = CS_PALETTE_TWO;
    double pass = floor(at->when * at->past / at->points);
    snprintf(t.text, sizeof t.text,
             f->w < 24 ? "unsettled" : "unsettled after %.0f passes", pass);
    cs_field_draw(a, p, f, &t, 2);
}

static void draw_pictures(const cs_area *a, const cs_shot *s)
{
    cs_field p;
    cs_picture_tile observed = {.tour = NULL}, made = observed;
    if (a->h < 3 || !cs_field_find(s, "data", &p) ||
        !find_levels(s, &p, "data/observed", &observed))
        return;
    bool both = find_levels(s, &p, "look/simulated/states", &made);
    bool open = strlen(cs_shot_text(s, "look/coupling/open")) == p.n;
    cs_tiling f = cs_field_tiling(a, &p, (size_t)(1 + both + (both && open)));
    if (f.n == 0) {
        cs_print_cut(a, 0, 0, a->w, CS_ROLE_FAINT, "no room for pictures");
        return;
    }
    snprintf(observed.text, sizeof observed.text, "data");
    cs_field_draw(a, &p, &f, &observed, 0);
    if (!both || f.n < 2)
        return;
    snprintf(made.text, sizeof made.text, "simulated");
    if (p.values && f.w >= 24)
        snprintf(made.text, sizeof made.text, "simulated, %.0f %% differ",
                 100 * share_off(&observed.pixels, &made.pixels));
    cs_field_draw(a, &p, &f, &made, 1);
    draw_open(a, s, &p, &f);
}

/* ---- the coupling -------------------------------------------------------- */

/* Draws the number of values that have not settled after each pass, as a bar
 * at each point. */
static void draw_coupling(const cs_area *a, const cs_shot *s)
{
    size_t n, rows, cols;
    const cs_row_coupling *at =
        CS_SHOT_ROWS(s, cs_row_coupling, &n, CS_KEY_COUPLING);
    const double *left = cs_shot_array(s, &rows, &cols, "look/coupling/left");
    if (!at || n != 1 || !left || rows * cols < 2)
        return;
    int x = cs_print_fit(a, 0, 0, a->w, CS_ROLE_LABEL,
                         "unsettled, pass -%s to 0: ", cs_count(at->past).text);
    if (x < a->w)
        cs_sparkline(a, x, 0, a->w - x, left, rows * cols, CS_ROLE_EVENT);
}

/* ---- the table of numbers ------------------------------------------------ */

/* Returns column i of three, to the right of the names. */
static cs_area column(const cs_area *a, int i)
{
    int w = (a->w - 10) / 3;
    return cs_area_part(a, 10 + i * w, 0, w - 1, a->h);
}

/* Draws a line of the table: a name and three numbers. */
static void line(const cs_area *a, int y, const char *name, double state,
                 double proposal, double change)
{
    const double value[] = {state, proposal, change};
    cs_print_cut(a, 0, y, 10, CS_ROLE_LABEL, "%s", name);
    for (int i = 0; i < 3; i++) {
        cs_area at = column(a, i);
        cs_print_right(&at, y, CS_ROLE_VALUE, "%s", cs_num(value[i]).text);
    }
}

static void heads(const cs_area *a, bool wide)
{
    static const char *const name[][2] = {{"at x", "log f at x"},
                                          {"at x'", "log f at x'"},
                                          {"adds", "counts as"}};
    for (int i = 0; i < 3; i++) {
        cs_area at = column(a, i);
        cs_print_right(&at, 0, CS_ROLE_FAINT, "%s", name[i][wide]);
    }
}

/* Displays the cost of simulating the data. */
static void draw_work(const cs_area *a, const cs_row_factors *r)
{
    if (r->past > 0)
        cs_print_fit(a, 0, 0, a->w, CS_ROLE_LABEL,
                     "%s passes into the past, %s updates",
                     cs_count(r->past).text, cs_count(r->updates).text);
    else
        cs_print_fit(a, 0, 0, a->w, CS_ROLE_LABEL, "%s updates",
                     cs_count(r->updates).text);
}

static void draw_numbers(const cs_area *a, const cs_shot *s,
                         const cs_row_factors *r, const cs_decision *step)
{
    double data = r->data_at_proposal - r->data_at_state;
    heads(a, a->w >= 56);
    line(a, 1, "data", r->data_at_state, r->data_at_proposal, data);
    line(a, 2, "simulated", r->at_state, r->at_proposal, step->log_aux);
    cs_area rest = cs_area_part(a, 0, 3, a->w, a->h - 3);
    cs_print_fit(&rest, 0, 0, a->w, CS_ROLE_LABEL,
                 "log prior %+.4g, log ratio %+.4g: %s",
                 step->logp_change - data, step->log_ratio,
                 step->accepted != 0 ? "accepted" : "rejected");
    rest = cs_area_part(a, 0, 4, a->w, a->h - 4);
    draw_work(&rest, r);
    rest = cs_area_part(a, 0, 5, a->w, a->h - 5);
    draw_coupling(&rest, s);
}

/* ---- the panel ----------------------------------------------------------- */

static void draw(const cs_area *a, const cs_shot *s, const cs_selection *at)
{
    size_t n, k;
    (void)at;
    const cs_row_factors *r =
        CS_SHOT_ROWS(s, cs_row_factors, &n, CS_KEY_FACTORS);
    const cs_decision *step = CS_SHOT_ROWS(s, cs_decision, &k, CS_KEY_STEP);
    bool numbers = r && n == 1 && step && k == 1 && a->h >= LINES;
    cs_area top = cs_area_part(a, 0, 0, a->w, a->h - (numbers ? LINES : 0));
    cs_area foot = cs_area_part(a, 0, a->h - LINES + 1, a->w, LINES - 1);
    if (*cs_shot_text(s, "data/observed"))
        draw_pictures(&top, s);
    else if (!numbers)
        cs_panel_empty(
            a, s, "The target of this run simulates no data.",
            "Use a target such as ising_parameter, with the kernel exchange.");
    if (numbers && isfinite(r->data_at_state))
        draw_numbers(&foot, s, r, step);
    else if (numbers)
        cs_print_cut(&foot, 0, 0, a->w, CS_ROLE_FAINT, "no step yet");
}

static void caption(const cs_shot *s, const cs_selection *at, char *out,
                    size_t size)
{
    size_t n;
    (void)at;
    const cs_row_factors *r =
        CS_SHOT_ROWS(s, cs_row_factors, &n, CS_KEY_FACTORS);
    if (r && n == 1 && r->past > 0)
        snprintf(out, size, "%s passes back", cs_count(r->past).text);
}

const cs_panel_type cs_panel_simulation = {
    .name = "simulation",
    .title = "simulation of data",
    .help =
        "For a model with an unknown normalising constant: the observed data, "
        "and the data that the last step of the chosen chain simulated at the "
        "proposal x'. The table gives log f (in nats) of both data sets at the "
        "current state x and at x', where f is the unnormalised density of the "
        "data.\nObserved data favour x' if log f increases from x to x'. "
        "Simulated data enter the ratio with the opposite sign, because they "
        "were drawn at x'. The right column gives the contribution of each "
        "data set to the log acceptance ratio (for several simulations, the "
        "log of their mean; the picture shows the last simulation).\n\"Passes "
        "into the past\" is the number of passes before time 0 at which "
        "coupling from the past had to start so that all starts ended in the "
        "same data. The bars count the values that are still undetermined at "
        "each time on the way to time 0, and the third picture shows the "
        "values that are undetermined half way.",
    .draw = draw,
    .caption = caption,
};
