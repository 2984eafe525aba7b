/* The state of the screen: panels, views, and the displayed arm and chain. */
#include "screen/state/ui.h"

#include "base/clock.h"
#include "screen/state/background.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static const char defaults[] = "state trace acceptance energy visits summary";
static const char pictured[] = "picture trace acceptance energy state summary";

void cs_ui_init(cs_ui *ui)
{
    memset(ui, 0, sizeof *ui);
    ui->theme = cs_theme_at(0);
    ui->mouse.listens = true;
    ui->look.pinned = CS_NO_PIN;
    cs_ui_panels(ui, "");
    cs_undo_clear(ui, 0);
}

double cs_ui_time(const cs_ui *ui)
{
    return ui->time > 0 ? ui->time : cs_clock();
}

void cs_ui_end_recording(cs_ui *ui)
{
    char said[1200];
    if (!ui->recorder)
        return;
    cs_recording_stop(ui->recorder, cs_ui_time(ui), said, sizeof said);
    ui->recorder = NULL;
    cs_log_add(&ui->log, CS_LOG_EVENT, said);
}

void cs_ui_fini(cs_ui *ui)
{
    cs_ui_end_recording(ui);
    cs_flat_index_free(&ui->drawn.index);
}

void cs_ui_cover(cs_ui *ui, cs_view view)
{
    if (ui->view == CS_VIEW_RUN || ui->view == CS_VIEW_GALLERY)
        ui->before = ui->view;
    ui->view = view;
    ui->row = ui->top = 0;
    *ui->sought = 0;
}

void cs_ui_show(cs_ui *ui, const cs_panel_type *type)
{
    for (size_t i = 0; i < ui->slots.n; i++)
        if (ui->slots.of[i].type == type) {
            ui->slots.of[i].on = true;
            ui->slots.focus = i;
            ui->view = CS_VIEW_RUN;
        }
}

char *cs_ui_filter(cs_ui *ui, size_t *size)
{
    bool help = ui->view == CS_VIEW_HELP;
    *size = help ? sizeof ui->sought : sizeof ui->gallery.filter;
    return help ? ui->sought : ui->gallery.filter;
}

void cs_ui_hit(cs_ui *ui, const cs_area *a, cs_hit hit)
{
    hit.x += a->x;
    hit.y += a->y;
    if (ui->mouse.n_hits < CS_HITS)
        ui->mouse.hit[ui->mouse.n_hits++] = hit;
}

static void add_panel(cs_ui *ui, const char *word)
{
    cs_panel_word reported = cs_panel_read(&ui->own, word);
    const cs_panel_type *type = reported.type;
    if (!type || ui->slots.n == CS_LAYOUT_PANELS)
        return;
    for (size_t i = 0; i < ui->slots.n; i++)
        if (ui->slots.of[i].type == type)
            return;
    ui->slots.of[ui->slots.n].type = type;
    ui->slots.of[ui->slots.n].shows = reported;
    ui->slots.sizes.wide[ui->slots.n] = reported.wide;
    ui->slots.sizes.tall[ui->slots.n] = reported.tall;
    ui->slots.of[ui->slots.n].glyphs = CS_BRAILLE;
    ui->slots.of[ui->slots.n].on = true;
    ui->slots.of[ui->slots.n].option = ui->slots.of[ui->slots.n].variant = 0;
    ui->slots.of[ui->slots.n].window = (cs_window){.on = false};
    ui->slots.of[ui->slots.n++].scroll = 0;
}

void cs_ui_lecture(cs_ui *ui, bool on)
{
    if (on || ui->slots.lecture)
        ui->slots.big = on;
    ui->slots.lecture = on;
}

void cs_ui_focus_large(cs_ui *ui)
{
    size_t k = 0, n = ui->slots.n;
    while (k < n && (!ui->slots.of[k].on || ui->slots.of[k].type->text))
        k++;
    if (k == n) /* only texts are shown */
        for (k = 0; k + 1 < n && !ui->slots.of[k].on;)
            k++;
    ui->slots.focus = k;
}

void cs_ui_panels(cs_ui *ui, const char *names)
{
    char word[192];
    ui->slots.n = ui->slots.focus = 0;
    memset(&ui->slots.sizes, 0, sizeof ui->slots.sizes);
    ui->slots.zoom = false;
    for (size_t i = 0; cs_shot_word(names, i, word, sizeof word); i++)
        add_panel(ui, word);
    for (size_t i = 0;
         ui->slots.n == 0 && cs_shot_word(defaults, i, word, sizeof word); i++)
        add_panel(ui, word);
    cs_ui_focus_large(ui);
    size_t shown = ui->slots.n;
    for (size_t i = 0; i < ui->own.n; i++)
        add_panel(ui, ui->own.row[i].name);
    /* the other panels are hidden until the user presses their digits */
    for (size_t i = 0; cs_panel_at(i); i++)
        add_panel(ui, cs_panel_at(i)->name);
    for (size_t i = shown; i < ui->slots.n; i++)
        ui->slots.of[i].on = false;
}

void cs_ui_unit(cs_ui *ui, cs_unit unit)
{
    char text[160];
    const cs_unit_row *row = cs_unit_at(unit);
    assert(row);
    ui->look.unit = unit;
    for (size_t i = 0; i < ui->slots.n; i++)
        ui->slots.of[i].window.on = false;
    snprintf(text, sizeof text, "unit of work: %s (%s)", row->name, row->help);
    cs_log_add(&ui->log, CS_LOG_EVENT, text);
}

/* Returns true if `word` is one of `words`. */
static bool has_word(const char *words, const char *word)
{
    char other[192];
    for (size_t i = 0; cs_shot_word(words, i, other, sizeof other); i++)
        if (strcmp(other, word) == 0)
            return true;
    return false;
}

cs_selection cs_ui_look(const cs_ui *ui, const cs_shot *s, size_t panel)
{
    cs_selection at = ui->look;
    at.panel = ui->slots.of[panel].type->name;
    at.every_arm = ui->look.every_arm && panel == ui->slots.focus;
    at.focused = panel == ui->slots.focus;
    at.big = ui->slots.big;
    at.of = ui->slots.of[panel].shows.of;
    for (size_t i = 0; i < cs_shot_arms(s); i++)
        if (strcmp(cs_shot_arm(s, i), ui->slots.of[panel].shows.arm) == 0)
            at.first = i;
    at.option = ui->slots.of[panel].option;
    at.variant = ui->slots.of[panel].variant;
    at.scroll = ui->slots.of[panel].scroll;
    at.window = ui->slots.of[panel].window;
    at.log = &ui->log;
    at.from = ui->trail.known ? ui->trail.from : NULL;
    at.n_from = ui->trail.n;
    if (ui->jobs) {
        at.replicas = cs_background_replicas(ui->jobs, CS_REPLICATES_RUN);
        at.sweep = cs_background_replicas(ui->jobs, CS_SWEEP_RUN);
        at.calibrated = cs_background_calibrated(ui->jobs);
    }
    return at;
}

/* Adds the words that `out` does not contain yet. */
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
    assert(size > 0 && ui->slots.n <= CS_LAYOUT_PANELS);
    /* for the strip and the sentences */
    snprintf(out, size, "acceptance diagnostics modes distance trace");
    for (size_t k = 0; k < ui->slots.n; k++)
        if (ui->slots.of[k].on)
            add_words(cs_panel_probes(ui->slots.of[k].type), out, size);
    for (size_t k = 0; k < ui->slots.n; k++) {
        char asked[256] = "";
        cs_selection at = cs_ui_look(ui, s, k);
        if (ui->slots.of[k].on && ui->slots.of[k].type->ask &&
            cs_shot_arms(s)) {
            ui->slots.of[k].type->ask(s, &at, asked, sizeof asked);
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
