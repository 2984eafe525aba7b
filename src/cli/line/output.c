#include "cli/line/output.h"

#include "base/text.h"
#include "files/overwrite.h"
#include "files/replace.h"

#include <stdio.h>
#include <string.h>

cs_status cs_output_choose(const cs_args *args, cs_output_name *name,
                           cs_output_name *suffix, size_t *format,
                           const char **file, cs_error *err)
{
    const char *names[16] = {NULL}, *given = cs_args_value(args, "format");
    char all[200] = "";
    *file = cs_args_value(args, "output");
    if (*file && strcmp(*file, "-") == 0)
        *file = NULL;
    const char *dot = *file ? strrchr(*file, '.') : NULL;
    *format = 0;
    for (size_t i = 0; name(i) && i < 15; i++) {
        names[i] = name(i);
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s",
                 i ? ", " : "", name(i));
        if (given ? strcmp(given, name(i)) == 0
                  : dot && strcmp(dot, suffix(i)) == 0) {
            *format = i;
            return CS_OK;
        }
    }
    if (!given)
        return CS_OK;
    const char *near = cs_text_nearest(given, names);
    cs_fail(err, CS_UNKNOWN, "unknown format '%s'", given);
    if (near)
        cs_hint(err, "did you mean '%s'?", near);
    else
        cs_hint(err, "use one of: %s", all);
    return CS_UNKNOWN;
}

/* Returns the kind of output for a file suffix. The suffix of text files does
 * not determine the kind, since a picture of the screen may also be text. */
static cs_output_kind kind_of(const char *suffix)
{
    cs_output_kind kind = cs_output_of(suffix, CS_OUTPUT_TABLE);
    return kind == CS_OUTPUT_FRAME ? CS_OUTPUT_TABLE : kind;
}

cs_status cs_output_ready(const cs_args *args, const char *suffix,
                          const char *file, cs_error *err)
{
    return file ? cs_output_allow(file, kind_of(suffix), args->word,
                                  args->n_words, err)
                : CS_OK;
}

cs_status cs_output_put(const cs_page *p, const char *file, cs_error *err)
{
    if (p->full)
        return cs_fail(err, CS_MEMORY, "out of memory for the table");
    if (file)
        return cs_file_replace(file, p->text, p->used, err);
    fwrite(p->text, 1, p->used, stdout);
    return CS_OK;
}
