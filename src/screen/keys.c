#include "screen/keys.h"

#include "screen/keyboards.h"
#include "screen/keys_hills.h"
#include "screen/keys_look.h"
#include "screen/keys_panels.h"
#include "screen/keys_params.h"
#include "screen/keys_time.h"
#include "screen/window.h"
#include "session/words.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RUN (1u << CS_VIEW_RUN)
#define GALLERY (1u << CS_VIEW_GALLERY)
#define HELP (1u << CS_VIEW_HELP)
#define LOG (1u << CS_VIEW_LOG)
#define BUILD (1u << CS_VIEW_BUILD)
#define ANY (RUN | GALLERY | HELP | LOG)
enum { CTRL_R = 18 };

void cs_say(const cs_key_press *p, const char *format, ...)
{
    char line[3072];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    p->to->send(p->to->self, line);
}

/* Whether the user means to lose the run: a key must be pressed twice, a typed
 * command is meant. */
static bool is_meant(const cs_key_press *p, const char *does)
{
    cs_ui *ui = p->ui;
    const cs_shot *s = p->shot;
    unsigned key = p->key;
    double steps = cs_shot_number(s, 0, "run/steps");
    if (!(steps > 0) || ui->lost || p->typed || ui->again == key)
        return true;
    ui->asked = key;
    char name[8] = {(char)key};
    snprintf(ui->ask, sizeof ui->ask,
             "%s again %s: the run at step %s is lost%s",
             key == '\r' ? "enter" : name, does, cs_count(steps).text,
             *cs_shot_text(s, "run/folder") ? "; its draws are in files" : "");
    return false;
}

static void restart(const cs_key_press *p)
{
    if (is_meant(p, p->key == 'R' ? "starts with another seed" : "starts anew"))
        cs_say(p, p->key == 'R' ? "seed" : "restart");
}

static void help(const cs_key_press *p)
{
    cs_ui *ui = p->ui;
    cs_ui_cover(ui, CS_VIEW_HELP);
}

static void messages(const cs_key_press *p)
{
    cs_ui *ui = p->ui;
    cs_ui_cover(ui, CS_VIEW_LOG);
}

static void gallery(const cs_key_press *p)
{
    cs_ui *ui = p->ui;
    cs_say(p, "gallery 0 12 recent");
    ui->view = CS_VIEW_GALLERY;
    ui->row = 0;
    ui->at_back = true; /* where a run is open */
    *ui->filter = 0;
}

static void move(const cs_key_press *p)
{
    cs_ui *ui = p->ui;
    bool page = p->key == CS_KEY_PAGE_UP || p->key == CS_KEY_PAGE_DOWN;
    bool up = p->key == CS_KEY_UP || p->key == CS_KEY_PAGE_UP || p->key == 'k';
    size_t by = page ? 10 : 1;
    if (ui->view == CS_VIEW_GALLERY) {
        cs_gallery_move(ui, up ? -(long)by : (long)by);
        return;
    }
    if (ui->view == CS_VIEW_LOG) /* counted from the end */
        up = !up;
    ui->row = up ? ui->row < by ? 0 : ui->row - by : ui->row + by;
}

static void open_row(const cs_key_press *p)
{
    cs_ui *ui = p->ui;
    const char *file = cs_gallery_file(ui);
    char quoted[1000];
    if (cs_gallery_is_back(ui))
        ui->view = CS_VIEW_RUN;
    if (!*file || !is_meant(p, "opens it"))
        return;
    if (cs_words_quote(file, quoted, sizeof quoted))
        cs_say(p, "open %s", quoted);
}

static void leave(const cs_key_press *p)
{
    cs_ui *ui = p->ui;
    bool saved = *cs_shot_text(p->shot, "run/folder") != 0;
    ui->quit = saved || is_meant(p, "leaves");
}

static void theme(const cs_key_press *p)
{
    p->ui->theme = cs_theme_next(p->ui->theme);
}

static void close_view(const cs_key_press *p)
{
    cs_ui *ui = p->ui;
    if (ui->view == CS_VIEW_HELP && *ui->sought)
        *ui->sought = 0;
    else if (ui->view == CS_VIEW_HELP || ui->view == CS_VIEW_LOG)
        ui->view = ui->before;
    else if (ui->view == CS_VIEW_RUN && ui->zoom)
        ui->zoom = false;
    else if (ui->view == CS_VIEW_RUN && ui->params)
        ui->params = false;
    else if (ui->view == CS_VIEW_RUN && p->key == 'q')
        gallery(p);
    else if (ui->view == CS_VIEW_GALLERY && *ui->filter)
        *ui->filter = 0;
    else if (ui->view == CS_VIEW_GALLERY && p->key != 'q' && *ui->back)
        ui->view = CS_VIEW_RUN;
    else if (ui->view == CS_VIEW_GALLERY && p->key == 'q')
        leave(p);
}

static void prompt(const cs_key_press *p)
{
    cs_ui *ui = p->ui;
    size_t size;
    ui->prompt.mark = p->key == ';' || p->key == '/' ? (char)p->key : ':';
    snprintf(ui->prompt.begin, sizeof ui->prompt.begin, "%s",
             p->key == '/' ? cs_ui_filter(ui, &size) : "");
}

/* In the help a letter without a meaning begins the words to look for. */
static bool type_ahead(cs_ui *ui, unsigned key)
{
    if (ui->view != CS_VIEW_HELP || key <= ' ' || key >= 127)
        return false;
    ui->prompt.mark = '/';
    snprintf(ui->prompt.begin, sizeof ui->prompt.begin, "%.100s%c", ui->sought,
             (char)key);
    return true;
}

/* Does what the chosen line of the help is about: a key is pressed, a command
 * obeyed or, where it has words behind it, begun; a panel is shown. */
static void run_line(const cs_key_press *p)
{
    cs_ui *ui = p->ui;
    const cs_help_line line = cs_help_chosen(ui);
    const cs_action *action = line.action;
    ui->view = action || line.command ? ui->before : ui->view;
    if (action && action->keys[0]) {
        cs_act(p, action, 0);
    } else if (line.panel) {
        cs_ui_show(ui, line.panel);
    } else if (line.has_args) {
        ui->prompt.mark = ':';
        snprintf(ui->prompt.begin, sizeof ui->prompt.begin, "%.60s ",
                 line.command);
    } else if (line.command) {
        cs_obey(p, line.command);
    }
}

/* Types a command with the name of a file that is free. */
static void type_name(const cs_key_press *p, const char *command,
                      const char *ending)
{
    char name[96];
    cs_keep_name(cs_shot_text(p->shot, "run/file"),
                 cs_shot_number(p->shot, 0, "run/steps"), ending, name,
                 sizeof name);
    p->ui->prompt.mark = ':';
    snprintf(p->ui->prompt.begin, sizeof p->ui->prompt.begin, "%s %s", command,
             name);
}

static void keep(const cs_key_press *p)
{
    type_name(p, "keep", ".svg");
}

static void record(const cs_key_press *p)
{
    if (p->ui->recorder)
        cs_ui_end_recording(p->ui);
    else
        type_name(p, "record", ".cast");
}

/* Types a value for the chosen parameter. */
static void value(const cs_key_press *p)
{
    cs_ui *ui = p->ui;
    size_t arm = ui->look.arm;
    const char *name = cs_shot_text(p->shot, "arm/%zu/param/%zu/name", arm,
                                    cs_ui_param(ui, p->shot, 0));
    if (!*name)
        return;
    ui->prompt.mark = ':';
    snprintf(ui->prompt.begin, sizeof ui->prompt.begin, "set %.60s.%.50s ",
             cs_shot_arm(p->shot, arm), name);
}

static const cs_action table[] = {
    {"hill",
     {'n', 'N'},
     {"hill next", "hill previous"},
     "n N",
     "hill",
     "of a landscape that is built: choose a hill",
     BUILD,
     cs_key_hill},
    {"hill_end",
     {27},
     {"hill end"},
     "esc",
     "done",
     "the landscape is built",
     BUILD,
     cs_key_landscape},
    {"hill_across",
     {CS_KEY_LEFT, CS_KEY_RIGHT},
     {"hill left", "hill right"},
     "left right",
     "move",
     "move the hill across the plane, a fortieth of the map",
     BUILD,
     cs_key_hill_across},
    {"hill_along",
     {CS_KEY_UP, CS_KEY_DOWN},
     {"hill up", "hill down"},
     "up down",
     "",
     "move the hill up, down the plane",
     BUILD,
     cs_key_hill_along},
    {"hill_width",
     {'(', ')'},
     {"hill narrow", "hill wide"},
     "( )",
     "width",
     "a narrower, a wider hill",
     BUILD,
     cs_key_hill_width},
    {"hill_weight",
     {'-', '+'},
     {"hill light", "hill heavy"},
     "- +",
     "weight",
     "a lighter, a heavier hill: the others keep their proportions",
     BUILD,
     cs_key_hill_weight},
    {"hill_put",
     {'a'},
     {"hill put"},
     "a",
     "add",
     "one more hill, in the middle of the map",
     BUILD,
     cs_key_hill_put},
    {"hill_remove",
     {'d'},
     {"hill remove"},
     "d",
     "remove",
     "remove the hill",
     BUILD,
     cs_key_hill_remove},
    {"run", {' '}, {"toggle"}, "space", "run/pause", "run or pause", RUN, NULL},
    {"step",
     {'.', '>'},
     {"step 1", "step 100"},
     ". >",
     "step",
     "one step, a hundred steps",
     RUN,
     NULL},
    {"back",
     {',', '<'},
     {"rewind -1", "rewind -100"},
     ", <",
     "back",
     "one step back, a hundred: exactly",
     RUN,
     NULL},
    {"newest",
     {CS_KEY_END},
     {"newest"},
     "end",
     "",
     "after going back: on to the newest step",
     RUN,
     cs_key_newest},
    {"scrub",
     {'[', ']'},
     {"scrub back", "scrub on"},
     "[ ]",
     "scrub",
     "a hundredth of the run back, or on: exactly",
     RUN | CS_SPARE,
     cs_key_scrub},
    {"event",
     {'{', '}'},
     {"event previous", "event next"},
     "{ }",
     "event",
     "to the event before, or the next one: it goes on until it happens",
     RUN | CS_SPARE,
     cs_key_event},
    {"kind",
     {'\''},
     {"event kind"},
     "'",
     "kind",
     "which events: any, V first visits, j jumps, R long runs of rejections, "
     "D divergences, s swaps, X stops, C changes",
     RUN | CS_SPARE,
     cs_key_kind},
    {"break",
     {'b'},
     {"type break"},
     "b",
     "break",
     "type what holds the run: a breakpoint, a stop rule",
     RUN | CS_SPARE,
     NULL},
    {"speed",
     {'+', '-', '='},
     {"faster", "slower", "speed 0"},
     "+ - =",
     "speed",
     "twice as fast, half as fast, as fast as it goes",
     RUN | CS_SPARE,
     cs_key_speed},
    {"nudge",
     {CS_KEY_LEFT, CS_KEY_RIGHT},
     {"nudge down", "nudge up"},
     "left right",
     "",
     "change the chosen parameter",
     RUN,
     cs_key_nudge},
    {"pick",
     {CS_KEY_UP, CS_KEY_DOWN},
     {"param previous", "param next"},
     "up down",
     "param",
     "choose a parameter of the arm",
     RUN | CS_SPARE,
     cs_key_pick_param},
    {"value",
     {'e', '\r'},
     {"value", "value"},
     "e enter",
     "value",
     "type a value for the chosen parameter",
     RUN | CS_SPARE,
     value},
    {"params",
     {'s'},
     {"params"},
     "s",
     "params",
     "show or hide the parameters",
     RUN | CS_SPARE,
     cs_key_params},
    {"arm",
     {'a', 'A'},
     {"arm next", "arm previous"},
     "a A",
     "arm",
     "next, previous arm",
     RUN | CS_SPARE,
     cs_key_arm},
    {"chain",
     {'c', 'C'},
     {"chain next", "chain previous"},
     "c C",
     "chain",
     "next, previous chain",
     RUN | CS_SPARE,
     cs_key_chain},
    {"coordinate",
     {'n', 'N'},
     {"coordinate next", "coordinate previous"},
     "n N",
     "coord.",
     "next, previous coordinate",
     RUN | CS_SPARE,
     cs_key_coordinate},
    {"logp",
     {'l'},
     {"truth"},
     "l",
     "",
     "log p of the chosen chain by the target, where the kernel estimates it; "
     "where it estimates the ratio, the true ratios, on and off",
     RUN,
     cs_key_true_logp},
    {"arms",
     {'x'},
     {"all_arms"},
     "x",
     "all arms",
     "all arms side by side, or one",
     RUN | CS_SPARE,
     cs_key_every_arm},
    {"option",
     {'o'},
     {"quantity"},
     "o",
     "quantity",
     "next quantity of the focused panel",
     RUN | CS_OWN,
     cs_key_option},
    {"variant",
     {'v'},
     {"view"},
     "v",
     "view",
     "next view of the focused panel",
     RUN | CS_OWN,
     cs_key_variant},
    {"scroll",
     {CS_KEY_PAGE_UP, CS_KEY_PAGE_DOWN},
     {"scroll up", "scroll down"},
     "pgup pgdn",
     "",
     "scroll the focused panel",
     RUN,
     cs_key_scroll},
    {"focus",
     {'\t', CS_KEY_BACK_TAB},
     {"focus next", "focus previous"},
     "tab",
     "panel",
     "next, previous panel",
     RUN | CS_SPARE,
     cs_key_focus},
    {"zoom",
     {'z'},
     {"zoom"},
     "z",
     "zoom",
     "the focused panel alone, and back",
     RUN,
     cs_key_zoom},
    {"part",
     {'(', ')'},
     {"axis narrow", "axis wide"},
     "( )",
     "zoom axis",
     "half, twice as much of the focused panel's axis, of a plane both: around "
     "the cursor of time, looking back, or the middle",
     RUN | CS_SPARE,
     cs_key_part},
    {"pan",
     {CS_KEY_SHIFT_LEFT, CS_KEY_SHIFT_RIGHT, CS_KEY_SHIFT_UP,
      CS_KEY_SHIFT_DOWN},
     {"axis left", "axis right", "axis up", "axis down"},
     "shift-left shift-right shift-up shift-down",
     "",
     "along the zoomed axis, by a quarter of what is shown; up and down: along "
     "the upright axis of a plane",
     RUN,
     cs_key_pan},
    {"whole",
     {'w'},
     {"axis whole"},
     "w",
     "",
     "the whole axis again",
     RUN,
     cs_key_whole},
    {"scale",
     {'L'},
     {"axis log"},
     "L",
     "",
     "logarithmic axes of the focused panel: the horizontal one, the values, "
     "both, none",
     RUN,
     cs_key_scale},
    {"layout",
     {'p', 'P'},
     {"layout next", "layout previous"},
     "p P",
     "layout",
     "next, previous layout: a set of panels, :layout goes there by its name",
     RUN | CS_SPARE,
     cs_key_preset},
    {"landscape",
     {'H'},
     {"landscape"},
     "H",
     "",
     "build a landscape of hills on the map, with keys and mouse, and end that",
     RUN,
     cs_key_landscape},
    {"inside",
     {'i'},
     {"inside"},
     "i",
     "inside",
     "inside the step to come, while the run rests, and back",
     RUN | CS_SPARE,
     cs_key_inside},
    {"race",
     {'X'},
     {"race"},
     "X",
     "race",
     "the race of all arms, and back",
     RUN | CS_SPARE,
     cs_key_race},
    {"unit",
     {'u'},
     {"unit"},
     "u",
     "unit",
     "the next unit of work: steps, gradients, evaluations, seconds ...",
     RUN | CS_SPARE,
     cs_key_unit},
    {"panel",
     {0},
     {0},
     "1..9 0",
     "",
     "show, focus or hide a panel",
     RUN,
     cs_key_digit},
    {"restart",
     {'r', 'R'},
     {"restart", "seed"},
     "r R",
     "",
     "start again; with another seed",
     RUN,
     restart},
    {"undo",
     {'U'},
     {"undo"},
     "U",
     "undo",
     "undo what was changed last: panels, their views, colours; a parameter, "
     "an "
     "arm, the speed",
     RUN | CS_SPARE,
     cs_undo_back},
    {"redo",
     {CTRL_R},
     {"redo"},
     "ctrl-r",
     "",
     "do again what was undone last",
     RUN,
     cs_undo_again},
    {"gallery",
     {'G'},
     {"gallery"},
     "G",
     "",
     "the gallery of scenarios",
     RUN,
     gallery},
    {"open",
     {'\r'},
     {"open_chosen"},
     "enter",
     "open",
     "open the chosen scenario",
     GALLERY,
     open_row},
    {"run_line",
     {'\r'},
     {"run_chosen"},
     "enter",
     "run",
     "do what the chosen line is about",
     HELP,
     run_line},
    {"look_for",
     {'/'},
     {"find"},
     "/",
     "find",
     "find lines by words: any letter without a meaning begins it; esc shows "
     "all again",
     HELP,
     prompt},
    {"find",
     {'/'},
     {"find"},
     "/",
     "find",
     "find scenarios by words; esc shows all again",
     GALLERY,
     prompt},
    {"up",
     {CS_KEY_UP, 'k', CS_KEY_PAGE_UP},
     {"up", "up", "page_up"},
     "up",
     "",
     "a line up",
     GALLERY | HELP | LOG,
     move},
    {"down",
     {CS_KEY_DOWN, 'j', CS_KEY_PAGE_DOWN},
     {"down", "down", "page_down"},
     "down",
     "",
     "a line down",
     GALLERY | HELP | LOG,
     move},
    {"keep",
     {'y'},
     {"keep_as"},
     "y",
     "",
     "keep what is seen as a picture: SVG, text or text with colours, by the "
     "name's ending",
     ANY,
     keep},
    {"record",
     {'V'},
     {"record_as"},
     "V",
     "",
     "record the screen in a file that players show again, and end that",
     ANY,
     record},
    {"command",
     {':', ';'},
     {"type", "console"},
     ": ;",
     "cmd",
     "type a command; a line of Lua",
     ANY,
     prompt},
    {"theme",
     {'T'},
     {"theme"},
     "T",
     "",
     "next theme: dark, light, high contrast",
     ANY,
     theme},
    {"messages",
     {'m'},
     {"messages"},
     "m",
     "log",
     "message log",
     ANY | CS_SPARE,
     messages},
    {"help",
     {'?', CS_KEY_F1},
     {"help", "help"},
     "?",
     "help",
     "this page",
     ANY,
     help},
    {"close",
     {'q', 27},
     {"close", "escape"},
     "q esc",
     "",
     "close this view",
     ANY,
     close_view},
    {"quit", {'Q'}, {"quit"}, "Q", "leave", "leave", ANY, leave},
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

void cs_act(const cs_key_press *p, const cs_action *action, size_t k)
{
    cs_key_press as = *p;
    as.key = action->keys[k];
    if (action->act)
        action->act(&as);
    else
        cs_obey(&as, action->line[k]);
}

/* A key that the user, or else the keyboard, has given a meaning. */
static const char *bound(const cs_ui *ui, unsigned key)
{
    for (size_t i = 0; i < ui->n_bindings; i++)
        if (ui->binding[i].key == key)
            return ui->binding[i].line;
    return cs_keyboard_line(ui->keyboard, key);
}

/* The action that has the key in one of the views. */
static bool press_of(const cs_key_press *p, unsigned views)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        for (size_t k = 0; k < CS_ACTION_KEYS; k++)
            if (table[i].views & views && table[i].keys[k] == p->key) {
                cs_act(p, &table[i], k);
                return true;
            }
    return false;
}

static bool press(cs_ui *ui, const cs_shot *s, const cs_sender *to,
                  unsigned key)
{
    const cs_key_press p = {ui, s, to, key, false};
    unsigned view = 1u << ui->view;
    if (key == 0)
        return false;
    ui->again = ui->asked;
    ui->asked = 0;
    *ui->ask = 0;
    if (cs_ui_views(ui) & BUILD && press_of(&p, BUILD))
        return true;
    const char *line = ui->view == CS_VIEW_RUN ? bound(ui, key) : NULL;
    if (line) {
        cs_obey(&(cs_key_press){ui, s, to, 0, true}, line);
        return true;
    }
    if (ui->view == CS_VIEW_RUN && key >= '0' && key <= '9') {
        cs_key_digit(&p);
        return true;
    }
    return press_of(&p, view) || type_ahead(ui, key);
}

bool cs_press(cs_ui *ui, const cs_shot *s, const cs_sender *to, unsigned key)
{
    assert(to && to->send);
    bool meant = press(ui, s, to, key);
    cs_undo_look(ui);
    return meant;
}
