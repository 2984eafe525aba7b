#include "session/session.h"

#include "base/clock.h"
#include "base/memory.h"
#include "run/arms/arms.h"
#include "run/arms/limits.h"
#include "run/arms/share.h"
#include "run/arms/world.h"
#include "run/history/changes.h"
#include "run/run.h"
#include "run/transfer.h"
#include "run/views/reports.h"
#include "run/views/stopped.h"
#include "run/views/view.h"
#include "session/commands/command.h"
#include "session/commands/lesson_stages.h"
#include "session/commands/lesson_steps.h"
#include "session/publish/publish.h"
#include "session/record/watched_run.h"
#include "session/state/follow_ranks.h"
#include "session/state/opened.h"
#include "session/state/session_state.h"
#include "session/state/signals.h"

#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* milliseconds without a command after which exact answers are computed */
enum { IDLE = 4 };
/* minimum and maximum seconds between snapshots while the run advances */
#define PUBLISH 0.07
#define LATEST 0.105
/* maximum share of the time that is used for snapshots while the run
 * advances */
#define SHARE 0.03
/* maximum share of the time that is used for snapshots while the run is paused
 * and reports are expected */
#define NEWS 0.2
/* maximum seconds between snapshots while reports arrive */
#define QUIET 0.25

/* Returns true if a snapshot of a running run is due. The interval is between
 * PUBLISH and LATEST, and long enough that snapshots use at most SHARE of the
 * time. In addition, the front must have taken the last snapshot. Costly
 * reports are not computed for a snapshot (see
 * session/state/background_reports.h). */
static bool is_due(const cs_session *s, double now)
{
    double rest = fmin(fmax(PUBLISH, s->show.took / SHARE), LATEST);
    return s->move.running && now - s->show.at >= rest &&
           cs_snapshot_is_taken(&s->front.end);
}

/* Returns the number of seconds to wait before the next report of a paused run
 * is published. If more reports are expected, for example one per arm, several
 * are published together. A snapshot after each report would take a total time
 * proportional to arms^2. The last report is published at once. */
static double news_wait(const cs_session *s, double now)
{
    double rest = fmin(fmax(PUBLISH, s->show.took / NEWS), QUIET);
    return cs_background_reports_is_busy(s->reports) ? s->show.at + rest - now
                                                     : 0;
}

static void publish_if_due(cs_session *s)
{
    double now = cs_clock();
    if (s->open.run)
        cs_run_want(s->open.run, s->show.reports);
    if (s->open.run &&
        cs_background_reports_tend(s->reports, s->open.run, s->move.running,
                                   cs_session_reports, s)) {
        s->show.dirty |= cs_breaks_report(s);
        s->show.news |= !s->move.running;
    }
    s->show.dirty |= cs_own_tend(s);
    if (is_due(s, now))
        cs_run_settle_part(s->open.run);
    else if (!s->show.dirty && !(s->show.news && news_wait(s, now) <= 0))
        return;
    cs_session_publish(s);
    s->show.dirty = s->show.news = false;
    s->show.at = now;
    s->show.took = cs_clock() - now;
    cs_front_poke(&s->front);
}

static void obey_all(cs_session *s)
{
    cs_wire_state got;
    cs_signals_look();
    while ((got = cs_wire_receive(s->front.fd, &s->front.in)) == CS_WIRE_GOT &&
           !s->front.quit) {
        cs_session_obey(s);
        /* the snapshot is published before the reply, so that the front sees
         * the effect of the command */
        publish_if_due(s);
        if (!cs_wire_send(s->front.fd, &s->front.out, true))
            got = CS_WIRE_CLOSED;
        cs_front_poke(&s->front);
        if (got == CS_WIRE_CLOSED)
            break;
    }
    s->front.quit |= got == CS_WIRE_CLOSED;
}

/* Waits up to `seconds` for a command. Computes slow exact answers after IDLE
 * milliseconds without a command. */
static void wait_for_commands(cs_session *s, double seconds)
{
    struct pollfd p[] = {
        {.fd = s->front.fd, .events = POLLIN},
        {.fd = cs_background_reports_fd(s->reports), .events = POLLIN},
        {.fd = cs_watch_fd(s->open.watch), .events = POLLIN}};
    bool settles =
        s->open.run && !s->move.running && !cs_run_settle(s->open.run, 0);
    int milliseconds = settles ? IDLE : -1;
    double look = cs_watch_wait(s->open.watch);
    if (s->move.running)
        milliseconds = (int)fmin(ceil(seconds * 1e3), 100);
    else if (!cs_own_is_current(&s->own, s->open.run) && !settles)
        milliseconds = (int)ceil(cs_own_wait(&s->own, s->open.run) * 1e3);
    else if (!settles && look < 1e6)
        milliseconds = (int)ceil(look * 1e3);
    if (s->show.news) {
        int left = (int)fmax(ceil(news_wait(s, cs_clock()) * 1e3), 0);
        milliseconds =
            milliseconds < 0 || left < milliseconds ? left : milliseconds;
    }
    if (poll(p, 3, milliseconds) == 0 && settles)
        s->show.dirty |=
            cs_run_settle_part(s->open.run) || cs_run_settle(s->open.run, 0);
}

/* Handles a watched folder that cannot be opened for now. The draws read so
 * far remain displayed. When the folder changes, the session tries again to
 * open it. */
static void lose(cs_session *s, const char *why, const cs_error *err, bool goes)
{
    char text[1024];
    cs_error_format(err, text, sizeof text);
    if (!s->open.lost) {
        cs_session_say(s, "%s", why);
        cs_session_say(s, "%s", text);
    }
    s->open.lost = true;
    cs_watch_failed(s->open.watch);
    cs_session_pause(s);
    s->move.waits = goes;
}

/* Opens the watched folder again. Keeps the user's selection, and continues the
 * run if it was running. */
static void open_again(cs_session *s, const char *why)
{
    cs_error err;
    char file[sizeof s->open.file], text[1024];
    bool goes =
        s->move.running || s->move.waits || cs_run_finished(s->open.run);
    cs_look_at look = s->look;
    double pace = s->move.pace;
    snprintf(text, sizeof text, "%s", why);
    memcpy(file, s->open.file, sizeof file);
    if (cs_session_open(s, file, NULL, &err)) {
        lose(s, text, &err, goes);
        return;
    }
    s->move.pace = pace;
    if (look.arm < cs_run_arms(s->open.run) &&
        look.chain < cs_run_arm(s->open.run, look.arm).chains &&
        look.coordinate < cs_target_shown(cs_run_target(s->open.run)))
        s->look = look;
    cs_session_say(s, "%s", text);
    if (goes)
        cs_session_go(s, UINT64_MAX, false, NULL);
}

static void tell_watched(cs_session *s)
{
    char text[1024];
    while (s->open.watch && !s->open.lost &&
           cs_watch_tell(s->open.watch, text, sizeof text))
        cs_session_say(s, "%s", text);
}

/* Reads new draws of a watched run. */
static void tend_watched(cs_session *s)
{
    if (!s->open.watch)
        return;
    const char *other =
        s->open.lost
            ? cs_watch_stirs(s->open.watch) ? "the folder is read again" : NULL
            : cs_watch_tend(s->open.watch, s->open.run);
    if (other)
        open_again(s, other);
    if (s->open.lost)
        return;
    tell_watched(s);
    if (s->move.waits && !cs_run_waits(s->open.run))
        cs_session_go(s, s->move.goal, false, NULL);
}

static void serve(cs_session *s)
{
    double wait = 0;
    while (!s->front.quit && !cs_signals_ended()) {
        if (!s->move.running || wait > 0)
            wait_for_commands(s, wait);
        obey_all(s);
        tend_watched(s);
        wait = s->move.running ? cs_session_move(s) : 0;
        cs_course_settle(s);
        /* reports, for example, that a row could not be read */
        tell_watched(s);
        publish_if_due(s);
    }
}

int cs_session_main(int fd, cs_snapshots *snapshots, int wake,
                    const cs_host *host)
{
    cs_session *s = cs_alloc(1, sizeof *s);
    if (!s)
        return 1;
    cs_signals_listen(host, fd);
    if (host->ranks && host->ranks->rank)
        cs_signals_follow();
    s->front.fd = fd;
    s->front.wake = wake;
    s->host = host;
    s->front.end = cs_snapshot_writer(snapshots);
    s->move.goal = UINT64_MAX;
    s->show.dirty = true;
    s->reports = cs_background_reports_create();
    s->show.reports[0] = '*';
    publish_if_due(s);
    serve(s);
    alarm(0); /* no alarm may interrupt the writing of a file */
    cs_session_drop(s);
    cs_session_end_ranks(s);
    cs_own_close(&s->own);
    cs_stages_forget(s);
    cs_free(s->course.lines.text);
    cs_background_reports_destroy(s->reports);
    cs_sets_clear(&s->sets);
    cs_way_back_clear(&s->back);
    cs_signals_leave();
    cs_free(s);
    return 0;
}
