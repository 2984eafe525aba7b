/* Implements the commands that open a scenario, and that advance or rewind the
 * run. */
#include "base/clock.h"
#include "base/count.h"
#include "io/formats/gather_files.h"
#include "io/recent.h"
#include "run/arms/arms.h"
#include "run/arms/world.h"
#include "run/history/changes.h"
#include "run/rewind.h"
#include "run/summary/rows_drawn.h"
#include "session/commands/command.h"
#include "session/commands/lesson_stages.h"
#include "session/commands/lesson_steps.h"
#include "session/state/follow_ranks.h"
#include "session/state/opened.h"
#include "session/state/reopen.h"
#include "target/enumeration.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* ---- opening ----------------------------------------------------------- */

cs_status cs_command_remember(cs_session *s, char **word, size_t n,
                              cs_error *err)
{
    for (size_t i = 0; i < n; i++) {
        char *equals = strchr(word[i], '=');
        if (!equals) {
            cs_fail(err, CS_INPUT, "'%s' has no value", word[i]);
            cs_hint(err, "write arm.parameter=value");
            return CS_INPUT;
        }
        *equals = 0;
        cs_status status = cs_sets_put(&s->sets, word[i], equals + 1, err);
        *equals = '=';
        if (status)
            return status;
    }
    return CS_OK;
}

/* Returns the end of a path, beginning with the name of its last folder, for
 * use in a message. */
static const char *end_of(const char *path)
{
    const char *at = path + strlen(path);
    for (int slashes = 0; at > path; at--)
        if (at[-1] == '/' && ++slashes == 2)
            break;
    return at;
}

static void say_warnings(cs_session *s)
{
    char text[512];
    const cs_target *t = cs_run_target(s->open.run);
    if (t->type->outside.unsteady &&
        t->type->outside.unsteady(t, text, sizeof text))
        cs_session_say(s, "%s", text);
    for (size_t i = 0; i < cs_run_arms(s->open.run); i++)
        if (cs_run_loose_bounds(s->open.run, i, text, sizeof text))
            cs_session_say(s, "arm %s: %s", cs_run_arm_name(s->open.run, i),
                           text);
}

cs_status cs_command_open(cs_session *s, char **word, size_t n, cs_error *err)
{
    assert(n >= 1);
    if (cs_command_is_cast(word[1]))
        return cs_command_open_cast(s, word[1], word + 2, n - 1, err);
    cs_stages_forget(s);
    cs_sets_clear(&s->sets);
    cs_status status = cs_command_remember(s, word + 2, n - 1, err);
    if (status == CS_OK)
        status = cs_session_open(s, word[1], NULL, err);
    status = cs_session_agree(s, status, err);
    if (status)
        return status;
    cs_command_answer(s, "%s", s->open.title);
    const char *note = cs_run_note(s->open.run);
    cs_session_say(s, "opened %s%s%s",
                   cs_gather_is(word[1]) ? "the files" : end_of(word[1]),
                   note ? "; " : "", note ? note : "");
    s->reported.opening = note ? 0 : s->reported.n;
    note = cs_enumeration_note(cs_run_target(s->open.run));
    if (note)
        cs_session_say(s, "%s", note);
    say_warnings(s);
    cs_course_start(s, true);
    return CS_OK;
}

static cs_status reopen(cs_session *s, const char *what, cs_error *err)
{
    cs_stages_forget(s);
    bool running = s->move.running;
    cs_status status = cs_session_open_again(s, err);
    if (status)
        return status;
    cs_session_say(s, "%s: seed %llu", what,
                   (unsigned long long)cs_run_seed(s->open.run));
    cs_command_answer(s, "%s", s->reported.newest);
    cs_course_start(s, true);
    /* in a game, only moves make steps */
    running &= !cs_course_plays(&s->course);
    return running ? cs_session_go(s, UINT64_MAX, false, err) : CS_OK;
}

cs_status cs_command_restart(cs_session *s, char **word, size_t n,
                             cs_error *err)
{
    (void)word, (void)n;
    return reopen(s, "restarted", err);
}

cs_status cs_command_reload(cs_session *s, char **word, size_t n, cs_error *err)
{
    if (n && strcmp(word[1], "careful") != 0)
        return cs_fail(err, CS_INPUT,
                       "reload: expected `careful` or no argument, not '%s'",
                       word[1]);
    cs_status status = cs_session_reload(s, n > 0, err);
    if (status)
        return status;
    cs_command_answer(s, "%s", s->reported.newest);
    cs_course_start(s, true);
    return CS_OK;
}

cs_status cs_command_reseed(cs_session *s, char **word, size_t n, cs_error *err)
{
    uint64_t seed = cs_run_seed(s->open.run) + 1;
    cs_status status = n ? cs_command_count(word[1], &seed, err) : CS_OK;
    char text[32];
    snprintf(text, sizeof text, "%llu", (unsigned long long)seed);
    if (status == CS_OK)
        status = cs_sets_put(&s->sets, "seed", text, err);
    return status ? status : reopen(s, "reseeded", err);
}

cs_status cs_command_gallery(cs_session *s, char **word, size_t n,
                             cs_error *err)
{
    uint64_t from = 0, count = SIZE_MAX;
    cs_flat table;
    cs_flat_begin(&table, s->front.out.body, CS_WIRE_BYTES);
    cs_status status = n ? cs_command_count(word[1], &from, err) : CS_OK;
    if (!status && n > 1)
        status = cs_command_count(word[2], &count, err);
    unsigned how = 0;
    if (n > 2 && strcmp(word[3], "claims") == 0)
        how = CS_GALLERY_CLAIMS;
    else if (n > 2 && strcmp(word[3], "recent") == 0)
        how = CS_GALLERY_RECENT;
    if (!status && n > 2 && !how)
        status =
            cs_fail(err, CS_INPUT,
                    "gallery: '%s' is neither 'claims' nor 'recent'", word[3]);
    if (!status)
        status = s->host->gallery(s->host->self, from, count, how, &table, err);
    if (!status && table.full) {
        status =
            cs_fail(err, CS_MEMORY, "the scenarios do not fit into one reply");
        cs_hint(err, "list fewer scenarios at a time: gallery 0 32");
    }
    s->front.out.table = 1;
    s->front.out.size = (uint32_t)table.used;
    return status;
}

/* Adds a file to the list of recent files. A failure, for example without a
 * home folder, is ignored. */
cs_status cs_command_recent(cs_session *s, char **word, size_t n, cs_error *err)
{
    (void)s, (void)n, (void)err;
    cs_recent_add(word[1], NULL);
    return CS_OK;
}

/* ---- advancing --------------------------------------------------------- */

static uint64_t after(const cs_session *s, uint64_t n)
{
    uint64_t now = cs_run_steps(s->open.run);
    return n > UINT64_MAX - now ? UINT64_MAX : now + n;
}

cs_status cs_command_run(cs_session *s, char **word, size_t n, cs_error *err)
{
    assert(s->open.run);
    uint64_t more = UINT64_MAX;
    cs_status status = n ? cs_command_count(word[1], &more, err) : CS_OK;
    if (cs_run_follows(s->open.run)) {
        cs_session_follow(s);
        return CS_OK;
    }
    cs_session_say_ranks(s);
    return status ? status : cs_session_go(s, after(s, more), n > 0, err);
}

cs_status cs_command_pause(cs_session *s, char **word, size_t n, cs_error *err)
{
    (void)word, (void)n, (void)err;
    s->course.later = false;
    cs_session_pause(s);
    return CS_OK;
}

cs_status cs_command_toggle(cs_session *s, char **word, size_t n, cs_error *err)
{
    (void)n;
    if (s->move.running || s->move.waits)
        return cs_command_pause(s, word, 0, err);
    /* a lesson has a speed of its own, and begins slowly */
    bool begins =
        s->move.pace > 0 && s->open.run && cs_run_steps(s->open.run) == 0;
    if (s->move.pace > 0) {
        s->move.unpaced = s->move.speed;
        s->move.speed = s->move.pace;
        s->move.paced = true;
    }
    s->move.pace = 0;
    cs_status status = cs_session_go(s, UINT64_MAX, true, err);
    if (begins && status == CS_OK)
        cs_session_slow(s, CS_SLOW_STEPS);
    s->breaks.by_hand = status == CS_OK;
    return status;
}

/* Begins slow motion, for n steps if n is given, and runs. If n is missing and
 * the run is already slow, ends slow motion: the run continues at its own speed.
 * A run whose budget is spent continues only if n is given. */
cs_status cs_command_slow(cs_session *s, char **word, size_t n, cs_error *err)
{
    uint64_t steps = 0;
    cs_status status = n ? cs_command_count(word[1], &steps, err) : CS_OK;
    if (status)
        return status;
    if (n ? steps == 0 : s->move.slow_until && s->move.running) {
        cs_session_slow(s, 0);
        return CS_OK;
    }
    cs_session_slow(s, n ? after(s, steps) : UINT64_MAX);
    if (s->move.running)
        return CS_OK;
    status = cs_session_go(s, UINT64_MAX, n > 0, err);
    s->breaks.by_hand = status == CS_OK;
    return status;
}

/* Makes n steps at once, regardless of the speed limit. */
cs_status cs_command_step(cs_session *s, char **word, size_t n, cs_error *err)
{
    assert(s->open.run);
    uint64_t more = 1;
    cs_status status = n ? cs_command_count(word[1], &more, err) : CS_OK;
    if (status)
        return status;
    status = cs_session_go(s, after(s, more), true, err);
    if (more > 16)
        return status;
    double limit = s->move.speed;
    uint64_t slow = s->move.slow_until;
    s->move.speed = 0;
    s->move.slow_until = 0;
    while (s->move.running)
        cs_session_move(s);
    s->move.speed = limit;
    if (slow > cs_run_steps(s->open.run))
        s->move.slow_until = slow;
    return s->move.failed ? cs_fail(err, CS_NUMERIC, "%s", s->reported.newest)
                          : status;
}

static void write_speed(double speed, char *text, size_t size)
{
    snprintf(text, size, "no speed limit");
    if (speed > 0)
        snprintf(text, size, "at most %.6g steps per second", speed);
}

static void can_undo_speed(cs_session *s)
{
    char line[64], speed[64], said[96];
    write_speed(s->move.speed, speed, sizeof speed);
    snprintf(line, sizeof line, "speed %.17g", s->move.speed);
    snprintf(said, sizeof said, "%s again", speed);
    cs_way_back_add(&s->back, line, said);
}

cs_status cs_command_speed(cs_session *s, char **word, size_t n, cs_error *err)
{
    (void)n;
    double d;
    cs_status status = cs_command_number(word[1], &d, err);
    if (status)
        return status;
    if (d < 0)
        return cs_fail(err, CS_RANGE, "a speed must not be negative");
    if (d != s->move.speed)
        can_undo_speed(s);
    s->move.speed = d;
    s->move.paced = false;
    s->move.pace = 0;
    cs_session_slow(s, 0);
    char text[64];
    write_speed(d, text, sizeof text);
    cs_message_text(&s->front.out, text);
    return CS_OK;
}

/* Updates the session after the run was moved. The script's events up to the
 * farthest step have happened and do not happen again, because the changes
 * that they made are in the later part of the journal. */
void cs_command_stand(cs_session *s)
{
    s->move.farthest = cs_session_end(s);
    cs_session_placed(s, s->move.farthest, false);
}

/* Fails for "rewind 30", which could mean "by 30 steps" or "to step 30". */
static cs_status refuse_bare(uint64_t n, cs_error *err)
{
    unsigned long long steps = n;
    cs_fail(err, CS_INPUT,
            "rewind %llu is ambiguous: by %llu steps, or to step %llu?", steps,
            steps, steps);
    cs_hint(err,
            "use `rewind -%llu` to go back %llu steps, or `rewind to %llu` to "
            "go to step %llu",
            steps, steps, steps, steps);
    return CS_INPUT;
}

/* Implements `rewind`. "rewind -30" goes back by 30 steps. "rewind +30" goes
 * forward by 30 steps, but not beyond the farthest step. "rewind to 30" goes
 * to step 30, which may be later than the current step if the run went back
 * before. */
cs_status cs_command_rewind(cs_session *s, char **word, size_t n, cs_error *err)
{
    assert(s->open.run && n >= 1);
    uint64_t to, now = cs_run_steps(s->open.run);
    bool there = n == 2 && strcmp(word[1], "to") == 0;
    bool on = n == 1 && word[1][0] == '+';
    bool by_so_many = on || (n == 1 && word[1][0] == '-');
    cs_status status =
        cs_command_count(there ? word[2] : word[1] + by_so_many, &to, err);
    if (status == CS_OK && !there && !by_so_many)
        status = refuse_bare(to, err);
    if (status)
        return status;
    uint64_t ahead = cs_session_end(s) - now;
    if (on)
        to = now + (to < ahead ? to : ahead);
    else if (!there)
        to = now > to ? now - to : 0;
    cs_session_pause(s);
    status = cs_record_none(s->record, err);
    if (status == CS_OK)
        status = cs_session_travel(s, to, err);
    if (status)
        return status;
    cs_command_stand(s);
    const cs_number at = cs_count((double)to);
    uint64_t by = now > to ? now - to : to - now;
    if (to == s->move.farthest)
        cs_session_say(s, "at step %s, the last step", at.text);
    else
        cs_session_say(s, "%s to step %s, by %s steps; the last step is %s",
                       to > now ? "forward" : "back", at.text,
                       cs_count((double)by).text,
                       cs_count((double)s->move.farthest).text);
    return CS_OK;
}

cs_status cs_command_branch(cs_session *s, char **word, size_t n, cs_error *err)
{
    assert(s->open.run);
    (void)word, (void)n;
    cs_session_pause(s);
    cs_status status = cs_record_none(s->record, err);
    if (status == CS_OK)
        status = cs_session_undo(s, err);
    if (status)
        return status;
    cs_history_cut(&s->breaks.history, cs_run_steps(s->open.run));
    cs_command_stand(s);
    if (s->back.under_way)
        cs_way_back_add(&s->back, "branch", "the branch after the change");
    cs_session_say(s,
                   "at step %s, before the change; the steps up to %s can be "
                   "reached again",
                   cs_count((double)cs_run_steps(s->open.run)).text,
                   cs_count((double)s->move.farthest).text);
    return CS_OK;
}
