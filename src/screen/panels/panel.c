#include "screen/panels/panel.h"

#include "base/registry.h"
#include "screen/panels/own_panels.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CS_PANEL(name, file, probes) extern const cs_panel_type cs_panel_##name;
#include "screen/panels/panels.def"
#undef CS_PANEL

static const cs_panel_type *const table[][1] = {
#define CS_PANEL(name, file, probes) CS_SINGLE_ROW(cs_panel_##name)
#include "screen/panels/panels.def"
#undef CS_PANEL
    {NULL}};

CS_REGISTRY(cs_panel_type, cs_panel)

const char *cs_panel_probes(const cs_panel_type *type)
{
    assert(type);
    static const char *const probes_of[] = {
#define CS_PANEL(name, file, probes) probes,
#include "screen/panels/panels.def"
#undef CS_PANEL
    };
    size_t i = 0;
    while (cs_panel_at(i) && cs_panel_at(i) != type)
        i++;
    return i < sizeof probes_of / sizeof *probes_of ? probes_of[i] : "";
}

/* Removes ":60x20" from the end of a word, if present, and reads it. */
static void cut_size(char *word, cs_panel_word *out)
{
    char *colon = strrchr(word, ':'), *end;
    if (!colon)
        return;
    double wide = strtod(colon + 1, &end);
    double tall = *end == 'x' ? strtod(end + 1, &end) : 0;
    if (end == colon + 1 || *end || !(wide >= 0 && wide <= 1e4) ||
        !(tall >= 0 && tall <= 1e4))
        return;
    *colon = 0;
    out->wide = wide;
    out->tall = tall;
}

cs_panel_word cs_panel_read(const cs_own_list *own, const char *text)
{
    char name[32], whole[256], *word = whole;
    cs_panel_word out = {.of = "", .arm = ""};
    snprintf(whole, sizeof whole, "%s", text);
    cut_size(whole, &out);
    size_t length = strcspn(word, "=@"), of = 0;
    snprintf(name, sizeof name, "%.*s", (int)length, word);
    out.type = length < sizeof name ? cs_panel_find(name) : NULL;
    if (!out.type && own && length < sizeof name)
        out.type = cs_own_find(own, name);
    word += length;
    if (*word == '=') {
        of = strcspn(++word, "@");
        snprintf(out.of, sizeof out.of, "%.*s", (int)of, word);
    }
    word += of;
    if (*word == '@')
        snprintf(out.arm, sizeof out.arm, "%s", word + 1);
    return out;
}

bool cs_panel_shows(const cs_selection *at, size_t arm)
{
    return at->every_arm || arm == at->arm || arm == at->pinned;
}

cs_figure_look cs_panel_look(const cs_selection *at)
{
    return (cs_figure_look){.coordinate = at->coordinate,
                            .unit = at->unit,
                            .of = at->of,
                            .option = at->option,
                            .replicas = at->replicas};
}

size_t cs_panel_choice(const cs_selection *at, const char *names, size_t n)
{
    const cs_figure_look look = cs_panel_look(at);
    return cs_look_choice(&look, names, n);
}

double cs_panel_age(const cs_shot *s, size_t arm)
{
    double oldest = 0;
    size_t arms = cs_shot_arms(s);
    for (size_t i = 0; i < arms; i++)
        if (i == arm || arm >= arms)
            oldest = fmax(oldest,
                          cs_shot_number(s, 0, "arm/%zu/diagnostics/age", i));
    return oldest;
}

/* Returns the end of a list entry: the next comma or semicolon outside
 * brackets. */
static const char *end_of_part(const char *at)
{
    for (int depth = 0; *at; at++) {
        depth += (*at == '(') - (*at == ')');
        if (depth == 0 && (*at == ',' || *at == ';'))
            break;
    }
    return at;
}

unsigned cs_panel_option(const cs_panel_type *type, char key, unsigned n,
                         char *out, size_t size)
{
    assert(size > 0);
    const char *at = type->options, *part[16];
    unsigned parts = 0;
    *out = 0;
    for (; at && *at; at += strcspn(at, ";"), at += strspn(at, "; "))
        if (at[0] == key && at[1] == ' ')
            break;
    if (!at || !*at)
        return 0;
    for (at += 2; *at && parts < 16; at += strspn(at, ", ")) {
        part[parts++] = at;
        at = end_of_part(at);
        if (*at == ';')
            break;
    }
    at = part[n % parts];
    snprintf(out, size, "%.*s", (int)(end_of_part(at) - at), at);
    return parts;
}

/* Returns true if an arm has a tuner. The warm-up of other arms has a fixed
 * length. */
static bool has_tuner(const cs_shot *s)
{
    for (size_t i = 0; i < cs_shot_arms(s); i++)
        if (*cs_shot_text(s, "arm/%zu/tuner", i))
            return true;
    return false;
}

void cs_panel_empty(const cs_area *a, const cs_shot *s, const char *what,
                    const char *hint)
{
    double steps = cs_shot_number(s, 0, "run/steps");
    bool warm_up = steps > 0 && cs_shot_number(s, 1, "run/tuned") < 1;
    bool begun = warm_up || steps > cs_shot_number(s, 0, "run/draws_from");
    int y = a->h / 3;
    if (warm_up) {
        bool tuner = has_tuner(s);
        what = tuner ? "A tuner is running; its steps are not recorded."
                     : "This is the warm-up; its steps are not recorded.";
        hint = tuner ? "The panel \"tuner\" shows the search."
                     : "Recording starts after the warm-up.";
    }
    if (begun && !warm_up && cs_shot_asks(s)) {
        what = cs_shot_plays(s)
                   ? "The game covers this panel."
                   : "The question of the lesson covers this panel.";
        hint = "It returns when the answer is revealed.";
    }
    if (*cs_shot_text(s, "run/watched"))
        hint = "These draws are read from files; steps, kernel and target are "
               "not known.";
    if (cs_shot_number(s, 0, "run/overfull") != 0) {
        what = "The data of this panel did not fit in the snapshot.";
        hint = "Run fewer chains or arms, or show fewer panels.";
    }
    y += cs_print_wrapped(
        a, 1, y, CS_ROLE_LABEL,
        begun        ? what
        : steps == 0 ? *cs_shot_text(s, "course/step")
                           ? "No steps yet."
                           : "No steps yet. Press space to run, or . for one "
                             "step."
                     : "Recording starts after this step. Press space to run.");
    cs_print_wrapped(a, 1, y, CS_ROLE_FAINT, begun ? hint : "");
}

void cs_panel_idle(const cs_area *a, const cs_shot *s, const char *what,
                   const char *hint)
{
    int y = a->h / 3;
    if (*cs_shot_text(s, "run/watched")) {
        cs_panel_empty(a, s, what, hint);
        return;
    }
    y += cs_print_wrapped(a, 1, y, CS_ROLE_LABEL, what);
    cs_print_wrapped(a, 1, y, CS_ROLE_FAINT, hint);
}

bool cs_panel_lacks_logp(const cs_area *a, const cs_shot *s, size_t arm,
                         const char *probe)
{
    char hint[128];
    if (strcmp(cs_shot_text(s, "arm/%zu/%s/logp", arm, probe), "none") != 0)
        return false;
    if (strcmp(cs_shot_text(s, "arm/%zu/kernel", arm), "recorded") == 0) {
        cs_panel_empty(a, s, "The files have no log density.",
                       "A column named lp__, lp or log_prob would be one.");
        return true;
    }
    snprintf(hint, sizeof hint,
             "Add probes = { %s = { true_logp = true, every = 100 } } to the "
             "scenario.",
             probe);
    cs_panel_empty(a, s, "The kernel of this arm does not compute log p.",
                   hint);
    return true;
}

const char *cs_panel_energy_name(const cs_shot *s, size_t arm,
                                 const char *probe)
{
    const char *logp = cs_shot_text(s, "arm/%zu/%s/logp", arm, probe);
    return strcmp(logp, "estimate") == 0 ? "energy = -log p, estimate (nats)"
                                         : "energy = -log p (nats)";
}

typedef struct tiles {
    size_t n;
    int columns, rows;
} tiles;

/* Returns the number of cells in the largest rectangle of this shape that fits
 * in w x h cells. */
static double part_of_shape(int w, int h, double shape)
{
    double wide = fmin(w, h * shape);
    return wide * fmin(h, w / shape);
}

/* Cuts an area into n tiles without gaps so that pictures of the best shape are
 * as large as possible. The result has no tiles if n tiles do not fit. */
static tiles fit_tiles(const cs_area *a, int n, cs_tile tile)
{
    tiles best = {0, 1, 1};
    double most = 0;
    for (int columns = 1; columns <= n; columns++) {
        int rows = (n + columns - 1) / columns;
        int tw = (a->w + 1) / columns - 1, th = a->h / rows - 1;
        if (tw < tile.width || th < tile.height)
            continue;
        double size = part_of_shape(tw, th, tile.shape);
        if (size <= most)
            continue;
        most = size;
        best = (tiles){(size_t)n, columns, rows};
    }
    return best;
}

/* Arranges at most `arms` tiles in an area. Tiles that do not fit are left out,
 * because smaller tiles could not be read. */
static tiles cut_tiles(const cs_area *a, size_t arms, cs_tile tile)
{
    enum { LEAST_W = 30, LEAST_H = 9 }; /* includes the name of the arm */
    tile.width = tile.width < LEAST_W ? LEAST_W : tile.width;
    tile.height = tile.height < LEAST_H ? LEAST_H : tile.height;
    for (int n = (int)arms; n > 1; n--) {
        tiles t = fit_tiles(a, n, tile);
        if (t.n)
            return t;
    }
    return (tiles){1, 1, 1};
}

/* Displays the name of an arm, followed by the name of its kernel in
 * parentheses if the two differ. The last tile also displays the number of arms
 * shown; `shown` is 0 if all are shown. Uses the longest form that fits. */
static void name_arm(const cs_area *a, const cs_shot *s, size_t arm,
                     size_t shown, size_t n)
{
    int x = cs_print_cut(a, 0, 0, a->w, cs_theme_chain(arm), "%c %s",
                         cs_theme_glyph(arm), cs_shot_arm(s, arm));
    const char *kernel = cs_shot_text(s, "arm/%zu/kernel", arm);
    enum { WAYS = 3 };
    char more[WAYS][64] = {""};
    if (shown) {
        snprintf(more[0], sizeof more[0], "%zu of %zu arms", shown, n);
        snprintf(more[1], sizeof more[1], "+%zu arms", n - shown);
        snprintf(more[2], sizeof more[2], "+%zu", n - shown);
    }
    int most = shown ? cs_text_width(more[1]) + 1 : 0;
    if (strcmp(kernel, cs_shot_arm(s, arm)) != 0 &&
        x + 4 + cs_text_width(kernel) + most < a->w)
        x = cs_print(a, x + 1, 0, CS_ROLE_FAINT, "(%s)", kernel);
    for (int i = 0; shown && i < WAYS; i++)
        if (x + (i == 0) + cs_text_width(more[i]) < a->w) {
            cs_print_right(a, 0, CS_ROLE_FAINT, "%s", more[i]);
            return;
        }
}

/* Rotates the list of arms so that it starts with `first`. */
static void turn(size_t *list, size_t n, size_t first)
{
    size_t turned[CS_SHOT_ARMS], from = 0;
    while (from < n && list[from] != first)
        from++;
    for (size_t i = 0; i < n; i++)
        turned[i] = list[(from + i) % n];
    memcpy(list, turned, n * sizeof *list);
}

/* Returns tile number i of an area, with a line between neighbours. */
static cs_area tile_at(const cs_area *a, const tiles *t, size_t i)
{
    int column = (int)i % t->columns, row = (int)i / t->columns;
    int x = column * (a->w + 1) / t->columns;
    int end = (column + 1) * (a->w + 1) / t->columns - 1;
    int y = row * a->h / t->rows, bottom = (row + 1) * a->h / t->rows;
    for (int k = y; column && k < bottom; k++)
        cs_put(a, x - 1, k, CS_ROLE_BORDER, 0x2502);
    return cs_area_part(a, x, y, end - x, bottom - y);
}

/* Finds the size of the smallest tile; the line that names the arm is not
 * counted. */
static void least_tile(const cs_area *a, const tiles *t, bool named, int *tile)
{
    tile[0] = (a->w + 1) / t->columns - 1;
    tile[1] = a->h / t->rows;
    tile[1] -= named && tile[1] > 3;
}

size_t cs_panel_tiles(const cs_area *a, size_t n, cs_tile tile, cs_area *out)
{
    tiles t = {0, 1, 1};
    for (; n > 0 && !t.n; n -= !t.n)
        t = fit_tiles(a, (int)n, tile);
    for (size_t i = 0; i < t.n; i++)
        out[i] = tile_at(a, &t, i);
    return t.n;
}

static bool has_arm(const size_t *list, size_t n, size_t arm)
{
    for (size_t i = 0; i < n; i++)
        if (list[i] == arm)
            return true;
    return false;
}

/* The arms that share an area, and their tiles. */
typedef struct arranged {
    size_t list[CS_SHOT_ARMS], n; /* the arms */
    size_t arms;                  /* number of arms that have tiles if they
                                     fit */
    tiles t;
    bool beside; /* the last tile is drawn by `beside` */
} arranged;

/* Arranges the arms for which `has` is true. The chosen arm always has a tile.
 * If `beside` is true and one more tile fits, it is the last one. */
static arranged arrange(const cs_area *a, const cs_shot *s,
                        const cs_selection *at, cs_tile tile,
                        bool (*has)(const cs_shot *, size_t), bool beside)
{
    arranged o = {.list = {at->arm}};
    for (size_t arm = 0; arm < cs_shot_arms(s); arm++)
        if (!has || has(s, arm))
            o.list[o.n++] = arm;
    o.n = o.n ? o.n : 1;
    o.arms = at->every_arm ? o.n : 1;
    if (!at->every_arm && at->pinned != at->arm &&
        has_arm(o.list, o.n, at->pinned) && cut_tiles(a, 2, tile).n == 2) {
        o.list[0] = at->arm;
        o.list[1] = at->pinned;
        o.arms = o.n = 2;
    }
    o.t = cut_tiles(a, o.arms + beside, tile);
    o.beside = beside && o.t.n > 1 && (o.t.n > o.arms || o.arms == 1);
    if (beside && o.t.n <= o.arms && o.arms > 1) /* arms come first */
        o.t = cut_tiles(a, o.arms, tile);
    return o;
}

bool cs_panel_fits_beside(const cs_area *a, const cs_shot *s,
                          const cs_selection *at, cs_tile tile,
                          bool (*has)(const cs_shot *shot, size_t arm))
{
    return arrange(a, s, at, tile, has, true).beside;
}

/* Draws the arms in tiles. If one more tile fits, `beside` draws the last
 * one. */
static void draw_arms(const cs_area *a, const cs_shot *s,
                      const cs_selection *at, arranged *o, cs_draw_arm *draw,
                      cs_draw_arm *beside)
{
    size_t *list = o->list, n = o->n, arms = o->arms, chosen = 0;
    tiles t = o->t;
    size_t shown = t.n > arms ? arms : t.n - o->beside;
    turn(list, n, at->first);
    while (chosen + 1 < n && list[chosen] != at->arm)
        chosen++;
    size_t first = chosen < shown ? 0 : chosen + 1 - shown;
    /* the strip marks the chosen arm */
    bool named = arms > 1 || (cs_shot_arms(s) > 1 && list[chosen] != at->arm);
    cs_selection with = *at;
    least_tile(a, &t, named, with.tile);
    for (size_t i = 0; i < t.n; i++) {
        cs_area part = tile_at(a, &t, i);
        size_t arm = i < shown ? list[first + i] : at->arm;
        if (named && part.h > 3) {
            bool last = shown < n && i + 1 == shown;
            if (i < shown)
                name_arm(&part, s, arm, last ? shown : 0, n);
            part = cs_area_part(&part, 0, 1, part.w, part.h - 1);
        }
        (i < shown ? draw : beside)(&part, s, &with, arm);
    }
}

void cs_panel_arms(const cs_area *a, const cs_shot *s, const cs_selection *at,
                   cs_tile tile, bool (*has)(const cs_shot *, size_t),
                   cs_draw_arm *draw, cs_draw_arm *beside)
{
    assert(tile.width > 0 && tile.height > 0 && tile.shape > 0);
    arranged o = arrange(a, s, at, tile, has, beside != NULL);
    draw_arms(a, s, at, &o, draw, beside);
}

void cs_panel_draw(const cs_panel_type *type, const cs_area *inside,
                   const cs_shot *shot, const cs_selection *at)
{
    cs_selection of_panel = *at;
    of_panel.panel = type->name;
    if (type->draw)
        type->draw(inside, shot, &of_panel);
    else
        cs_panel_arms(inside, shot, &of_panel, type->tile, type->has,
                      type->draw_arm, NULL);
}

size_t cs_panel_top(const cs_selection *at, size_t n, size_t capacity)
{
    size_t most = n > capacity ? n - capacity : 0;
    return at->scroll < most ? at->scroll : most;
}

size_t cs_panel_fit(const cs_area *a, int y, size_t n)
{
    size_t capacity = a->h > y ? (size_t)(a->h - y) : 0;
    if (n <= capacity || capacity < 2)
        return n < capacity ? n : capacity;
    cs_print_cut(a, 0, a->h - 1, a->w, CS_ROLE_LABEL, "%s more",
                 cs_count((double)(n - capacity + 1)).text);
    return capacity - 1;
}

int cs_panel_legend_width(size_t chains)
{
    int width = 0;
    for (size_t c = 0; c < chains; c++)
        width += snprintf(NULL, 0, "%zu", c + 1) + 2;
    return width;
}

int cs_panel_legend(const cs_area *a, int x, int y, size_t chains)
{
    enum { MORE = 4 }; /* columns of "+12 ", the number of hidden chains */
    for (size_t c = 0; c < chains; c++) {
        int capacity = a->w - x - (c + 1 < chains ? MORE : 0);
        int end = cs_print_fit(a, x, y, capacity, cs_theme_chain(c), "%zu%c ",
                               c + 1, cs_theme_glyph(c));
        if (end == x)
            return c ? cs_print_fit(a, x, y, a->w - x, CS_ROLE_FAINT, "+%zu ",
                                    chains - c)
                     : x;
        x = end;
    }
    return x;
}

bool cs_panel_failures(const cs_shot *s, size_t arm, char *out, size_t size)
{
    double divergent = cs_shot_number(s, 0, "arm/%zu/divergent", arm);
    double odd = cs_shot_number(s, 0, "arm/%zu/not_finite", arm);
    int n = 0;
    *out = 0;
    if (divergent > 0)
        n = snprintf(out, size, "%s divergent", cs_count(divergent).text);
    if (odd > 0 && (size_t)n < size)
        snprintf(out + n, size - (size_t)n, "%s%s not finite", n ? ", " : "",
                 cs_count(odd).text);
    return *out;
}
