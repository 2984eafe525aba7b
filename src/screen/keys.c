#include "screen/keys.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RUN (1u << CS_VIEW_RUN)
#define GALLERY (1u << CS_VIEW_GALLERY)
#define HELP (1u << CS_VIEW_HELP)
#define LOG (1u << CS_VIEW_LOG)
#define ANY (RUN | GALLERY | HELP | LOG)

static void say(const cs_sender *to, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void say(const cs_sender *to, const char *format, ...)
{
    char line[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    to->send(to->self, line);
}

#define ACT(name)                                                              \
    static void name(cs_ui *ui, const cs_shot *s, const cs_sender *to,         \
                     unsigned key)
#define UNUSED (void)ui, (void)s, (void)to, (void)key

ACT(toggle)
{
    UNUSED;
    say(to, "toggle");
}

/* What would be lost goes with a second press of the key alone; what was typed
 * (no key) was meant. */
static bool is_meant(cs_ui *ui, const cs_shot *s, unsigned key,
                     const char *does)
{
    double steps = cs_shot_number(s, 0, "run/steps");
    if (!(steps > 0) || ui->lost || key == 0 || ui->again == key)
        return true;
    ui->asked = key;
    char name[8] = {(char)key};
    snprintf(ui->ask, sizeof ui->ask,
             "%s again %s: the run at step %s is lost%s",
             key == '\r' ? "enter" : name, does, cs_count(steps).text,
             *cs_shot_text(s, "run/folder") ? "; its draws are in files" : "");
    return false;
}

ACT(step)
{
    UNUSED;
    say(to, "step %d", key == '>' ? 100 : 1);
}

ACT(back)
{
    UNUSED;
    say(to, "rewind -%d", key == '<' ? 100 : 1);
}

ACT(newest)
{
    UNUSED;
    say(to, "rewind to %.0f", cs_shot_number(s, 0, "run/end"));
}

ACT(speed)
{
    UNUSED;
    double now = cs_shot_number(s, 0, "run/speed");
    if (!(now > 0))
        now = fmax(cs_shot_number(s, 0, "run/rate"), 64);
    double next = key == '=' ? 0 : key == '+' ? now * 2 : now / 2;
    say(to, "speed %.6g", next > 0 && next < 1 ? 1 : next);
}

ACT(restart)
{
    UNUSED;
    if (is_meant(ui, s, key,
                 key == 'R' ? "starts with another seed" : "starts anew"))
        say(to, key == 'R' ? "seed" : "restart");
}

/* The session looks where the user looks. */
static void look(const cs_ui *ui, const cs_shot *s, const cs_sender *to)
{
    say(to, "look %s %zu %zu", cs_shot_arm(s, ui->look.arm), ui->look.chain + 1,
        ui->look.coordinate + 1);
}

static size_t turn(size_t at, size_t n, bool up)
{
    return n == 0 ? 0 : up ? (at + 1) % n : (at + n - 1) % n;
}

ACT(arm)
{
    UNUSED;
    ui->look.arm = turn(ui->look.arm, cs_shot_arms(s), key == 'a');
    ui->look.chain = 0;
    ui->param = 0;
    look(ui, s, to);
}

ACT(chain)
{
    UNUSED;
    ui->look.chain =
        turn(ui->look.chain, cs_shot_chains(s, ui->look.arm), key == 'c');
    look(ui, s, to);
}

ACT(coordinate)
{
    UNUSED;
    double dim = cs_shot_number(s, 1, "run/dim");
    size_t n = dim >= 1 && dim < 1e9 ? (size_t)dim : 1;
    ui->look.coordinate = turn(ui->look.coordinate, n, key == 'n');
    look(ui, s, to);
}

ACT(every_arm)
{
    UNUSED;
    ui->look.every_arm = !ui->look.every_arm;
}

ACT(option)
{
    UNUSED;
    ui->option[ui->focus]++;
}

ACT(variant)
{
    UNUSED;
    ui->variant[ui->focus]++;
}

/* A panel clamps what is beyond its end; so much is never there. */
ACT(scroll)
{
    UNUSED;
    size_t *at = &ui->scroll[ui->focus];
    if (key == CS_KEY_PAGE_UP)
        *at = *at < 5 ? 0 : *at - 5;
    else
        *at = *at < 100000 ? *at + 5 : *at;
}

ACT(focus)
{
    UNUSED;
    for (size_t i = 0; i < ui->n_panels; i++) {
        ui->focus = turn(ui->focus, ui->n_panels, key == '\t');
        if (ui->on[ui->focus])
            return;
    }
}

/* A digit shows a panel and focuses it, hides it when it has the focus. */
ACT(digit)
{
    UNUSED;
    size_t i = key == '0' ? 9 : key - '1';
    if (i >= ui->n_panels)
        return;
    bool hide = ui->on[i] && ui->focus == i;
    ui->on[i] = !hide;
    ui->focus = i;
    if (hide)
        focus(ui, s, to, '\t');
}

ACT(zoom)
{
    UNUSED;
    ui->zoom = !ui->zoom;
}

ACT(params)
{
    UNUSED;
    ui->params = !ui->params;
}

ACT(pick_param)
{
    UNUSED;
    size_t k = cs_ui_param(ui, s, key == CS_KEY_DOWN ? 1 : -1);
    ui->params = true;
    ui->param = k == CS_NO_PARAM ? 0 : k;
}

/* One nudge of a number: a tenth of a decade on a log scale, else a fiftieth of
 * the range. */
static double nudge_real(const cs_row_param *p, bool up)
{
    double way = up ? 1 : -1, v = p->value;
    bool bounded = isfinite(p->min) && isfinite(p->max);
    if ((unsigned)p->flags & CS_PARAM_LOG && v > 0)
        return v * pow(10, way / 10);
    return v +
           way * (bounded ? (p->max - p->min) / 50 : fmax(fabs(v) / 10, 1e-3));
}

/* Of a whole number by 1 at least; a choice goes round. */
static double nudge(const cs_row_param *p, bool up)
{
    double way = up ? 1 : -1, v = p->value, n = p->max - p->min + 1;
    if (p->kind == CS_PARAM_CHOICE || p->kind == CS_PARAM_BOOL)
        return p->min + fmod(v - p->min + way + n, n);
    if (p->kind == CS_PARAM_REAL)
        v = nudge_real(p, up);
    else if ((unsigned)p->flags & CS_PARAM_LOG)
        v = way * fmax(way * round(nudge_real(p, up)), way * v + 1);
    else
        v += way;
    return fmax(p->min, fmin(p->max, v));
}

/* Six digits where they are within the bounds. */
static void nudged(const cs_shot *s, size_t arm, size_t k, double value,
                   char *text, size_t size)
{
    const cs_row_param *p = cs_shot_param(s, arm, k);
    cs_shot_value(s, arm, k, value, text, size);
    double read = strtod(text, NULL);
    if (p->kind == CS_PARAM_REAL && (read < p->min || read > p->max))
        snprintf(text, size, "%.17g", value);
}

ACT(change)
{
    UNUSED;
    size_t arm = ui->look.arm, k = cs_ui_param(ui, s, 0);
    const cs_row_param *p = cs_shot_param(s, arm, k);
    char value[40];
    ui->params = true;
    if (!p)
        return;
    nudged(s, arm, k, nudge(p, key == CS_KEY_RIGHT), value, sizeof value);
    say(to, "set %s.%s %s", cs_shot_arm(s, arm),
        cs_shot_text(s, "arm/%zu/param/%zu/name", arm, k), value);
}

/* The presets are lists of panels; the first is the scenario's own. */
ACT(preset)
{
    UNUSED;
    static const char *const list[] = {
        NULL,
        "state trace acceptance energy visits summary",
        "trace energy",
        "map state",
        "picture trace",
        "summary visits acceptance",
        "trace distance visits summary",
        "trace energy acceptance visits map distance state summary log",
    };
    ui->preset = turn(ui->preset, sizeof list / sizeof *list, key == 'p');
    cs_ui_panels(ui, list[ui->preset] ? list[ui->preset] : cs_ui_own_panels(s));
}

ACT(help)
{
    UNUSED;
    cs_ui_cover(ui, CS_VIEW_HELP);
}

ACT(messages)
{
    UNUSED;
    cs_ui_cover(ui, CS_VIEW_LOG);
}

ACT(gallery)
{
    UNUSED;
    say(to, "gallery");
    ui->view = CS_VIEW_GALLERY;
    ui->row = 0;
    ui->at_back = true; /* where a run is open */
    *ui->filter = 0;
}

ACT(move)
{
    UNUSED;
    bool page = key == CS_KEY_PAGE_UP || key == CS_KEY_PAGE_DOWN;
    bool up = key == CS_KEY_UP || key == CS_KEY_PAGE_UP || key == 'k';
    size_t by = page ? 10 : 1;
    if (ui->view == CS_VIEW_GALLERY) {
        cs_gallery_move(ui, up ? -(long)by : (long)by);
        return;
    }
    if (ui->view == CS_VIEW_LOG) /* counted from the end */
        up = !up;
    ui->row = up ? ui->row < by ? 0 : ui->row - by : ui->row + by;
}

ACT(open_row)
{
    UNUSED;
    const char *file = cs_gallery_file(ui);
    char quoted[1000];
    size_t used = 0;
    if (cs_gallery_is_back(ui))
        ui->view = CS_VIEW_RUN;
    if (!*file || !is_meant(ui, s, key, "opens it"))
        return;
    for (; *file && used + 3 < sizeof quoted; file++) {
        if (strchr(" '\"\\\t", *file))
            quoted[used++] = '\\';
        quoted[used++] = *file;
    }
    quoted[used] = 0;
    say(to, "open %s", quoted);
}

ACT(leave)
{
    UNUSED;
    bool saved = *cs_shot_text(s, "run/folder") != 0;
    ui->quit = saved || is_meant(ui, s, key, "leaves");
}

ACT(close_view)
{
    UNUSED;
    if (ui->view == CS_VIEW_HELP || ui->view == CS_VIEW_LOG)
        ui->view = ui->before;
    else if (ui->view == CS_VIEW_RUN && ui->zoom)
        ui->zoom = false;
    else if (ui->view == CS_VIEW_RUN && ui->params)
        ui->params = false;
    else if (ui->view == CS_VIEW_RUN && key == 'q')
        gallery(ui, s, to, key);
    else if (ui->view == CS_VIEW_GALLERY && *ui->filter)
        *ui->filter = 0;
    else if (ui->view == CS_VIEW_GALLERY && key != 'q' && *ui->back)
        ui->view = CS_VIEW_RUN;
    else if (ui->view == CS_VIEW_GALLERY && key == 'q')
        leave(ui, s, to, key);
}

ACT(prompt)
{
    UNUSED;
    ui->prompt.mark = key == ';' || key == '/' ? (char)key : ':';
    snprintf(ui->prompt.begin, sizeof ui->prompt.begin, "%s",
             key == '/' ? ui->filter : "");
}

/* Types a value for the chosen parameter. */
ACT(value)
{
    UNUSED;
    size_t arm = ui->look.arm;
    const char *name =
        cs_shot_text(s, "arm/%zu/param/%zu/name", arm, cs_ui_param(ui, s, 0));
    if (!*name)
        return;
    ui->prompt.mark = ':';
    snprintf(ui->prompt.begin, sizeof ui->prompt.begin, "set %.60s.%.50s ",
             cs_shot_arm(s, arm), name);
}

static const cs_action table[] = {
    {"run", {' '}, "space", "run/pause", "run or pause", RUN, toggle},
    {"step", {'.', '>'}, ". >", "step", "one step, a hundred steps", RUN, step},
    {"back",
     {',', '<'},
     ", <",
     "back",
     "one step back, a hundred: exactly",
     RUN,
     back},
    {"newest",
     {CS_KEY_END},
     "end",
     "",
     "after going back: on to the newest step",
     RUN,
     newest},
    {"speed",
     {'+', '-', '='},
     "+ - =",
     "speed",
     "twice as fast, half as fast, as fast as it goes",
     RUN | CS_SPARE,
     speed},
    {"nudge",
     {CS_KEY_LEFT, CS_KEY_RIGHT},
     "left right",
     "",
     "change the chosen parameter",
     RUN,
     change},
    {"pick",
     {CS_KEY_UP, CS_KEY_DOWN},
     "up down",
     "param",
     "choose a parameter of the arm",
     RUN,
     pick_param},
    {"value",
     {'e', '\r'},
     "e enter",
     "value",
     "type a value for the chosen parameter",
     RUN | CS_SPARE,
     value},
    {"params",
     {'s'},
     "s",
     "params",
     "show or hide the parameters",
     RUN | CS_SPARE,
     params},
    {"arm", {'a', 'A'}, "a A", "arm", "next, previous arm", RUN, arm},
    {"chain", {'c', 'C'}, "c C", "chain", "next, previous chain", RUN, chain},
    {"coordinate",
     {'n', 'N'},
     "n N",
     "coord.",
     "next, previous coordinate",
     RUN | CS_SPARE,
     coordinate},
    {"arms",
     {'x'},
     "x",
     "all arms",
     "all arms side by side, or one",
     RUN | CS_SPARE,
     every_arm},
    {"option",
     {'o'},
     "o",
     "quantity",
     "next quantity of the focused panel",
     RUN | CS_SPARE,
     option},
    {"variant",
     {'v'},
     "v",
     "view",
     "next view of the focused panel",
     RUN | CS_SPARE,
     variant},
    {"scroll",
     {CS_KEY_PAGE_UP, CS_KEY_PAGE_DOWN},
     "pgup pgdn",
     "",
     "scroll the focused panel",
     RUN,
     scroll},
    {"focus",
     {'\t', CS_KEY_BACK_TAB},
     "tab",
     "panel",
     "next, previous panel",
     RUN | CS_SPARE,
     focus},
    {"zoom",
     {'z'},
     "z",
     "zoom",
     "the focused panel alone, and back",
     RUN,
     zoom},
    {"layout",
     {'p', 'P'},
     "p P",
     "layout",
     "next, previous set of panels",
     RUN | CS_SPARE,
     preset},
    {"panel", {0}, "1..9 0", "", "show, focus or hide a panel", RUN, digit},
    {"restart",
     {'r', 'R'},
     "r R",
     "",
     "start again; with another seed",
     RUN,
     restart},
    {"gallery", {'G'}, "G", "", "the gallery of scenarios", RUN, gallery},
    {"open",
     {'\r'},
     "enter",
     "open",
     "open the chosen scenario",
     GALLERY,
     open_row},
    {"find",
     {'/'},
     "/",
     "find",
     "find scenarios by words; esc shows all again",
     GALLERY,
     prompt},
    {"up",
     {CS_KEY_UP, 'k', CS_KEY_PAGE_UP},
     "up",
     "",
     "a line up",
     GALLERY | HELP | LOG,
     move},
    {"down",
     {CS_KEY_DOWN, 'j', CS_KEY_PAGE_DOWN},
     "down",
     "",
     "a line down",
     GALLERY | HELP | LOG,
     move},
    {"command",
     {':', ';'},
     ": ;",
     "cmd",
     "type a command; a line of Lua",
     ANY,
     prompt},
    {"messages", {'m'}, "m", "log", "message log", ANY | CS_SPARE, messages},
    {"help", {'?', CS_KEY_F1}, "?", "help", "this page", ANY, help},
    {"close", {'q', 27}, "q esc", "", "close this view", ANY, close_view},
    {"quit", {'Q'}, "Q", "leave", "leave", ANY, leave},
};

const cs_action *cs_action_at(size_t i)
{
    return i < sizeof table / sizeof *table ? &table[i] : NULL;
}

const cs_action *cs_action_find(const char *name)
{
    const cs_action *a;
    size_t i = 0;
    while ((a = cs_action_at(i)) && strcmp(a->name, name) != 0)
        i++;
    return a;
}

bool cs_press(cs_ui *ui, const cs_shot *s, const cs_sender *to, unsigned key)
{
    unsigned view = 1u << ui->view;
    if (key == 0)
        return false;
    ui->again = ui->asked;
    ui->asked = 0;
    *ui->ask = 0;
    if (ui->view == CS_VIEW_RUN && key >= '0' && key <= '9') {
        digit(ui, s, to, key);
        return true;
    }
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        for (size_t k = 0; k < 3; k++)
            if (table[i].views & view && table[i].keys[k] == key) {
                table[i].act(ui, s, to, key);
                return true;
            }
    return false;
}
