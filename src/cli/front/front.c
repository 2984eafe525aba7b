#include "cli/front/front.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/line/stop.h"
#include "files/lock.h"
#include "screen/term/terminal.h"
#include "script/host.h"
#include "session/client/shell_words.h"
#include "session/host/confine.h"
#include "session/host/join.h"
#include "session/session.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* Prints output of a script without escape sequences, since the script may be
 * untrusted. */
static void print(const char *text, size_t n)
{
    cs_text_write(text, n, stdout);
    fflush(stdout);
}

static void print_trusted(const char *text, size_t n)
{
    fwrite(text, 1, n, stdout);
    fflush(stdout);
}

static int complain(const cs_error *err)
{
    char text[1100];
    cs_error_format(err, text, sizeof text);
    fprintf(stderr, "chainscope: %s\n", text);
    return 1;
}

static int child(int fd, cs_snapshots *snapshots, int wake, void *argument)
{
    const cs_front_options *options = argument;
    cs_memory_keep_freed();
    cs_script_limits limits = {.trust = options->trust,
                               .seconds = options->seconds,
                               .grace = CS_SCRIPT_GRACE,
                               .print = !options->prints ? NULL
                                        : options->trust ? print_trusted
                                                         : print};
    cs_host host;
    cs_error err;
    if (options->ranks && cs_join(&limits.ranks, &err))
        return cs_join_expected().rank ? 1 : complain(&err);
    if (!options->trust)
        cs_session_confine(options->memory);
    if (cs_script_host_create(&host, &limits, NULL, &err))
        return complain(&err);
    host.ranks = limits.ranks;
    cs_script_host_defaults(&host, options->speed, options->workers);
    int code = cs_session_main(fd, snapshots, wake, &host);
    cs_script_host_destroy(&host);
    if (options->ranks)
        cs_join_leave();
    return code;
}

cs_status cs_front_read(const cs_args *args, cs_front_options *options,
                        cs_error *err)
{
    uint64_t mebibytes;
    cs_status status =
        cs_args_count(args, "memory", CS_FRONT_MEMORY, &mebibytes, err);
    options->trust = cs_args_value(args, "trust") != NULL;
    if (mebibytes > 1u << 30)
        mebibytes = 1u << 30;
    options->memory = (size_t)mebibytes << 20;
    return status;
}

static cs_front_options kept; /* set before the fork, read by child processes */

cs_status cs_front_create(cs_client **out, const cs_front_options *options,
                          cs_error *err)
{
    kept = *options;
    if (!kept.memory)
        kept.memory = (size_t)CS_FRONT_MEMORY << 20;
    return cs_client_create(out, child, &kept, err);
}

static int child_unlocked(int fd, cs_snapshots *snapshots, int wake,
                          void *argument)
{
    const int *lock = argument;
    if (*lock != CS_NO_LOCK)
        close(*lock);
    return child(fd, snapshots, wake, &kept);
}

cs_status cs_front_create_locked(cs_client **out,
                                 const cs_front_options *options, int lock,
                                 cs_error *err)
{
    kept = *options;
    if (!kept.memory)
        kept.memory = (size_t)CS_FRONT_MEMORY << 20;
    return cs_client_create(out, child_unlocked, &lock, err);
}

static int child_beside(int fd, cs_snapshots *snapshots, int wake,
                        void *argument)
{
    (void)argument;
    cs_terminal_disown();
    setpriority(PRIO_PROCESS, 0, 19);
    return child(fd, snapshots, wake, &kept);
}

cs_status cs_front_create_beside(cs_client **out, cs_error *err)
{
    return cs_client_create(out, child_beside, NULL, err);
}

/* Prints on a terminal, once, that the program is waiting for `what`. */
static void tell_wait(const char *what, int *waited)
{
    if (what && ++*waited == 2 && isatty(STDERR_FILENO)) {
        fprintf(stderr, "%s (Ctrl-C stops)", what);
        fflush(stderr);
    }
}

enum { PATIENCE = 2 }; /* seconds to wait for an answer after a signal */

/* Sets the error of a stopped command. `why` is the session's answer. The first
 * line of `why` is added to the error. */
static cs_status stopped(const char *line, const char *why, cs_error *err)
{
    cs_fail(err, CS_STOPPED, "at `%.*s`%s%.*s", (int)strcspn(line, " "), line,
            *why ? ": " : "", (int)strcspn(why, "\n"), why);
    cs_hint(err, "repeat the command");
    return CS_STOPPED;
}

/* Converts a reply to a status. An error reply becomes the error, or CS_STOPPED
 * after a signal. */
static cs_status take_reply(const cs_message *m, const char *line,
                            bool interrupted, cs_error *err)
{
    const char *text = (const char *)m->body;
    if (!m->status)
        return CS_OK;
    return interrupted ? stopped(line, text, err)
                       : cs_fail(err, (cs_status)m->status, "%s", text);
}

/* Sends a line and waits for the reply. Output that arrives before the reply is
 * written to the stream `to`. */
static cs_status ask(cs_client *c, const char *line, const char *what, FILE *to,
                     const cs_message **reply, cs_error *err)
{
    int waited = 0;
    static uint32_t id = 1u << 30;
    char why[160];
    double since = INFINITY;
    unsigned stops = cs_stop_count(), before = stops, patience = stops + 2;
    if (cs_stop_refuses())
        return stopped(line, "", err);
    cs_status status = cs_client_send(c, line, ++id, err);
    if (status)
        return status;
    for (;;) {
        bool alive = cs_client_alive(c, why, sizeof why);
        const cs_message *m = cs_client_reply(c);
        if (m && m->id == id && m->part) {
            cs_text_write((const char *)m->body, m->size, to);
            continue;
        }
        if (m && m->id == id) {
            if (reply)
                *reply = m;
            return take_reply(m, line, stops != before, err);
        }
        if (!alive && !m)
            return cs_fail(err, CS_ENDED, "%s", why);
        if (cs_stop_count() != stops) {
            cs_client_interrupt(c);
            since = cs_clock();
        }
        stops = cs_stop_count();
        if (stops >= patience ||
            (cs_stop_refuses() && cs_clock() > since + PATIENCE))
            return stopped(line, "", err);
        tell_wait(m ? NULL : what, &waited);
        if (!m)
            cs_client_wait(c, 200);
    }
}

cs_status cs_front_ask(cs_client *c, const char *line, const cs_message **reply,
                       cs_error *err)
{
    return ask(c, line, NULL, stdout, reply, err);
}

cs_status cs_front_hear(cs_client *c, const char *line, char **text,
                        cs_error *err)
{
    size_t size;
    const cs_message *m;
    *text = NULL;
    FILE *to = open_memstream(text, &size);
    if (!to)
        return cs_fail(err, CS_MEMORY, "out of memory for an answer");
    cs_status status = ask(c, line, NULL, to, &m, err);
    if (status == CS_OK)
        fwrite(m->body, 1, m->size, to);
    bool good = !ferror(to);
    if ((fclose(to) != 0 || !good) && status == CS_OK)
        status = cs_fail(err, CS_MEMORY, "out of memory for an answer");
    return status;
}

bool cs_front_add(char *line, size_t size, const char *text)
{
    size_t at = strlen(line);
    if (at + 2 >= size)
        return false;
    line[at] = ' ';
    return cs_words_quote(text, line + at + 1, size - at - 1);
}

static bool is_recording(const char *path)
{
    const char *dot = path ? strrchr(path, '.') : NULL;
    return dot && strcmp(dot, ".cast") == 0;
}

const char *cs_front_recording(const cs_args *args)
{
    const char *replay = cs_args_value(args, "replay");
    if (is_recording(replay))
        return replay;
    return is_recording(args->word[0]) ? args->word[0] : NULL;
}

/* Adds the file to the line. For a recording also adds the scenario and the
 * step that the user gave. */
static bool add_file(const cs_args *args, char *line, size_t size)
{
    char word[4200];
    const char *cast = cs_front_recording(args);
    const char *at = cs_args_value(args, "at");
    bool fits = cs_front_add(line, size, cast ? cast : args->word[0]);
    if (cast && strcmp(cast, args->word[0]) != 0) {
        int n = snprintf(word, sizeof word, "of=%s", args->word[0]);
        fits = fits && n < (int)sizeof word && cs_front_add(line, size, word);
    }
    if (cast && at) {
        snprintf(word, sizeof word, "at=%.40s", at);
        fits = fits && cs_front_add(line, size, word);
    }
    return fits;
}

/* Prints notes on the replay of a recording: the lines of the reply after the
 * first line. */
static void print_notes(const cs_message *reply)
{
    const char *end = memchr(reply->body, '\n', reply->size);
    for (char note[1200]; end; end = strchr(end + 1, '\n')) {
        char line[1200];
        snprintf(line, sizeof line, "%.*s", (int)strcspn(end + 1, "\n"),
                 end + 1);
        cs_text_clean(line, note, sizeof note);
        fprintf(stderr, "chainscope: %s\n", note);
    }
}

cs_status cs_front_open(cs_client *c, const cs_args *args,
                        const char *const *more, cs_error *err)
{
    assert(args->n_words >= 1);
    static char line[CS_WIRE_BYTES];
    const cs_message *reply = NULL;
    strcpy(line, "open");
    bool fits = add_file(args, line, sizeof line);
    for (size_t i = 0; i < args->n_set; i++)
        fits = fits && cs_front_add(line, sizeof line, args->set[i]);
    for (; more && *more; more++)
        fits = fits && cs_front_add(line, sizeof line, *more);
    if (!fits)
        return cs_fail(err, CS_INPUT, "too many settings for one command");
    char what[256], name[200];
    cs_text_clean(args->word[0], name, sizeof name);
    snprintf(what, sizeof what, "opening %s ...", name);
    cs_status status = ask(c, line, what, stdout, &reply, err);
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r\033[K");
    if (status == CS_OK && cs_front_recording(args))
        print_notes(reply);
    return status;
}

static cs_status ask_of(cs_client *c, const char *command, const char *file,
                        cs_error *err)
{
    static char line[CS_WIRE_BYTES];
    snprintf(line, sizeof line, "%s", command);
    if (!cs_front_add(line, sizeof line, file))
        return cs_fail(err, CS_INPUT, "the file name is too long");
    return cs_front_ask(c, line, NULL, err);
}

cs_status cs_front_replay(cs_client *c, const char *journal, cs_error *err)
{
    static char line[CS_WIRE_BYTES];
    const cs_message *reply;
    strcpy(line, "replay");
    if (!cs_front_add(line, sizeof line, journal))
        return cs_fail(err, CS_IO, "the file name of the journal is too long");
    cs_status status = cs_front_ask(c, line, &reply, err);
    if (status == CS_OK)
        print_notes(reply);
    return status;
}

/* Brings the run to the step: rewinds or advances it. */
static cs_status go_to(cs_client *c, uint64_t step, cs_error *err)
{
    const unsigned char *base;
    size_t used;
    cs_flat_entry e;
    char line[64];
    uint64_t now = 0;
    while (cs_client_snapshot(c, &base, &used))
        if (cs_flat_find(base, used, &e, "run/steps") && e.data)
            now = (uint64_t)e.data[0];
    if (step == now)
        return CS_OK;
    snprintf(line, sizeof line, step < now ? "rewind to %llu" : "step %llu",
             (unsigned long long)(step < now ? step : step - now));
    return cs_front_ask(c, line, NULL, err);
}

/* Returns true for a time such as "12.5s". */
static bool ends_with_s(const char *text)
{
    size_t n = strlen(text);
    return n && text[n - 1] == 's';
}

bool cs_front_is_placed(const cs_args *args)
{
    return cs_args_value(args, "load") || cs_args_value(args, "replay") ||
           cs_args_value(args, "at") || cs_front_recording(args);
}

cs_status cs_front_go(cs_client *c, const cs_args *args,
                      const char *const *more, cs_error *err)
{
    uint64_t step;
    const char *load = cs_args_value(args, "load");
    const char *journal = cs_args_value(args, "replay");
    const char *at = cs_args_value(args, "at");
    bool cast = cs_front_recording(args) != NULL;
    bool timed = cast && at && ends_with_s(at);
    cs_status status = timed ? CS_OK : cs_args_count(args, "at", 0, &step, err);
    if (status == CS_OK && timed && load)
        status = cs_fail(err, CS_INPUT, "--load needs --at STEP, not a time");
    if (status == CS_OK)
        status = cs_front_open(c, args, more, err);
    if (status == CS_OK && load)
        status = ask_of(c, "load", load, err);
    if (status == CS_OK && journal && !cast)
        status = cs_front_replay(c, journal, err);
    bool go = at && (!cast || load); /* a recording was already opened at the
                                      * step of --at */
    return status == CS_OK && go ? go_to(c, step, err) : status;
}
