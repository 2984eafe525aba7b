/* One Lua state under limits: memory, time, an interrupt, and what a script
 * may reach. A stranger's script gets text chunks, arithmetic, strings and
 * tables; `trust` lifts that. These limits are comfort for the user; the
 * wall against malice is the process the session runs in. */
#pragma once

#include "base/status.h"
#include "data/inputs.h"

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct cs_script cs_script;

enum {
    CS_SCRIPT_GRACE = 5, /* seconds, of a session */
    CS_SCRIPT_PATH = 512 /* bytes of the name of a file */
};

typedef struct cs_script_limits {
    size_t memory;  /* bytes, 0: 256 MiB */
    double seconds; /* of one entry into Lua, 0: 10 */
    bool trust;     /* all of Lua's libraries, no deadline */
    double grace;   /* seconds past a limit, in C that does not obey it, after
                       which the process ends (script/state/backstop.h); 0: never */
    const struct cs_world *ranks; /* that move a scenario's run, or NULL */
    /* Where `print` writes; NULL: to a small memory. */
    void (*print)(const char *text, size_t n);
} cs_script_limits;

/* A bare state, without libraries: script/script.h opens those. [own] */
cs_status cs_script_create(cs_script **out, const cs_script_limits *limits,
                           cs_error *err);
void cs_script_destroy(cs_script *s);

/* The state's main thread. [borrowed] */
lua_State *cs_script_lua(cs_script *s);
/* The script that owns L, NULL in a stock Lua. */
cs_script *cs_script_of(lua_State *L);
bool cs_script_trusted(const cs_script *s);
const struct cs_world *cs_script_ranks(const cs_script *s);

/* Makes running Lua raise an error soon. Any thread, signal handlers. */
void cs_script_interrupt(cs_script *s);

/* Starts the clock of one entry (the outermost counts; 0: the state's own
 * allowance) and ends it. */
void cs_script_enter(cs_script *s, double seconds);
void cs_script_leave(cs_script *s);
/* The same of a callback, which the core calls by itself: each has the state's
 * own allowance, but a second at most after one that used that up. */
void cs_script_enter_callback(cs_script *s);
void cs_script_leave_callback(cs_script *s);
/* Gives callbacks their whole allowance again; or, with false, one second: for
 * what is evaluated to be shown before anybody asked for a step. */
void cs_script_afresh(cs_script *s, bool all);
/* Sets a second, nearer limit within it (see cs_time_limit). 0 removes the limit, and
 * the mark that it was reached. */
void cs_script_allow(cs_script *s, double seconds);
/* This entry may go on for so many seconds from now, if that is longer. */
void cs_script_extend(cs_script *s, double seconds);
/* Extends the deadline by the time spent between `on` and off in C, reading
 * long tables, say: up to 60 s in one entry. */
void cs_script_excuse(cs_script *s, bool on);
/* True at the first call in an entry: the time to open one run is excused, that
 * of a loop of them is the script's own. */
bool cs_script_first_run(cs_script *s);
/* Call before large objects are made in the core: collects garbage if what Lua
 * holds there comes near the memory limit. */
void cs_script_make_room(lua_State *L);
/* Whether a limit is reached: for long work in C to ask (s NULL: never). */
bool cs_script_is_over(const cs_script *s);
/* Whether a limit was hit since the outermost enter. */
bool cs_script_past(const cs_script *s);
/* What that limit's error said, whatever handlers made of it. */
const char *cs_script_reason(const cs_script *s);

/* ---- chunk.c ---- */

/* Pushes the chunk of a file (regular, text, at most 1 MiB) or of a string,
 * in an environment of its own. Nothing is pushed on failure. */
cs_status cs_script_load_file(cs_script *s, const char *path, cs_error *err);
cs_status cs_script_load_text(cs_script *s, const char *code, const char *name,
                              cs_error *err);
/* Pushes a fresh environment (in a trusted state: the globals). */
void cs_script_environment(cs_script *s);

/* ---- state.c ---- */

/* lua_pcall with the clock running and the error, whatever it is, in err. */
cs_status cs_script_call(cs_script *s, int n_args, int n_results,
                         double seconds, cs_error *err);

/* Where `print` writes from now on, and first what lies in the small memory;
 * NULL: as the limits say. */
typedef void cs_script_print(void *to, const char *text, size_t n);
void cs_script_print_to(cs_script *s, cs_script_print *print, void *to);
/* Prints. */
void cs_script_output(cs_script *s, const char *text, size_t n);

/* For C that works long without Lua: raises an error when a limit is hit or
 * an interrupt came. Nothing happens in a stock Lua. */
void cs_script_check(lua_State *L);

/* Puts a new thread of Lua (a coroutine) under the same limits. */
void cs_script_count(lua_State *L);

/* What scripts read from now on is noted there (data/inputs.h), or taken from what
 * a recording carries; NULL: neither. The state is one owner more. */
void cs_script_set_inputs(cs_script *s, cs_inputs *in);
/* [borrowed]; NULL without a script. */
cs_inputs *cs_script_inputs(const cs_script *s);

/* The file that the script is: relative paths start from it. */
void cs_script_set_file(cs_script *s, const char *path);
/* The folder that relative paths start from ("" = the current one). */
const char *cs_script_folder(const cs_script *s);
