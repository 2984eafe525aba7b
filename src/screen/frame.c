/* Draws one frame: the title, the panels that fit, the timeline, the event line
 * and the key line; or another view that covers them. */
#include "screen/state/ui.h"

#include "screen/input/window.h"
#include "screen/panels/timeline.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* Describes the state of the run in at most `capacity` columns. */
static void state_text(const cs_shot *s, int capacity, char *text, size_t size)
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
    /* share of time that the script's run:every functions take */
    if (runs && calling >= 0.1 && calling <= 1)
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
    if (cs_text_width(text) > capacity)
        snprintf(text, size, "%s %s  %s%s%s", sign, cs_num(steps).text,
                 rate.text, runs ? "/s" : "", done);
    if (cs_text_width(text) > capacity)
        snprintf(text, size, "%s %s", sign, cs_num(steps).text);
}

static void draw_title(const cs_area *a, const cs_ui *ui, const cs_shot *s)
{
    char right[160];
    cs_fill(a, CS_ROLE_BAR, ' ');
    state_text(s, a->w / 2 + a->w / 8, right, sizeof right);
    int capacity = a->w - cs_text_width(right) - 2;
    const char *shows = cs_shot_text(s, "run/shows");
    char few[64] = "";
    if (cs_shot_all_arms(s) > CS_SHOT_ARMS)
        snprintf(few, sizeof few, "%d of %zu arms: ", CS_SHOT_ARMS,
                 cs_shot_all_arms(s));
    int x = cs_print_cut(a, 1, 0, capacity - 2, CS_ROLE_BAR, "%s%s%s",
                         ui->recorder ? "[rec] " : "", few,
                         cs_shot_text(s, "run/title"));
    if (capacity - x > 12)
        x = cs_print_cut(a, x + 2, 0, capacity - x - 4, CS_ROLE_BAR, "%s%s%s",
                         cs_shot_text(s, "run/target"), *shows ? "  " : "",
                         shows);
    cs_print_right(a, 0, CS_ROLE_BAR, "%s ", right);
}

/* Draws the inside of a panel's frame. */
static void draw_inside(const cs_area *in, cs_ui *ui, const cs_shot *s,
                        size_t panel)
{
    const cs_panel_type *type = ui->slots.of[panel].type;
    cs_selection at = cs_ui_look(ui, s, panel);
    size_t pictures = type->pictures ? type->pictures(in, s, &at) : 0;
    ui->drawn.pictures =
        pictures > ui->drawn.pictures ? pictures : ui->drawn.pictures;
    const cs_glyphs has = in->canvas->glyphs;
    in->canvas->glyphs =
        ui->slots.of[panel].glyphs < has ? ui->slots.of[panel].glyphs : has;
    cs_panel_draw(type, in, s, &at);
    in->canvas->glyphs = has;
}

/* Writes, on the lower edge of the focused panel, the choices now in use and
 * the keys that change them. */
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
    const cs_panel_type *type = ui->slots.of[panel].type;
    cs_selection at = cs_ui_look(ui, s, panel);
    char title[64], right[160] = "";
    bool rests = ui->drawn.rests && ui->drawn.rests[ui->drawn.n_parts];
    ui->drawn.part_of[ui->drawn.n_parts] = panel;
    ui->drawn.part[ui->drawn.n_parts++] = *a;
    if (panel == ui->slots.focus)
        ui->drawn.focused = *a;
    if (rests)
        return;
    /* digit key of the panel; panels after the tenth have none */
    if (panel < 10)
        snprintf(title, sizeof title, "%zu %s", (panel + 1) % 10, type->title);
    else
        snprintf(title, sizeof title, "%s", type->title);
    if (type->caption)
        type->caption(s, &at, right, sizeof right);
    cs_area in =
        cs_box(a, panel == ui->slots.focus ? CS_ROLE_FOCUS : CS_ROLE_BORDER,
               title, right);
    if (in.w > 3 && in.h > 0)
        draw_inside(&in, ui, s, panel);
    cs_area edge = cs_area_part(a, 1, a->h - 1, a->w - 2, 1);
    edge.w -= cs_window_tell(&edge, ui, panel);
    if (panel == ui->slots.focus)
        draw_choice(&edge, type, &at);
}

/* Returns true if `rests` has an entry for each panel, and the last frame
 * had the same panels at the same positions. */
static bool stand_still(const cs_area *a, const cs_ui *ui, const cs_layout *l)
{
    bool still = ui->drawn.n_rests == l->n;
    for (size_t i = 0; i < l->n && still; i++) {
        const cs_area *was = &ui->drawn.part[i];
        const cs_layout_place *p = l->place + i;
        still = ui->drawn.part_of[i] == p->panel && was->x == a->x + p->x &&
                was->y == a->y + p->y && was->w == p->w && was->h == p->h;
    }
    return still;
}

/* Marks all panels to be drawn again. */
static void wake(const cs_area *a, cs_ui *ui)
{
    ui->drawn.rests = NULL;
    cs_fill(a, CS_ROLE_NORMAL, ' ');
    a->canvas->n_axes = a->canvas->n_planes = 0;
}

static void draw_panels(const cs_area *a, cs_ui *ui, const cs_shot *s)
{
    if (ui->slots.zoom) {
        if (ui->drawn.rests)
            wake(a, ui);
        draw_panel(a, ui, s, ui->slots.focus);
        return;
    }
    cs_layout l = cs_layout_make(ui->slots.of, ui->slots.n, ui->slots.focus,
                                 &ui->slots.sizes, a->w, a->h);
    ui->drawn.layout = l;
    ui->drawn.field = *a;
    if (ui->drawn.rests && !stand_still(a, ui, &l))
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

/* Draws only text, for screens too small for a panel: the run, one line per arm
 * as far as they fit, and the newest message in the last line. */
static void draw_tiny(const cs_area *a, const cs_ui *ui, const cs_shot *s)
{
    cs_number steps = cs_num(cs_shot_number(s, 0, "run/steps"));
    char text[160];
    state_text(s, a->w, text, sizeof text);
    cs_print(a, 0, 0, CS_ROLE_VALUE, "%s", a->w < 6 ? steps.text : text);
    int y = 1;
    for (size_t i = 0; i < cs_shot_arms(s) && y < a->h; i++, y++) {
        double share = cs_shot_accepted(s, i);
        int capacity = a->w - (isfinite(share) && a->w >= 14 ? 6 : 0);
        cs_print_cut(a, 0, y, capacity, cs_theme_chain(i), "%c %s%s",
                     cs_theme_glyph(i), cs_shot_flaw(s, i), cs_shot_arm(s, i));
        if (capacity < a->w)
            cs_print_right(a, y, CS_ROLE_VALUE, "%.3f", share);
    }
    cs_area foot = cs_area_part(a, 0, a->h - 1, a->w, 1);
    if (y < a->h)
        draw_event(&foot, ui);
}

/* Draws the focused panel's name first, then the names of other panels as far
 * as they fit. */
static void draw_tabs(const cs_area *a, const cs_ui *ui)
{
    int x = 0;
    for (size_t i = 0; i < ui->slots.n; i++) {
        size_t k = (ui->slots.focus + i) % ui->slots.n;
        const char *name = ui->slots.of[k].type->name;
        if (i && (!ui->slots.of[k].on || x + cs_text_width(name) > a->w))
            continue;
        x = cs_print(a, x, 1, i ? CS_ROLE_LABEL : CS_ROLE_FOCUS,
                     i ? "%s" : "[%s]", name) +
            1;
    }
}

/* Draws one panel with tabs. */
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
        ui->drawn.focused = field;
        draw_inside(&field, ui, s, ui->slots.focus);
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
    int time = a->h >= 20; /* lines of the timeline; 0: it does not fit */
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
    cs_flat_index_make(&ui->drawn.index, base, used);
    cs_shot s = {base, used, &ui->drawn.index};
    cs_area a = cs_canvas_area(canvas);
    bool log = ui->view == CS_VIEW_LOG || ui->prompt.mark == ';';
    if (ui->view != CS_VIEW_RUN || log || ui->prompt.mark)
        ui->drawn.rests = NULL;
    if (ui->drawn.rests) {
        cs_canvas_clear_but(canvas, ui->drawn.part, ui->drawn.rests,
                            ui->drawn.n_parts);
    } else {
        cs_canvas_clear(canvas);
        ui->drawn.pictures = 0;
    }
    canvas->theme = ui->theme;
    ui->drawn.canvas = canvas;
    ui->drawn.layout.n = 0;
    ui->drawn.n_rests = ui->drawn.n_parts;
    ui->drawn.n_parts = ui->mouse.n_hits = 0;
    ui->drawn.focused = (cs_area){0};
    cs_ui_follow(ui, &s);
    cs_typed_set_read(ui->prompt.mark == ':' ? ui->prompt.text + 1 : "", &s,
                      ui->look.arm, &ui->typed);
    ui->look.typed = ui->typed.valid ? &ui->typed : NULL;
    draw_view(&a, ui, &s, ui->view == CS_VIEW_LOG ? ui->before : ui->view);
    if (log)
        cs_view_log(&a, ui);
    if (ui->prompt.mark)
        cs_view_prompt(&a, ui, &s);
    if (log || ui->prompt.mark) {
        ui->drawn.n_parts = 0;
        ui->drawn.focused = (cs_area){0};
    }
}
