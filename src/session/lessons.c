/* Where advice leads: the scenario that shows what a warning is about. */
#include "base/memory.h"
#include "session/commands/command.h"

#include <stdio.h>
#include <string.h>

/* Words of a warning, the most telling first, and the scenario: FOLDER/NAME. A test
 * sees to it that both exist. */
static const struct {
    const char *words, *scenario;
} table[] = {
    {"has failed the law", "start/09_plain_and_fast"},
    {"diverged", "start/05_funnel"},
    {"E-BFMI", "start/05_funnel"},
    {"of the proposals were accepted", "start/02_step_size"},
    {"stays in a mode of its own", "start/08_tempering"},
    {"known modes", "start/08_tempering"},
    {"of the changes between temperatures", "start/08_tempering"},
    {"no state has been to the hot end", "start/08_tempering"},
    {"take them for independent", "hmc/many_ways"},
    {"while the weight of", "csgld/learning"},
    {"by what its step size makes of them", "csgld/bias"},
    {"the chains do not agree", "start/03_gradients"},
    {"all chains start at one place", "start/08_tempering"},
    {"raise max_depth", "hmc/raw_columns"},
    {"run longer", "start/01_first_walk"},
    {"times as long", "start/01_first_walk"},
};
enum { LESSONS = sizeof table / sizeof *table };

const char *cs_lesson_about(size_t i, const char **words)
{
    if (i >= LESSONS)
        return NULL;
    *words = table[i].words;
    return table[i].scenario;
}

/* Whether a path ends in FOLDER/NAME.lua. */
static bool is_file_of(const char *path, const char *name)
{
    char end[128];
    snprintf(end, sizeof end, "/%s.lua", name);
    size_t n = strlen(path), m = strlen(end);
    return n > m && strcmp(path + n - m, end) == 0;
}

const char *cs_session_lesson_of(const char *warnings, const char *more,
                                 const char *open)
{
    for (size_t i = 0; i < LESSONS; i++)
        if ((strstr(warnings, table[i].words) ||
             strstr(more, table[i].words)) &&
            !is_file_of(open, table[i].scenario))
            return table[i].scenario;
    return "";
}

/* ---- lesson [FOLDER/NAME] ------------------------------------------------ */

/* The file of the gallery that is called so; false: there is none. */
static bool find_file(const cs_flat *gallery, const char *name, char *file,
                      size_t size)
{
    cs_flat_entry e;
    for (size_t i = 0;
         cs_flat_find(gallery->base, gallery->used, &e, "%zu/file", i) &&
         e.text;
         i++)
        if (is_file_of(e.text, name)) {
            snprintf(file, size, "%s", e.text);
            return true;
        }
    return false;
}

static cs_status open_of(cs_session *s, const char *name, cs_error *err)
{
    enum { BYTES = 1 << 20 };
    cs_flat gallery;
    char file[1024], open[] = "open", *word[2] = {open, file};
    unsigned char *room = cs_alloc(BYTES, 1);
    if (!room)
        return cs_fail(err, CS_MEMORY, "no memory for the gallery");
    cs_flat_begin(&gallery, room, BYTES);
    cs_status status =
        s->host->gallery(s->host->self, 0, SIZE_MAX, 0, &gallery, err);
    if (!status && !find_file(&gallery, name, file, sizeof file)) {
        status = cs_fail(err, CS_UNKNOWN, "there is no scenario '%s'", name);
        cs_hint(err, "`gallery` (G) lists them");
    }
    cs_free(room);
    return status ? status : cs_command_open(s, word, 1, err);
}

cs_status cs_command_lesson(cs_session *s, char **word, size_t n, cs_error *err)
{
    char name[sizeof s->lesson];
    if (n || *s->lesson) {
        snprintf(name, sizeof name, "%s", n ? word[1] : s->lesson);
        return open_of(s, name, err);
    }
    cs_fail(err, CS_INPUT,
            "there is no warning of this arm that a lesson is "
            "about");
    cs_hint(err, "name one: lesson start/02_step_size");
    return CS_INPUT;
}
