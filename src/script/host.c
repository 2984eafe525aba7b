#include "script/host.h"

#include "base/cancellation.h"
#include "base/install_paths.h"
#include "base/memory.h"
#include "run/arms/arms.h"
#include "run/history/changes.h"
#include "run/history/script_memory.h"
#include "run/views/fingerprint.h"
#include "script/bind/lua_run.h"
#include "script/bind/module.h"
#include "script/exercise.h"
#include "script/gallery.h"
#include "script/host_console.h"
#include "script/host_runs.h"
#include "script/panels.h"
#include "script/script.h"
#include "script/state/callback.h"
#include "script/state/digest.h"

#include <stdio.h>
#include <string.h>

typedef struct lua_host {
    cs_script *script;
    char gallery[512];
    bool prints;  /* true: print directly, not through the session */
    double speed; /* default number of steps per second */
    size_t workers;
    cs_callback *link;
    const cs_run *looked;    /* the last run that was checked for functions that
                              * change variables */
    cs_script_panels panels; /* panels of the attached run's scenario */
} lua_host;

/* ---- open ---- */

typedef struct opening {
    lua_host *host;
    const char *const *set;
    size_t n_set;
    cs_opened *out;
} opening;

static void copy_text(lua_State *L, int table, const char *name, char *text,
                      size_t size)
{
    lua_getfield(L, table, name);
    const char *value =
        lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
    snprintf(text, size, "%s", value);
    lua_pop(L, 1);
}

/* Appends `mark` and string i of the table on top of the stack to a word. */
static void add_text(lua_State *L, const char *mark, char *word, size_t size)
{
    size_t used = strlen(word);
    if (lua_type(L, -1) == LUA_TSTRING)
        snprintf(word + used, size - used, "%s%s", mark, lua_tostring(L, -1));
    lua_pop(L, 1);
}

/* Converts the panel on top of the stack, a name or a table, to a word. */
static void copy_panel(lua_State *L, char *word, size_t size)
{
    *word = 0;
    if (!lua_istable(L, -1)) {
        lua_pushvalue(L, -1);
        add_text(L, "", word, size);
        return;
    }
    lua_rawgeti(L, -1, 1);
    add_text(L, "", word, size);
    if (lua_getfield(L, -1, "quantity") == LUA_TTABLE) {
        for (int i = 1; i <= 5; i++) {
            lua_rawgeti(L, -1, i);
            add_text(L, i == 1 ? "=" : ",", word, size);
        }
        lua_pop(L, 1);
    } else {
        add_text(L, "=", word, size);
    }
    lua_getfield(L, -1, "arm");
    add_text(L, "@", word, size);
}

static void copy_panels(lua_State *L, int table, cs_opened *out)
{
    if (lua_getfield(L, table, "screen") == LUA_TTABLE) {
        size_t n = lua_rawlen(L, -1);
        for (size_t i = 0; i < n && i < CS_OPENED_PANELS; i++) {
            lua_rawgeti(L, -1, (lua_Integer)i + 1);
            copy_panel(L, out->panel[i], sizeof out->panel[i]);
            out->n_panels = i + 1;
            lua_pop(L, 1);
        }
    }
    lua_pop(L, 1);
}

/* Returns the first arm named by a panel; arm 0 if no panel names an arm. */
static size_t first_arm(const cs_opened *o)
{
    for (size_t i = 0; i < o->n_panels; i++) {
        const char *name = strchr(o->panel[i], '@');
        for (size_t arm = 0; name && arm < cs_run_arms(o->run); arm++)
            if (strcmp(cs_run_arm_name(o->run, arm), name + 1) == 0)
                return arm;
    }
    return 0;
}

/* ---- state of the script's functions ---- */

/* Restores the functions' state. Lua arguments: run, text, only_check. */
static int recall_text(lua_State *L)
{
    cs_script_push_word(L, "recall");
    cs_script_runs_push(L, lua_touserdata(L, 1));
    lua_pushvalue(L, 2);
    lua_pushvalue(L, 3);
    if (!lua_isnil(L, -3))
        lua_call(L, 3, 0);
    return 0;
}

static cs_status recall(void *self, cs_run *run, const char *text,
                        bool only_look, cs_error *err)
{
    lua_host *h = self;
    lua_State *L = cs_script_lua(h->script);
    lua_pushcfunction(L, recall_text);
    lua_pushlightuserdata(L, run);
    lua_pushstring(L, text);
    lua_pushboolean(L, only_look);
    return cs_script_call(h->script, 3, 0, 0, err);
}

/* Lua arguments: run. Returns the current state of the script's functions. */
static int remembered_text(lua_State *L)
{
    cs_script_push_word(L, "remembered");
    cs_script_runs_push(L, lua_touserdata(L, 1));
    lua_call(L, 1, 1);
    return 1;
}

/* Stores the state of the functions. Does nothing if the run is at a step in
 * the past, because the state at such a step is already stored. */
static cs_status remember(lua_host *h, cs_run *run, cs_error *err)
{
    lua_State *L = cs_script_lua(h->script);
    if (cs_run_end(run) != cs_run_steps(run))
        return CS_OK;
    lua_pushcfunction(L, remembered_text);
    lua_pushlightuserdata(L, run);
    cs_status status = cs_script_call(h->script, 1, 1, 0, err);
    if (status)
        return status;
    const char *text = lua_tostring(L, -1);
    if (*text || cs_run_remembered(run))
        status = cs_run_remember(run, text, err);
    lua_pop(L, 1);
    return status;
}

/* Fails if a function called within steps has changed a variable. The program
 * chooses the order of these calls, so the functions must not have state. */
static cs_status refuse_changes(const cs_run *run, cs_error *err)
{
    static const char mark[] = CS_SCRIPT_CHANGES " = ";
    const char *text = cs_run_provenance(run), *at = strstr(text, mark);
    if (!at)
        return CS_OK;
    const char *line = at, *what = at + strlen(mark);
    while (line > text && line[-1] != '\n')
        line--;
    cs_fail(err, CS_INPUT,
            "%.*s changes %.*s: functions called within steps must not keep "
            "state",
            (int)(at - line), line, (int)strcspn(what, "\n"), what);
    cs_hint(err, "keep counts in run:every(n, f), and set a parameter there");
    return CS_INPUT;
}

/* Transfers ownership of the run on top of the stack to the session. */
static void hand_over(lua_State *L, const opening *o)
{
    cs_script_run *box = lua_touserdata(L, -1);
    o->out->run = box->run;
    cs_run_remembers(box->run, recall, o->host);
    o->host->link = cs_callback_of(L);
    box->own = false;
    cs_script_runs_opened(L);
}

/* Adds the default number of workers to the settings on top of the stack,
 * unless these settings or the scenario (first on the stack) have `workers`. */
static void add_workers(lua_State *L, const opening *o)
{
    static const char set[] = "workers=";
    bool reported = o->host->workers == 0 || !lua_istable(L, 1);
    for (size_t i = 0; i < o->n_set; i++)
        reported |= strncmp(o->set[i], set, strlen(set)) == 0;
    if (reported)
        return;
    lua_getfield(L, 1, "workers");
    bool own = !lua_isnil(L, -1);
    lua_pop(L, 1);
    if (own)
        return;
    lua_pushfstring(L, "%s%d", set, (int)o->host->workers);
    lua_rawseti(L, -2, (lua_Integer)o->n_set + 1);
}

/* Lua arguments: scenario table (or nil), `opening`. Creates and stores the
 * run. Without a table, uses the run that the file has opened. */
static int make_run(lua_State *L)
{
    const opening *o = lua_touserdata(L, 2);
    cs_script_push_word(L, lua_isnil(L, 1) ? "adopt" : "open");
    lua_pushvalue(L, 1);
    lua_newtable(L);
    for (size_t i = 0; i < o->n_set; i++) {
        lua_pushstring(L, o->set[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    add_workers(L, o);
    lua_call(L, 2, 1);
    if (lua_isnil(L, 1)) {
        hand_over(L, o);
        return 0;
    }
    copy_text(L, 1, "title", o->out->title, sizeof o->out->title);
    copy_text(L, 1, "shows", o->out->shows, sizeof o->out->shows);
    copy_text(L, 1, "source", o->out->source, sizeof o->out->source);
    copy_panels(L, 1, o->out);
    lua_getfield(L, 1, "speed");
    o->out->speed = lua_isnil(L, -1) ? o->host->speed : lua_tonumber(L, -1);
    lua_getfield(L, 1, "save_warmup");
    o->out->save_warmup = lua_toboolean(L, -1);
    lua_pop(L, 2);
    hand_over(L, o);
    o->out->arm = first_arm(o->out);
    return 0;
}

static cs_status host_open(void *self, const char *path, const char *const *set,
                           size_t n_set, cs_opened *out, cs_error *err)
{
    lua_host *h = self;
    lua_State *L = cs_script_lua(h->script);
    memset(out, 0, sizeof *out);
    cs_script_afresh(h->script, false);
    cs_status s = cs_script_load_file(h->script, path, err);
    if (s)
        return s;
    s = cs_script_call(h->script, 0, 1, 0, err);
    if (s) {
        cs_where(err, path, 0);
        return s;
    }
    opening o = {h, set, n_set, out};
    lua_pushcfunction(L, make_run);
    lua_insert(L, -2);
    lua_pushlightuserdata(L, &o);
    s = cs_script_call(h->script, 2, 0, 0, err);
    if (s)
        cs_where(err, path, 0);
    snprintf(out->file, sizeof out->file, "%s", path);
    return s;
}

static void host_inputs(void *self, cs_inputs *in)
{
    cs_script_set_inputs(((lua_host *)self)->script, in);
}

/* ---- attach ---- */

static void host_park(void *self, cs_run *run, bool on)
{
    lua_host *h = self;
    lua_State *L = cs_script_lua(h->script);
    lua_pushcfunction(L, cs_script_runs_park);
    lua_pushlightuserdata(L, run);
    lua_pushboolean(L, on);
    cs_script_call(h->script, 2, 0, 0, NULL);
}

static void host_attach(void *self, cs_run *run)
{
    lua_host *h = self;
    lua_State *L = cs_script_lua(h->script);
    h->looked = NULL;
    lua_pushcfunction(L, cs_script_runs_attach);
    lua_pushlightuserdata(L, run);
    cs_script_call(h->script, 1, 0, 0, NULL);
    cs_script_runs_push_attached(L);
    cs_script_panels_open(&h->panels, h->script);
}

/* ---- console ---- */

static cs_run *host_latest(void *self)
{
    return cs_script_latest_run(cs_script_lua(((lua_host *)self)->script));
}

static cs_status host_eval(void *self, const char *code, cs_host_print *print,
                           void *to, cs_error *err)
{
    lua_host *h = self;
    return cs_script_console_eval(h->script, code, print, to, err);
}

static void host_complete(void *self, const char *line, cs_flat *out)
{
    cs_script_console_complete(((lua_host *)self)->script, line, out);
}

/* ---- claims ---- */

/* Writes to `out` the texts and the measurement of the claim on the stack. */
static void put_claim(lua_State *L, lua_Integer i, cs_flat *out)
{
    lua_pushnil(L);
    for (; lua_next(L, -2); lua_pop(L, 1)) {
        const char *key = lua_tostring(L, -2);
        if (lua_type(L, -1) == LUA_TSTRING)
            cs_flat_text(out, lua_tostring(L, -1), "claim/%d/%s", (int)i, key);
        else
            cs_flat_number(out, lua_tonumber(L, -1), "claim/%d/%s", (int)i,
                           key);
    }
}

typedef struct judging {
    bool again;
    cs_flat *out;
} judging;

/* Judges the claims of the attached run. Lua arguments: a `judging`. */
static int judge_claims(lua_State *L)
{
    const judging *j = lua_touserdata(L, 1);
    cs_script_push_word(L, "claims");
    cs_script_runs_push_attached(L);
    lua_pushboolean(L, j->again);
    lua_call(L, 2, 1);
    if (lua_isnil(L, -1))
        return 0;
    lua_getfield(L, -1, "judged");
    cs_flat_text(j->out, lua_tostring(L, -1), "claims/judged");
    lua_getfield(L, -2, "seeds");
    cs_flat_number(j->out, lua_tonumber(L, -1), "claims/seeds");
    lua_getfield(L, -3, "final");
    cs_flat_number(j->out, lua_toboolean(L, -1), "claims/final");
    lua_getfield(L, -4, "left_out");
    cs_flat_number(j->out, lua_tonumber(L, -1), "claims/left_out");
    lua_pop(L, 4);
    for (lua_Integer i = 0; lua_rawgeti(L, -1, i + 1) == LUA_TTABLE; i++) {
        put_claim(L, i, j->out);
        lua_pop(L, 1);
    }
    return 0;
}

static cs_status host_claims(void *self, bool again, cs_flat *out,
                             cs_error *err)
{
    lua_host *h = self;
    lua_State *L = cs_script_lua(h->script);
    judging j = {again, out};
    lua_pushcfunction(L, judge_claims);
    lua_pushlightuserdata(L, &j);
    return cs_script_call(h->script, 1, 0, 0, err);
}

/* ---- results ---- */

typedef struct telling {
    const char *what;
    cs_host_print *print;
    void *to;
} telling;

/* Prints the results as lines. Lua arguments: a `telling`. */
static int tell_results(lua_State *L)
{
    const telling *t = lua_touserdata(L, 1);
    size_t size;
    cs_script_push_word(L, "results");
    cs_script_runs_push_attached(L);
    lua_pushstring(L, t->what);
    lua_call(L, 2, 1);
    const char *text = lua_tolstring(L, -1, &size);
    t->print(t->to, text, size);
    return 0;
}

static cs_status host_results(void *self, const char *what,
                              cs_host_print *print, void *to, cs_error *err)
{
    lua_host *h = self;
    lua_State *L = cs_script_lua(h->script);
    telling t = {what, print, to};
    lua_pushcfunction(L, tell_results);
    lua_pushlightuserdata(L, &t);
    return cs_script_call(h->script, 1, 0, 0, err);
}

/* ---- exercises ---- */

static cs_status host_exercise(void *self, char **word, size_t n,
                               cs_host_print *print, void *to, cs_error *err)
{
    lua_host *h = self;
    cs_script_afresh(h->script, true);
    return cs_script_exercise(h->script, word + 1, n, print, to, err);
}

/* ---- events, interrupt, gallery ---- */

/* Lua arguments: run. Returns the number of steps until the next event (-1:
 * none), and whether an event happened. Raises the error of a callback. */
static int fire_events(lua_State *L)
{
    cs_callback *link = cs_callback_of(L);
    if (link->error[0])
        return cs_script_raise_fault(L, link, lua_touserdata(L, 1));
    cs_script_push_word(L, "fire");
    cs_script_runs_push_attached(L);
    lua_call(L, 1, 2);
    return 2;
}

static uint64_t fire(lua_host *h, cs_run *run, cs_error *err)
{
    lua_State *L = cs_script_lua(h->script);
    lua_pushcfunction(L, fire_events);
    lua_pushlightuserdata(L, run);
    if (cs_script_call(h->script, 1, 2, 0, err))
        return UINT64_MAX;
    lua_Number n = lua_tonumber(L, -2);
    bool happened = lua_toboolean(L, -1);
    lua_pop(L, 2);
    if (h->looked != run && refuse_changes(run, err))
        return UINT64_MAX;
    h->looked = run;
    if ((happened || !cs_run_remembered(run)) && remember(h, run, err))
        return UINT64_MAX;
    return n >= 0 ? (uint64_t)n : UINT64_MAX;
}

/* Fires the events. Passes the output of the events to `print`, unless the host
 * prints directly. */
static uint64_t host_events(void *self, cs_run *run, cs_host_print *print,
                            void *to, cs_error *err)
{
    lua_host *h = self;
    if (!h->prints)
        cs_script_print_to(h->script, print, to);
    uint64_t next = fire(h, run, err);
    if (!h->prints)
        cs_script_print_to(h->script, NULL, NULL);
    return next;
}

static bool host_panels(void *self, cs_host_wanted *wanted, const void *of,
                        cs_flat *out)
{
    lua_host *h = self;
    cs_script_runs_push_attached(cs_script_lua(h->script));
    return cs_script_panels_put(&h->panels, h->script, wanted, of, out);
}

static uint64_t host_sample(void *self, size_t capacity)
{
    lua_host *h = self;
    cs_script_runs_push_attached(cs_script_lua(h->script));
    return cs_script_panels_sample(&h->panels, h->script, capacity);
}

static cs_status remember_attached(lua_host *h, cs_error *err)
{
    lua_State *L = cs_script_lua(h->script);
    cs_script_runs_push_attached(L);
    const cs_script_run *box = lua_touserdata(L, -1);
    lua_pop(L, 1);
    return box && box->run ? remember(h, box->run, err) : CS_OK;
}

static cs_status host_key(void *self, const char *panel, const char *key,
                          cs_error *err)
{
    lua_host *h = self;
    cs_script_runs_push_attached(cs_script_lua(h->script));
    cs_status status =
        cs_script_panels_key(&h->panels, h->script, panel, key, err);
    return status ? status : remember_attached(h, err);
}

static void host_forget(void *self)
{
    lua_host *h = self;
    cs_cancellation_reset();
    if (h->link)
        cs_callback_forget(h->link);
}

static bool host_fault(void *self, char *text, size_t size)
{
    lua_host *h = self;
    if (!h->link || !h->link->error[0])
        return false;
    snprintf(text, size, "%s", h->link->error);
    cs_callback_forget(h->link);
    return true;
}

static void host_afresh(void *self)
{
    cs_script_afresh(((lua_host *)self)->script, true);
}

static int place_run(lua_State *L)
{
    cs_script_push_word(L, "placed");
    cs_script_runs_push_attached(L);
    lua_pushvalue(L, 1);
    lua_pushvalue(L, 2);
    lua_call(L, 3, 0);
    return 0;
}

static void host_placed(void *self, double fired, bool loaded)
{
    lua_host *h = self;
    lua_State *L = cs_script_lua(h->script);
    lua_pushcfunction(L, place_run);
    lua_pushnumber(L, fired);
    lua_pushboolean(L, loaded);
    cs_script_call(h->script, 2, 0, 0, NULL);
}

static void host_interrupt(void *self)
{
    lua_host *h = self;
    cs_script_interrupt(h->script);
}

static cs_status host_gallery(void *self, size_t from, size_t count,
                              unsigned how, cs_flat *out, cs_error *err)
{
    lua_host *h = self;
    return cs_script_gallery(h->gallery, from, count, how, out, err);
}

cs_status cs_script_host_create(cs_host *out, const cs_script_limits *limits,
                                const char *scenarios, cs_error *err)
{
    lua_host *h = cs_alloc(1, sizeof *h);
    if (!h)
        return cs_fail(err, CS_MEMORY,
                       "out of memory for the host of the script");
    if (scenarios)
        snprintf(h->gallery, sizeof h->gallery, "%s", scenarios);
    else
        cs_install_path(h->gallery, sizeof h->gallery, "scenarios");
    h->prints = limits && limits->print;
    cs_status s = cs_script_open(&h->script, limits, err);
    if (s) {
        cs_free(h);
        return s;
    }
    *out = (cs_host){.self = h,
                     .open = host_open,
                     .inputs = host_inputs,
                     .attach = host_attach,
                     .park = host_park,
                     .latest = host_latest,
                     .eval = host_eval,
                     .complete = host_complete,
                     .gallery = host_gallery,
                     .events = host_events,
                     .placed = host_placed,
                     .claims = host_claims,
                     .results = host_results,
                     .exercise = host_exercise,
                     .panels = host_panels,
                     .sample = host_sample,
                     .key = host_key,
                     .forget = host_forget,
                     .afresh = host_afresh,
                     .fault = host_fault,
                     .interrupt = host_interrupt};
    return CS_OK;
}

void cs_script_host_defaults(cs_host *host, double speed, size_t workers)
{
    lua_host *h = host->self;
    h->speed = speed;
    h->workers = workers;
}

void cs_script_host_destroy(cs_host *host)
{
    lua_host *h = host->self;
    if (!h)
        return;
    cs_script_panels_close(&h->panels);
    cs_script_destroy(h->script);
    cs_free(h);
    host->self = NULL;
}
