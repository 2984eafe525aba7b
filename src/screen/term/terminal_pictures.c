/* Pictures in pixels: asks the terminal for its protocol, sends the pictures
 * that have changed, and deletes those that are gone. */
#include "screen/term/terminal_parts.h"

#include "base/clock.h"
#include "base/hash.h"
#include "base/memory.h"
#include "screen/canvas/raster.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum {
    QUERY = 31, /* number of the image in the query */
    NARROW = 2, /* smallest and largest size of a cell, in pixels */
    WIDE = 256
};
/* Seconds for which replies are accepted. A slow connection needs more than a
 * tenth of a second. */
#define PATIENCE 1.0
/* Seconds between two versions of one picture during a run. */
#define BETWEEN 0.25

/* ---- replies of the terminal ---------------------------------------------- */

/* tmux on another machine is recognised by its TERM. */
static bool in_tmux(void)
{
    const char *tmux = getenv("TMUX"), *term = getenv("TERM");
    return (tmux && *tmux) || (term && strncmp(term, "tmux", 4) == 0);
}

/* Returns false for terminals that would show a part of the query, or that can
 * only show characters without colours. */
static bool may_ask(const cs_terminal *t, bool requested)
{
    const char *move = tigetstr("cup"), *term = getenv("TERM");
    bool ecma =
        move && move != (const char *)-1 && strncmp(move, "\033[", 2) == 0;
    bool odd = !term || strcmp(term, "linux") == 0 ||
               (strncmp(term, "screen", 6) == 0 && !in_tmux());
    return ecma && (requested || !odd) && t->tier != CS_TIER_MONO &&
           t->glyphs != CS_ASCII;
}

/* Sends the query. The last reply is the one to the request for the device's
 * attributes, which every terminal knows. tmux would take the query for kitty's
 * protocol as a title. */
static void ask(cs_terminal *t)
{
    char query[80];
    snprintf(query, sizeof query, "%s\033[16t\033[c",
             in_tmux() ? "" : "\033_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\033\\");
    cs_terminal_write_now(query);
    t->all = true; /* some terminals display parts of the query */
    t->graphics.asked = true;
    t->graphics.kitty = t->graphics.sixel = false;
    t->graphics.until = cs_clock() + PATIENCE;
}

static bool is_size(unsigned pixels)
{
    return pixels >= NARROW && pixels <= WIDE;
}

/* Finds the size of a cell. Returns false if it is unknown. */
static bool find_size(const cs_terminal *t, int *wide, int *high)
{
    struct winsize s;
    bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &s) == 0 && s.ws_col &&
                 s.ws_row && is_size(s.ws_xpixel / s.ws_col) &&
                 is_size(s.ws_ypixel / s.ws_row);
    *wide = known ? s.ws_xpixel / s.ws_col : t->graphics.wide;
    *high = known ? s.ws_ypixel / s.ws_row : t->graphics.high;
    return *wide > 0;
}

/* Chooses the protocol from the replies and the user's choice. */
static void choose(cs_terminal *t)
{
    cs_terminal_pixels *g = &t->graphics;
    int wide, high;
    bool sized = find_size(t, &wide, &high);
    cs_protocol has = g->kitty            ? CS_PROTOCOL_KITTY
                      : g->sixel && sized ? CS_PROTOCOL_SIXEL
                                          : CS_PROTOCOL_NONE;
    bool never = t->tier == CS_TIER_MONO || t->glyphs == CS_ASCII;
    cs_protocol used =
        never || g->choice == CS_GRAPHICS_OFF || !cs_protocol_built(has)
            ? CS_PROTOCOL_NONE
            : has;
    if (used == g->used)
        return;
    cs_terminal_forget_pictures(t);
    g->used = used;
    g->changed = t->all = true;
    /* a crash may cut off an image, which must be ended first */
    if (used != CS_PROTOCOL_NONE)
        cs_terminal_signals_first(
            used == CS_PROTOCOL_KITTY ? "\033\\" CS_IMAGES_OFF : "\033\\");
}

void cs_terminal_take_reply(cs_terminal *t)
{
    cs_terminal_pixels *g = &t->graphics;
    const cs_reply r = t->parser.reply;
    t->parser.reply.kind = CS_REPLY_NONE;
    if (r.kind == CS_REPLY_NONE || cs_clock() > g->until)
        return; /* not requested, or late */
    if (r.kind == CS_REPLY_KITTY && r.number[0] == QUERY && r.good)
        g->kitty = cs_protocol_built(CS_PROTOCOL_KITTY);
    if (r.kind == CS_REPLY_CELL && is_size(r.number[0]) &&
        is_size(r.number[1])) {
        g->wide = (int)r.number[0];
        g->high = (int)r.number[1];
    }
    if (r.kind == CS_REPLY_DEVICE) {
        g->sixel = r.good;
        g->until = 0;
        choose(t);
    }
}

void cs_terminal_graphics(cs_terminal *t, cs_graphics_choice choice, bool again)
{
    bool first = !t->graphics.asked && choice != CS_GRAPHICS_OFF;
    bool requested = choice == CS_GRAPHICS_ON;
    t->graphics.choice = choice;
    if ((first || (again && choice != CS_GRAPHICS_OFF)) &&
        may_ask(t, requested)) {
        ask(t);
        return; /* keeps the protocol until the replies are there */
    }
    choose(t);
}

bool cs_terminal_changed(cs_terminal *t)
{
    bool changed = t->graphics.changed;
    t->graphics.changed = false;
    return changed;
}

void cs_terminal_cell(const cs_terminal *t, int width, int height, int *wide,
                      int *high)
{
    cs_protocol used = t->graphics.used;
    if (!find_size(t, wide, high) && used == CS_PROTOCOL_KITTY) {
        *wide = 8; /* the terminal scales the pictures */
        *high = 16;
    }
    double cells = (double)width * height;
    while (used == CS_PROTOCOL_KITTY && *wide > 1 && *high > 1 &&
           cells * *wide * *high > CS_RASTER_MOST) {
        *wide /= 2;
        *high /= 2;
    }
    if (used == CS_PROTOCOL_NONE || cells * *wide * *high > CS_RASTER_MOST)
        *wide = *high = 0;
}

void cs_terminal_graphics_text(const cs_terminal *t, char *out, size_t size)
{
    const cs_terminal_pixels *g = &t->graphics;
    int wide, high;
    cs_terminal_cell(t, COLS, LINES, &wide, &high);
    const char *why =
        g->choice == CS_GRAPHICS_OFF ? "graphics are off"
        : t->tier == CS_TIER_MONO    ? "the screen has no colours"
        : t->glyphs == CS_ASCII      ? "only ASCII characters are used"
        : !g->asked                  ? "this terminal was not asked"
        : g->until > 0               ? "the terminal has not answered"
        : g->sixel && !CS_HAVE_SIXEL ? "this build has no libsixel"
        : g->sixel                   ? "the size of a cell is unknown"
        : in_tmux()                  ? "tmux reports no sixel graphics"
                    : "the terminal reports neither kitty's graphics nor sixel";
    if (g->used != CS_PROTOCOL_NONE && wide == 0)
        why = "the screen has too many pixels";
    if (wide == 0)
        snprintf(out, size, "pictures in characters: %s", why);
    else
        snprintf(out, size, "pictures in pixels: %s, %d x %d pixels per cell",
                 g->used == CS_PROTOCOL_KITTY ? "kitty's graphics protocol"
                                              : "sixel graphics",
                 wide, high);
}

/* ---- displayed pictures --------------------------------------------------- */

bool cs_terminal_hides(const cs_terminal *t, const cs_cell *cell)
{
    return cell->pixels && t->graphics.used != CS_PROTOCOL_NONE;
}

static bool contains(const cs_pixel_picture *p, int x, int y)
{
    return x >= p->x && x < p->x + p->w && y >= p->y && y < p->y + p->h;
}

/* A character that is written over sixel graphics erases them. */
void cs_terminal_touch(cs_terminal *t, int x, int y)
{
    cs_terminal_pixels *g = &t->graphics;
    for (size_t i = 0; g->used == CS_PROTOCOL_SIXEL && i < g->n; i++)
        if (contains(&g->shown[i].at, x, y))
            g->shown[i].hash = 0;
}

void cs_terminal_forget_pictures(cs_terminal *t)
{
    cs_terminal_pixels *g = &t->graphics;
    if (g->used == CS_PROTOCOL_KITTY && g->n)
        cs_terminal_add(t, CS_IMAGES_OFF, strlen(CS_IMAGES_OFF));
    g->n = 0;
}

static bool same_place(const cs_pixel_picture *a, const cs_pixel_picture *b)
{
    return a->x == b->x && a->y == b->y && a->w == b->w && a->h == b->h;
}

static bool overlap(const cs_pixel_picture *a, const cs_pixel_picture *b)
{
    return a->x < b->x + b->w && b->x < a->x + a->w && a->y < b->y + b->h &&
           b->y < a->y + a->h;
}

/* Returns the displayed picture at a place; NULL: none. */
static cs_shown_picture *find_shown(cs_terminal_pixels *g,
                                    const cs_pixel_picture *p)
{
    for (size_t i = 0; i < g->n; i++)
        if (same_place(&g->shown[i].at, p))
            return &g->shown[i];
    return NULL;
}

static uint64_t hash_of(const uint8_t *bytes, size_t n, const cs_theme *theme)
{
    uint64_t h = cs_hash_word(n, (uintptr_t)theme), word;
    for (size_t i = 0; i + sizeof word <= n; i += sizeof word) {
        memcpy(&word, bytes + i, sizeof word);
        h = cs_hash_word(h, word);
    }
    word = 0;
    memcpy(&word, bytes + n / sizeof word * sizeof word, n % sizeof word);
    h = cs_hash_word(h, word);
    return h ? h : 1;
}

/* Deletes the pictures at places that the frame has no pictures at. */
static void delete_gone(cs_terminal *t)
{
    cs_terminal_pixels *g = &t->graphics;
    for (size_t i = g->n; i-- > 0;) {
        char text[64];
        if (g->shown[i].seen)
            continue;
        int n = snprintf(text, sizeof text, "\033_Ga=d,d=I,i=%u,q=2\033\\",
                         g->shown[i].id);
        if (g->used == CS_PROTOCOL_KITTY)
            cs_terminal_add(t, text, (size_t)n);
        g->shown[i] = g->shown[--g->n];
    }
}

static void add_bytes(void *self, const char *bytes, size_t n)
{
    cs_terminal *t = self;
    for (size_t k; n; bytes += k, n -= k) {
        k = n < CS_TERMINAL_OUT ? n : CS_TERMINAL_OUT;
        cs_terminal_add(t, bytes, k);
    }
}

/* Sends a picture in sixel graphics. Transparent pixels do not change the
 * screen, so the cells are erased first. Then the text in them is written
 * again. */
static void send_sixel(cs_terminal *t, const cs_canvas *c,
                       const cs_pixel_picture *p, const cs_image *m)
{
    for (int y = p->y; y < p->y + p->h; y++)
        cs_terminal_erase(t, p->x, y, p->w);
    cs_terminal_move(t, p->x, p->y);
    cs_sixel_write(m, add_bytes, t);
    for (int y = p->y; y < p->y + p->h; y++)
        for (int x = p->x; x < p->x + p->w; x++) {
            const cs_cell *cell =
                c->cell + (size_t)y * (size_t)c->width + (size_t)x;
            if (!cell->pixels && cell->code && cell->code != ' ')
                cs_terminal_rewrite(t, x, y);
        }
}

/* Sends the picture in g->image. */
static void send_picture(cs_terminal *t, const cs_canvas *c,
                         const cs_shown_picture *s)
{
    const cs_pixel_picture *p = &s->at;
    const cs_image m = {t->graphics.image, p->w * c->pixels.wide,
                        p->h * c->pixels.high, c->theme};
    if (t->graphics.used == CS_PROTOCOL_SIXEL) {
        send_sixel(t, c, p, &m);
        return;
    }
    cs_terminal_move(t, p->x, p->y);
    cs_kitty_write(&m, s->id, p->w, p->h, add_bytes, t);
}

/* Copies the pixels of a picture to g->image. Returns false if all are
 * transparent, or if memory is short. */
static bool copy_pixels(cs_terminal_pixels *g, const cs_canvas *c,
                        const cs_pixel_picture *p, size_t *n)
{
    *n = (size_t)p->w * (size_t)c->pixels.wide * (size_t)p->h *
         (size_t)c->pixels.high;
    if (*n > g->capacity) {
        cs_free(g->image);
        g->image = cs_alloc(*n, 1);
        g->capacity = g->image ? *n : 0;
    }
    return g->image &&
           cs_raster_copy(c, p, g->used == CS_PROTOCOL_KITTY, g->image);
}

/* The budget of a frame. */
typedef struct budget {
    bool all, late;
    double credit;
} budget;

static void take_picture(cs_terminal *t, const cs_canvas *c,
                         const cs_pixel_picture *p, budget *b)
{
    cs_terminal_pixels *g = &t->graphics;
    cs_shown_picture *s = find_shown(g, p);
    size_t n, before = t->sent + t->used;
    double now = cs_clock();
    for (size_t i = 0; p->waits && i < g->n; i++)
        g->shown[i].seen |= overlap(&g->shown[i].at, p);
    if (p->waits || !copy_pixels(g, c, p, &n))
        return;
    uint64_t hash = hash_of(g->image, n, c->theme);
    if (s)
        s->seen = true;
    if (s && s->hash == hash)
        return;
    if (!b->all && (b->credit <= 0 || (s && now - s->time < BETWEEN))) {
        b->late = true;
        return;
    }
    if (!s && g->n == CS_PICTURES)
        return;
    if (!s) {
        s = &g->shown[g->n++];
        *s = (cs_shown_picture){.at = *p, .id = ++g->last, .seen = true};
    }
    s->hash = hash;
    s->time = now;
    send_picture(t, c, s);
    b->credit -= (double)(t->sent + t->used - before);
}

/* Returns the picture whose displayed version is oldest, among those that were
 * not yet taken. */
static size_t oldest(cs_terminal_pixels *g, const cs_canvas *c,
                     const bool *taken)
{
    size_t best = c->pixels.n;
    double least = 0;
    for (size_t i = 0; i < c->pixels.n; i++) {
        const cs_shown_picture *s = find_shown(g, &c->pixels.picture[i]);
        double time = s ? s->time : -1;
        if (!taken[i] && (best == c->pixels.n || time < least)) {
            best = i;
            least = time;
        }
    }
    return best;
}

size_t cs_terminal_pictures(cs_terminal *t, const cs_canvas *c, bool all,
                            double credit, bool *late)
{
    cs_terminal_pixels *g = &t->graphics;
    bool taken[CS_PICTURES] = {false};
    budget b = {all, false, credit};
    size_t before = t->sent;
    if (g->used == CS_PROTOCOL_NONE || (c->pixels.n == 0 && g->n == 0))
        return 0;
    for (size_t i = 0; i < g->n; i++)
        g->shown[i].seen = false;
    for (size_t i; (i = oldest(g, c, taken)) < c->pixels.n; taken[i] = true)
        take_picture(t, c, &c->pixels.picture[i], &b);
    delete_gone(t);
    *late |= b.late;
    if (c->cursor_x >= 0 && t->used)
        cs_terminal_move(t, c->cursor_x, c->cursor_y);
    cs_terminal_flush(t);
    return t->sent - before;
}
