/* Starts a session and sends commands to it, for all sub-commands that open a
 * scenario. */
#pragma once

#include "cli/line/subcommand.h"
#include "session/client/client.h"

typedef struct cs_front_options {
    bool trust;
    size_t memory; /* memory limit of targets and runs of untrusted scenarios in
                    * bytes; 0: default */
    double seconds; /* time limit of one call of Lua in s; 0: default */
    /* initial speed, for scenarios that do not define it; 0: as in
     * cs_script_host_defaults */
    double speed;
    /* number of workers, for scenarios that do not define it; 0: as in
     * cs_script_host_defaults */
    size_t workers;
    bool prints; /* true: output of scripts is written to stdout at once */
    bool ranks;  /* true: joins the ranks started by mpirun, if there are
                  * any */
} cs_front_options;

/* Reads --trust and --memory, options of all sub-commands that may open an
 * untrusted scenario. */
cs_status cs_front_read(const cs_args *args, cs_front_options *options,
                        cs_error *err);
enum { CS_FRONT_MEMORY = 2048 }; /* default memory limit in MiB */
#define CS_FRONT_OPTIONS                                                       \
    {"memory", "MIB", "memory limit of targets and runs (2048)"},              \
    {                                                                          \
        "trust", NULL, "let the scenario use all of Lua and all memory"        \
    }

/* Forks a process for a session that can run scripts. Call before any thread or
 * library is started. */
cs_status cs_front_create(cs_client **out, const cs_front_options *options,
                          cs_error *err);

/* Forks a second session for the screen. It has the same limits and the lowest
 * priority, and no terminal. */
cs_status cs_front_create_beside(cs_client **out, cs_error *err);

/* Forks a session like cs_front_create, for a process that owns a lock
 * (files/lock.h; CS_NO_LOCK: none). The child closes its copy of the lock;
 * otherwise the lock would outlive its owner. */
cs_status cs_front_create_locked(cs_client **out,
                                 const cs_front_options *options, int lock,
                                 cs_error *err);

/* Sends a line and waits for its reply, without a time limit. A signal of
 * cli/line/stop.h interrupts the session's script; a second signal, or two
 * seconds without an answer, ends the wait with CS_STOPPED. After a signal
 * nothing is sent until cs_stop_finish. Output that precedes the reply is
 * written to stdout. An error reply is returned as the error; if the session's
 * process ends before the reply, the error is CS_ENDED with the signal or exit
 * code. `reply` may be NULL. */
cs_status cs_front_ask(cs_client *c, const char *line, const cs_message **reply,
                       cs_error *err);

/* Sends a line like cs_front_ask, and returns the complete answer in *text.
 * [own: free] */
cs_status cs_front_hear(cs_client *c, const char *line, char **text,
                        cs_error *err);

/* Replays a journal file; reports changes that cannot be replayed on stderr. */
cs_status cs_front_replay(cs_client *c, const char *journal, cs_error *err);

/* Appends `text` to a line as one quoted word; returns false if it does not
 * fit. */
bool cs_front_add(char *line, size_t size, const char *text);

/* Returns the recording to replay, or NULL without a recording. The recording
 * is args->word[0] or the value of --replay. With --replay, args->word[0] is
 * the scenario of the recording. */
const char *cs_front_recording(const cs_args *args);

/* Opens args->word[0] with the settings of --set and the settings in `more`
 * ("seed=7"; NULL-terminated list, or NULL). A recording is opened at its end
 * or at the step of --at. Notes are printed to stderr. */
cs_status cs_front_open(cs_client *c, const cs_args *args,
                        const char *const *more, cs_error *err);

/* Opens args->word[0] like cs_front_open, then applies --load, --replay and
 * --at if the sub-command has these options. On return the run may still be
 * advancing to the step of --at. */
cs_status cs_front_go(cs_client *c, const cs_args *args,
                      const char *const *more, cs_error *err);
/* Returns true if args->word[0] is a recording, or if --load, --replay or --at
 * is given. The run then opens at a step other than 0. */
bool cs_front_is_placed(const cs_args *args);
#define CS_FRONT_GO_OPTIONS                                                    \
    {"load", "FILE", "continue from a .checkpoint written by :save"},          \
        {"replay", "FILE",                                                     \
         "repeat the changes in a journal.txt, or the run of a .cast "         \
         "recorded from FILE"},                                                \
    {                                                                          \
        "at", "STEP",                                                          \
            "go to this step of the run, recording or checkpoint, or to a "    \
            "time of a recording, such as 12.5s"                               \
    }
