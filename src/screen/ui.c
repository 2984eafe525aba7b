#include "screen/ui.h"

#include "base/clock.h"
#include "screen/calibrations.h"
#include "screen/race.h"
#include "screen/replicates.h"
#include "screen/timeline.h"
#include "screen/window.h"
#include "screen/wishes.h"
#include "session/snapshot.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char defaults[] = "state trace acceptance energy visits summary";
static const char pictured[] = "picture trace acceptance energy state summary";

void cs_ui_init(cs_ui *ui)
{
    memset(ui, 0, sizeof *ui);
    ui->theme = cs_theme_at(0);
    ui->mouse = true;
    cs_ui_panels(ui, "");
    cs_undo_clear(ui, 0);
}

void cs_ui_end_recording(cs_ui *ui)
{
    char said[1200];
    if (!ui->recorder)
        return;
    cs_recording_stop(ui->recorder, cs_clock(), said, sizeof said);
    ui->recorder = NULL;
    cs_log_add(&ui->log, CS_LOG_EVENT, said);
}

void cs_ui_cover(cs_ui *ui, cs_view view)
{
    if (ui->view != CS_VIEW_HELP && ui->view != CS_VIEW_LOG)
        ui->before = ui->view;
    ui->view = view;
    ui->row = ui->top = 0;
    *ui->sought = 0;
}

void cs_ui_show(cs_ui *ui, const cs_panel_type *type)
{
    for (size_t i = 0; i < ui->n_panels; i++)
        if (ui->panel[i] == type) {
            ui->on[i] = true;
            ui->focus = i;
            ui->view = CS_VIEW_RUN;
        }
}

char *cs_ui_filter(cs_ui *ui, size_t *size)
{
    bool help = ui->view == CS_VIEW_HELP;
    *size = help ? sizeof ui->sought : sizeof ui->filter;
    return help ? ui->sought : ui->filter;
}

void cs_ui_hit(cs_ui *ui, const cs_area *a, cs_hit hit)
{
    hit.x += a->x;
    hit.y += a->y;
    if (ui->n_hits < CS_HITS)
        ui->hit[ui->n_hits++] = hit;
}

static void add_panel(cs_ui *ui, const char *word)
{
    cs_panel_word told = cs_panel_read(&ui->own, word);
    const cs_panel_type *type = told.type;
    if (!type || ui->n_panels == CS_LAYOUT_PANELS)
        return;
    for (size_t i = 0; i < ui->n_panels; i++)
        if (ui->panel[i] == type)
            return;
    ui->panel[ui->n_panels] = type;
    ui->told[ui->n_panels] = told;
    ui->sizes.wide[ui->n_panels] = told.wide;
    ui->sizes.tall[ui->n_panels] = told.tall;
    ui->glyphs[ui->n_panels] = CS_BRAILLE;
    ui->on[ui->n_panels] = true;
    ui->option[ui->n_panels] = ui->variant[ui->n_panels] = 0;
    ui->window[ui->n_panels] = (cs_window){.on = false};
    ui->scroll[ui->n_panels++] = 0;
}

void cs_ui_panels(cs_ui *ui, const char *names)
{
    char word[192];
    ui->n_panels = ui->focus = 0;
    memset(&ui->sizes, 0, sizeof ui->sizes);
    ui->zoom = false;
    for (size_t i = 0; cs_shot_word(names, i, word, sizeof word); i++)
        add_panel(ui, word);
    for (size_t i = 0;
         ui->n_panels == 0 && cs_shot_word(defaults, i, word, sizeof word); i++)
        add_panel(ui, word);
    size_t shown = ui->n_panels;
    for (size_t i = 0; i < ui->own.n; i++)
        add_panel(ui, ui->own.row[i].name);
    for (size_t i = 0; cs_panel_at(i); i++) /* the others wait for a digit */
        add_panel(ui, cs_panel_at(i)->name);
    for (size_t i = shown; i < ui->n_panels; i++)
        ui->on[i] = false;
}

void cs_ui_unit(cs_ui *ui, cs_unit unit)
{
    char text[160];
    const cs_unit_row *row = cs_unit_at(unit);
    assert(row);
    ui->look.unit = unit;
    for (size_t i = 0; i < ui->n_panels; i++)
        ui->window[i].on = false;
    snprintf(text, sizeof text, "unit of work: %s (%s)", row->name, row->help);
    cs_log_add(&ui->log, CS_LOG_EVENT, text);
}

/* Whether `word` is one of `words`. */
static bool has_word(const char *words, const char *word)
{
    char other[192];
    for (size_t i = 0; cs_shot_word(words, i, other, sizeof other); i++)
        if (strcmp(other, word) == 0)
            return true;
    return false;
}

static cs_selection look_of(const cs_ui *ui, const cs_shot *s, size_t panel)
{
    cs_selection at = ui->look;
    at.panel = ui->panel[panel]->name;
    at.of = ui->told[panel].of;
    for (size_t i = 0; i < cs_shot_arms(s); i++)
        if (strcmp(cs_shot_arm(s, i), ui->told[panel].arm) == 0)
            at.first = i;
    at.option = ui->option[panel];
    at.variant = ui->variant[panel];
    at.scroll = ui->scroll[panel];
    at.window = ui->window[panel];
    at.log = &ui->log;
    at.from = ui->trail.known ? ui->trail.from : NULL;
    at.n_from = ui->trail.n;
    if (ui->replicates)
        at.replicas = cs_replicates_made(ui->replicates);
    if (ui->sweep)
        at.sweep = cs_replicates_made(ui->sweep);
    if (ui->calibrations)
        at.calibrated = cs_calibrations_made(ui->calibrations);
    return at;
}

/* Adds those that are not there. */
static void add_words(const char *words, char *out, size_t size)
{
    char word[192];
    for (size_t i = 0; cs_shot_word(words, i, word, sizeof word); i++) {
        size_t at = strlen(out);
        if (!has_word(out, word) && at + strlen(word) + 1 < size)
            snprintf(out + at, size - at, " %s", word);
    }
}

void cs_ui_reports(const cs_ui *ui, const cs_shot *s, char *out, size_t size)
{
    assert(size > 0 && ui->n_panels <= CS_LAYOUT_PANELS);
    snprintf(out, size, "acceptance"); /* see draw_tiny */
    for (size_t k = 0; k < ui->n_panels; k++)
        if (ui->on[k])
            add_words(cs_panel_probes(ui->panel[k]), out, size);
    for (size_t k = 0; k < ui->n_panels; k++) {
        char asked[256] = "";
        cs_selection at = look_of(ui, s, k);
        if (ui->on[k] && ui->panel[k]->ask && cs_shot_arms(s)) {
            ui->panel[k]->ask(s, &at, asked, sizeof asked);
            add_words(asked, out, size);
        }
    }
}

size_t cs_ui_param(const cs_ui *ui, const cs_shot *s, int way)
{
    size_t order[CS_SHOT_PARAMS], at = 0;
    size_t n = cs_shot_params(s, ui->look.arm, order);
    size_t from = way ? cs_ui_param(ui, s, 0) : ui->param;
    while (at < n && order[at] != from)
        at++;
    if (at == n && way)
        return CS_NO_PARAM;
    for (size_t i = way ? 1 : 0; i <= n && n; i++) {
        size_t k = order[(at + (way < 0 ? n - i : i)) % n];
        const cs_row_param *p = cs_shot_param(s, ui->look.arm, k);
        if (p && p->idle == 0)
            return k;
    }
    return CS_NO_PARAM;
}

const char *cs_ui_own_panels(const cs_shot *s)
{
    size_t rows, cols;
    const char *names = cs_shot_text(s, "run/panels");
    bool picture = cs_shot_array(s, &rows, &cols, "picture/shape") != NULL;
    return *names || !picture ? names : pictured;
}

/* A message with the step at which it happened, unless it tells one. */
static void hear_one(cs_ui *ui, const cs_shot *s, size_t i, bool failed)
{
    char text[320];
    size_t r, n;
    const double *at = cs_shot_array(s, &r, &n, "run/said_at");
    const char *said = cs_shot_text(s, "run/said/%zu", i);
    double step = at && i < n ? at[i] : 0;
    bool told = strstr(said, "step") != NULL || !(step > 0);
    snprintf(text, sizeof text, "step %s: %.255s", cs_count(step).text, said);
    cs_log_add(&ui->log, failed ? CS_LOG_ERROR : CS_LOG_EVENT,
               told ? said : text);
}

/* The messages that came since the last snapshot: the session keeps some. */
static void hear(cs_ui *ui, const cs_shot *s)
{
    double n = cs_shot_number(s, 0, "run/messages");
    double from = fmax(ui->messages, n - CS_SAID);
    bool failed = strcmp(cs_shot_text(s, "run/state"), "failed") == 0;
    for (double i = n < ui->messages ? n : from; i < n; i++)
        hear_one(ui, s, (size_t)fmod(i, CS_SAID), failed && i + 1 >= n);
    ui->messages = n;
}

/* Keeps the state of the chosen chain; the one kept before is where it was
 * before its last step, if exactly one step came between. */
static void remember(cs_trail *t, const cs_shot *s)
{
    size_t r, n;
    const cs_row_look *at = cs_shot_look(s);
    const double *x = cs_shot_array(s, &r, &n, "look/x");
    if (!at || !x)
        return;
    n = n < CS_TRAIL ? n : CS_TRAIL;
    size_t arm = cs_shot_whole(at->arm, CS_SHOT_ARMS);
    double steps = cs_shot_number(s, 0, "arm/%zu/steps", arm);
    bool same = t->arm == at->arm && t->chain == at->chain && t->n == n;
    if (same && t->steps == steps && memcmp(t->x, x, n * sizeof *x) == 0)
        return;
    t->known = same && steps == t->steps + 1;
    if (t->known)
        memcpy(t->from, t->x, n * sizeof *x);
    memcpy(t->x, x, n * sizeof *x);
    t->arm = at->arm;
    t->chain = at->chain;
    t->steps = steps;
    t->n = n;
}

bool cs_ui_rank(cs_ui *ui, const cs_shot *s, cs_log_kind kind)
{
    char text[1000];
    cs_racers arms;
    if (cs_shot_arms(s) < 2)
        return false;
    cs_race_line_up(s, &ui->look, &arms);
    if (!cs_race_has(&arms, CS_RACE_ESS))
        return false;
    cs_race_say(&arms, text, sizeof text);
    for (char *end = text; (end = strstr(end, "; "));) /* a line a clause */
        end[1] = '\n';
    cs_log_add(&ui->log, kind, text);
    return true;
}

/* Of a run that has finished, once the reports are of its end. */
static void rank(cs_ui *ui, const cs_shot *s, bool done)
{
    bool waits = done && !ui->ranked;
    ui->ranked &= done;
    if (waits && cs_shot_number(s, 1, "run/reported") != 0)
        ui->ranked = cs_ui_rank(ui, s, CS_LOG_EVENT);
}

/* Logs the end of the budget; tells the gallery what is open. */
static void follow_state(cs_ui *ui, const cs_shot *s)
{
    const char *state = cs_shot_text(s, "run/state");
    cs_number steps = cs_count(cs_shot_number(s, 0, "run/steps"));
    char text[160];
    if (strcmp(state, "done") == 0 && strcmp(ui->state, "running") == 0) {
        snprintf(text, sizeof text,
                 "Finished: %s steps, the budget. space goes on beyond it, "
                 "r starts again, R with another seed",
                 steps.text);
        if (*cs_shot_text(s, "run/watched"))
            snprintf(text, sizeof text, "All %s draws are read", steps.text);
        cs_log_add(&ui->log, CS_LOG_EVENT, text);
    }
    rank(ui, s, strcmp(state, "done") == 0);
    snprintf(ui->state, sizeof ui->state, "%s", state);
    snprintf(ui->back, sizeof ui->back, "%.100s, step %s",
             cs_shot_text(s, "run/title"), steps.text);
    if (cs_shot_arms(s) == 0)
        *ui->back = 0;
}

static void show_state(cs_ui *ui)
{
    for (size_t i = 0; i < ui->n_panels; i++)
        if (strcmp(ui->panel[i]->name, "state") == 0) {
            ui->on[i] = true;
            ui->focus = i;
        }
}

/* The session chose the chain of an event; where a breakpoint holds the run its
 * state is shown. */
static void follow_events(cs_ui *ui, const cs_shot *s)
{
    double chosen = cs_shot_number(s, 0, "look/chosen");
    double held = cs_shot_number(s, 0, "run/held");
    const cs_row_look *at = cs_shot_look(s);
    if (chosen > ui->chosen && at) {
        ui->look.arm = cs_shot_whole(at->arm, CS_SHOT_ARMS);
        ui->look.chain = cs_shot_whole(at->chain, 1u << 20);
    }
    if (held > ui->held)
        show_state(ui);
    ui->chosen = chosen;
    ui->held = held;
}

/* Follows a new snapshot: panels of a scenario that was opened, messages, arms
 * and chains that are there. */
/* The layout that was asked for on the command line, once. */
static void begin_layout(cs_ui *ui, const cs_shot *s)
{
    char words[2048];
    const char *wish = cs_shot_text(&ui->wishes, CS_WISH_LAYOUT);
    if (!*wish || ui->laid_out)
        return;
    ui->laid_out = true;
    bool named =
        !strchr(wish, ' ') && cs_layout_named(ui, s, wish, words, sizeof words);
    cs_ui_panels(ui, named ? words : wish);
}

static void follow(cs_ui *ui, const cs_shot *s)
{
    char seen[sizeof ui->panels_seen] = "";
    double changes = cs_shot_number(s, ui->undo.changes, "run/changes");
    cs_own_read(&ui->own, s);
    for (size_t i = 0, n = 0; i < ui->own.n; i++)
        n += (size_t)snprintf(seen + n, sizeof seen - n, "%s ",
                              ui->own.row[i].name);
    size_t n = strlen(seen);
    snprintf(seen + n, sizeof seen - n, "%s %.100s",
             cs_shot_text(s, "run/panels"), cs_shot_text(s, "run/file"));
    if (strcmp(seen, ui->panels_seen) != 0) {
        memcpy(ui->panels_seen, seen, sizeof seen);
        cs_ui_panels(ui, cs_ui_own_panels(s));
        begin_layout(ui, s);
        const cs_row_look *at = cs_shot_look(s);
        ui->look = (cs_selection){.every_arm = true, .unit = ui->look.unit};
        if (at && at->arm < CS_SHOT_ARMS)
            ui->look.arm = (size_t)at->arm;
        cs_undo_clear(ui, changes);
    }
    cs_undo_changes(ui, changes);
    follow_events(ui, s);
    hear(ui, s);
    remember(&ui->trail, s);
    follow_state(ui, s);
    size_t arms = cs_shot_arms(s);
    size_t hills;
    if (!CS_SHOT_ROWS(s, cs_row_hill, &hills, CS_KEY_HILLS))
        ui->look.hill = 0; /* there is no landscape to build */
    if (ui->look.arm >= arms)
        ui->look.arm = 0;
    if (ui->look.chain >= cs_shot_chains(s, ui->look.arm))
        ui->look.chain = 0;
    cs_undo_accept(ui);
}

/* How the run stands, in no more than `room` columns. */
static void state_text(const cs_shot *s, int room, char *text, size_t size)
{
    const char *state = cs_shot_text(s, "run/state");
    bool runs = strcmp(state, "running") == 0;
    double progress = cs_shot_number(s, -1, "run/progress");
    double steps = cs_shot_number(s, 0, "run/steps");
    const char *sign = runs ? ">" : strcmp(state, "failed") ? "||" : "!!";
    cs_number rate = cs_num(cs_shot_number(s, 0, "run/rate"));
    char speed[64] = "", done[32] = "";
    double calling = cs_shot_number(s, 0, "run/calling");
    if (runs)
        snprintf(speed, sizeof speed, "  %s steps/s", rate.text);
    if (runs && calling >= 0.1 && calling <= 1) /* what run:every costs */
        snprintf(speed, sizeof speed, "  %s steps/s, callbacks %.0f%%",
                 rate.text, 100 * calling);
    double tuned = cs_shot_number(s, 1, "run/tuned");
    if (tuned < 1)
        snprintf(done, sizeof done, "  warm-up %.0f%%", 100 * tuned);
    else if (progress >= 0 && progress <= 1)
        snprintf(done, sizeof done, "  %.0f%%", 100 * progress);
    double end = cs_shot_number(s, 0, "run/end");
    if (end > steps)
        snprintf(done, sizeof done, " of %s", cs_count(end).text);
    snprintf(text, size, "%s %s  step %s%s%s", sign, *state ? state : "waiting",
             cs_count(steps).text, end > steps ? done : speed,
             end > steps ? speed : done);
    if (cs_text_width(text) > room)
        snprintf(text, size, "%s %s  %s%s%s", sign, cs_num(steps).text,
                 rate.text, runs ? "/s" : "", done);
    if (cs_text_width(text) > room)
        snprintf(text, size, "%s %s", sign, cs_num(steps).text);
}

static void draw_title(const cs_area *a, const cs_ui *ui, const cs_shot *s)
{
    char right[160];
    cs_fill(a, CS_ROLE_BAR, ' ');
    state_text(s, a->w / 2 + a->w / 8, right, sizeof right);
    int room = a->w - cs_text_width(right) - 2;
    const char *shows = cs_shot_text(s, "run/shows");
    int x = cs_print_cut(a, 1, 0, room - 2, CS_ROLE_BAR, "%s%s",
                         ui->recorder ? "[rec] " : "",
                         cs_shot_text(s, "run/title"));
    if (room - x > 12)
        x = cs_print_cut(a, x + 2, 0, room - x - 4, CS_ROLE_BAR, "%s%s%s",
                         cs_shot_text(s, "run/target"), *shows ? "  " : "",
                         shows);
    cs_print_right(a, 0, CS_ROLE_BAR, "%s ", right);
}

/* What is inside a panel's frame. */
static void draw_inside(const cs_area *in, cs_ui *ui, const cs_shot *s,
                        size_t panel)
{
    const cs_panel_type *type = ui->panel[panel];
    cs_selection at = look_of(ui, s, panel);
    size_t pictures = type->pictures ? type->pictures(in, s, &at) : 0;
    ui->pictures = pictures > ui->pictures ? pictures : ui->pictures;
    const cs_glyphs has = in->canvas->glyphs;
    in->canvas->glyphs = ui->glyphs[panel] < has ? ui->glyphs[panel] : has;
    type->draw(in, s, &at);
    in->canvas->glyphs = has;
}

/* In the lower edge of the focused panel: which of its views is on, and the
 * keys that change what it shows. */
static void draw_choice(const cs_area *a, const cs_panel_type *type,
                        const cs_selection *at)
{
    char view[120], other[8];
    const cs_area edge = *a;
    unsigned n = cs_panel_option(type, 'v', at->variant, view, sizeof view);
    int x = 1;
    if (n > 1) {
        unsigned k = at->variant % n + 1;
        x = cs_print_fit(&edge, 1, 0, edge.w - 1, CS_ROLE_LABEL,
                         "v %u of %u: %s", k, n, view);
        if (x == 1)
            x = cs_print_fit(&edge, 1, 0, edge.w - 1, CS_ROLE_LABEL,
                             "v %u of %u", k, n);
        x += x > 1 ? 2 : 0;
    }
    if (cs_panel_option(type, 'o', 0, other, sizeof other))
        cs_print_fit(&edge, x, 0, edge.w - x, CS_ROLE_LABEL, "o next");
}

static void draw_panel(const cs_area *a, cs_ui *ui, const cs_shot *s,
                       size_t panel)
{
    const cs_panel_type *type = ui->panel[panel];
    cs_selection at = look_of(ui, s, panel);
    char title[64], right[160] = "";
    bool rests = ui->rests && ui->rests[ui->n_parts];
    ui->part_of[ui->n_parts] = panel;
    ui->part[ui->n_parts++] = *a;
    if (panel == ui->focus)
        ui->focused = *a;
    if (rests)
        return;
    if (panel < 10) /* the digit that shows it; those behind have none */
        snprintf(title, sizeof title, "%zu %s", (panel + 1) % 10, type->title);
    else
        snprintf(title, sizeof title, "%s", type->title);
    if (type->caption)
        type->caption(s, &at, right, sizeof right);
    cs_area in = cs_box(a, panel == ui->focus ? CS_ROLE_FOCUS : CS_ROLE_BORDER,
                        title, right);
    if (in.w > 3 && in.h > 0)
        draw_inside(&in, ui, s, panel);
    cs_area edge = cs_area_part(a, 1, a->h - 1, a->w - 2, 1);
    edge.w -= cs_window_tell(&edge, ui, panel);
    if (panel == ui->focus)
        draw_choice(&edge, type, &at);
}

/* Whether the panels stand where they stood in the last frame, which had n. */
static bool stand_still(const cs_area *a, const cs_ui *ui, const cs_layout *l)
{
    bool still = ui->n_rests == l->n;
    for (size_t i = 0; i < l->n && still; i++) {
        const cs_area *was = &ui->part[i];
        const cs_layout_place *p = l->place + i;
        still = ui->part_of[i] == p->panel && was->x == a->x + p->x &&
                was->y == a->y + p->y && was->w == p->w && was->h == p->h;
    }
    return still;
}

/* None stays as it was. */
static void wake(const cs_area *a, cs_ui *ui)
{
    ui->rests = NULL;
    cs_fill(a, CS_ROLE_NORMAL, ' ');
    a->canvas->n_axes = a->canvas->n_planes = 0;
}

static void draw_panels(const cs_area *a, cs_ui *ui, const cs_shot *s)
{
    if (ui->zoom) {
        if (ui->rests)
            wake(a, ui);
        draw_panel(a, ui, s, ui->focus);
        return;
    }
    cs_layout l = cs_layout_make(ui->panel, ui->on, ui->n_panels, ui->focus,
                                 &ui->sizes, a->w, a->h);
    ui->layout = l;
    ui->field = *a;
    if (ui->rests && !stand_still(a, ui, &l))
        wake(a, ui);
    for (size_t i = 0; i < l.n; i++) {
        const cs_layout_place *p = l.place + i;
        cs_area part = cs_area_part(a, p->x, p->y, p->w, p->h);
        draw_panel(&part, ui, s, p->panel);
    }
}

const char *cs_ui_event(const cs_ui *ui, cs_role *role)
{
    *role = CS_ROLE_WARN;
    if (*ui->ask)
        return ui->ask;
    return *ui->wait ? ui->wait : cs_log_newest(&ui->log, role);
}

static void draw_event(const cs_area *a, const cs_ui *ui)
{
    cs_role role;
    const char *text = cs_ui_event(ui, &role);
    cs_print_cut(a, 1, 0, a->w - 2, role, "%s", text);
}

/* Numbers alone, for screens too small for a panel: the run, then a line an
 * arm as far as they fit, the newest message last. */
static void draw_tiny(const cs_area *a, const cs_ui *ui, const cs_shot *s)
{
    cs_number steps = cs_num(cs_shot_number(s, 0, "run/steps"));
    char text[160];
    state_text(s, a->w, text, sizeof text);
    cs_print(a, 0, 0, CS_ROLE_VALUE, "%s", a->w < 6 ? steps.text : text);
    int y = 1;
    for (size_t i = 0; i < cs_shot_arms(s) && y < a->h; i++, y++) {
        double share = cs_shot_accepted(s, i);
        int room = a->w - (isfinite(share) && a->w >= 14 ? 6 : 0);
        cs_print_cut(a, 0, y, room, cs_theme_chain(i), "%c %s%s",
                     cs_theme_glyph(i), cs_shot_flaw(s, i), cs_shot_arm(s, i));
        if (room < a->w)
            cs_print_right(a, y, CS_ROLE_VALUE, "%.3f", share);
    }
    cs_area foot = cs_area_part(a, 0, a->h - 1, a->w, 1);
    if (y < a->h)
        draw_event(&foot, ui);
}

/* The focused panel's name first, then the others as far as they fit. */
static void draw_tabs(const cs_area *a, const cs_ui *ui)
{
    int x = 0;
    for (size_t i = 0; i < ui->n_panels; i++) {
        size_t k = (ui->focus + i) % ui->n_panels;
        const char *name = ui->panel[k]->name;
        if (i && (!ui->on[k] || x + cs_text_width(name) > a->w))
            continue;
        x = cs_print(a, x, 1, i ? CS_ROLE_LABEL : CS_ROLE_FOCUS,
                     i ? "%s" : "[%s]", name) +
            1;
    }
}

/* One panel with tabs. */
static void draw_small(const cs_area *a, cs_ui *ui, const cs_shot *s)
{
    cs_area top = cs_area_part(a, 0, 0, a->w, 1);
    cs_area field = cs_area_part(a, 0, 2, a->w, a->h - 3);
    cs_area foot = cs_area_part(a, 0, a->h - 1, a->w, 1);
    draw_title(&top, ui, s);
    draw_tabs(a, ui);
    if (ui->params) {
        cs_view_params(&field, ui, s);
    } else {
        ui->focused = field;
        draw_inside(&field, ui, s, ui->focus);
    }
    if (a->w >= 30)
        cs_print_right(&foot, 0, CS_ROLE_LABEL, "? help");
    foot.w -= a->w >= 30 ? 7 : 0;
    draw_event(&foot, ui);
}

static void draw_field(const cs_area *a, cs_ui *ui, const cs_shot *s)
{
    cs_area field = *a;
    if (ui->params) {
        int w = a->w >= 110 ? 36 : a->w * 2 / 5;
        cs_area side = cs_area_part(a, a->w - w, 0, w, a->h);
        field = cs_area_part(a, 0, 0, a->w - w, a->h);
        cs_view_params(&side, ui, s);
    }
    draw_panels(&field, ui, s);
}

static void draw_run(const cs_area *a, cs_ui *ui, const cs_shot *s)
{
    if (a->w < 30 || a->h < 6) {
        draw_tiny(a, ui, s);
        return;
    }
    if (a->w < 60 || a->h < 16) {
        draw_small(a, ui, s);
        return;
    }
    cs_area top = cs_area_part(a, 0, 0, a->w, 1);
    cs_area event = cs_area_part(a, 0, a->h - 2, a->w, 1);
    cs_area keys = cs_area_part(a, 0, a->h - 1, a->w, 1);
    int time = a->h >= 20; /* there is room for the timeline */
    cs_area field = cs_area_part(a, 0, 1, a->w, a->h - 3 - time);
    cs_area row = cs_area_part(a, 0, a->h - 3, a->w, 1);
    draw_title(&top, ui, s);
    draw_field(&field, ui, s);
    if (time)
        cs_timeline_draw(&row, s, ui->kind);
    draw_event(&event, ui);
    cs_view_keys(&keys, ui);
}

static void draw_view(const cs_area *a, cs_ui *ui, const cs_shot *s,
                      cs_view view)
{
    if (view == CS_VIEW_HELP)
        cs_view_help(a, ui);
    else if (view == CS_VIEW_GALLERY)
        cs_view_gallery(a, ui);
    else
        draw_run(a, ui, s);
}

void cs_screen_frame(cs_ui *ui, const unsigned char *base, size_t used,
                     cs_canvas *canvas)
{
    assert(canvas->width >= 1 && canvas->height >= 1);
    cs_shot_index_make(&ui->index, base, used);
    cs_shot s = {base, used, &ui->index};
    cs_area a = cs_canvas_area(canvas);
    bool log = ui->view == CS_VIEW_LOG || ui->prompt.mark == ';';
    if (ui->view != CS_VIEW_RUN || log || ui->prompt.mark)
        ui->rests = NULL;
    if (ui->rests) {
        cs_canvas_clear_but(canvas, ui->part, ui->rests, ui->n_parts);
    } else {
        cs_canvas_clear(canvas);
        ui->pictures = 0;
    }
    canvas->theme = ui->theme;
    ui->canvas = canvas;
    ui->layout.n = 0;
    ui->n_rests = ui->n_parts;
    ui->n_parts = ui->n_hits = 0;
    ui->focused = (cs_area){0};
    follow(ui, &s);
    cs_typed_set_read(ui->prompt.mark == ':' ? ui->prompt.text + 1 : "", &s,
                      ui->look.arm, &ui->typed);
    ui->look.typed = ui->typed.valid ? &ui->typed : NULL;
    draw_view(&a, ui, &s, ui->view == CS_VIEW_LOG ? ui->before : ui->view);
    if (log)
        cs_view_log(&a, ui);
    if (ui->prompt.mark)
        cs_view_prompt(&a, ui, &s);
    if (log || ui->prompt.mark) {
        ui->n_parts = 0;
        ui->focused = (cs_area){0};
    }
}
