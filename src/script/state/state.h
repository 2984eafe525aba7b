/* One Lua state with limits: memory, time, an interrupt, and accessible
 * functions. An untrusted script gets text chunks, arithmetic, strings and
 * tables; `trust` lifts the restrictions. The limits are for the user's
 * convenience; protection against malice comes from the process that the
 * session runs in. */
#pragma once

#include "base/status.h"
#include "data/inputs.h"

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct cs_script cs_script;

enum {
    CS_SCRIPT_GRACE = 5, /* default grace of a session, seconds */
    CS_SCRIPT_PATH = 512 /* bytes of a file name */
};

typedef struct cs_script_limits {
    size_t memory;  /* bytes, 0: 256 MiB */
    double seconds; /* per entry into Lua, 0: 10 */
    bool trust;     /* all of Lua's libraries, no deadline */
    double grace;   /* seconds past a limit, in C that does not obey it, after
                       which the process ends (script/state/backstop.h); 0: never */
    const struct cs_world *ranks; /* of a scenario's run, or NULL */
    /* Output of `print`; NULL: a small buffer. */
    void (*print)(const char *text, size_t n);
} cs_script_limits;

/* Creates a bare state without libraries, which script/script.h opens. [own] */
cs_status cs_script_create(cs_script **out, const cs_script_limits *limits,
                           cs_error *err);
void cs_script_destroy(cs_script *s);

/* Returns the state's main thread. [borrowed] */
lua_State *cs_script_lua(cs_script *s);
/* Returns the script that owns L, NULL in a stock Lua. */
cs_script *cs_script_of(lua_State *L);
bool cs_script_trusted(const cs_script *s);
const struct cs_world *cs_script_ranks(const cs_script *s);

/* Makes running Lua raise an error soon. Callable from any thread and from
 * signal handlers. */
void cs_script_interrupt(cs_script *s);

/* Start and end the clock of one entry; only the outermost counts. seconds 0:
 * the state's limit. */
void cs_script_enter(cs_script *s, double seconds);
void cs_script_leave(cs_script *s);
/* The same for a callback, which the core calls: each has the state's limit,
 * but at most one second after a callback that used up its limit. */
void cs_script_enter_callback(cs_script *s);
void cs_script_leave_callback(cs_script *s);
/* Restores the full limit of callbacks; with false, sets it to one second, for
 * evaluations that are displayed before any step was requested. */
void cs_script_afresh(cs_script *s, bool all);
/* Sets an additional, shorter limit (see cs_time_limit). 0 removes the limit,
 * and the mark that it was reached. */
void cs_script_allow(cs_script *s, double seconds);
/* Extends this entry to the given seconds from now, if that is longer. */
void cs_script_extend(cs_script *s, double seconds);
/* Extends the deadline by the time spent in C between on and off, such as
 * reading long tables: up to 60 s per entry. */
void cs_script_excuse(cs_script *s, bool on);
/* True at the first call in an entry: the time to open one run is excused, but
 * a loop that opens runs is not. */
bool cs_script_first_run(cs_script *s);
/* Call before creating large objects in the core: collects garbage if the
 * memory of objects held by Lua is near the limit. */
void cs_script_make_room(lua_State *L);
/* True if a limit is reached: for long work in C to test (s NULL: never). */
bool cs_script_is_over(const cs_script *s);
/* True if a limit was exceeded since the outermost enter. */
bool cs_script_past(const cs_script *s);
/* Returns the message of that limit's error, regardless of error handlers. */
const char *cs_script_reason(const cs_script *s);

/* ---- chunk.c ---- */

/* Pushes the chunk of a file (regular, text, at most 1 MiB) or of a string, in
 * its own environment. Pushes nothing on failure. */
cs_status cs_script_load_file(cs_script *s, const char *path, cs_error *err);
cs_status cs_script_load_text(cs_script *s, const char *code, const char *name,
                              cs_error *err);
/* Pushes a new environment (in a trusted state: the globals). */
void cs_script_environment(cs_script *s);

/* ---- state.c ---- */

/* lua_pcall with the clock running and any error in err. */
cs_status cs_script_call(cs_script *s, int n_args, int n_results,
                         double seconds, cs_error *err);

/* Redirects `print`, starting with the text in the small buffer; NULL: as set
 * in the limits. */
typedef void cs_script_print(void *to, const char *text, size_t n);
void cs_script_print_to(cs_script *s, cs_script_print *print, void *to);
/* Prints a text. */
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
