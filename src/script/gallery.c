#include "script/gallery.h"

#include "base/memory.h"
#include "files/file.h"
#include "files/folders.h"
#include "io/checked.h"
#include "io/lesson.h"
#include "io/recent.h"
#include "script/bind/lua_kernel.h"
#include "script/bind/lua_target.h"
#include "script/headline.h"
#include "script/script.h"
#include "session/host/script_host.h"

#include <assert.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILES_A_COLLECTION = 8, TEXT_MOST = 1 << 20 };
enum { NEWEST = 6 }; /* number of recent files listed before the scenarios */

/* One Lua state reads all files, because creating a state takes longer than
 * reading most files. Each file has its own environment, and the module is
 * read-only. After an error the state may have reached a limit and is not used
 * again. */
typedef struct gallery {
    cs_flat *out;
    size_t n, from, count; /* n: number of files found; from: first file to
                            * list; count: number of files to list */
    unsigned how;
    cs_script *script; /* [own] NULL: created when the next file needs it */
    char *checked;     /* [own] results of checks, see io/checked.h */
} gallery;

static void tell(lua_State *L, gallery *g, const char *name)
{
    const char *text = "";
    if (lua_istable(L, -1)) {
        lua_pushstring(L, name);
        lua_rawget(L, -2);
        if (lua_type(L, -1) == LUA_TSTRING)
            text = lua_tostring(L, -1);
        cs_flat_text(g->out, text, "%zu/%s", g->n, name);
        lua_pop(L, 1);
    }
}

/* True if the claim on top of the stack has a statement from a paper, quoted or
 * paraphrased. */
static bool has_paper(lua_State *L)
{
    static const char *const field[] = {"quote", "paper"};
    bool there = false;
    for (size_t k = 0; k < sizeof field / sizeof *field; k++) {
        lua_pushstring(L, field[k]);
        there = lua_rawget(L, -2) == LUA_TSTRING || there;
        lua_pop(L, 1);
    }
    return there;
}

/* Counts the claims from papers in the scenario on top of the stack, and writes
 * this count to the list. */
static void tell_papers(lua_State *L, gallery *g)
{
    size_t n = 0;
    lua_pushliteral(L, "claims");
    if (lua_istable(L, -2) && lua_rawget(L, -2) == LUA_TTABLE)
        for (lua_Integer i = 1; lua_rawgeti(L, -1, i) == LUA_TTABLE; i++) {
            n += has_paper(L);
            lua_pop(L, 1);
        }
    cs_flat_number(g->out, (double)n, "%zu/papers", g->n);
}

static void add_word(char *text, size_t size, const char *word)
{
    size_t n = strlen(text);
    snprintf(text + n, size - n, "%s%s", n ? " " : "", word);
}

/* Writes the names of the target and of the kernels to the list, so that the
 * user can filter by these names. The scenario is on top of the stack. */
static void tell_names(lua_State *L, gallery *g)
{
    char text[256] = "";
    if (!lua_istable(L, -1))
        return;
    lua_pushliteral(L, "target");
    lua_rawget(L, -2);
    const cs_target *t = cs_script_to_target(L, -1);
    add_word(text, sizeof text, t ? t->type->name : "");
    lua_pop(L, 1);
    lua_pushliteral(L, "arms");
    if (lua_rawget(L, -2) == LUA_TTABLE)
        for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 2)) {
            lua_pushvalue(L, -1);
            if (lua_istable(L, -1)) {
                lua_pushliteral(L, "kernel");
                lua_rawget(L, -2);
                lua_replace(L, -2);
            }
            const cs_script_kernel *k = cs_script_to_kernel(L, -1);
            if (k && !strstr(text, k->kernel.type->name))
                add_word(text, sizeof text, k->kernel.type->name);
        }
    lua_pop(L, 1);
    cs_flat_text(g->out, text, "%zu/names", g->n);
}

/* Pushes the value that the file returns. */
static cs_status evaluate(gallery *g, const char *path, cs_error *err)
{
    const cs_script_limits limits = {
        .memory = (size_t)64 << 20, .seconds = 2, .grace = CS_SCRIPT_GRACE};
    cs_status status = CS_OK;
    if (!g->script)
        status = cs_script_open(&g->script, &limits, err);
    if (!status)
        status = cs_script_load_file(g->script, path, err);
    if (!status)
        status = cs_script_call(g->script, 0, 1, 0, err);
    return status;
}

/* If laws were checked, writes to the list whether they hold. */
static void tell_laws(gallery *g, const char *text, size_t size)
{
    cs_checked c;
    char laws[128] = "hold";
    cs_checked_find(g->checked, cs_checked_key(text, size, NULL, 0), &c);
    cs_badge badge = cs_checked_badge(&c);
    for (size_t i = c.n; i-- && badge == CS_BADGE_BROKEN;)
        if (*c.of[i].broken)
            snprintf(laws, sizeof laws, "BROKEN: %s of %s", c.of[i].broken,
                     *c.of[i].arm ? c.of[i].arm : "the target");
    if (badge != CS_BADGE_NONE)
        cs_flat_text(g->out, laws, "%zu/laws", g->n);
}

/* Writes the first part of the lesson to the list, for the search. A list of 40
 * scenarios must fit into one reply. */
static void tell_lesson(gallery *g, const char *text)
{
    enum { SOUGHT = 1500 };
    static char lesson[CS_LESSON_BYTES];
    cs_lesson_of(text, lesson, sizeof lesson);
    size_t n = strlen(lesson);
    if (n > SOUGHT) { /* cut before a character, not within it */
        for (n = SOUGHT; n > 0 && ((unsigned char)lesson[n] & 0xC0) == 0x80;)
            n--;
        lesson[n] = 0;
    }
    cs_flat_text(g->out, lesson, "%zu/lesson", g->n);
}

/* Reads the description from the text of the file, if the text is
 * unambiguous. */
static bool read(gallery *g, const char *path)
{
    unsigned char *text;
    size_t size;
    cs_headline h;
    if (cs_file_read(path, TEXT_MOST, &text, &size, NULL))
        return false;
    bool good = cs_headline_read((const char *)text, size, &h);
    if (g->checked)
        tell_laws(g, (const char *)text, size);
    if (good)
        tell_lesson(g, (const char *)text);
    cs_free(text);
    if (good) {
        cs_flat_text(g->out, h.title, "%zu/title", g->n);
        cs_flat_text(g->out, h.shows, "%zu/shows", g->n);
        cs_flat_text(g->out, h.source, "%zu/source", g->n);
        cs_flat_text(g->out, h.names, "%zu/names", g->n);
        if (*h.tags)
            cs_flat_text(g->out, h.tags, "%zu/tags", g->n);
    }
    return good;
}

static void run(gallery *g, const char *path)
{
    cs_error err = {0};
    if (evaluate(g, path, &err)) {
        char text[1100];
        cs_error_format(&err, text, sizeof text);
        cs_flat_text(g->out, text, "%zu/error", g->n);
        cs_script_destroy(g->script);
        g->script = NULL;
        return;
    }
    lua_State *L = cs_script_lua(g->script);
    if (!lua_istable(L, -1))
        cs_flat_text(g->out, "the file returned no scenario", "%zu/error",
                     g->n);
    tell(L, g, "title");
    tell(L, g, "shows");
    tell(L, g, "source");
    tell(L, g, "tags");
    tell_names(L, g);
    tell_papers(L, g);
    lua_settop(L, 0);
    if (g->n % FILES_A_COLLECTION == 0)
        lua_gc(L, LUA_GCCOLLECT); /* collect now: Lua does not know the size of
                                   * targets */
}

static void show(gallery *g, const char *path, const char *folder)
{
    cs_flat_text(g->out, path, "%zu/file", g->n);
    cs_flat_text(g->out, folder, "%zu/folder", g->n);
    if (g->how & CS_GALLERY_CLAIMS || !read(g, path))
        run(g, path);
}

static void meet(gallery *g, const char *path, const char *folder)
{
    if (g->n >= g->from && g->n - g->from < g->count)
        show(g, path, folder);
    g->n++;
}

static int visible(const struct dirent *e)
{
    return e->d_name[0] != '.';
}

/* Lists the scenarios of a folder under a heading. */
static void scan_folder(gallery *g, const char *folder, const char *heading)
{
    char path[1024];
    struct dirent **list;
    int n = scandir(folder, &list, visible, alphasort);
    for (int i = 0; i < n; i++) {
        const char *dot = strrchr(list[i]->d_name, '.');
        if (dot && strcmp(dot, ".lua") == 0) {
            snprintf(path, sizeof path, "%s/%s", folder, list[i]->d_name);
            meet(g, path, heading);
        }
        free(list[i]);
    }
    if (n >= 0)
        free(list);
}

/* Compares two folders: the lessons for beginners come first, then the other
 * folders by name. */
static int by_folder(const struct dirent **a, const struct dirent **b)
{
    int first = strcmp((*b)->d_name, "start") == 0;
    int second = strcmp((*a)->d_name, "start") == 0;
    return first != second ? first - second : alphasort(a, b);
}

/* Lists recently opened files, from number `first` to number `end` - 1. */
static void show_recent(gallery *g, const cs_recent *r, size_t first,
                        size_t end, const char *heading)
{
    for (size_t i = first; i < end && i < r->n; i++)
        meet(g, r->path[i], heading);
}

cs_status cs_script_gallery(const char *root, size_t from, size_t count,
                            unsigned how, cs_flat *out, cs_error *err)
{
    assert(root && out);
    static cs_recent recent;
    gallery g = {.out = out, .from = from, .count = count, .how = how};
    struct dirent **list;
    char folder[1024];
    int n = scandir(root, &list, visible, by_folder);
    if (n < 0) {
        cs_fail(err, CS_IO, "the folder '%s' has no gallery", root);
        cs_hint(err, "install the scenarios, or give a file");
        return CS_IO;
    }
    recent.n = 0;
    g.checked = cs_checked_read();
    if (how & CS_GALLERY_RECENT)
        cs_recent_read(&recent);
    show_recent(&g, &recent, 0, NEWEST, "recent");
    if (how & CS_GALLERY_RECENT &&
        cs_folder_data("scenarios", folder, sizeof folder))
        scan_folder(&g, folder, "your own");
    for (int i = 0; i < n; i++) {
        snprintf(folder, sizeof folder, "%s/%s", root, list[i]->d_name);
        if (!strchr(list[i]->d_name, '.'))
            scan_folder(&g, folder, list[i]->d_name);
        free(list[i]);
    }
    free(list);
    show_recent(&g, &recent, NEWEST, CS_RECENT, "opened before");
    cs_script_destroy(g.script);
    cs_free(g.checked);
    cs_flat_number(out, (double)g.n, "files");
    return CS_OK;
}
