/* Parses the words of commands, and writes the text of replies. */
#include "base/text.h"
#include "run/arms/arms.h"
#include "session/commands/command.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void cs_command_answer(cs_session *s, const char *format, ...)
{
    char text[2048];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    cs_message_text(&s->front.out, text);
}

cs_status cs_command_number(const char *word, double *out, cs_error *err)
{
    char *end;
    *out = strtod(word, &end);
    if (end == word || *end || !isfinite(*out))
        return cs_fail(err, CS_INPUT, "'%s' is not a number", word);
    return CS_OK;
}

/* Parses a count of steps: "5000", "1e6". */
cs_status cs_command_count(const char *word, uint64_t *out, cs_error *err)
{
    double d;
    cs_status status = cs_command_number(word, &d, err);
    if (status)
        return status;
    if (d < 0 || d > 9e15 || d != floor(d))
        return cs_fail(err, CS_RANGE, "'%s' is not a number of steps", word);
    *out = (uint64_t)d;
    return CS_OK;
}

cs_status cs_command_arm(cs_session *s, const char *word, size_t *out,
                         cs_error *err)
{
    size_t n = cs_run_arms(s->open.run);
    const char *names[65] = {NULL};
    for (size_t i = 0; i < n; i++) {
        const char *name = cs_run_arm_name(s->open.run, i);
        if (strcmp(name, word) == 0) {
            *out = i;
            return CS_OK;
        }
        if (i < 64)
            names[i] = name;
    }
    char *end;
    unsigned long k = strtoul(word, &end, 10);
    if (end != word && !*end && k >= 1 && k <= n) {
        *out = k - 1;
        return CS_OK;
    }
    cs_fail(err, CS_UNKNOWN, "there is no arm '%s'", word);
    const char *near = cs_text_nearest(word, names);
    cs_hint(err, "%s%s%s1 to %zu", near ? "did you mean '" : "use a number ",
            near ? near : "", near ? "', or a number " : "", n);
    return CS_UNKNOWN;
}
