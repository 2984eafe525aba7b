/* Implements lesson [FOLDER/NAME]: opens the scenario that explains a
 * warning of the selected arm (warn/kinds.c has a column with the names of
 * these scenarios). */
#include "base/memory.h"
#include "io/lesson.h"
#include "session/commands/command.h"

#include <stdio.h>
#include <string.h>

/* Finds the gallery's file of that name. Returns false if there is no such
 * file. */
static bool find_file(const cs_flat *gallery, const char *name, char *file,
                      size_t size)
{
    cs_flat_entry e;
    for (size_t i = 0;
         cs_flat_find(gallery->base, gallery->used, &e, "%zu/file", i) &&
         e.text;
         i++)
        if (cs_lesson_is_file(name, e.text)) {
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
    unsigned char *scratch = cs_alloc(BYTES, 1);
    if (!scratch)
        return cs_fail(err, CS_MEMORY, "out of memory for the gallery");
    cs_flat_begin(&gallery, scratch, BYTES);
    cs_status status =
        s->host->gallery(s->host->self, 0, SIZE_MAX, 0, &gallery, err);
    if (!status && !find_file(&gallery, name, file, sizeof file)) {
        status = cs_fail(err, CS_UNKNOWN, "unknown scenario '%s'", name);
        cs_hint(err, "list the scenarios with `gallery` (G)");
    }
    cs_free(scratch);
    return status ? status : cs_command_open(s, word, 1, err);
}

cs_status cs_command_lesson(cs_session *s, char **word, size_t n, cs_error *err)
{
    char name[sizeof s->show.lesson];
    if (n || *s->show.lesson) {
        snprintf(name, sizeof name, "%s", n ? word[1] : s->show.lesson);
        return open_of(s, name, err);
    }
    cs_fail(err, CS_INPUT, "no lesson explains a warning of this arm");
    cs_hint(err, "name a lesson, for example `lesson start/02_step_size`");
    return CS_INPUT;
}
