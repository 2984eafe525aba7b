/* Draws one frame: the title, the sentences about the run, the strip of arms,
 * the panels that fit, the timeline, the event line and the key line. If
 * another view covers the panels, draws that view. */
#include "screen/state/ui.h"

#include "screen/canvas/legend.h"
#include "screen/input/window.h"
#include "screen/panels/sentence.h"
#include "screen/panels/timeline.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* Writes the speed and the share of the time that the script's run:every
 * functions take. */
static void write_speed(const cs_shot *s, char *out, size_t size)
{
    double chains = cs_shot_number(s, 1, "run/chains");
    double calling = cs_shot_number(s, 0, "run/calling");
    double rate = cs_shot_number(s, 0, "run/rate") / fmax(chains, 1);
    int n = snprintf(out, size, "  %s steps/s per chain", cs_num(rate).text);
    if (calling >= 0.1 && calling <= 1)
        snprintf(out + n, size - (size_t)n, ", callbacks %.0f%%",
                 100 * calling);
}

/* Describes the state of the run in at most `capacity` columns: the state, the
 * step, the speed, the progress and the remaining time. */
static void state_text(const cs_shot *s, int capacity, char *text, size_t size)
{
    const char *state = cs_shot_text(s, "run/state");
    bool runs = strcmp(state, "running") == 0;
    bool slow = runs && cs_shot_number(s, 0, "run/slow") > 0;
    double progress = cs_shot_number(s, -1, "run/progress");
    double steps = cs_shot_number(s, 0, "run/steps");
    double tuned = cs_shot_number(s, 1, "run/tuned");
    double end = cs_shot_number(s, 0, "run/end");
    double eta = cs_shot_number(s, NAN, "run/eta");
    char speed[96] = "", done[48] = "", left[48] = "";
    if (slow)
        snprintf(speed, sizeof speed, "  slow motion, 4 %s/s",
                 cs_shot_number(s, 1, "run/turns") > 1 ? "turns" : "steps");
    else if (runs)
        write_speed(s, speed, sizeof speed);
    if (tuned < 1)
        snprintf(done, sizeof done, "  warm-up %.0f%%", 100 * tuned);
    else if (end > steps)
        snprintf(done, sizeof done, " of %s", cs_count(end).text);
    else if (progress >= 0 && progress < 1)
        snprintf(done, sizeof done, "  %.0f%%", 100 * progress);
    if (runs && !slow && eta >= 1 && eta < 360000)
        snprintf(left, sizeof left, "  %.0f:%02.0f left", floor(eta / 60),
                 floor(fmod(eta, 60)));
    snprintf(text, size, "%s  step %s%s%s%s", *state ? state : "waiting",
             cs_count(steps).text, done, speed, left);
    if (cs_text_width(text) > capacity && slow)
        snprintf(text, size, "%s, slow  step %s", state, cs_count(steps).text);
    if (cs_text_width(text) > capacity)
        snprintf(text, size, "%s  step %s%s%s", *state ? state : "waiting",
                 cs_count(steps).text, done, left);
    if (cs_text_width(text) > capacity)
        snprintf(text, size, "%s %s%s", *state ? state : "waiting",
                 cs_num(steps).text, done);
    if (cs_text_width(text) > capacity)
        snprintf(text, size, "step %s", cs_num(steps).text);
}

static void draw_title(const cs_area *a, const cs_ui *ui, const cs_shot *s)
{
    char right[200];
    cs_fill(a, CS_ROLE_BAR, ' ');
    state_text(s, a->w / 2 + a->w / 8, right, sizeof right);
    int capacity = a->w - cs_text_width(right) - 2;
    char few[64] = "";
    if (cs_shot_all_arms(s) > CS_SHOT_ARMS)
        snprintf(few, sizeof few, "%d of %zu arms: ", CS_SHOT_ARMS,
                 cs_shot_all_arms(s));
    cs_print_cut(a, 1, 0, capacity - 2, CS_ROLE_BAR, "%s%s%s",
                 ui->recorder ? "[rec] " : "", few,
                 cs_shot_text(s, "run/title"));
    cs_print_right(a, 0, CS_ROLE_BAR, "%s ", right);
}

/* Draws a panel that has the legend in its last lines. First assumes that the
 * legend has one line. */
static void draw_with_legend(const cs_area *in, cs_ui *ui, const cs_shot *s,
                             const cs_panel_type *type, const cs_selection *at)
{
    char view[8];
    cs_legend legend;
    cs_canvas *c = in->canvas;
    size_t axes = c->n_axes, planes = c->n_planes;
    unsigned views = cs_panel_option(type, 'v', 0, view, sizeof view);
    for (int lines = 1, most = in->h - CS_LAYOUT_HEIGHT; lines >= 0;) {
        cs_area part = cs_area_part(in, 0, 0, in->w, in->h - lines);
        cs_area foot = cs_area_part(in, 0, in->h - lines, in->w, lines);
        c->n_axes = axes;
        c->n_planes = planes;
        cs_fill(in, CS_ROLE_NORMAL, ' ');
        cs_panel_draw(type, &part, s, at);
        cs_legend_find(&part, type->name, views ? at->variant % views : 0,
                       &legend);
        int needed = cs_legend_lines(&legend, in->w);
        if (at->focused)
            ui->drawn.legend = lines > 0 && needed > 0;
        cs_legend_draw(&foot, &legend);
        lines = needed == lines || lines != 1 ? -1 : needed > most ? 0 : needed;
    }
}

/* Returns true if a panel has a legend: if the user has chosen this or, by
 * default, if the panel has the focus and there is much space for words. */
static bool has_legend(const cs_area *in, const cs_ui *ui, const cs_shot *s,
                       bool focused)
{
    enum { WIDE = 160, MARGIN = 2 };
    bool wide = in->canvas->width >= WIDE || cs_shot_arms(s) == 1;
    return in->h >= CS_LAYOUT_HEIGHT + MARGIN &&
           (ui->legend > 0 || (ui->legend == 0 && wide && focused));
}

/* Draws the inside of a panel, with `detail` if it has the whole screen. */
static void draw_inside(const cs_area *in, cs_ui *ui, const cs_shot *s,
                        size_t panel, bool detail)
{
    const cs_panel_type *type = ui->slots.of[panel].type;
    cs_selection at = cs_ui_look(ui, s, panel);
    at.detail = detail;
    size_t pictures = type->pictures ? type->pictures(in, s, &at) : 0;
    ui->drawn.pictures =
        pictures > ui->drawn.pictures ? pictures : ui->drawn.pictures;
    const cs_glyphs has = in->canvas->glyphs;
    in->canvas->glyphs =
        ui->slots.of[panel].glyphs < has ? ui->slots.of[panel].glyphs : has;
    if (has_legend(in, ui, s, at.focused))
        draw_with_legend(in, ui, s, type, &at);
    else
        cs_panel_draw(type, in, s, &at);
    in->canvas->glyphs = has;
}

/* Writes the keys that change the contents of the focused panel and, if the
 * panel has the whole screen, its current contents. */
static void write_choice(const cs_area *in, const cs_shot *s,
                         const cs_panel_type *type, const cs_selection *at,
                         bool detail, char *out, size_t size)
{
    enum { ROOMY = 160 };
    char view[120], other[8];
    unsigned n = cs_panel_option(type, 'v', at->variant, view, sizeof view);
    const char *drawn = detail && type->drawn ? type->drawn(in, s, at) : NULL;
    if (n > 1 && drawn)
        snprintf(view, sizeof view, "%s", drawn);
    bool options = cs_panel_option(type, 'o', 0, other, sizeof other) > 0;
    bool roomy = detail || in->canvas->width >= ROOMY;
    *out = 0;
    int used = 0;
    if (n > 1 && detail)
        used = snprintf(out, size, "v %u of %u: %s%s\n", at->variant % n + 1, n,
                        view, options ? "  o next" : "");
    if (n > 1 && roomy)
        snprintf(out + used, size - (size_t)used, "v %u/%u%s",
                 at->variant % n + 1, n, options ? "  o next" : "");
    else if (options && roomy)
        snprintf(out, size, "o next");
}

/* Records that a click on the parts of a choice at column x presses their
 * keys. */
static void hit_choice(cs_ui *ui, const cs_area *edge, int x, const char *form)
{
    const char *next = strstr(form, "o next");
    int wide = cs_text_width(form),
        at = next ? wide - cs_text_width(next) : wide;
    cs_hit *hit = ui->mouse.choice;
    hit[0] = (cs_hit){CS_HIT_KEY, edge->x + x, edge->y, at, 'v', 0};
    hit[1] = (cs_hit){CS_HIT_KEY, edge->x + x + at, edge->y, wide - at, 'o', 0};
}

/* Draws the form of `choice` that fits from column x to column `end`. */
static void draw_choice(cs_ui *ui, const cs_area *edge, int x, int end,
                        const char *choice)
{
    for (size_t n; *choice; choice += n + (choice[n] == '\n')) {
        char form[200];
        n = strcspn(choice, "\n");
        snprintf(form, sizeof form, "%.*s", (int)n, choice);
        if (cs_print_fit(edge, x, 0, end - x, CS_ROLE_LABEL, " %s ", form) >
            x) {
            hit_choice(ui, edge, x + 1, form);
            return;
        }
    }
}

/* Returns the list of forms of a caption, starting with the first form that
 * leaves space for the shortest form of `choice`. The line has w columns, and
 * its title ends before column x. Returns "" if no form leaves enough space. */
static const char *caption_beside(const char *right, const char *choice, int w,
                                  int x)
{
    const char *least = strrchr(choice, '\n');
    int capacity = w - x - 4 - cs_text_width(least ? least + 1 : choice);
    for (size_t n; *choice && capacity >= 0 && *right; right += n) {
        char form[160];
        n = strcspn(right, "\n");
        snprintf(form, sizeof form, "%.*s", (int)n, right);
        if (cs_text_width(form) <= capacity)
            return right;
        n += right[n] == '\n';
    }
    return right;
}

/* Writes the displayed sections of the axes in the title line, from column x
 * on. The sections come before the caption, which begins at column `end`. If
 * both do not fit, the sections replace the caption. Returns the first column
 * used. */
static int draw_sections(const cs_area *edge, cs_role role, const cs_ui *ui,
                         size_t panel, int x, int end)
{
    int between = end < edge->w ? 3 : 0; /* a rule between blanks */
    cs_area free = cs_area_part(edge, x, 0, end - x - between, 1);
    int used = cs_window_tell(&free, ui, panel);
    if (used && between)
        cs_put(edge, end - between, 0, role, ' ');
    if (used || !between)
        return used ? end - between - used : end;
    free = cs_area_part(edge, x, 0, edge->w - x, 1);
    used = cs_window_tell(&free, ui, panel);
    for (int i = end - 1; used && i < edge->w - used; i++)
        cs_put(edge, i, 0, role, 0x2500); /* the rest of the caption */
    return used ? edge->w - used : end;
}

/* Returns true if the title of the next panel names the chosen arm. The title
 * of the large panel does so if this panel shows the chosen arm and no
 * other. */
static bool names_arm(const cs_ui *ui, const cs_shot *s,
                      const cs_panel_type *type, const cs_selection *at)
{
    bool large = ui->drawn.n_parts == 0;
    bool alone = at->pinned >= cs_shot_arms(s) || at->pinned == at->arm;
    return large && cs_shot_arms(s) > 1 && !at->every_arm && alone &&
           !type->no_arm && (!type->has || type->has(s, at->arm));
}

static void draw_panel(const cs_area *a, cs_ui *ui, const cs_shot *s,
                       size_t panel)
{
    const cs_panel_type *type = ui->slots.of[panel].type;
    cs_selection at = cs_ui_look(ui, s, panel);
    bool focus = panel == ui->slots.focus;
    const char *arm = names_arm(ui, s, type, &at) ? cs_shot_arm(s, at.arm) : "";
    char digit[8] = "", title[96], right[160] = "", choice[200] = "";
    bool rests = ui->drawn.rests && ui->drawn.rests[ui->drawn.n_parts];
    ui->drawn.part_of[ui->drawn.n_parts] = panel;
    ui->drawn.part[ui->drawn.n_parts++] = *a;
    if (focus)
        ui->drawn.focused = *a;
    if (rests)
        return;
    /* digit key of the panel; panels after the tenth have none */
    if (panel < 10)
        snprintf(digit, sizeof digit, "%zu ", (panel + 1) % 10);
    snprintf(title, sizeof title, *arm ? "%s%s of %.30s" : "%s%s", digit,
             type->title, arm);
    if (type->caption)
        type->caption(s, &at, right, sizeof right);
    cs_role role = focus ? CS_ROLE_FOCUS : CS_ROLE_BORDER;
    int x = cs_text_width(title) + 2, end;
    if (focus) {
        memset(ui->mouse.choice, 0, sizeof ui->mouse.choice);
        cs_area below = cs_area_part(a, 0, 1, a->w, a->h - 1);
        write_choice(&below, s, type, &at, ui->slots.zoom, choice,
                     sizeof choice);
    }
    cs_area in = cs_heading(a, role, title,
                            caption_beside(right, choice, a->w, x), &end);
    if (in.w > 3 && in.h > 0)
        draw_inside(&in, ui, s, panel, ui->slots.zoom);
    cs_area edge = cs_area_part(a, 0, 0, a->w, 1);
    end = draw_sections(&edge, role, ui, panel, x, end);
    draw_choice(ui, &edge, x, end - 2, choice);
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
    cs_canvas_drop_pictures(a->canvas);
}

/* Returns true if the chosen panels begin with a lesson and include the
 * state. */
static bool has_lesson(const cs_ui *ui)
{
    bool state = false;
    for (size_t i = 0; i < ui->slots.n; i++) {
        const cs_slot *slot = &ui->slots.of[i];
        state |= slot->on && strcmp(slot->type->name, "state") == 0;
    }
    return state && ui->slots.of[0].on && ui->slots.of[0].type->text;
}

static void draw_panels(const cs_area *a, cs_ui *ui, const cs_shot *s)
{
    if (ui->slots.zoom) {
        if (ui->drawn.rests)
            wake(a, ui);
        draw_panel(a, ui, s, ui->slots.focus);
        return;
    }
    /* the lesson stays for the first steps, with the decisions beside it */
    bool reads = cs_too_early(s) || *cs_shot_text(s, "course/step");
    bool slow = cs_shot_number(s, 0, "run/slow") > 0;
    const cs_layout_wish wish = {
        .slot = ui->slots.of,
        .n = ui->slots.n,
        .focus = ui->slots.focus,
        .sizes = &ui->slots.sizes,
        .arms = cs_shot_arms(s),
        .compare = ui->look.every_arm,
        .lecture = ui->slots.lecture,
        .list = ui->params,
        .text = reads || ui->slots.lecture,
        .next = slow || (reads && has_lesson(ui)) ? "state" : NULL};
    cs_layout l = cs_layout_make(&wish, a->w, a->h);
    ui->drawn.layout = l;
    ui->drawn.field = *a;
    if (ui->drawn.rests && !stand_still(a, ui, &l))
        wake(a, ui);
    for (size_t i = 0; i < l.n; i++) {
        const cs_layout_place *p = l.place + i;
        cs_area part = cs_area_part(a, p->x, p->y, p->w, p->h);
        draw_panel(&part, ui, s, p->panel);
    }
    cs_area strip = cs_area_part(a, 0, 0, l.strip.w, l.strip.h);
    if (l.strip.h > 0)
        cs_view_strip(&strip, ui, s);
    if (ui->params && cs_layout_is_wide(a->w)) {
        cs_area list =
            cs_area_part(a, 0, l.strip.h + 1, l.strip.w, a->h - l.strip.h - 1);
        cs_view_params(&list, ui, s);
    }
}

const char *cs_ui_event(const cs_ui *ui, cs_role *role)
{
    *role = CS_ROLE_WARN;
    if (*ui->ask)
        return ui->ask;
    return *ui->wait ? ui->wait : cs_log_newest(&ui->log, role);
}

/* Returns true if panel k of the list of slots was drawn. */
static bool is_drawn(const cs_ui *ui, size_t k)
{
    for (size_t i = 0; i < ui->drawn.n_parts; i++)
        if (ui->drawn.part_of[i] == k)
            return true;
    return false;
}

/* Draws the digits and names of chosen pictures that have no space, as far as
 * they fit: "3 energy  4 acceptance". A click on one shows it. Returns
 * true if a name was drawn. */
static bool draw_more(const cs_area *a, cs_ui *ui)
{
    enum { DIGITS = 10 };
    int x = 1;
    for (size_t k = 0; k < ui->slots.n && k < DIGITS; k++) {
        const char *name = ui->slots.of[k].type->name;
        if (!ui->slots.of[k].on || is_drawn(ui, k) || ui->drawn.n_parts == 0 ||
            x + 8 + cs_text_width(name) > a->w)
            continue;
        unsigned key = '0' + (unsigned)(k + 1) % DIGITS;
        int end = cs_print(a, x, 0, CS_ROLE_KEY, "%c ", key);
        end = cs_print(a, end, 0, CS_ROLE_LABEL, "%s", name);
        cs_ui_hit(ui, a, (cs_hit){CS_HIT_KEY, x, 0, end - x, key, 0});
        x = end + 2;
    }
    return x > 1;
}

/* Draws the newest message. Without a message, draws the names of hidden panels
 * or, if all panels are visible and the user has asked for the legend, the
 * meaning of the letters in the timeline. The message that a file was opened
 * disappears after the first step, unless a note follows it. */
static void draw_event(const cs_area *a, cs_ui *ui, const cs_shot *s)
{
    cs_role role;
    const char *text = cs_ui_event(ui, &role);
    bool old = cs_shot_number(s, 0, "run/steps") > 0;
    if (old && !*ui->ask && !*ui->wait &&
        cs_log_newest_is(&ui->log, CS_LOG_OPENED))
        text = "";
    if (!*text && !draw_more(a, ui) && ui->legend > 0)
        cs_timeline_letters(a, s);
    cs_print_cut(a, 1, 0, a->w - 2, role, "%s", text);
}

/* Draws only text, for screens that are too small for a panel: the run, one
 * line per arm as far as the lines fit, and the newest message in the last
 * line. */
static void draw_tiny(const cs_area *a, cs_ui *ui, const cs_shot *s)
{
    cs_number steps = cs_num(cs_shot_number(s, 0, "run/steps"));
    char text[160];
    state_text(s, a->w, text, sizeof text);
    cs_print(a, 0, 0, CS_ROLE_VALUE, "%s", a->w < 6 ? steps.text : text);
    int y = 1;
    for (size_t i = 0; i < cs_shot_arms(s) && y < a->h; i++, y++) {
        double share = cs_shot_accepted(s, i);
        int capacity = a->w - (isfinite(share) && a->w >= 14 ? 6 : 0);
        cs_print_cut(a, 0, y, capacity, cs_theme_chain(i), "%c %s",
                     cs_theme_glyph(i), cs_shot_arm(s, i));
        if (capacity < a->w)
            cs_print_right(a, y, CS_ROLE_VALUE, "%.3f", share);
    }
    cs_area foot = cs_area_part(a, 0, a->h - 1, a->w, 1);
    if (y < a->h)
        draw_event(&foot, ui, s);
}

/* Draws the focused panel's name first, then the names of other panels as far
 * as they fit. Draws the arm that the panel shows at the right. */
static void draw_tabs(const cs_area *line, const cs_ui *ui, const cs_shot *s)
{
    int x = 0;
    cs_area part = *line, *a = &part;
    cs_selection at = cs_ui_look(ui, s, ui->slots.focus);
    const cs_panel_type *type = ui->slots.of[ui->slots.focus].type;
    char arm[24];
    snprintf(arm, sizeof arm, "%c %.12s", cs_theme_glyph(at.arm),
             cs_shot_arm(s, at.arm));
    if (names_arm(ui, s, type, &at) &&
        cs_text_width(type->name) + cs_text_width(arm) + 4 <= a->w)
        a->w = cs_print_right(a, 1, cs_theme_chain(at.arm), "%s", arm) - 2;
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
    draw_tabs(a, ui, s);
    if (ui->params) {
        cs_view_params(&field, ui, s);
    } else {
        ui->drawn.focused = field;
        draw_inside(&field, ui, s, ui->slots.focus, true);
    }
    if (a->w >= 30)
        cs_print_right(&foot, 0, CS_ROLE_LABEL, "? help");
    foot.w -= a->w >= 30 ? 7 : 0;
    draw_event(&foot, ui, s);
}

static void draw_field(const cs_area *a, cs_ui *ui, const cs_shot *s)
{
    cs_area field = *a;
    if (ui->params && (!cs_layout_is_wide(a->w) || ui->slots.zoom)) {
        int w = a->w >= 110 ? 36 : a->w * 2 / 5;
        cs_area side = cs_area_part(a, a->w - w, 0, w, a->h);
        field = cs_area_part(a, 0, 0, a->w - w - 1, a->h);
        cs_view_params(&side, ui, s);
    }
    draw_panels(&field, ui, s);
}

/* Returns true if a clause or an alternative may end before this place. Also
 * true for the part of a clause before a command in brackets. Returns false
 * after a name, as in "`walk`: ...", and in lists of names. */
static bool ends_clause(const char *text, const char *at)
{
    static const char *const before[] = {"; ", ": ", ", ", " (:"};
    for (size_t i = 0; i < sizeof before / sizeof *before; i++)
        if (strncmp(at, before[i], strlen(before[i])) == 0)
            return at > text && at[-1] != '`';
    return false;
}

/* Shortens a sentence to `columns` by leaving out its last clauses or
 * alternatives. */
static void shorten(char *text, int columns)
{
    char *last = NULL;
    int depth = 0; /* number of open brackets */
    if (cs_text_width(text) <= columns)
        return;
    for (char *at = text; *at && at - text < columns; at++) {
        if (depth == 0 && ends_clause(text, at))
            last = at;
        depth += (*at == '(') - (*at == ')');
    }
    if (last)
        snprintf(last, 2, ".");
}

/* Draws the sentences about the run, the first one bold. */
static void draw_sentences(const cs_area *a, const cs_ui *ui, const cs_shot *s)
{
    cs_run_sentences known;
    cs_sentences_write(s, &ui->look, &known);
    for (int i = 0; i < a->h && i < 2; i++) {
        const char *text = known.text[i];
        if (cs_shot_asks(s))
            text = cs_question_end(text, a->w);
        else
            shorten(known.text[i], a->w);
        cs_print_cut(a, 0, i, a->w, CS_ROLE_NORMAL, "%s", text);
    }
    cs_attribute(a, 0, 0, a->w, CS_BOLD);
}

static void draw_run(const cs_area *a, cs_ui *ui, const cs_shot *s)
{
    if (a->w < 30 || a->h < 6) {
        draw_tiny(a, ui, s);
        return;
    }
    if (!cs_layout_fits(a->w, a->h)) {
        draw_small(a, ui, s);
        return;
    }
    cs_area top = cs_area_part(a, 0, 0, a->w, 1);
    cs_area event = cs_area_part(a, 0, a->h - 2, a->w, 1);
    cs_area keys = cs_area_part(a, 0, a->h - 1, a->w, 1);
    int time = a->h >= 20; /* lines of the timeline; 0: it does not fit */
    int said = a->h >= 30 ? 2 : 1; /* lines of the sentences */
    cs_area known = cs_area_part(a, 1, 1, a->w - 2, said);
    cs_area field =
        cs_area_part(a, 1, 1 + said, a->w - 2, a->h - 3 - time - said);
    cs_area row = cs_area_part(a, 0, a->h - 3, a->w, 1);
    draw_title(&top, ui, s);
    draw_sentences(&known, ui, s);
    draw_field(&field, ui, s);
    if (time)
        cs_timeline_draw(&row, s, ui->kind);
    draw_event(&event, ui, s);
    cs_view_keys(&keys, ui, cs_shot_arms(s));
    cs_view_point(a, ui, s);
}

static void draw_view(const cs_area *a, cs_ui *ui, const cs_shot *s,
                      cs_view view)
{
    if (view == CS_VIEW_HELP)
        cs_view_help(a, ui);
    else if (view == CS_VIEW_EVENTS)
        cs_view_events(a, ui, s);
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
    ui->drawn.legend &= ui->drawn.rests != NULL;
    cs_ui_follow(ui, &s);
    cs_typed_set_read(ui->prompt.mark == ':' ? ui->prompt.text + 1 : "", &s,
                      ui->look.arm, &ui->typed);
    ui->look.typed = ui->typed.valid ? &ui->typed : NULL;
    draw_view(&a, ui, &s, ui->view == CS_VIEW_LOG ? ui->before : ui->view);
    if (log) {
        ui->mouse.n_hits = 0; /* the messages cover the strip and the keys */
        cs_view_log(&a, ui);
    }
    if (ui->prompt.mark)
        cs_view_prompt(&a, ui, &s);
    if (log || ui->prompt.mark) {
        ui->drawn.n_parts = 0;
        ui->drawn.focused = (cs_area){0};
    }
}
