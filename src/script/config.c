#include "script/config.h"

#include "base/memory.h"
#include "base/text.h"
#include "files/file.h"
#include "script/script.h"
#include "session/client/preference_keys.h"

#include <ctype.h>
#include <lauxlib.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MEMORY = 16 << 20, FIELDS_MOST = 16, FILE_MOST = 1 << 20, NAME = 64 };
static const double seconds = 0.1;

static const struct field {
    const char *name;
    int type; /* type of the value, LUA_T... */
    const char *help;
} fields[] = {
    {CS_PREFERENCE_THEME, LUA_TSTRING, "dark, light or contrast"},
    {CS_PREFERENCE_COLOUR, LUA_TSTRING, "never, 16, 256, true or auto"},
    {CS_PREFERENCE_GLYPHS, LUA_TSTRING, "ascii, block, braille or auto"},
    {CS_PREFERENCE_GRAPHICS, LUA_TSTRING,
     "auto, on or off: pictures in pixels, if the terminal has graphics"},
    {CS_PREFERENCE_MOUSE, LUA_TBOOLEAN,
     "false leaves the mouse to the terminal"},
    {CS_PREFERENCE_FRAMES, LUA_TNUMBER, "maximum frames per second"},
    {CS_PREFERENCE_BANDWIDTH, LUA_TNUMBER,
     "maximum KiB per second, from 1, for a slow link"},
    {CS_PREFERENCE_MOTION, LUA_TSTRING,
     "full, or reduced: one frame per second"},
    {CS_PREFERENCE_KEYBOARD, LUA_TSTRING,
     "us, qwertz, azerty, nordic or letters: replaces the keys [ ] { }"},
    {CS_PREFERENCE_KEYS, LUA_TTABLE,
     "commands of keys: [\"ctrl-r\"] = \"restart\""},
    {CS_PREFERENCE_LAYOUTS, LUA_TTABLE,
     "named layouts of panels: lab = \"map trace=x.1\""},
    {CS_PREFERENCE_DEFAULTS, LUA_TTABLE,
     "defaults of scenarios: { speed = 200, workers = 2 }, steps per "
     "second and threads"},
};
enum { FIELDS = sizeof fields / sizeof *fields };

/* The ranges of the configuration's numeric fields. */
static const struct range {
    const char *name;
    double min, max;
} ranges[] = {{CS_PREFERENCE_FRAMES, 0, 1e4},
              {CS_PREFERENCE_BANDWIDTH, 1, 1e9}};
enum { RANGES = sizeof ranges / sizeof *ranges };

const char *cs_config_field(size_t i, const char **help)
{
    if (i >= FIELDS)
        return NULL;
    *help = fields[i].help;
    return fields[i].name;
}

/* Copies the name at stack index `index` to at[NAME], for use in an error
 * message. */
static void note(lua_State *L, int index, char at[NAME])
{
    const char *name =
        lua_type(L, index) == LUA_TSTRING ? lua_tostring(L, index) : "";
    snprintf(at, NAME, "%s", name);
}

/* Adds to `out` the pairs of strings in the table on top of the stack. */
static cs_status add_pairs(lua_State *L, const char *name, cs_flat *out,
                           char at[NAME], cs_error *err)
{
    size_t n = 0;
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1), n++) {
        if (lua_type(L, -2) != LUA_TSTRING || lua_type(L, -1) != LUA_TSTRING) {
            note(L, -2, at);
            cs_fail(err, CS_INPUT,
                    "%s has an entry that is not a pair of strings", name);
            lua_pop(L, 2);
            return CS_INPUT;
        }
        cs_flat_text(out, lua_tostring(L, -2), CS_PREFERENCE_NAME, name, n);
        cs_flat_text(out, lua_tostring(L, -1), CS_PREFERENCE_VALUE, name, n);
    }
    return CS_OK;
}

/* Adds a default to `out`. Its name and its value are on top of the stack. */
static cs_status add_default(lua_State *L, cs_flat *out, char at[NAME],
                             cs_error *err)
{
    static const struct {
        const char *preference;
        double most;
        bool whole;
    } table[] = {{CS_PREFERENCE_SPEED, 1e12, false},
                 {CS_PREFERENCE_WORKERS, 1024, true}};
    size_t i = 0, n = sizeof table / sizeof *table;
    note(L, -2, at);
    while (i < n && strcmp(strchr(table[i].preference, '/') + 1, at) != 0)
        i++;
    if (i == n) {
        cs_fail(err, CS_UNKNOWN, "'%s' cannot have a default", at);
        cs_hint(err, "only 'speed' and 'workers' can have defaults");
        return CS_UNKNOWN;
    }
    double v = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : -1;
    if (!(v >= 0 && v <= table[i].most) || (table[i].whole && v != floor(v))) {
        cs_fail(err, CS_RANGE, "%s must be a %snumber between 0 and %g", at,
                table[i].whole ? "whole " : "", table[i].most);
        cs_hint(err, table[i].whole ? "use 0 for one thread per processor"
                                    : "use 0 for no limit");
        return CS_RANGE;
    }
    cs_flat_number(out, v, "%s", table[i].preference);
    return CS_OK;
}

static cs_status add_defaults(lua_State *L, cs_flat *out, char at[NAME],
                              cs_error *err)
{
    cs_status status = CS_OK;
    lua_pushnil(L);
    while (status == CS_OK && lua_next(L, -2)) {
        status = add_default(L, out, at, err);
        lua_pop(L, 1);
    }
    if (status)
        lua_pop(L, 1);
    return status;
}

static const struct field *find_field(const char *name, cs_error *err)
{
    const char *names[FIELDS_MOST] = {NULL};
    for (size_t i = 0; i < FIELDS; i++) {
        names[i] = fields[i].name;
        if (strcmp(fields[i].name, name) == 0)
            return &fields[i];
    }
    const char *near = cs_text_nearest(name, names);
    cs_fail(err, CS_UNKNOWN, "unknown option '%s'", name);
    if (near)
        cs_hint(err, "did you mean '%s'?", near);
    else
        cs_hint(err, "list the options: chainscope config");
    return NULL;
}

/* Adds to `out` the number on top of the stack if it is in the field's range
 * (NaN is never in range). */
static cs_status add_number(lua_State *L, const struct field *f, cs_flat *out,
                            cs_error *err)
{
    double v = lua_tonumber(L, -1);
    size_t i = 0;
    while (strcmp(ranges[i].name, f->name) != 0 && i + 1 < RANGES)
        i++;
    if (!(v >= ranges[i].min && v <= ranges[i].max)) {
        cs_fail(err, CS_RANGE, "%s must be a number between %g and %g", f->name,
                ranges[i].min, ranges[i].max);
        cs_hint(err, "%s: %s", f->name, f->help);
        return CS_RANGE;
    }
    cs_flat_number(out, v, "%s", f->name);
    return CS_OK;
}

/* Adds a field to `out`. The name and the value of the field are on top of the
 * stack. On failure at[NAME] receives the name of the faulty entry. */
static cs_status add_field(lua_State *L, cs_flat *out, char at[NAME],
                           cs_error *err)
{
    note(L, -2, at);
    if (lua_type(L, -2) != LUA_TSTRING)
        return cs_fail(err, CS_INPUT, "the table has an entry without a name");
    const struct field *f = find_field(lua_tostring(L, -2), err);
    if (!f)
        return CS_UNKNOWN;
    if (lua_type(L, -1) != f->type) {
        cs_fail(err, CS_INPUT, "%s is a %s, not a %s", f->name,
                lua_typename(L, f->type), luaL_typename(L, -1));
        cs_hint(err, "%s: %s", f->name, f->help);
        return CS_INPUT;
    }
    if (strcmp(f->name, CS_PREFERENCE_DEFAULTS) == 0)
        return add_defaults(L, out, at, err);
    if (f->type == LUA_TTABLE)
        return add_pairs(L, f->name, out, at, err);
    if (f->type == LUA_TNUMBER)
        return add_number(L, f, out, err);
    if (f->type == LUA_TSTRING)
        cs_flat_text(out, lua_tostring(L, -1), "%s", f->name);
    else
        cs_flat_number(out, lua_toboolean(L, -1), "%s", f->name);
    return CS_OK;
}

static cs_status add_fields(lua_State *L, cs_flat *out, char at[NAME],
                            cs_error *err)
{
    cs_status status = CS_OK;
    if (!lua_istable(L, -1))
        return cs_fail(err, CS_INPUT, "the file does not return a table");
    lua_pushnil(L);
    while (status == CS_OK && lua_next(L, -2)) {
        status = add_field(L, out, at, err);
        lua_pop(L, 1);
    }
    return status;
}

/* Returns true if `text` starts with an entry `name`. An entry starts with the
 * name as a whole word, or with ["name"], and then has an equals sign. */
static bool is_entry(const char *file, const char *text, const char *name)
{
    size_t n = strlen(name);
    const char *after = text + n;
    bool begins =
        text == file || !(isalnum((unsigned char)text[-1]) || text[-1] == '_');
    if (!begins || strncmp(text, name, n) != 0)
        return false;
    after += strspn(after, "\"'] \t");
    return *after == '=' && after[1] != '=';
}

void cs_config_where(cs_error *err, const char *path, const char *name)
{
    unsigned char *bytes = NULL;
    size_t size;
    int line = 0, at = 1;
    if (*name && cs_file_read(path, FILE_MOST, &bytes, &size, NULL) == CS_OK)
        for (const char *p = (char *)bytes; *p && !line; at += *p++ == '\n')
            if (is_entry((char *)bytes, p, name))
                line = at;
    cs_free(bytes);
    cs_where(err, path, line);
}

cs_status cs_config_read(const char *path, cs_flat *out, cs_error *err)
{
    const cs_script_limits limits = {.memory = MEMORY, .seconds = seconds};
    cs_script *s;
    char at[NAME] = "";
    cs_flat before = *out;
    cs_status status = cs_script_open(&s, &limits, err);
    if (status)
        return status;
    status = cs_script_load_file(s, path, err);
    if (status == CS_OK)
        status = cs_script_call(s, 0, 1, seconds, err);
    if (status == CS_OK)
        status = add_fields(cs_script_lua(s), out, at, err);
    if (status == CS_OK && out->full)
        status = cs_fail(err, CS_MEMORY, "the configuration is too large");
    if (status) {
        cs_config_where(err, path, at);
        *out = before;
    }
    cs_script_destroy(s);
    return status;
}
