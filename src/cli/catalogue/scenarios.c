/* The gallery as a catalogue. The descriptions of the scenarios are requested
 * from a session once. The numbers of claims, which require a run of each
 * scenario, are requested only when necessary. */
#include "cli/catalogue/scenarios.h"

#include "base/memory.h"
#include "base/text.h"
#include "cli/front/front.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum {
    PAPERS = 32,
    /* number of scenarios that are requested per answer, since the size of an
     * answer is limited */
    PAGE = 24
};

typedef struct paper {
    char name[64], title[100];
    size_t scenarios;
} paper;

/* The gallery, kept until the program ends. */
static struct {
    bool loaded, claims;
    cs_scenario *list; /* [n] the scenarios */
    size_t n;
    paper papers[PAPERS]; /* the first n_papers are used */
    size_t n_papers;
} gallery;

static void take(const cs_message *m, size_t i, const char *key, char *out,
                 size_t size)
{
    cs_flat_entry e;
    bool found = cs_flat_find(m->body, m->size, &e, "%zu/%s", i, key);
    cs_text_clean(found && e.text ? e.text : "", out, size);
}

static bool read_one(const cs_message *m, size_t i, cs_scenario *s)
{
    char error[sizeof s->title];
    cs_flat_entry e;
    take(m, i, "file", s->path, sizeof s->path);
    if (!*s->path)
        return false;
    const char *slash = strrchr(s->path, '/');
    snprintf(s->name, sizeof s->name, "%.63s", slash ? slash + 1 : s->path);
    char *dot = strrchr(s->name, '.');
    if (dot)
        *dot = 0;
    take(m, i, "title", s->title, sizeof s->title);
    take(m, i, "shows", s->shows, sizeof s->shows);
    take(m, i, "source", s->source, sizeof s->source);
    take(m, i, "tags", s->tags, sizeof s->tags);
    take(m, i, "error", error, sizeof error);
    if (*error)
        snprintf(s->title, sizeof s->title, "! %.190s", error);
    take(m, i, "folder", s->folder, sizeof s->folder);
    bool reported =
        cs_flat_find(m->body, m->size, &e, "%zu/papers", i) && e.data;
    s->papers = reported ? (size_t)e.data[0] : 0;
    return true;
}

/* Counts the scenario for its paper. The name of the paper is the name of the
 * scenario's folder. A scenario is not counted unless it names a paper in the
 * form "edlp, section 5.1". */
static void add_to_papers(const cs_scenario *s)
{
    size_t k = 0, n = strlen(s->folder);
    while (k < gallery.n_papers &&
           strcmp(gallery.papers[k].name, s->folder) != 0)
        k++;
    if (strncmp(s->source, s->folder, n) != 0 || s->source[n] != ',' ||
        k == PAPERS)
        return;
    paper *p = &gallery.papers[k];
    gallery.n_papers += k == gallery.n_papers;
    memcpy(p->name, s->folder, sizeof p->name);
    p->scenarios++;
    snprintf(p->title, sizeof p->title, "scenarios: %zu", p->scenarios);
}

static void forget(void)
{
    cs_free(gallery.list);
    gallery.list = NULL;
    gallery.loaded = false;
    gallery.n = gallery.n_papers = 0;
}

/* Reads the next page of scenarios; *all is set to the total number of
 * scenarios. An answer without the total number is an error, and so is an
 * incomplete answer that contains no scenarios. */
static cs_status read_page(cs_client *c, size_t *capacity, size_t *all,
                           cs_error *err)
{
    const cs_message *m;
    cs_scenario one;
    cs_flat_entry e;
    char line[64];
    size_t before = gallery.n;
    snprintf(line, sizeof line, "gallery %zu %d%s", gallery.n, PAGE,
             gallery.claims ? " claims" : "");
    cs_status status = cs_front_ask(c, line, &m, err);
    if (status)
        return status;
    bool whole = cs_flat_find(m->body, m->size, &e, "files") && e.data;
    *all = whole ? (size_t)e.data[0] : 0;
    while (gallery.n < *all && read_one(m, gallery.n, &one)) {
        if (!CS_GROW(gallery.list, gallery.n, *capacity, 1))
            return cs_fail(err, CS_MEMORY, "out of memory for the gallery");
        gallery.list[gallery.n++] = one;
    }
    return whole && (gallery.n > before || gallery.n == *all)
               ? CS_OK
               : cs_fail(err, CS_INTERNAL,
                         "the list of scenarios is truncated");
}

static cs_status read_all(cs_client *c, cs_error *err)
{
    cs_status status;
    size_t capacity = 0, all;
    do
        status = read_page(c, &capacity, &all, err);
    while (status == CS_OK && gallery.n < all);
    return status;
}

cs_status cs_scenarios_read(bool claims, cs_error *err)
{
    cs_client *c;
    const cs_front_options options = {0};
    if (gallery.loaded && (gallery.claims || !claims))
        return CS_OK;
    forget();
    gallery.claims = claims;
    cs_status status = cs_front_create(&c, &options, err);
    if (status)
        return status;
    status = read_all(c, err);
    cs_client_close(c, 3000);
    cs_client_destroy(c);
    if (status) {
        forget();
        return status;
    }
    for (size_t i = 0; i < gallery.n; i++)
        add_to_papers(&gallery.list[i]);
    gallery.loaded = true;
    return CS_OK;
}

cs_status cs_scenarios_list(cs_error *err)
{
    return cs_scenarios_read(false, err);
}

const cs_scenario *cs_scenario_at(size_t i)
{
    assert(gallery.loaded);
    return i < gallery.n ? &gallery.list[i] : NULL;
}

bool cs_scenario_entry(size_t i, cs_entry *e)
{
    const cs_scenario *s = cs_scenario_at(i);
    if (!s)
        return false;
    *e = (cs_entry){.name = s->name,
                    .title = s->title,
                    .ref = s->source,
                    .help = s->shows,
                    .file = s->path};
    snprintf(e->notes, sizeof e->notes, "%.159s", s->path);
    return true;
}

bool cs_paper_entry(size_t i, cs_entry *e)
{
    assert(gallery.loaded);
    if (i >= gallery.n_papers)
        return false;
    const paper *p = &gallery.papers[i];
    *e = (cs_entry){.name = p->name, .title = p->title};
    snprintf(e->notes, sizeof e->notes, "chainscope replicate %s", p->name);
    return true;
}
