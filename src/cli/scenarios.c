/* The gallery as a catalogue. What scenarios say of themselves only Lua can
 * tell: a session is asked, once. */
#include "cli/scenarios.h"

#include "base/memory.h"
#include "base/text.h"
#include "cli/host.h"

#include <stdio.h>
#include <string.h>

typedef struct scenario {
    char name[64], title[200], shows[400], source[200], notes[160];
} scenario;

/* Read when somebody first asks, and kept until the program ends. */
static struct {
    bool loaded;
    scenario *list; /* [n] */
    size_t n;
} gallery;

static void take(const cs_message *m, size_t i, const char *key, char *out,
                 size_t size)
{
    cs_flat_entry e;
    bool found = cs_flat_find(m->body, m->size, &e, "%zu/%s", i, key);
    cs_text_clean(found && e.text ? e.text : "", out, size);
}

static bool read_one(const cs_message *m, size_t i, scenario *s)
{
    char path[1024], error[sizeof s->title];
    take(m, i, "file", path, sizeof path);
    if (!*path)
        return false;
    const char *slash = strrchr(path, '/');
    snprintf(s->name, sizeof s->name, "%.63s", slash ? slash + 1 : path);
    char *dot = strrchr(s->name, '.');
    if (dot)
        *dot = 0;
    take(m, i, "title", s->title, sizeof s->title);
    take(m, i, "shows", s->shows, sizeof s->shows);
    take(m, i, "source", s->source, sizeof s->source);
    take(m, i, "error", error, sizeof error);
    if (*error)
        snprintf(s->title, sizeof s->title, "! %.190s", error);
    snprintf(s->notes, sizeof s->notes, "%.159s", path);
    return true;
}

static void load(void)
{
    cs_client *c;
    cs_error err;
    const cs_message *m;
    const cs_front_options options = {0};
    gallery.loaded = true;
    if (cs_front_create(&c, &options, &err)) {
        cs_complain(&err);
        return;
    }
    if (cs_front_ask(c, "gallery", &m, &err)) {
        cs_complain(&err);
    } else {
        scenario one;
        size_t n = 0;
        while (read_one(m, n, &one))
            n++;
        gallery.list = cs_alloc(n, sizeof *gallery.list);
        for (size_t i = 0; gallery.list && i < n; i++)
            gallery.n += read_one(m, i, &gallery.list[i]);
    }
    cs_client_close(c, 3000);
    cs_client_destroy(c);
}

bool cs_scenario_entry(size_t i, cs_entry *e)
{
    if (!gallery.loaded)
        load();
    if (i >= gallery.n)
        return false;
    const scenario *s = &gallery.list[i];
    *e = (cs_entry){
        .name = s->name, .title = s->title, .ref = s->source, .help = s->shows};
    memcpy(e->notes, s->notes, sizeof e->notes);
    return true;
}
