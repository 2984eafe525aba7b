#include "script/panels.h"

#include "base/clock.h"
#include "base/memory.h"
#include "script/bind/module.h"
#include "script/script.h"
#include "script/state/callback.h"
#include "script/state/value.h"

#include <stdio.h>
#include <string.h>

/* Time limit in seconds for one call (see cs_time_limit). The session handles
 * no key presses during the call. */
#define ALLOWED 0.25
/* Seconds after which the other panels wait for the next call, so that the run
 * advances and is drawn in between. A slower panel is called by itself. */
#define TOGETHER 0.05

/* Pushes a function of the module; the run is at stack index 1. */
static void push_word(lua_State *L, const char *name)
{
    cs_script_push_word(L, name);
    lua_pushvalue(L, 1);
}

/* Discards the output of panels. */
static void drop(void *to, const char *text, size_t n)
{
    (void)to, (void)text, (void)n;
}

/* Calls f(run, task) in protected mode; during the call no run can be
 * changed. */
static cs_status call(cs_script *s, lua_CFunction f, void *task, cs_error *err)
{
    lua_State *L = cs_script_lua(s);
    cs_callback *link = cs_callback_of(L);
    lua_pushcfunction(L, f);
    lua_pushvalue(L, -2);
    lua_pushlightuserdata(L, task);
    link->looking = true;
    cs_script_print_to(s, drop, NULL);
    cs_script_allow(s, ALLOWED);
    cs_status status = cs_script_call(s, 2, 0, 0, err);
    cs_script_allow(s, 0);
    cs_script_print_to(s, NULL, NULL);
    link->looking = false;
    return status;
}

/* Calls f for one panel and stores its error. */
static void call_one(cs_script *s, cs_script_panel *row, lua_CFunction f,
                     void *task)
{
    cs_error err = {0};
    const cs_time_limit limit = cs_time_limit_start(ALLOWED);
    *row->why = 0;
    if (call(s, f, task, &err) == CS_OK)
        return;
    row->stopped = cs_time_is_up(&limit);
    int n = snprintf(row->why, sizeof row->why, "%s",
                     row->stopped ? "stopped: " : "");
    cs_error_format(&err, row->why + n, sizeof row->why - (size_t)n);
}

/* ---- finding panels ------------------------------------------------------- */

/* Finds the panels of the run. Lua arguments: run, panels. */
static int find_panels(lua_State *L)
{
    cs_script_panels *p = lua_touserdata(L, 2);
    if (lua_getiuservalue(L, 1, 2) != LUA_TTABLE)
        return 0;
    bool any = lua_getfield(L, -1, "panels") == LUA_TTABLE;
    size_t n = any ? lua_rawlen(L, -1) : 0;
    for (size_t i = 0; i < n && i < CS_OPENED_OWN; i++) {
        cs_script_panel *row = &p->row[p->n++];
        lua_rawgeti(L, -1, (lua_Integer)i + 1);
        lua_getfield(L, -1, "name");
        snprintf(row->name, sizeof row->name, "%s", lua_tostring(L, -1));
        snprintf(row->prefix, sizeof row->prefix, "own/%zu/", i);
        lua_pop(L, 2);
    }
    lua_pop(L, 1);
    if (lua_getfield(L, -1, "predictive") == LUA_TTABLE)
        p->row[p->n++] = (cs_script_panel){
            .name = "predictive", .prefix = "predictive/", .checks = true};
    return 0;
}

void cs_script_panels_open(cs_script_panels *p, cs_script *s)
{
    cs_script_panels_close(p);
    if (lua_isuserdata(cs_script_lua(s), -1))
        call(s, find_panels, p, NULL);
    lua_pop(cs_script_lua(s), 1);
}

void cs_script_panels_close(cs_script_panels *p)
{
    for (size_t i = 0; i < p->n; i++)
        cs_free(p->row[i].bytes);
    memset(p, 0, sizeof *p);
}

/* ---- contents ------------------------------------------------------------- */

typedef struct task {
    size_t panel;
    const cs_script_panel *row;
    cs_flat *out;
} task;

/* Writes to the snapshot `out` the list on top of the stack: strings one by
 * one, numbers as an array. */
static void put_list(lua_State *L, const char *prefix, const char *key,
                     cs_flat *out)
{
    size_t n = lua_rawlen(L, -1), rows, cols;
    bool texts = n && lua_rawgeti(L, -1, 1) == LUA_TSTRING;
    lua_pop(L, n ? 1 : 0);
    for (size_t i = 0; texts && i < n; i++) {
        lua_rawgeti(L, -1, (lua_Integer)i + 1);
        cs_flat_text(out, lua_tostring(L, -1), "%s%s/%zu", prefix, key, i);
        lua_pop(L, 1);
    }
    if (texts || !n)
        return;
    const double *x = cs_script_numbers(L, -1, key, &rows, &cols);
    if (lua_rawgeti(L, -2, 1) != LUA_TTABLE) { /* a plain list is written as a
                                                * matrix of one row */
        cols = rows;
        rows = 1;
    }
    lua_pop(L, 1);
    double *to = cs_flat_array(out, rows, cols, "%s%s", prefix, key);
    if (to)
        memcpy(to, x, rows * cols * sizeof *x);
    lua_pop(L, 1);
}

/* Writes to the snapshot `out` the entries of the table on top of the stack. */
static void put_entries(lua_State *L, const char *prefix, cs_flat *out)
{
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
        const char *key = lua_tostring(L, -2);
        if (lua_type(L, -1) == LUA_TSTRING)
            cs_flat_text(out, lua_tostring(L, -1), "%s%s", prefix, key);
        else if (lua_istable(L, -1))
            put_list(L, prefix, key, out);
    }
}

/* Lua arguments: run, task. Writes the constant parts of each panel. */
static int put_names(lua_State *L)
{
    const task *t = lua_touserdata(L, 2);
    push_word(L, "panels");
    lua_call(L, 1, 1);
    lua_Integer n = (lua_Integer)lua_rawlen(L, -1);
    for (lua_Integer i = 0; i < n; i++) {
        char prefix[16];
        snprintf(prefix, sizeof prefix, "own/%d/", (int)i);
        lua_rawgeti(L, -1, i + 1);
        put_entries(L, prefix, t->out);
        lua_pop(L, 1);
    }
    return 0;
}

/* Writes the current contents of one panel to the snapshot. Lua arguments: run,
 * task. */
static int show_one(lua_State *L)
{
    const task *t = lua_touserdata(L, 2);
    push_word(L, t->row->checks ? "show_predictive" : "show_panel");
    lua_pushinteger(L, (lua_Integer)t->panel + 1);
    lua_call(L, 2, 1);
    put_entries(L, t->row->prefix, t->out);
    return 0;
}

/* Calls a panel, and stores the contents that it writes to `out`. */
static void show(cs_script *s, cs_script_panel *row, size_t i, cs_flat *out)
{
    cs_flat before = *out;
    double from = cs_clock();
    if (!row->stopped)
        call_one(s, row, show_one, &(task){i, row, out});
    row->seconds = cs_clock() - from;
    if (*row->why)
        *out = before;
    cs_flat_text(out, row->why, "%swhy", row->prefix);
    row->used = out->used - before.used;
    cs_free(row->bytes);
    row->bytes = cs_alloc(row->used + 1, 1);
    if (row->bytes)
        memcpy(row->bytes, out->base + before.used, row->used);
    row->used = row->bytes ? row->used : 0;
}

/* Finds the panels that are displayed. Returns their number. A stopped panel is
 * called again after it was hidden and is displayed again. */
static size_t find_shown(cs_script_panels *p, cs_host_wanted *wanted,
                         const void *of, bool *shown)
{
    size_t n = 0;
    for (size_t i = 0; i < p->n; i++) {
        char word[48];
        snprintf(word, sizeof word, CS_HOST_PANEL "%s", p->row[i].name);
        n += shown[i] = wanted(of, word);
        p->row[i].stopped = p->row[i].stopped && shown[i];
    }
    return n;
}

bool cs_script_panels_put(cs_script_panels *p, cs_script *s,
                          cs_host_wanted *wanted, const void *of, cs_flat *out)
{
    task names = {.out = out};
    bool shown[CS_OPENED_OWN + 1];
    if (p->n)
        call(s, put_names, &names, NULL);
    if (p->n && p->row[p->n - 1].checks)
        cs_flat_text(out, "1", "predictive/there");
    size_t all = find_shown(p, wanted, of, shown), first = p->next, called = 0;
    double spent = 0;
    if (p->left == 0 || p->left > all)
        p->left = all;
    for (size_t k = 0; k < p->n; k++) {
        size_t i = (first + k) % p->n;
        cs_script_panel *row = &p->row[i];
        if (!shown[i])
            continue;
        if (p->left && (!called || spent + row->seconds < TOGETHER)) {
            show(s, row, i, out);
            spent += row->seconds;
            called++;
            p->left--;
            p->next = (i + 1) % p->n;
        } else {
            spent = TOGETHER; /* the panels keep their order */
            cs_flat_add(out, row->bytes, row->used);
        }
    }
    lua_pop(cs_script_lua(s), 1);
    return p->left == 0;
}

/* ---- curves --------------------------------------------------------------- */

typedef struct sampling {
    size_t capacity;
    double next;
} sampling;

/* Adds a point to the curves. Lua arguments: run, a `sampling`. */
static int sample(lua_State *L)
{
    sampling *o = lua_touserdata(L, 2);
    push_word(L, "sample_panels");
    lua_pushinteger(L, (lua_Integer)o->capacity);
    lua_call(L, 2, 1);
    o->next = lua_tonumber(L, -1);
    return 0;
}

/* Stores the newest point of one panel's curves. Lua arguments: run, task. */
static int sample_one(lua_State *L)
{
    const task *t = lua_touserdata(L, 2);
    push_word(L, "sample_panel");
    lua_pushinteger(L, (lua_Integer)t->panel + 1);
    lua_call(L, 2, 0);
    return 0;
}

uint64_t cs_script_panels_sample(cs_script_panels *p, cs_script *s,
                                 size_t capacity)
{
    sampling o = {.capacity = capacity};
    bool done = p->n && call(s, sample, &o, NULL) == CS_OK;
    for (size_t i = 0; done && capacity && i < p->n; i++)
        if (!p->row[i].stopped && !p->row[i].checks)
            call_one(s, &p->row[i], sample_one, &(task){.panel = i});
    lua_pop(cs_script_lua(s), 1);
    return done && o.next < 0x1p63 ? (uint64_t)o.next : UINT64_MAX;
}

/* ---- keys ----------------------------------------------------------------- */

typedef struct pressed {
    size_t panel;
    const char *key;
} pressed;

/* Passes a key press to one panel. Lua arguments: run, a `pressed`. */
static int press_one(lua_State *L)
{
    const pressed *t = lua_touserdata(L, 2);
    push_word(L, "panel_key");
    lua_pushinteger(L, (lua_Integer)t->panel + 1);
    lua_pushstring(L, t->key);
    lua_call(L, 3, 0);
    return 0;
}

cs_status cs_script_panels_key(cs_script_panels *p, cs_script *s,
                               const char *panel, const char *key,
                               cs_error *err)
{
    size_t i = 0;
    while (i < p->n && (p->row[i].checks || strcmp(p->row[i].name, panel) != 0))
        i++;
    cs_status status =
        i < p->n ? call(s, press_one, &(pressed){i, key}, err)
                 : cs_fail(err, CS_UNKNOWN,
                           "the scenario defines no panel '%s'", panel);
    lua_pop(cs_script_lua(s), 1);
    return status;
}
