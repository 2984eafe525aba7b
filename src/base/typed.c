#include "base/typed.h"

#include <stdlib.h>

cs_status cs_param_read(const cs_param *row, const char *text, double *number,
                        cs_error *err)
{
    static const char *const truth[] = {"false", "true", NULL};
    cs_param named = *row;
    char *end;
    *number = strtod(text, &end);
    if (end != text && !*end)
        return CS_OK;
    if (row->kind == CS_PARAM_BOOL) {
        named.choices = truth;
        named.kind = CS_PARAM_CHOICE;
    }
    if (named.choices)
        return cs_param_choose(&named, text, number, err);
    cs_fail(err, CS_INPUT, "'%s' is not a number", text);
    cs_hint(err, "give a number for %s", row->name);
    return CS_INPUT;
}
