/* A front with its session, as every sub-command that opens a scenario wants
 * it. */
#pragma once

#include "cli/subcommand.h"
#include "session/client.h"

typedef struct cs_front_options {
    bool trust;
    size_t memory;  /* bytes of targets and runs; 0: the usual. Without trust */
    double seconds; /* that Lua may take at once; 0: the usual */
    double speed;   /* of scenarios that do not say, and their workers: 0 as */
    size_t workers; /* cs_script_host_defaults has them */
    bool prints;    /* what scripts print goes to stdout at once */
    bool ranks;     /* of those that mpirun has started, if it has */
} cs_front_options;

/* What --trust and --memory say: options of every sub-command that opens a
 * scenario that may be untrusted. */
cs_status cs_front_read(const cs_args *args, cs_front_options *options,
                        cs_error *err);
enum { CS_FRONT_MEMORY = 2048 }; /* MiB */
#define CS_FRONT_OPTIONS                                                       \
    {"memory", "MIB", "what its targets and runs may take (2048)"},            \
    {                                                                          \
        "trust", NULL, "let the scenario use all of Lua, and all memory"       \
    }

/* Forks a session with a script host. Before any thread or library starts. */
cs_status cs_front_create(cs_client **out, const cs_front_options *options,
                          cs_error *err);

/* Forks another session beside one that the screen has, with the same limits,
 * which has no terminal and the least priority. */
cs_status cs_front_create_beside(cs_client **out, cs_client *front,
                                 cs_error *err);

/* The same as the first, where others[n] live already; the child closes what it
 * has of theirs, and the lock of the front (io/lock.h), which would else outlive
 * it. */
cs_status cs_front_create_among(cs_client **out,
                                const cs_front_options *options,
                                cs_client *const *others, size_t n, int lock,
                                cs_error *err);

/* Sends a line and waits for its reply, however long that takes; while it
 * waits, a signal of cli/stop.h interrupts the session's script, and another,
 * or no answer for two seconds then, ends the wait: CS_STOPPED. After one it asks nothing, until cs_stop_finish. What comes ahead of the reply goes to
 * stdout. A refusal is the error. So is the end of the session's process before
 * it has answered: CS_ENDED, with the signal or exit code. *reply may be NULL. */
cs_status cs_front_ask(cs_client *c, const char *line, const cs_message **reply,
                       cs_error *err);

/* The same; all that is answered is in *text. [own: free] */
cs_status cs_front_hear(cs_client *c, const char *line, char **text,
                        cs_error *err);

/* Takes the run through a journal, a file; what that leaves out goes to stderr. */
cs_status cs_front_replay(cs_client *c, const char *journal, cs_error *err);

/* Adds `text` to a line as one word of it; false: there is no room. */
bool cs_front_add(char *line, size_t size, const char *text);

/* The recording whose run is to be made again: args->word[0], or that which
 * --replay names, of the scenario args->word[0] then; NULL: there is none. */
const char *cs_front_recording(const cs_args *args);

/* Opens args->word[0] with what --set said, and `more` ("seed=7") if not
 * NULL, NULL-terminated; or that recording, at its end or where --at says. What is
 * to be told of that goes to stderr. */
cs_status cs_front_open(cs_client *c, const cs_args *args,
                        const char *const *more, cs_error *err);

/* The same, and goes on as --load, --replay and --at say; whoever has not these
 * options goes nowhere. It may still be on its way to the step. */
cs_status cs_front_go(cs_client *c, const cs_args *args,
                      const char *const *more, cs_error *err);
/* Whether args->word[0] or these options lead to a step of their own. */
bool cs_front_is_placed(const cs_args *args);
#define CS_FRONT_GO_OPTIONS                                                    \
    {"load", "FILE", "go on with what :save kept in a .checkpoint"},           \
        {"replay", "FILE",                                                     \
         "make the changes of a journal.txt again; of a .cast its run, if "    \
         "FILE "                                                               \
         "is its scenario"},                                                   \
    {                                                                          \
        "at", "STEP", "go to this step: of a recording, of what was loaded"    \
    }
