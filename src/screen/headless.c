#include "screen/headless.h"

#include "base/cancellation.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/text.h"
#include "files/file.h"
#include "screen/input/dialog.h"
#include "screen/state/background.h"
#include "screen/state/preferences.h"
#include "screen/term/key_names.h"

#include <assert.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

enum { SCRIPT_MOST = 1 << 20, WAITS = 6 };

/* Seconds of a recording for each key. */
#define KEY_SECONDS 0.1

struct cs_headless {
    const cs_app_link *link; /* [borrowed] */
    cs_dialog dialog;
    cs_ui ui;
    cs_shot shot;
    cs_canvas canvas;
    cs_frame seen;
    cs_tier tier;
    /* words of the last request for reports; "": all reports */
    char reports[1000];
};

static bool runs(const cs_headless *h)
{
    return strcmp(cs_shot_text(&h->shot, "run/state"), "running") == 0;
}

/* Returns true if the run is paused and no exact result or report is pending,
 * or if no scenario is open. */
static bool is_still(const cs_headless *h)
{
    return h->shot.used > 0 && !runs(h) &&
           (cs_shot_number(&h->shot, 0, "run/arms") == 0 ||
            (cs_shot_number(&h->shot, 0, "run/settled") == 1 &&
             cs_shot_number(&h->shot, 0, "run/reported") == 1));
}

static void wait_news(cs_headless *h)
{
    int fd[CS_LINK_FDS + CS_BACKGROUND_FDS];
    struct pollfd p[CS_LINK_FDS + CS_BACKGROUND_FDS];
    int link = h->link->fds(h->link->self, fd);
    int n = link + cs_background_fds(h->ui.jobs, fd + link);
    /* Each busy background job must have a descriptor in the list. Without a
     * descriptor, poll() would wait for its full timeout. */
    assert(n > link || !cs_background_busy(h->ui.jobs));
    for (int i = 0; i < n; i++)
        p[i] = (struct pollfd){.fd = fd[i], .events = POLLIN};
    poll(p, (nfds_t)n, 200);
    h->link->calm(h->link->self);
}

/* Requests reports on single quantities and reports that belong to no probe.
 * The session makes the reports of all probes without a request. */
static void ask_for_quantities(cs_headless *h)
{
    char line[sizeof h->reports + 16], words[sizeof h->reports];
    cs_ui_reports(&h->ui, &h->shot, words, sizeof words);
    snprintf(line, sizeof line, "reports * %s", words);
    if (strcmp(words, h->reports) != 0 && cs_dialog_send(&h->dialog, line))
        memcpy(h->reports, words, sizeof words);
}

/* Makes the frame with the colours that a terminal would show. */
static void make_frame(cs_headless *h)
{
    cs_screen_frame(&h->ui, h->shot.base, h->shot.used, &h->canvas);
    if (!h->ui.prompt.mark &&
        cs_frame_take(&h->seen, &h->canvas, &h->ui.drawn.focused, h->tier,
                      NULL) == CS_OK)
        h->ui.drawn.seen = &h->seen;
    cs_dialog_record(&h->dialog, &h->canvas, h->tier);
    ask_for_quantities(h);
}

/* Returns the processor seconds used by the arms. */
static double work_of(const cs_headless *h)
{
    double sum = 0;
    for (size_t i = 0; i < cs_shot_arms(&h->shot); i++)
        sum += cs_shot_number(&h->shot, 0, "arm/%zu/seconds", i);
    return sum;
}

/* The time used by a run. On a loaded machine a run must wait for its
 * processors, so the limit applies to processor time. If the run waits for
 * other events or has a speed limit, the limit applies to clock time instead.
 * Clock time is counted from the start, or from the last time at which the run
 * had used another 1 % of the limit. */
typedef struct series {
    double spent,
        work;     /* processor seconds at the start and at the last progress */
    double moved; /* time of the last progress */
} series;

static bool is_late(series *c, const cs_headless *h, double timeout, bool busy)
{
    double work = work_of(h);
    /* work decreases only if another run was opened or this one was rewound */
    if (!(work >= c->spent))
        c->spent = c->work = work;
    bool paced = cs_shot_number(&h->shot, 0, "run/speed") > 0;
    if (work - c->work > timeout / 100 && !paced) {
        c->work = work;
        c->moved = cs_clock();
    }
    bool stands = cs_clock() - c->moved > (paced ? 1 : WAITS) * timeout;
    return (runs(h) && work - c->spent > timeout) ||
           ((runs(h) || busy) && stands);
}

/* Waits until all command lines have replies, the run is paused and the run's
 * replicates are done. Ends earlier if the limit `timeout` is exceeded. */
static cs_status settle(cs_headless *h, double timeout, cs_error *err)
{
    series at = {.spent = NAN, .moved = cs_clock()};
    for (;;) {
        char why[200];
        bool alive = h->link->alive(h->link->self, why, sizeof why);
        cs_dialog_answers(&h->dialog);
        bool news =
            h->link->snapshot(h->link->self, &h->shot.base, &h->shot.used);
        news |= cs_dialog_replicate(&h->dialog);
        bool busy = cs_background_busy(h->ui.jobs);
        bool late = is_late(&at, h, timeout, busy);
        if (!h->dialog.unanswered && ((is_still(h) && !busy) || late)) {
            make_frame(h); /* making the frame may add further requests */
            if (!h->dialog.unanswered)
                return CS_OK;
        }
        if (!alive && !news)
            return cs_fail(err, CS_ENDED, "%s", why);
        if (runs(h) && cs_cancelled())
            return cs_fail(err, CS_STOPPED,
                           "before the picture was made: repeat the command");
        wait_news(h);
    }
}

cs_status cs_headless_create(cs_headless **out, const cs_app_link *link,
                             const cs_editor *editor,
                             const cs_headless_spec *spec, cs_error *err)
{
    cs_headless *h = cs_alloc(1, sizeof *h);
    *out = NULL;
    if (!h)
        return cs_fail(err, CS_MEMORY, "out of memory for the screen");
    h->link = link;
    h->tier = spec->tier;
    cs_ui_init(&h->ui);
    h->ui.time = 1;
    cs_ui_preference(&h->ui, spec->preferences);
    cs_status status =
        cs_dialog_init(&h->dialog, link, editor, &h->ui, &h->shot, err);
    if (status == CS_OK)
        status = cs_canvas_init(&h->canvas, spec->width, spec->height,
                                spec->glyphs, err);
    if (status == CS_OK && spec->gallery) {
        h->ui.view = CS_VIEW_GALLERY;
        cs_dialog_gallery(&h->dialog);
    }
    /* Another client may have read the last snapshot of a paused run. The reply
     * to this request comes with a new snapshot. */
    if (status == CS_OK && !cs_dialog_send(&h->dialog, "reports *"))
        status = cs_fail(err, CS_IO, "the session does not accept commands");
    if (status == CS_OK)
        status = settle(h, INFINITY, err);
    if (status)
        cs_headless_destroy(h);
    else
        *out = h;
    return status;
}

void cs_headless_destroy(cs_headless *h)
{
    if (!h)
        return;
    cs_ui_fini(&h->ui);
    cs_dialog_close(&h->dialog);
    cs_dialog_fini(&h->dialog);
    cs_canvas_fini(&h->canvas);
    cs_frame_fini(&h->seen);
    cs_free(h);
}

/* ---- keys ---------------------------------------------------------------- */

static cs_status read_name(const char **at, unsigned *key, cs_error *err)
{
    char name[24];
    size_t n = strcspn(*at + 1, ">");
    snprintf(name, sizeof name, "%.*s", (int)n, *at + 1);
    *key = (*at)[n + 1] && n < sizeof name ? cs_key_read(name) : 0;
    if (*key) {
        *at += n + 2;
        return CS_OK;
    }
    cs_fail(err, CS_INPUT, "unknown key <%.20s>", name);
    cs_hint(err, "known keys: " CS_KEY_NAMES);
    return CS_INPUT;
}

/* Reads the key at *at and advances *at. */
static cs_status read_key(const char **at, unsigned *key, cs_error *err)
{
    if (**at == '<')
        return read_name(at, key, err);
    size_t n = cs_utf8_decode(*at, strlen(*at), key);
    if (!n)
        return cs_fail(err, CS_INPUT, "the keys are not valid UTF-8");
    *at += n;
    return CS_OK;
}

/* Reads "<wait 2.5>" at *at: a recording then continues 2.5 seconds later.
 * Returns false if no such word is there. */
static bool read_wait(cs_headless *h, const char **at)
{
    char end;
    double seconds;
    int n = 0;
    if (sscanf(*at, "<wait %lf%c%n", &seconds, &end, &n) != 2 || end != '>' ||
        !(seconds >= 0 && seconds <= 3600))
        return false;
    h->ui.time += seconds;
    *at += n;
    return true;
}

cs_status cs_headless_press(cs_headless *h, const char *keys, cs_error *err)
{
    assert(h && keys);
    cs_status status = CS_OK;
    while (*keys && status == CS_OK && !h->ui.quit) {
        unsigned key;
        if (read_wait(h, &keys))
            continue;
        h->ui.time += KEY_SECONDS;
        status = read_key(&keys, &key, err);
        if (status == CS_OK)
            cs_dialog_press(&h->dialog, key);
        if (status == CS_OK)
            status = settle(h, CS_HEADLESS_RUN, err);
    }
    return status;
}

static cs_status press_line(cs_headless *h, const char *line, cs_error *err)
{
    bool typed = *line && strchr(":;/", *line);
    cs_status status = *line == '#' ? CS_OK : cs_headless_press(h, line, err);
    return status == CS_OK && typed ? cs_headless_press(h, "<enter>", err)
                                    : status;
}

cs_status cs_headless_script(cs_headless *h, const char *path, cs_error *err)
{
    unsigned char *text;
    size_t size;
    int number = 0;
    cs_status status = cs_file_read(path, SCRIPT_MOST, &text, &size, err);
    if (status)
        return status;
    for (char *at = (char *)text, *next; status == CS_OK && at; at = next) {
        next = strchr(at, '\n');
        if (next)
            *next++ = 0;
        at[strcspn(at, "\r")] = 0;
        number++;
        status = press_line(h, at, err);
    }
    if (status)
        cs_where(err, path, number);
    cs_free(text);
    return status;
}

cs_status cs_headless_frame(cs_headless *h, double seconds,
                            const cs_canvas **out, cs_error *err)
{
    cs_status status = settle(h, seconds, err);
    *out = &h->canvas;
    return status;
}

/* Returns the number of lines up to the last one with a character. */
static int lines_used(const cs_area *a)
{
    const cs_canvas *c = a->canvas;
    for (int y = a->h; y > 1; y--)
        for (int x = 0; x < a->w; x++) {
            const cs_cell *cell =
                &c->cell[(size_t)(a->y + y - 1) * (size_t)c->width +
                         (size_t)(a->x + x)];
            if ((cell->code && cell->code != ' ') || cell->ground)
                return y;
        }
    return 1;
}

cs_status cs_headless_panel(cs_headless *h, cs_canvas *out, char *title,
                            size_t size, cs_error *err)
{
    cs_area a = h->ui.drawn.focused;
    *out = (cs_canvas){0};
    if (a.w < 1 || a.h < 2)
        return cs_fail(err, CS_INPUT, "no panel is visible");
    snprintf(title, size, "%s", h->ui.slots.of[h->ui.slots.focus].type->title);
    cs_area in = {&h->canvas, a.x, a.y + 1, a.w, a.h - 1};
    in.h = lines_used(&in);
    cs_status status = cs_canvas_init(out, in.w, in.h, h->canvas.glyphs, err);
    if (status)
        return status;
    out->theme = h->canvas.theme;
    for (int y = 0; y < in.h; y++)
        memcpy(out->cell + (size_t)y * (size_t)in.w,
               h->canvas.cell + (size_t)(in.y + y) * (size_t)h->canvas.width +
                   (size_t)in.x,
               (size_t)in.w * sizeof *out->cell);
    return CS_OK;
}

const cs_shot *cs_headless_shot(const cs_headless *h)
{
    return &h->shot;
}

void cs_headless_panels(const cs_headless *h, char *out, size_t size)
{
    cs_layout_words(&h->ui, out, size);
}
