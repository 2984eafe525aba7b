#include "cli/models/table_output.h"

#include "base/memory.h"
#include "cli/line/output.h"

#include <string.h>

typedef struct format {
    const char *name, *suffix;
} format;

enum { TEXT, MARKDOWN, LATEX, HTML, JSON, CSV, FORMATS };

static const format formats[FORMATS] = {
    [TEXT] = {"text", ".txt"},   [MARKDOWN] = {"markdown", ".md"},
    [LATEX] = {"latex", ".tex"}, [HTML] = {"html", ".html"},
    [JSON] = {"json", ".json"},  [CSV] = {"csv", ".csv"},
};

static const char *name_at(size_t i)
{
    return i < FORMATS ? formats[i].name : NULL;
}

static const char *suffix_at(size_t i)
{
    return formats[i].suffix;
}

cs_status cs_table_choose(const cs_args *args, cs_table_output *out,
                          cs_error *err)
{
    cs_status status = cs_output_choose(args, name_at, suffix_at, &out->format,
                                        &out->file, err);
    return status ? status
                  : cs_output_ready(args, formats[out->format].suffix,
                                    out->file, err);
}

static void put_json(const cs_cells *t, const char *key, cs_page *p)
{
    cs_page_put(p, "{\n  \"version\": \"%s\",\n  ", CS_VERSION);
    cs_page_quoted(p, key);
    cs_page_put(p, ": [");
    cs_cells_json(t, "\n    ", p);
    cs_page_put(p, "\n  ]\n}\n");
}

static void put_words(const cs_cells *t, const char *name, const char *note,
                      cs_page *p)
{
    const cs_markup *m = cs_markup_find(name);
    cs_cells_put(t, m, p);
    if (note && m)
        cs_markup_paragraph(m, note, p);
    else if (note)
        cs_page_put(p, "\n%s\n", note);
}

cs_status cs_table_write(const cs_table_output *to, const cs_cells *t,
                         const char *key, const char *note, cs_error *err)
{
    cs_page p = {0};
    if (to->format == CSV)
        cs_cells_csv(t, &p);
    else if (to->format == JSON)
        put_json(t, key, &p);
    else
        put_words(t, formats[to->format].name, note, &p);
    cs_status status = cs_output_put(&p, to->file, err);
    cs_free(p.text);
    return status;
}
