#include "screen/app.h"

#include "base/clock.h"
#include "base/memory.h"
#include "files/folders.h"
#include "jobs/cache.h"
#include "screen/input/dialog.h"
#include "screen/input/mouse.h"
#include "screen/state/background.h"
#include "screen/state/law_trials.h"
#include "screen/state/pace.h"
#include "screen/state/preferences.h"
#include "screen/term/file_watch.h"
#include "screen/term/terminal.h"
#include "session/client/shell_words.h"

#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    FRAME_MS = 83, /* at most 12 frames per second */
    /* longest time between frames: at least 9 per second, even if they are
     * large */
    LATEST_MS = 108,
    FIRST_MS = 40, /* time for which the first frame waits for content */
    /* time without a message from the session, after which the wait is
     * displayed */
    SILENT_MS = 2000,
    /* up to this many steps per second, each step is shown in all panels */
    FOLLOWED = 100,
    CTRL_L = 12,
    CTRL_Z = 26
};

typedef struct app {
    const cs_app_link *link;
    cs_terminal *terminal;
    cs_canvas canvas;
    cs_ui ui;
    cs_shot shot;
    cs_dialog dialog;
    cs_pace pace;
    /* panels that the next frame does not draw again */
    bool rests[CS_PACE_PARTS];
    cs_preview preview;  /* picture of the chosen row of the gallery */
    cs_laws laws;        /* background check of the open scenario */
    char opened[512];    /* the open file, as sent to the list of recent
                                * files */
    cs_file_watch watch; /* watch on the open file */
    /* the displayed frame; during a prompt, the frame before the prompt */
    cs_frame seen;
    size_t pictures; /* number of pictures requested from the session */
    /* names of the reports requested from the session, separated by blanks */
    char reports[1000];
    int cell[2];        /* size of a cell in pixels; 0: no pixels */
    char graphics[160]; /* how pictures are drawn, and why */
    bool dirty;         /* the next frame differs from the displayed one */
    /* the user caused the difference between the frames, so the frame is
     * painted at once */
    bool urgent;
    bool dead;
    /* displayed number of seconds without a message from the session */
    long reported;
    long heard; /* time when the session was last idle or sent a message */
} app;

static long now_ms(void)
{
    return (long)(1e3 * cs_clock());
}

/* Handles a mouse event, which may start a typed line. */
static void take_mouse(app *a)
{
    cs_sender to = {cs_dialog_send, &a->dialog};
    cs_mouse mouse;
    if (cs_terminal_mouse(a->terminal, &mouse) &&
        cs_mouse_act(&a->ui, &a->shot, &to, &mouse) && a->ui.prompt.mark)
        cs_dialog_open(&a->dialog);
}

static void take_keys(app *a)
{
    unsigned key;
    while ((key = cs_terminal_key(a->terminal))) {
        a->dirty = a->urgent = true;
        if (key == CTRL_Z)
            cs_terminal_suspend(a->terminal);
        else if (key == CTRL_L)
            cs_terminal_repaint(a->terminal);
        else if (key == CS_KEY_MOUSE)
            take_mouse(a);
        else if (key == CS_KEY_PASTE)
            cs_dialog_paste(&a->dialog, cs_terminal_pasted(a->terminal));
        else
            cs_dialog_press(&a->dialog, key);
    }
    cs_terminal_listen(a->terminal, a->ui.mouse.listens);
    if (cs_terminal_changed(a->terminal))
        a->dirty = a->urgent = true;
}

static bool runs(const app *a)
{
    return strcmp(cs_shot_text(&a->shot, "run/state"), "running") == 0;
}

/* Returns true if a reply is pending, or if a snapshot of a run in progress is
 * pending. */
static bool is_busy(const app *a)
{
    return !a->dead && (a->dialog.unanswered || runs(a));
}

/* Displays the seconds since the last message of a busy session. */
static void take_silence(app *a)
{
    long silent = is_busy(a) ? now_ms() - a->heard : 0;
    long seconds = silent < SILENT_MS ? 0 : silent / 1000;
    if (seconds == a->reported)
        return;
    a->reported = seconds;
    cs_dialog_wait(&a->dialog, seconds);
    a->dirty = true;
}

static void take_news(app *a)
{
    char why[200];
    a->link->calm(a->link->self);
    bool answers = cs_dialog_answers(&a->dialog);
    bool shot = a->link->snapshot(a->link->self, &a->shot.base, &a->shot.used);
    if (shot)
        a->shot.index = NULL; /* the old index does not fit the new snapshot */
    a->urgent |= answers;
    a->dirty |= answers || shot;
    a->dirty |= cs_dialog_replicate(&a->dialog);
    if (answers || shot || !is_busy(a))
        a->heard = now_ms();
    if (!a->dead && !a->link->alive(a->link->self, why, sizeof why)) {
        a->dead = a->dirty = a->urgent = a->ui.lost = true;
        strncat(why, "; Q quits", sizeof why - strlen(why) - 1);
        cs_log_add(&a->ui.log, CS_LOG_ERROR, why);
    }
}

static void take_signals(app *a)
{
    unsigned asked = cs_terminal_asked(a->terminal);
    if (asked & CS_ASKED_STOP)
        a->ui.quit = true;
    if (asked & CS_ASKED_SUSPEND)
        cs_terminal_suspend(a->terminal);
    if (asked & CS_ASKED_RESUME)
        cs_terminal_resume(a->terminal);
    if (asked & (CS_ASKED_RESIZE | CS_ASKED_SUSPEND | CS_ASKED_RESUME))
        a->dirty = a->urgent = true;
    if (asked & CS_ASKED_INTERRUPT) {
        bool typing = a->ui.prompt.mark != 0, script = *a->dialog.chunk != 0;
        cs_dialog_clear(&a->dialog);
        if (!typing || script)
            a->link->interrupt(a->link->self);
        if (!typing) {
            cs_dialog_send(&a->dialog, "pause");
            cs_log_add(&a->ui.log, CS_LOG_EVENT,
                       "interrupted; q closes, Q quits");
        }
        a->dirty = a->urgent = true;
    }
}

/* Asks the session for the number of pictures that fitted in the last frame. */
static void ask_for_pictures(app *a)
{
    char line[32];
    snprintf(line, sizeof line, "pictures %zu", a->ui.drawn.pictures);
    bool news =
        a->ui.view == CS_VIEW_RUN && a->ui.drawn.pictures != a->pictures;
    if (news && !a->dead && !a->dialog.unanswered &&
        cs_dialog_send(&a->dialog, line))
        a->pictures = a->ui.drawn.pictures;
}

/* Asks the session for the reports that open panels read. */
static void ask_for_reports(app *a)
{
    char line[sizeof a->reports + 8] = "reports ", *list = line + 8;
    cs_ui_reports(&a->ui, &a->shot, list, sizeof a->reports);
    bool news = a->ui.view == CS_VIEW_RUN && strcmp(list, a->reports) != 0;
    if (news && !a->dead && !a->dialog.unanswered &&
        cs_dialog_send(&a->dialog, line))
        memcpy(a->reports, list, sizeof a->reports);
}

/* Adds the opened file to the list of recent files. */
static void tell_recent(app *a)
{
    char line[1100] = "recent ";
    const char *file = cs_shot_text(&a->shot, "run/file");
    if (!*file || strcmp(file, a->opened) == 0 || a->dead ||
        a->dialog.unanswered)
        return;
    /* true if the run was read from a folder */
    bool read = *cs_shot_text(&a->shot, "run/watched") != 0 ||
                cs_shot_number(&a->shot, 0, "run/differs") != 0;
    snprintf(a->opened, sizeof a->opened, "%s", file);
    cs_file_watch_set(&a->watch, read ? "" : file);
    if (!read && cs_words_quote(file, line + 7, sizeof line - 7))
        cs_dialog_send(&a->dialog, line);
}

/* Handles a change of the open file by another program, such as an editor. Arms
 * that are not affected by the change continue. */
static void take_file(app *a)
{
    char text[1100];
    bool ready = !a->dead && !a->dialog.unanswered;
    cs_file_news news = cs_file_watch_look(&a->watch, ready);
    if (news == CS_FILE_CHANGED)
        cs_dialog_send(&a->dialog, "reload careful");
    if (news != CS_FILE_GONE || a->dead)
        return;
    snprintf(text, sizeof text,
             "%s is missing: the run continues with the version read",
             a->watch.path);
    cs_log_add(&a->ui.log, CS_LOG_ERROR, text);
    a->dirty = true;
}

/* Runs the user's editor on the open file. */
static void run_editor(void *self)
{
    const app *a = self;
    const char *editor = getenv("VISUAL");
    if (!editor || !*editor)
        editor = getenv("EDITOR");
    if (!editor || !*editor)
        editor = "vi";
    pid_t child = fork();
    if (child == 0) {
        cs_terminal_disown();
        setenv("CHAINSCOPE_EDITOR", editor, 1);
        execl("/bin/sh", "sh", "-c", "exec $CHAINSCOPE_EDITOR \"$1\"", "sh",
              a->watch.path, (char *)NULL);
        _exit(127);
    }
    while (child > 0 && waitpid(child, NULL, 0) < 0)
        ;
}

static void tend_editor(app *a)
{
    if (!a->ui.edit)
        return;
    a->ui.edit = false;
    if (*a->watch.path)
        cs_terminal_lend(a->terminal, run_editor, a);
    else
        cs_log_add(&a->ui.log, CS_LOG_ERROR, "no open file to edit");
    a->dirty = a->urgent = true;
}

/* Continues to compute the picture of the chosen row. Returns the milliseconds
 * until the next call. If no call is needed, returns -1. */
static long tend_preview(app *a)
{
    double again, now = cs_clock();
    bool gallery = a->ui.view == CS_VIEW_GALLERY;
    const char *file = gallery ? cs_gallery_file(&a->ui) : "";
    if (strcmp(file, a->preview.file) != 0)
        *a->ui.gallery.picture = 0;
    cs_preview_want(&a->preview, file, now);
    char text[CS_PREVIEW_BYTES];
    if (cs_preview_tend(&a->preview, now, text, &again)) {
        memcpy(a->ui.gallery.picture, text, sizeof text);
        a->dirty = true;
    }
    return again < 0 ? -1 : (long)ceil(1e3 * again);
}

/* Continues the background check of the open scenario's laws. Returns the
 * milliseconds until the next call. If no call is needed, returns -1. */
static long tend_laws(app *a)
{
    double again = -1;
    if (!a->dead && a->shot.used &&
        cs_laws_tend(&a->laws, &a->shot, a->ui.prefs.laws_off, cs_clock(),
                     &again))
        cs_dialog_send(&a->dialog, "check kept");
    return again < 0 ? -1 : (long)ceil(1e3 * again);
}

/* Returns the earlier of two times, where -1 means never. */
static long earlier(long a, long b)
{
    return a < 0 || (b >= 0 && b < a) ? b : a;
}

/* Copies the frame for a typed `screenshot`, because the prompt must not be in
 * the picture. */
static void keep_in_mind(app *a)
{
    if (!a->ui.prompt.mark &&
        cs_frame_take(&a->seen, &a->canvas, &a->ui.drawn.focused,
                      cs_terminal_tier(a->terminal), NULL) == CS_OK)
        a->ui.drawn.seen = &a->seen;
}

/* Returns the milliseconds that must pass after a frame of `bytes` bytes before
 * the next frame. A key may request a frame earlier. */
static long rest_after(const app *a, size_t bytes)
{
    double slowest = a->ui.prefs.frames > 0 ? a->ui.prefs.frames : CS_UI_FRAMES;
    if (a->ui.prefs.reduced)
        slowest = fmin(slowest, 1);
    double frame = 1e3 / fmax(slowest, CS_UI_FRAMES_LEAST);
    double rate = cs_pace_rate(&a->pace);
    double latest = LATEST_MS * CS_PACE_RATE / rate;
    return (long)fmax(frame, fmin(latest, (double)bytes * 1e3 / rate));
}

/* Returns true if the run is slow enough to show every step. */
static bool goes_slowly(const app *a)
{
    double speed = cs_shot_number(&a->shot, 0, "run/speed");
    return speed > 0 && speed < FOLLOWED;
}

/* Returns the displayed canvas if parts of it may be kept. If every cell must
 * be painted, returns NULL. */
static const cs_canvas *may_stay(const app *a)
{
    bool all = a->urgent || a->dead || !runs(a) || goes_slowly(a);
    return all ? NULL : cs_terminal_shown(a->terminal, &a->canvas);
}

/* Fits the canvas to the terminal, with the pixels that it can show. Returns
 * false if memory is short. */
static bool fit(app *a)
{
    int w, h, wide, high;
    cs_terminal_size(a->terminal, &w, &h);
    cs_terminal_graphics(a->terminal, a->ui.prefs.graphics,
                         a->ui.prefs.ask_graphics);
    a->ui.prefs.ask_graphics = false;
    if (w != a->canvas.width || h != a->canvas.height) {
        a->cell[0] = 0; /* the grid of pixels is made again */
        if (cs_canvas_resize(&a->canvas, w, h, NULL) != CS_OK)
            return false;
    }
    cs_terminal_cell(a->terminal, w, h, &wide, &high);
    if (wide != a->cell[0] || high != a->cell[1]) {
        a->cell[0] = wide;
        a->cell[1] = high;
        cs_canvas_pixels(&a->canvas, wide, high);
        cs_terminal_repaint(a->terminal); /* every panel is drawn again */
    }
    return true;
}

/* Sends the pictures that have changed. Returns the number of bytes. */
static size_t paint_pictures(app *a, bool all)
{
    bool late = false;
    size_t bytes = cs_terminal_pictures(a->terminal, &a->canvas, all,
                                        cs_pace_pictures(&a->pace), &late);
    cs_pace_spend_pictures(&a->pace, bytes);
    a->dirty |= late;
    return bytes;
}

/* Paints the frame. Returns the milliseconds that must pass before the next
 * frame. */
static long paint(app *a)
{
    if (!fit(a))
        return FRAME_MS;
    cs_pace_rest(&a->pace, a->ui.drawn.n_parts, a->rests);
    a->ui.drawn.rests = may_stay(a) ? a->rests : NULL;
    cs_screen_frame(&a->ui, a->shot.base, a->shot.used, &a->canvas);
    a->shot.index = &a->ui.drawn.index;
    cs_terminal_set_report(cs_shot_text(&a->shot, "run/folder"));
    ask_for_pictures(a);
    ask_for_reports(a);
    tell_recent(a);
    a->pace.rate = 1024 * a->ui.prefs.bandwidth;
    a->dirty =
        cs_pace_hold(&a->pace, cs_clock(), a->ui.drawn.part,
                     a->ui.drawn.n_parts, a->ui.drawn.rests, may_stay(a));
    keep_in_mind(a);
    a->dirty |=
        cs_dialog_record(&a->dialog, &a->canvas, cs_terminal_tier(a->terminal));
    size_t bytes = cs_terminal_paint(a->terminal, &a->canvas);
    cs_pace_spend(&a->pace, bytes);
    bytes += paint_pictures(a, a->urgent || a->dead || !runs(a));
    cs_terminal_graphics_text(a->terminal, a->graphics, sizeof a->graphics);
    a->urgent = false;
    return rest_after(a, bytes);
}

/* Waits until a descriptor is readable, a timer ends or a pending frame is due.
 * The descriptors of a dead session are left out, because they would always be
 * readable. */
static void wait_news(app *a, long due)
{
    struct pollfd p[5 + CS_LINK_FDS + CS_BACKGROUND_FDS];
    int fd[5 + CS_LINK_FDS + CS_BACKGROUND_FDS], n = 5;
    long tend = earlier(earlier(tend_preview(a), tend_laws(a)),
                        cs_file_watch_wait(&a->watch));
    cs_terminal_fds(a->terminal, fd);
    fd[2] = a->preview.maker.pipe;
    fd[3] = a->watch.fd;
    fd[4] = a->laws.maker.pipe;
    if (!a->dead)
        n += a->link->fds(a->link->self, fd + 5);
    n += cs_background_fds(a->ui.jobs, fd + n);
    for (int i = 0; i < n; i++)
        p[i] = (struct pollfd){.fd = fd[i], .events = POLLIN};
    long left = -1, now = now_ms();
    if (a->dirty)
        left = due > now ? due - now : 0;
    else if (is_busy(a)) /* until the next whole second without a message */
        left = now - a->heard < SILENT_MS ? SILENT_MS - (now - a->heard)
                                          : 1000 - (now - a->heard) % 1000;
    poll(p, (nfds_t)n, (int)earlier(left, tend));
    if (p[0].revents & (POLLHUP | POLLERR))
        a->ui.quit = true;
}

static void loop(app *a)
{
    long due = now_ms() + FIRST_MS;
    take_news(a); /* the first frame shows the messages received so far */
    a->urgent = a->shot.used > 0 && a->ui.view == CS_VIEW_RUN;
    a->dirty = true;
    while (!a->ui.quit) {
        if (a->dirty && (a->urgent || now_ms() >= due)) {
            long from = now_ms();
            due = from + paint(a);
        }
        wait_news(a, due);
        take_signals(a);
        take_keys(a);
        tend_editor(a);
        take_news(a);
        take_file(a);
        take_silence(a);
    }
}

cs_status cs_screen_run(const cs_app_link *link, const cs_editor *editor,
                        bool gallery, const cs_shot *preferences, cs_error *err)
{
    const cs_terminal_preferences terminal = {
        .colour = cs_shot_text(preferences, CS_PREFERENCE_COLOUR),
        .glyphs = cs_shot_text(preferences, CS_PREFERENCE_GLYPHS),
        .graphics = cs_graphics_read(
            cs_shot_text(preferences, CS_PREFERENCE_GRAPHICS))};
    char jobs[CS_JOB_CACHE_PATH];
    app *a = cs_alloc(1, sizeof *a);
    if (!a)
        return cs_fail(err, CS_MEMORY, "out of memory for the screen");
    a->link = link;
    a->preview.maker = a->laws.maker = CS_HELPER_NONE;
    a->watch = (cs_file_watch)CS_FILE_WATCH_NONE;
    cs_ui_init(&a->ui);
    cs_ui_preference(&a->ui, preferences);
    a->ui.drawn.graphics = a->graphics;
    cs_status status =
        cs_dialog_init(&a->dialog, link, editor, &a->ui, &a->shot, err);
    if (status == CS_OK && cs_folder_state("jobs", jobs, sizeof jobs))
        cs_background_keep(a->ui.jobs, jobs);
    if (status == CS_OK)
        status = cs_terminal_start(&a->terminal, &terminal, err);
    if (status == CS_OK)
        status = cs_canvas_init(&a->canvas, 1, 1,
                                cs_terminal_glyphs(a->terminal), err);
    if (status == CS_OK) {
        if (gallery) {
            a->ui.view = CS_VIEW_GALLERY;
            cs_dialog_gallery(&a->dialog);
        }
        if (*cs_shot_text(preferences, CS_PREFERENCE_ERROR))
            cs_ui_cover(&a->ui, CS_VIEW_LOG);
        loop(a);
    }
    cs_ui_fini(&a->ui);
    cs_preview_stop(&a->preview);
    cs_laws_stop(&a->laws);
    cs_file_watch_set(&a->watch, "");
    cs_canvas_fini(&a->canvas);
    cs_frame_fini(&a->seen);
    cs_terminal_stop(a->terminal);
    cs_dialog_fini(&a->dialog);
    cs_free(a);
    return status;
}
