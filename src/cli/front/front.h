/* A front end with its session, for every sub-command that opens a scenario. */
#pragma once

#include "cli/line/subcommand.h"
#include "session/client/client.h"

typedef struct cs_front_options {
    bool trust;
    size_t
        memory; /* memory limit of targets and runs in bytes, without trust; 0: default */
    double seconds; /* time limit of one Lua call; 0: default */
    double speed;   /* of scenarios that do not say, and their workers: 0 as */
    size_t workers; /* cs_script_host_defaults has them */
    bool prints;    /* what scripts print goes to stdout at once */
    bool ranks;     /* join the ranks started by mpirun, if any */
} cs_front_options;

/* Reads --trust and --memory, options of every sub-command that opens a
 * scenario that may be untrusted. */
cs_status cs_front_read(const cs_args *args, cs_front_options *options,
                        cs_error *err);
enum { CS_FRONT_MEMORY = 2048 }; /* MiB */
#define CS_FRONT_OPTIONS                                                       \
    {"memory", "MIB", "memory limit of targets and runs (2048)"},              \
    {                                                                          \
        "trust", NULL, "let the scenario use all of Lua and all memory"        \
    }

/* Forks a session with a script host. Call before any thread or library
 * starts. */
cs_status cs_front_create(cs_client **out, const cs_front_options *options,
                          cs_error *err);

/* Forks another session with the same limits for the screen, without a terminal
 * and with the lowest priority. */
cs_status cs_front_create_beside(cs_client **out, cs_error *err);

/* As cs_front_create, for the owner of a lock (files/lock.h; CS_NO_LOCK: none).
 * The child closes the lock, which otherwise would outlive the owner. */
cs_status cs_front_create_locked(cs_client **out,
                                 const cs_front_options *options, int lock,
                                 cs_error *err);

/* Sends a line and waits for its reply, however long it takes. A signal of
 * cli/line/stop.h interrupts the session's script; a second one, or no answer
 * within two seconds, ends the wait: CS_STOPPED. After a signal nothing is sent
 * until cs_stop_finish. Output before the reply goes to stdout. An error reply
 * is the error; if the session's process ends before it answers, the error is
 * CS_ENDED with the signal or exit code. *reply may be NULL. */
cs_status cs_front_ask(cs_client *c, const char *line, const cs_message **reply,
                       cs_error *err);

/* Does the same, and returns the whole answer in *text. [own: free] */
cs_status cs_front_hear(cs_client *c, const char *line, char **text,
                        cs_error *err);

/* Replays a journal file; changes that cannot be replayed are reported on
 * stderr. */
cs_status cs_front_replay(cs_client *c, const char *journal, cs_error *err);

/* Appends `text` to a line as one word; returns false if it does not fit. */
bool cs_front_add(char *line, size_t size, const char *text);

/* Returns the recording to replay: args->word[0], or the one of --replay (then
 * args->word[0] is its scenario); NULL: none. */
const char *cs_front_recording(const cs_args *args);

/* Opens args->word[0] with the settings of --set and those in `more` ("seed=7";
 * NULL-terminated, or NULL); a recording opens at its end or at the step of
 * --at. Notes go to stderr. */
cs_status cs_front_open(cs_client *c, const cs_args *args,
                        const char *const *more, cs_error *err);

/* Does the same, then applies --load, --replay and --at if the sub-command has
 * these options. The run may still be on its way to the step on return. */
cs_status cs_front_go(cs_client *c, const cs_args *args,
                      const char *const *more, cs_error *err);
/* Returns true if args->word[0] or these options lead to a step of their
 * own. */
bool cs_front_is_placed(const cs_args *args);
#define CS_FRONT_GO_OPTIONS                                                    \
    {"load", "FILE", "continue from a .checkpoint written by :save"},          \
        {"replay", "FILE",                                                     \
         "repeat the changes in a journal.txt, or the run of a .cast "         \
         "recorded from FILE"},                                                \
    {                                                                          \
        "at", "STEP", "go to this step of the run, recording or checkpoint"    \
    }
