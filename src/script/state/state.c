#include "script/state/state.h"

#include "base/cancellation.h"
#include "base/clock.h"
#include "base/memory.h"
#include "script/state/arena.h"
#include "script/state/backstop.h"
#include "script/state/cpu_timer.h"
#include "script/state/source.h"
#include "script/state/value.h"

#include <assert.h>
#include <ctype.h>
#include <lauxlib.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { HOOK_EVERY = 1000, OUTPUT = 60000 };
static const double most_excused = 60; /* maximum time excused during one call
                                        * into Lua, in seconds */

struct cs_script {
    lua_State *L;
    cs_script_limits limits;
    size_t memory;
    size_t lived; /* core memory in use after the last collection */
    int depth;
    cs_time_limit limit;  /* limit of the current entry */
    cs_time_limit nearer; /* earlier limit of a part of the entry, or no limit
                           * (see cs_script_allow) */
    double excused;       /* time excused so far in this entry, seconds */
    double excusing;      /* time when the excused work started; 0: none */
    bool opened;          /* true if a run was opened during this entry into Lua
                           * (see cs_script_first_run) */
    bool spent;           /* true if a callback used up its limit; the next
                           * callbacks then get a short limit */
    bool past;
    char reason[256]; /* message for the exceeded limit */
    volatile sig_atomic_t interrupted;
    double interrupted_since; /* time when the backstop noticed the interrupt;
                               * 0: not interrupted */
    double late_from;         /* process time when a limit was found exceeded;
                               * 0: not exceeded */
    cs_cpu_timer clock;
    cs_backstop backstop;
    cs_arena small;
    char folder[CS_SCRIPT_PATH];
    bool sealed;       /* true: scripts may not read files */
    cs_inputs *inputs; /* [own] */
    cs_script_print *print;
    void *print_to;
    char output[OUTPUT];
    size_t n_output;
};

static const char script_key = 0;

static void hook(lua_State *L, lua_Debug *at);

static void *allocate(void *data, void *block, size_t old, size_t new)
{
    cs_script *s = data;
    if (!block)
        old = 0; /* for a new object, `old` is its type, not a size */
    if (new > old && s->memory - old + new > s->limits.memory)
        return NULL;
    void *grown = NULL;
    bool quick = block ? !new &&cs_arena_give(&s->small, block, old)
                       : (grown = cs_arena_take(&s->small, new)) != NULL;
    if (!quick)
        grown = cs_arena_reallocate(&s->small, block, old, new);
    if (!grown && new <= old &&new)
        grown = block; /* Lua assumes that shrinking never fails */
    if (grown || !new)
        s->memory = s->memory - old + new;
    return grown;
}

/* Returns the seconds of excused work, which do not count against the limit. */
static double forgiven(const cs_script *s, double now)
{
    double left = most_excused - s->excused, so_far = now - s->excusing;
    if (!(s->excusing > 0))
        return 0;
    return so_far < left ? so_far : left;
}

/* True if a limit was exceeded long ago. Runs in a signal handler. */
static bool is_late(void *self)
{
    cs_script *s = self;
    double now = cs_clock();
    if (!s->interrupted)
        s->interrupted_since = 0;
    else if (!(s->interrupted_since > 0))
        s->interrupted_since = now;
    else if (now > s->interrupted_since + s->limits.grace)
        return true;
    double grace = forgiven(s, now) + s->limits.grace;
    if (s->limits.trust || now <= s->limit.soon + grace)
        return false;
    double used = cs_clock_process();
    if (!(s->late_from > 0))
        s->late_from = used;
    return used > s->late_from + s->limits.grace ||
           now > s->limit.clock + grace;
}

static bool is_at_work(void *self)
{
    return ((const cs_script *)self)->depth > 0;
}

static bool at_limit(const cs_script *s)
{
    return s->past || s->interrupted || cs_time_is_up(&s->nearer) ||
           (!s->limits.trust && s->depth != 0 && cs_time_is_up(&s->limit));
}

/* Raises the error of an exceeded limit. If an error handler is running, raises
 * the error again at each instruction of the handler. */
static void raise_limit(lua_State *L, cs_script *s)
{
    s->past = true;
    lua_sethook(L, hook, LUA_MASKCOUNT, 1);
    cs_script_push_place(L);
    lua_pushstring(L, s->interrupted ? "stopped on request"
                                     : "the script ran for too long: check for "
                                       "a loop that does not end");
    lua_concat(L, 2);
    snprintf(s->reason, sizeof s->reason, "%s", lua_tostring(L, -1));
    lua_error(L);
}

/* Called at each tick, or every HOOK_EVERY instructions if there is no
 * timer. */
static void hook(lua_State *L, lua_Debug *at)
{
    (void)at;
    cs_script *s = cs_script_of(L);
    if (at_limit(s))
        raise_limit(L, s);
    if (s->clock.on && L == s->L)
        lua_sethook(L, NULL, 0, 0);
}

/* Runs in a signal handler. There the only Lua function that may be called is
 * the one that sets a hook. */
static void tick(void *self)
{
    const cs_script *s = self;
    if (s->depth > 0 && !lua_gethookmask(s->L))
        lua_sethook(s->L, hook, LUA_MASKCOUNT, 1);
}

/* Sets a hook that counts instructions. A signal handler cannot know which Lua
 * thread is running; therefore every Lua thread except the main thread has this
 * hook. */
void cs_script_count(lua_State *L)
{
    lua_sethook(L, hook, LUA_MASKCOUNT, HOOK_EVERY);
}

static void forget_limit(cs_script *s)
{
    s->past = false;
    if (s->clock.on)
        lua_sethook(s->L, NULL, 0, 0);
    else
        cs_script_count(s->L);
}

void cs_script_check(lua_State *L)
{
    cs_script *s = cs_script_of(L);
    if (s && at_limit(s))
        raise_limit(L, s);
}

cs_script *cs_script_of(lua_State *L)
{
    lua_rawgetp(L, LUA_REGISTRYINDEX, &script_key);
    cs_script *s = lua_touserdata(L, -1);
    lua_pop(L, 1);
    return s;
}

static int note_owner(lua_State *L)
{
    lua_rawsetp(L, LUA_REGISTRYINDEX, &script_key);
    return 0;
}

/* Returns the colon after the file name of "file:line: text", or NULL. */
static const char *find_line(const char *text, int *line, const char **rest)
{
    for (const char *c = strchr(text, ':'); c; c = strchr(c + 1, ':')) {
        char *end;
        long number = strtol(c + 1, &end, 10);
        if (isdigit((unsigned char)c[1]) && c > text && number > 0 &&
            number < 100000000 && end[0] == ':' && end[1] == ' ') {
            *line = (int)number;
            *rest = end + 2;
            return c;
        }
    }
    return NULL;
}

/* Moves the error value on top of the stack of L into err, and splits
 * "file:line: text". If the value is not a string, only its type is reported,
 * and none of its code is executed. */
static cs_status take_error(lua_State *L, int lua_status, cs_error *err)
{
    cs_status status = lua_status == LUA_ERRMEM ? CS_MEMORY : CS_SCRIPT;
    cs_script *s = cs_script_of(L);
    if (s && s->interrupted)
        status = CS_STOPPED;
    if (lua_type(L, -1) != LUA_TSTRING) {
        cs_fail(err, status, "the script raised an error that is a %s",
                luaL_typename(L, -1));
        cs_hint(err, "raise a string: error(\"what went wrong\")");
        lua_pop(L, 1);
        return status;
    }
    const char *text = lua_tostring(L, -1), *rest = text;
    int line = 0;
    const char *colon = find_line(text, &line, &rest);
    cs_fail(err, status, "%s", rest);
    if (lua_status == LUA_ERRMEM && s)
        cs_hint(err, "use at most %zu MiB; put large tables in a data file",
                s->limits.memory >> 20);
    if (err && !strstr(err->what, "--memory"))
        cs_hint_memory(err);
    if (colon && err)
        cs_source_blame(L, text, (size_t)(colon - text), line, err);
    lua_pop(L, 1);
    return status;
}

cs_status cs_script_create(cs_script **out, const cs_script_limits *limits,
                           cs_error *err)
{
    *out = NULL;
    cs_script *s = cs_alloc(1, sizeof *s);
    if (!s)
        return cs_fail(err, CS_MEMORY, "out of memory for Lua");
    if (limits)
        s->limits = *limits;
    if (s->limits.memory == 0)
        s->limits.memory = (size_t)256 << 20;
    if (!(s->limits.seconds > 0))
        s->limits.seconds = 10;
    s->L = lua_newstate(allocate, s);
    if (!s->L) {
        cs_arena_fini(&s->small);
        cs_free(s);
        return cs_fail(err, CS_MEMORY, "out of memory for Lua");
    }
    lua_pushcfunction(s->L, note_owner);
    lua_pushlightuserdata(s->L, s);
    int status = lua_pcall(s->L, 1, 0, 0);
    if (status != LUA_OK) {
        cs_status result = take_error(s->L, status, err);
        cs_script_destroy(s);
        return result;
    }
    s->clock = (cs_cpu_timer){.tick = tick, .self = s};
    cs_cpu_timer_start(&s->clock);
    s->backstop =
        (cs_backstop){.at_work = is_at_work, .late = is_late, .self = s};
    if (s->limits.grace > 0)
        cs_backstop_start(&s->backstop);
    forget_limit(s);
    *out = s;
    return CS_OK;
}

void cs_script_destroy(cs_script *s)
{
    if (!s)
        return;
    cs_cpu_timer_stop(&s->clock);
    cs_backstop_stop(&s->backstop);
    lua_close(s->L);
    cs_arena_fini(&s->small);
    cs_inputs_drop(s->inputs);
    cs_free(s);
}

lua_State *cs_script_lua(cs_script *s)
{
    return s->L;
}

const struct cs_world *cs_script_ranks(const cs_script *s)
{
    return s ? s->limits.ranks : NULL;
}

bool cs_script_trusted(const cs_script *s)
{
    return s->limits.trust;
}

void cs_script_interrupt(cs_script *s)
{
    s->interrupted = 1;
    cs_cancellation_request();
}

static bool is_over(void *self)
{
    return at_limit(self);
}

void cs_script_enter(cs_script *s, double seconds)
{
    if (s->depth > 0) {
        s->depth++;
        return;
    }
    forget_limit(s);
    s->interrupted = 0;
    cs_cancellation_reset();
    s->interrupted_since = s->late_from = s->excused = s->excusing = 0;
    s->opened = false;
    cs_memory_refused(true);
    s->limit = cs_time_limit_start(seconds > 0 ? seconds : s->limits.seconds);
    s->depth = 1;
    cs_cancellation_set(is_over, s);
    cs_backstop_watch(&s->backstop);
}

void cs_script_leave(cs_script *s)
{
    assert(s->depth > 0);
    if (--s->depth == 0)
        cs_cancellation_set(NULL, NULL);
}

void cs_script_enter_callback(cs_script *s)
{
    static const double again = 1;
    bool less = s->spent && again < s->limits.seconds;
    cs_script_enter(s, less ? again : 0);
}

void cs_script_leave_callback(cs_script *s)
{
    assert(s->depth > 0);
    bool outer = s->depth == 1;
    cs_script_leave(s);
    if (outer && !s->interrupted && !(s->nearer.cpu > 0))
        s->spent |= s->past;
}

void cs_script_afresh(cs_script *s, bool all)
{
    s->spent = !all;
}

void cs_script_allow(cs_script *s, double seconds)
{
    s->nearer = seconds > 0 ? cs_time_limit_start(seconds) : (cs_time_limit){0};
    if (seconds > 0 || s->interrupted)
        return;
    forget_limit(s);
}

void cs_script_extend(cs_script *s, double seconds)
{
    assert(seconds >= 0);
    if (seconds > 0)
        s->limit = cs_time_limit_later(s->limit, cs_time_limit_start(seconds));
}

void cs_script_excuse(cs_script *s, bool on)
{
    double now = cs_clock();
    if (!on) {
        double seconds = forgiven(s, now);
        s->excused += seconds;
        s->limit = cs_time_limit_extend(s->limit, seconds);
    }
    s->excusing = on ? now : 0;
}

bool cs_script_first_run(cs_script *s)
{
    bool first = !s->opened;
    s->opened = true;
    return first;
}

/* Collects garbage. Lua does not know how much memory of the core its objects
 * hold, and would collect them too late. */
void cs_script_make_room(lua_State *L)
{
    size_t limit, now = cs_memory_held(&limit);
    cs_script *s = cs_script_of(L);
    if (!s || (now < s->lived + limit / 4 && now <= limit / 2))
        return;
    lua_gc(L, LUA_GCCOLLECT);
    s->lived = cs_memory_held(&limit);
}

bool cs_script_is_over(const cs_script *s)
{
    return s && at_limit(s);
}

bool cs_script_past(const cs_script *s)
{
    return s->past;
}

const char *cs_script_reason(const cs_script *s)
{
    return s->reason;
}

void cs_script_set_inputs(cs_script *s, cs_inputs *in)
{
    cs_inputs_hold(in);
    cs_inputs_drop(s->inputs);
    s->inputs = in;
}

cs_inputs *cs_script_inputs(const cs_script *s)
{
    return s ? s->inputs : NULL;
}

void cs_script_set_file(cs_script *s, const char *path)
{
    assert(path);
    snprintf(s->folder, sizeof s->folder, "%s", path);
    char *slash = strrchr(s->folder, '/');
    *(slash ? slash : s->folder) = '\0';
}

const char *cs_script_folder(const cs_script *s)
{
    return s->folder;
}

void cs_script_seal_files(cs_script *s, bool on)
{
    s->sealed = on;
}

void cs_script_check_files(lua_State *L, const char *name)
{
    cs_error err;
    const cs_script *s = cs_script_of(L);
    if (!s || !s->sealed)
        return;
    cs_fail(&err, CS_INPUT, "a hand-in may not read a file: '%.200s'", name);
    cs_hint(&err, "write the functions and the numbers into the hand-in");
    cs_script_raise(L, &err);
}

/* ---- calls ---- */

/* Sets the collector's pause so that the next collection starts when memory has
 * doubled. A small heap, which contains mostly the module, must grow to four
 * times its size, since otherwise every second trace would start a
 * collection. */
static void pace(cs_script *s)
{
    enum { SMALL_HEAP = 4 << 20, SMALL_PAUSE = 400, PAUSE = 200 };
    lua_gc(s->L, LUA_GCSETPAUSE, s->memory < SMALL_HEAP ? SMALL_PAUSE : PAUSE);
}

cs_status cs_script_call(cs_script *s, int n_args, int n_results,
                         double seconds, cs_error *err)
{
    assert(n_args >= 0 && lua_gettop(s->L) > n_args);
    cs_script_enter(s, seconds);
    pace(s);
    int status = lua_pcall(s->L, n_args, n_results, 0);
    cs_script_leave(s);
    return status == LUA_OK ? CS_OK : take_error(s->L, status, err);
}

/* ---- output of print ---- */

void cs_script_output(cs_script *s, const char *text, size_t n)
{
    if (!s)
        return;
    if (s->print) {
        s->print(s->print_to, text, n);
        return;
    }
    if (s->limits.print) {
        s->limits.print(text, n);
        return;
    }
    size_t capacity = sizeof s->output - s->n_output;
    if (n > capacity)
        n = capacity;
    memcpy(s->output + s->n_output, text, n);
    s->n_output += n;
}

void cs_script_print_to(cs_script *s, cs_script_print *print, void *to)
{
    assert(print || !to);
    s->print = print;
    s->print_to = to;
    if (!print)
        return;
    print(to, s->output, s->n_output);
    s->n_output = 0;
}
