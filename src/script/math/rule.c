/* Reads arguments of functions of cs.math as symbols, and raises errors about
 * wrong arguments. */
#include "script/math/symbol.h"
#include "script/state/value.h"

#include <stdarg.h>
#include <stdio.h>

_Noreturn void cs_rule_fail(cs_symbol_rule *w, const char *hint,
                            const char *what, ...)
{
    char text[256];
    cs_error err;
    va_list args;
    va_start(args, what);
    vsnprintf(text, sizeof text, what, args);
    va_end(args);
    cs_fail(&err, CS_SCRIPT, "%s: %s", w->word->name, text);
    if (hint)
        cs_hint(&err, "%s", hint);
    cs_script_raise(w->L, &err);
    __builtin_unreachable();
}

cs_symbol cs_rule_at(cs_symbol_rule *w, int i)
{
    const cs_expression *e = i <= 3 ? w->known[i - 1] : NULL;
    return e ? cs_symbol_of(w->L, w->trace, w->g, e)
             : cs_symbol_read(w->L, w->trace, w->g, i, 0);
}

cs_symbol cs_rule_vector(cs_symbol_rule *w, int i)
{
    char text[64];
    cs_symbol s = cs_rule_at(w, i);
    if (s.rank != 1)
        cs_rule_fail(w, "give a vector: a list of numbers", "argument %d is %s",
                     i, cs_symbol_text(w->g, s, text));
    return s;
}

cs_symbol cs_rule_matrix(cs_symbol_rule *w, int i)
{
    char text[64];
    cs_symbol s = cs_rule_at(w, i);
    if (s.rank != 2)
        cs_rule_fail(w, "give a matrix: a list of equally long lists",
                     "argument %d is %s", i, cs_symbol_text(w->g, s, text));
    return s;
}

size_t cs_rule_whole(cs_symbol_rule *w, int i, size_t low, size_t high)
{
    int whole;
    lua_Integer v = lua_tointegerx(w->L, i, &whole);
    if (!whole || v < 0 || (size_t)v < low || (size_t)v > high) {
        char text[64];
        snprintf(text, sizeof text, "use a whole number from %zu to %zu", low,
                 high);
        cs_rule_fail(w, text, "argument %d is %s", i,
                     lua_type(w->L, i) == LUA_TNUMBER
                         ? "out of range"
                         : cs_script_kind(w->L, i));
    }
    return (size_t)v;
}

/* Applies op elementwise. Sizes must be equal or 1; the result has the largest
 * shape. */
cs_symbol cs_rule_map(cs_symbol_rule *w, cs_op op, const cs_symbol *a, int n)
{
    cs_symbol most = a[0];
    for (int i = 1; i < n; i++) {
        size_t size = cs_graph_size(w->g, a[i].node);
        size_t so_far = cs_graph_size(w->g, most.node);
        if (size > 1 && so_far > 1 &&
            (size != so_far || a[i].rank != most.rank ||
             a[i].cols != most.cols)) {
            char one[64], other[64];
            cs_rule_fail(
                w, "combine vectors of equal length, or a vector and a number",
                "%s and %s cannot be combined", cs_symbol_text(w->g, most, one),
                cs_symbol_text(w->g, a[i], other));
        }
        if (size > so_far || (size == so_far && a[i].rank > most.rank))
            most = a[i];
    }
    most.node = n == 1           ? cs_graph_op1(w->g, op, a[0].node)
                : op == CS_OP_EQ ? cs_graph_same(w->g, a[0].node, a[1].node)
                : n == 2
                    ? cs_graph_op2(w->g, op, a[0].node, a[1].node)
                    : cs_graph_op3(w->g, op, a[0].node, a[1].node, a[2].node);
    return most;
}
