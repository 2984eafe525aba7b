/* Runs Lua code in a separate state under limits. */
#pragma once

#include "script/script.h"
#include "support/support.h"

/* Code that must fail, and words that the error must contain. */
typedef struct hostile {
    const char *code, *said;
} hostile;

static inline cs_status run_code(const char *code,
                                 const cs_script_limits *limits, cs_error *err)
{
    cs_script *s = NULL;
    assert_int_equal(cs_script_open(&s, limits, err), CS_OK);
    cs_status status = cs_script_load_text(s, code, "@a.lua", err);
    if (!status)
        status = cs_script_call(s, 0, 0, 0, err);
    cs_script_destroy(s);
    return status;
}
