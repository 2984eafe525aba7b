#include "cli/front/print_summary.h"

#include "base/text.h"
#include "cli/front/front.h"
#include "cli/line/output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

cs_status cs_print_summary_warned(cs_client *c, const cs_args *args,
                                  bool *warned, cs_error *err)
{
    char *text = NULL;
    *warned = false;
    if (!cs_args_value(args, "strict") || cs_args_value(args, "part"))
        return CS_OK;
    cs_status status = cs_front_hear(c, "summary warnings", &text, err);
    for (char *rest = text, *line;
         status == CS_OK && text && (line = strtok_r(rest, "\n", &rest));) {
        fprintf(stderr, "chainscope: --strict: %s\n", line);
        *warned = true;
    }
    free(text);
    return status;
}

cs_status cs_print_summary_rows(const cs_args *args, char *line, size_t size,
                                cs_error *err)
{
    char show[1024];
    const char *names = cs_args_value(args, "show");
    int n = snprintf(show, sizeof show, "show=%s", names ? names : "");
    bool fits = n < (int)sizeof show;
    if (cs_args_value(args, "all"))
        return cs_front_add(line, size, "all") ? CS_OK : CS_MEMORY;
    if (!names || (fits && cs_front_add(line, size, show)))
        return CS_OK;
    cs_fail(err, CS_INPUT, "--show has too many names for one line");
    cs_hint(err, "show all quantities with --all");
    return CS_INPUT;
}

static const char *name_of_format(size_t i)
{
    static const char *const names[] = {"text", "markdown", "latex", "html",
                                        "json", "csv",      NULL};
    return names[i];
}

cs_status cs_print_summary_format(const cs_args *args, const char **format,
                                  cs_error *err)
{
    size_t i;
    const char *file;
    cs_status status =
        cs_output_choose(args, name_of_format, name_of_format, &i, &file, err);
    *format = i ? name_of_format(i) : NULL;
    return status;
}

cs_status cs_print_summary_quantiles(cs_client *c, const cs_args *args,
                                     cs_error *err)
{
    char line[512] = "quantiles";
    const char *list = cs_args_value(args, "quantiles");
    if (!list)
        return CS_OK;
    if (!cs_front_add(line, sizeof line, list))
        return cs_fail(err, CS_INPUT, "--quantiles has too many numbers");
    return cs_front_ask(c, line, NULL, err);
}

cs_status cs_print_summary(cs_client *c, const char *line, cs_error *err)
{
    char *text = NULL;
    cs_status status = cs_front_hear(c, line, &text, err);
    if (status == CS_OK)
        cs_text_write(text, strlen(text), stdout);
    free(text);
    return status;
}

double cs_print_summary_stopped(const cs_seen *s)
{
    if (s->stopped > 0)
        fprintf(stderr, "chainscope: %.0f of %.0f chains stopped\n", s->stopped,
                s->chains);
    return s->stopped;
}

cs_status cs_print_answer(cs_client *c, const char *line, cs_error *err)
{
    char *text = NULL;
    cs_status status = cs_front_hear(c, line, &text, err);
    if (status == CS_OK && *text) {
        putchar('\n');
        cs_text_write(text, strlen(text), stdout);
        putchar('\n');
    }
    free(text);
    return status;
}
