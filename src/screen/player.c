#include "screen/player.h"

#include "base/clock.h"
#include "base/text.h"
#include "screen/canvas/plot.h"
#include "screen/input/keys.h"
#include "screen/term/terminal.h"

#include <assert.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>

/* Events closer in time than this belong to one frame. A frame that is too
 * large for one line has several events with the same time. */
#define TOGETHER 0.0005 /* seconds */

typedef struct player {
    const cs_cast *cast;
    cs_terminal *terminal;
    cs_vt now, shown;
    size_t at;   /* number of events whose result `now` shows */
    double time; /* seconds of the recording */
    /* seconds of the recording per second of playback */
    double speed;
    bool paused, quit, all; /* all: paint every cell */
    bool stopped;           /* stopped by a signal */
    double open;
} player;

/* ---- events -------------------------------------------------------------- */

static bool is_painting(const cs_cast_event *e)
{
    return e->code == 'o' || e->code == 'r';
}

static cs_status draw_event(const cs_cast_event *e, cs_vt *v, cs_error *err)
{
    char text[16];
    int w = 0, h = 0;
    if (e->code == 'o')
        cs_vt_write(v, e->text, e->size);
    if (e->code != 'r')
        return CS_OK;
    snprintf(text, sizeof text, "%.*s", (int)e->size, e->text);
    sscanf(text, "%5dx%5d", &w, &h);
    return cs_vt_resize(v, w, h, err);
}

static cs_status draw_on(const cs_cast *c, size_t from, size_t end, cs_vt *v,
                         cs_error *err)
{
    cs_status status = CS_OK;
    for (size_t i = from; status == CS_OK && i < end && i < c->n; i++)
        status = draw_event(&c->event[i], v, err);
    return status;
}

cs_status cs_player_draw(const cs_cast *c, size_t end, cs_vt *v, cs_error *err)
{
    cs_status status = cs_vt_resize(v, c->width, c->height, err);
    return status ? status : draw_on(c, 0, end, v, err);
}

size_t cs_player_at(const cs_cast *c, double seconds)
{
    size_t i = 0;
    while (i < c->n && c->event[i].time <= seconds)
        i++;
    return i;
}

/* Returns the first event after the frame that contains event `at` or starts
 * after it. */
static size_t after_frame(const cs_cast *c, size_t at)
{
    double time = -1;
    for (; at < c->n; at++) {
        const cs_cast_event *e = &c->event[at];
        if (is_painting(e) && time >= 0 && e->time > time + TOGETHER)
            break;
        if (is_painting(e))
            time = e->time;
    }
    return at;
}

static size_t before_frame(const cs_cast *c, size_t at)
{
    size_t last = 0;
    for (size_t i = after_frame(c, 0); i < at; i = after_frame(c, i)) {
        last = i;
        if (i == c->n)
            break;
    }
    return last ? last : after_frame(c, 0);
}

/* If `on` is true, returns the event after the next mark. Otherwise returns the
 * nearest earlier event that follows a mark. */
static size_t to_mark(const cs_cast *c, size_t at, bool on)
{
    size_t found = on ? c->n : after_frame(c, 0);
    for (size_t i = 0; i < c->n; i++) {
        bool behind = i + 1 < at;
        if (c->event[i].code != 'm' || (on && i < at) || (!on && !behind))
            continue;
        found = i + 1;
        if (on)
            break;
    }
    return found;
}

/* ---- movement ------------------------------------------------------------ */

static cs_status move_to(player *p, size_t to, cs_error *err)
{
    cs_status status = to < p->at ? cs_player_draw(p->cast, to, &p->now, err)
                                  : draw_on(p->cast, p->at, to, &p->now, err);
    p->at = to;
    return status;
}

/* Moves to an event and pauses. */
static cs_status stand_at(player *p, size_t to, cs_error *err)
{
    p->paused = true;
    cs_status status = move_to(p, to, err);
    p->time = p->at ? p->cast->event[p->at - 1].time : 0;
    return status;
}

static double length_of(const cs_cast *c)
{
    return c->n ? c->event[c->n - 1].time : 0;
}

static cs_status press(player *p, unsigned key, cs_error *err)
{
    const cs_cast *c = p->cast;
    bool ended = p->at == c->n;
    switch (key) {
    case ' ':
        p->paused = !p->paused && !ended;
        if (ended) /* restarts from the beginning */
            p->time = 0;
        return ended ? move_to(p, 0, err) : CS_OK;
    case '.':
        return stand_at(p, after_frame(c, p->at), err);
    case ',':
        return stand_at(p, before_frame(c, p->at), err);
    case '>':
        return stand_at(p, to_mark(c, p->at, true), err);
    case '<':
        return stand_at(p, to_mark(c, p->at, false), err);
    case CS_KEY_HOME:
        return stand_at(p, after_frame(c, 0), err);
    case CS_KEY_END:
        return stand_at(p, c->n, err);
    case '+':
        p->speed = fmin(p->speed * 2, 64);
        break;
    case '-':
        p->speed = fmax(p->speed / 2, 1.0 / 64);
        break;
    case '=':
        p->speed = 1;
        break;
    case '\r':
        if (cs_cast_step(c, p->at ? p->at - 1 : 0) >= 0)
            p->open = p->at ? c->event[p->at - 1].time : 0;
        break;
    case 'q':
    case 'Q':
    case 27:
        p->quit = true;
        break;
    default:
        break;
    }
    p->quit |= p->open >= 0;
    return CS_OK;
}

/* Writes the first line of the newest mark to out[size]; "": no mark. */
static void read_label(const player *p, char *out, size_t size)
{
    *out = 0;
    for (size_t i = p->at; i-- > 0;) {
        const cs_cast_event *e = &p->cast->event[i];
        if (e->code != 'm')
            continue;
        size_t n = 0;
        while (n < e->size && e->text[n] != '\n')
            n++;
        snprintf(out, size, "%.*s", (int)n, e->text);
        return;
    }
}

/* ---- painting ------------------------------------------------------------ */

static void put_status(const player *p, int w, int h, FILE *out)
{
    cs_canvas line;
    char step[48] = "", label[80];
    double at = cs_cast_step(p->cast, p->at ? p->at - 1 : 0);
    if (at >= 0)
        snprintf(step, sizeof step, "  step %s", cs_count(at).text);
    if (cs_canvas_init(&line, w, 1, cs_terminal_glyphs(p->terminal), NULL))
        return;
    cs_area a = cs_canvas_area(&line);
    int x = cs_print_cut(
        &a, 1, 0, w - 2, CS_ROLE_BAR, "%s  %.1f of %.1f s  x%.4g%s",
        p->at == p->cast->n ? "end"
        : p->paused         ? "paused"
                            : "replay",
        fmin(p->time, length_of(p->cast)), length_of(p->cast), p->speed, step);
    read_label(p, label, sizeof label);
    if (*label)
        x = cs_print_cut(&a, x + 2, 0, w / 4, CS_ROLE_VALUE, "%s", label);
    cs_print_cut(&a, x + 2, 0, w - x - 3, CS_ROLE_LABEL,
                 "space pause  . , frame  > < mark  + - speed%s  q quit",
                 at >= 0 ? "  enter opens the run here" : "");
    fprintf(out, "\033[%d;1H\033[7m", h);
    for (x = 0; x < w; x++) {
        char bytes[8];
        if (line.cell[x].code)
            fwrite(bytes, 1, cs_utf8_encode(line.cell[x].code, bytes), out);
    }
    fputs("\033[0m", out);
    cs_canvas_fini(&line);
}

static void paint(player *p)
{
    int w, h;
    char *bytes = NULL;
    size_t n = 0;
    cs_terminal_size(p->terminal, &w, &h);
    bool all = p->all || p->shown.width != p->now.width ||
               p->shown.height != p->now.height;
    FILE *out = open_memstream(&bytes, &n);
    if (!out)
        return;
    bool plain = cs_terminal_tier(p->terminal) == CS_TIER_MONO;
    cs_vt_emit(all ? NULL : &p->shown, &p->now, w, h > 1 ? h - 1 : 1, plain,
               out);
    put_status(p, w, h, out);
    if (fclose(out) == 0)
        cs_terminal_write(p->terminal, bytes, n);
    free(bytes);
    p->all = cs_vt_copy(&p->shown, &p->now, NULL) != CS_OK;
}

static void take_signals(player *p)
{
    unsigned asked = cs_terminal_asked(p->terminal);
    if (asked & (CS_ASKED_STOP | CS_ASKED_INTERRUPT))
        p->quit = p->stopped = true;
    if (asked & CS_ASKED_SUSPEND)
        cs_terminal_suspend(p->terminal);
    if (asked & CS_ASKED_RESUME)
        cs_terminal_resume(p->terminal);
    p->all |= asked != 0;
}

/* Returns the milliseconds until the next paint; -1: only a key causes one. */
static int until_next(const player *p)
{
    /* milliseconds between updates of the displayed clock */
    enum { CLOCK = 100 };
    if (p->paused || p->at == p->cast->n)
        return -1;
    double wait = (p->cast->event[p->at].time - p->time) / p->speed;
    return (int)fmin(fmax(ceil(1e3 * wait), 0), CLOCK);
}

static cs_status play(player *p, cs_error *err)
{
    cs_status status = CS_OK;
    double last = cs_clock();
    while (!p->quit && status == CS_OK) {
        unsigned key;
        int fd[2];
        paint(p);
        cs_terminal_fds(p->terminal, fd);
        struct pollfd news[] = {{.fd = fd[0], .events = POLLIN},
                                {.fd = fd[1], .events = POLLIN}};
        poll(news, 2, until_next(p));
        p->quit |= (news[0].revents & (POLLHUP | POLLERR)) != 0;
        take_signals(p);
        double now = cs_clock();
        if (!p->paused && p->at < p->cast->n)
            p->time += (now - last) * p->speed;
        last = now;
        if (!p->paused)
            status = move_to(p, cs_player_at(p->cast, p->time), err);
        while (status == CS_OK && (key = cs_terminal_key(p->terminal)))
            status = press(p, key, err);
    }
    return status;
}

cs_status cs_player_run(const cs_cast *c, double *open, cs_error *err)
{
    assert(c && open);
    const cs_terminal_preferences usual = {0};
    player p = {.cast = c, .speed = 1, .all = true, .open = -1};
    *open = -1;
    cs_status status = cs_terminal_start(&p.terminal, &usual, err);
    if (status == CS_OK)
        status = cs_player_draw(c, 0, &p.now, err);
    if (status == CS_OK) {
        status = play(&p, err);
        *open = p.open;
        if (status == CS_OK && p.stopped)
            status = cs_fail(
                err, CS_STOPPED,
                "at %.1f s of the recording: --at %.1f prints that frame",
                p.time, p.time);
    }
    cs_terminal_stop(p.terminal);
    cs_vt_fini(&p.now);
    cs_vt_fini(&p.shown);
    return status;
}
