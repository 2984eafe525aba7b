/* A Lua state with limits on memory, time and accessible functions. A running
 * script can be interrupted. An untrusted script can use text chunks,
 * arithmetic, strings and tables; `trust` removes the restrictions. These
 * limits are for the user's convenience; the separate process of the session is
 * the protection against malicious scripts. */
#pragma once

#include "base/status.h"
#include "data/inputs.h"

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct cs_script cs_script;

enum {
    CS_SCRIPT_GRACE = 5, /* default of `grace` in a session, seconds */
    CS_SCRIPT_PATH = 512 /* maximum length of a file name, in bytes */
};

typedef struct cs_script_limits {
    size_t memory;  /* limit on memory in bytes; 0: 256 MiB */
    double seconds; /* limit on the time of one entry into Lua, in seconds; 0:
                     * 10 seconds */
    bool trust;     /* true: all of Lua's libraries, no deadline */
    double grace;   /* seconds after a limit until the process is ended, if C
                     * code ignores the limit (script/state/backstop.h); 0:
                     * never */
    const struct cs_world *ranks; /* ranks that share the run of a scenario, or
                                   * NULL */
    /* Receives the output of `print`; NULL: a small buffer. */
    void (*print)(const char *text, size_t n);
} cs_script_limits;

/* Creates a state without libraries; script/script.h opens them. [own] */
cs_status cs_script_create(cs_script **out, const cs_script_limits *limits,
                           cs_error *err);
void cs_script_destroy(cs_script *s);

/* Returns the state's main thread. [borrowed] */
lua_State *cs_script_lua(cs_script *s);
/* Returns the script that owns L; NULL in an ordinary Lua interpreter. */
cs_script *cs_script_of(lua_State *L);
bool cs_script_trusted(const cs_script *s);
const struct cs_world *cs_script_ranks(const cs_script *s);

/* Requests an error in the running Lua code; the error is raised soon
 * afterwards. May be called from any thread and from signal handlers. */
void cs_script_interrupt(cs_script *s);

/* Start and end the time limit of one entry into Lua. If entries are nested,
 * only the outermost entry has a limit. If `seconds` is 0, the limit of the
 * state applies. */
void cs_script_enter(cs_script *s, double seconds);
void cs_script_leave(cs_script *s);
/* Starts the time limit of a callback, that is, of a Lua function that the core
 * calls. The limit is the limit of the state. Once a callback has used up its
 * limit, the limit of the next callbacks is at most one second. */
void cs_script_enter_callback(cs_script *s);
void cs_script_leave_callback(cs_script *s);
/* Restores the full limit of callbacks. If `all` is false, sets the limit to
 * one second instead. This shorter limit is for values that are displayed
 * before the user requests a step. */
void cs_script_afresh(cs_script *s, bool all);
/* Sets an additional, shorter limit (see cs_time_limit). If `seconds` is 0,
 * removes this limit, and forgets that the limit was reached. */
void cs_script_allow(cs_script *s, double seconds);
/* Extends the limit of this entry to the given number of seconds from now,
 * unless the current limit is later. */
void cs_script_extend(cs_script *s, double seconds);
/* Excludes time from the limit. The call with `on` true and the call
 * with `on` false enclose work in C, for example the reading of long
 * tables. The deadline is extended by the time between the two calls.
 * Adds at most 60 s per entry. */
void cs_script_excuse(cs_script *s, bool on);
/* Returns true for the first call in an entry. The time limit excludes the time
 * for opening the first run, but includes the time for opening later runs, for
 * example in a loop. */
bool cs_script_first_run(cs_script *s);
/* Must be called before creating large objects in the core. Collects garbage if
 * the memory of objects held by Lua is near the limit. */
void cs_script_make_room(lua_State *L);
/* True if a limit is reached. Long computations in C call this function.
 * Returns false if s is NULL. */
bool cs_script_is_over(const cs_script *s);
/* True if a limit was exceeded since the outermost cs_script_enter. */
bool cs_script_past(const cs_script *s);
/* Returns the message for the exceeded limit; error handlers do not change
 * it. */
const char *cs_script_reason(const cs_script *s);

/* ---- chunk.c ---- */

/* Push the chunk of a file (a regular text file of at most 1 MiB) or of a
 * string, with its own environment. Push nothing on failure. */
cs_status cs_script_load_file(cs_script *s, const char *path, cs_error *err);
cs_status cs_script_load_text(cs_script *s, const char *code, const char *name,
                              cs_error *err);
/* Pushes a new environment; in a trusted state, the globals. */
void cs_script_environment(cs_script *s);

/* ---- state.c ---- */

/* Calls lua_pcall with a time limit; stores an error in err. */
cs_status cs_script_call(cs_script *s, int n_args, int n_results,
                         double seconds, cs_error *err);

/* Redirects `print`. The text in the small buffer is printed first. If `print`
 * is NULL, the output goes to the destination in the limits of the state. */
typedef void cs_script_print(void *to, const char *text, size_t n);
void cs_script_print_to(cs_script *s, cs_script_print *print, void *to);
/* Prints a string as the script's output. */
void cs_script_output(cs_script *s, const char *text, size_t n);

/* Raises an error if a limit is exceeded or an interrupt was requested. Call it
 * regularly in long computations in C. Does nothing in an ordinary Lua
 * interpreter. */
void cs_script_check(lua_State *L);

/* Applies the limits of the state to a new Lua thread (a coroutine). */
void cs_script_count(lua_State *L);

/* Sets the list of files that scripts read (data/inputs.h). A list from a
 * recording supplies the files; to any other list, files are added when they
 * are read. NULL: no list. The state becomes an owner of the list. */
void cs_script_set_inputs(cs_script *s, cs_inputs *in);
/* Returns the list set by cs_script_set_inputs [borrowed]; NULL without a
 * script. */
cs_inputs *cs_script_inputs(const cs_script *s);

/* Sets the file of the script; relative paths start at its folder. */
void cs_script_set_file(cs_script *s, const char *path);
/* Returns the folder at which relative paths start ("" = the current one). */
const char *cs_script_folder(const cs_script *s);
/* Forbids scripts to read files, or allows it again. Hand-ins are marked without
 * files. */
void cs_script_seal_files(cs_script *s, bool on);
/* Raises an error that names the file if scripts may not read files. */
void cs_script_check_files(lua_State *L, const char *name);
