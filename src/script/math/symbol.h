/* Inside of cs.math: values with a shape, and what a function of it is. */
#pragma once

#include "expr/graph.h"

#include <lua.h>
#include <stdbool.h>

/* A node of a graph as a number (rank 0), a vector (1) or a matrix (2), whose
 * rows[cols] follow one another. */
typedef struct cs_symbol {
    cs_node node;
    unsigned rank;
    size_t rows, cols; /* of a matrix */
} cs_symbol;

/* One call of a function, its arguments at 1 .. n of the stack. The graph is
 * the open trace's, or one of its own where no argument is a symbol: then all
 * folds to constants. */
typedef struct cs_symbol_rule {
    lua_State *L;
    const struct cs_trace *trace;
    cs_graph *g;
    const struct cs_symbol_word *word;
    int n;
    const struct cs_expression *known[3]; /* symbols among arguments 1 to 3 */
} cs_symbol_rule;

/* A function of cs.math, or an operator. */
typedef struct cs_symbol_word {
    const char *name;
    const char *arguments; /* as the manual writes them */
    const char *help;
    cs_symbol (*make)(cs_symbol_rule *w);
    cs_op op; /* what `make` may want to know */
    int least, most;
} cs_symbol_word;

/* ---- rule.c -------------------------------------------------------------- */

/* An error at the script's line: "cs.math.NAME: WHAT: MEND". */
_Noreturn void cs_rule_fail(cs_symbol_rule *w, const char *hint,
                            const char *what, ...)
    __attribute__((format(printf, 3, 4)));

/* Argument i as a symbol of the graph; raises on what is none. */
cs_symbol cs_rule_at(cs_symbol_rule *w, int i);
/* The same, and a vector (a matrix). */
cs_symbol cs_rule_vector(cs_symbol_rule *w, int i);
cs_symbol cs_rule_matrix(cs_symbol_rule *w, int i);
/* Argument i, a whole number from `low` to `high`. */
size_t cs_rule_whole(cs_symbol_rule *w, int i, size_t low, size_t high);

static inline cs_symbol cs_number_of(cs_node n)
{
    return (cs_symbol){.node = n};
}
static inline cs_symbol cs_vector_of(cs_node n)
{
    return (cs_symbol){.node = n, .rank = 1};
}
static inline cs_symbol cs_matrix_of(cs_node n, size_t rows, size_t cols)
{
    return (cs_symbol){n, 2, rows, cols};
}

/* "a number", "a vector of 3", "a matrix of 2 x 3" into text[64]. */
const char *cs_symbol_text(const cs_graph *g, cs_symbol s, char *text);

/* op of one to three symbols, element by element; raises unless their shapes
 * go together. */
cs_symbol cs_rule_map(cs_symbol_rule *w, cs_op op, const cs_symbol *a, int n);

/* ---- symbol.c ------------------------------------------------------------ */

#define CS_SYMBOL_META "chainscope.expression"
#define CS_VECTOR_META "chainscope.vector"

/* The open trace, of which there is one at most; symbols remember which one
 * they are from. One block for a state of Lua, as long as it lives. */
typedef struct cs_trace {
    cs_graph *graph; /* NULL: none is open */
    unsigned serial : 30;
    bool symbolic_math; /* math.* knows symbols, os no clock */
    const void *caller; /* the script's function that was last seen */
} cs_trace;

/* What a script holds: a symbol of the trace with that number. There are as
 * many as operations, and Lua collects them: so they are small. */
typedef struct cs_expression {
    const void *mark; /* of all of them and of no other userdata */
    cs_node node;
    unsigned serial : 30, rank : 2;
} cs_expression;

typedef struct cs_matrix_expression {
    cs_expression e; /* rank 2 */
    size_t rows, cols;
} cs_matrix_expression;

extern const char cs_symbol_mark; /* its address is the mark */

/* Once, when the metatable of symbols is there. */
void cs_trace_create(lua_State *L);
cs_trace *cs_trace_of(lua_State *L);
/* Its graph; raises when none is open. */
cs_graph *cs_trace_graph(lua_State *L, const cs_trace *t);

/* What is called for each operation finds the trace and the metatable of
 * symbols in its upvalues, with no look-up. */
enum { CS_TRACE_UPVALUE = 2, CS_SYMBOL_UPVALUE };
/* Makes f a function of these and of the value on top, its first upvalue. */
void cs_trace_closure(lua_State *L, lua_CFunction f);
static inline cs_trace *cs_trace_here(lua_State *L)
{
    return lua_touserdata(L, lua_upvalueindex(CS_TRACE_UPVALUE));
}
/* Pushes a symbol, in such a function. */
void cs_symbol_push_here(lua_State *L, const cs_trace *t, cs_symbol s);
/* The same of a number. */
static inline void cs_symbol_push_number(lua_State *L, const cs_trace *t,
                                         cs_node n)
{
    cs_expression *e = lua_newuserdatauv(L, sizeof *e, 0);
    *e = (cs_expression){&cs_symbol_mark, n, t->serial, 0};
    lua_pushvalue(L, lua_upvalueindex(CS_SYMBOL_UPVALUE));
    lua_setmetatable(L, -2);
}

/* Pushes a symbol, where no upvalue has the metatable. */
void cs_symbol_push(lua_State *L, cs_symbol s);

/* Raises an error at the script's line; why the graph refused a node. */
int cs_symbol_fail(lua_State *L, const char *what, const char *hint);
int cs_symbol_refuse(lua_State *L, cs_graph *g);

/* Pushes a constant of a graph as a number, a list or a list of lists. */
void cs_symbol_push_plain(lua_State *L, const cs_graph *g, cs_symbol s);

/* The one at `index`; NULL: it is none. By its size and its mark: to compare
 * metatables takes three times as long. */
static inline const cs_expression *cs_expression_at(lua_State *L, int index)
{
    const cs_expression *e = lua_touserdata(L, index);
    return e && lua_rawlen(L, index) >= sizeof *e && e->mark == &cs_symbol_mark
               ? e
               : NULL;
}
cs_symbol cs_symbol_in(const cs_expression *e);
_Noreturn void cs_symbol_stale(lua_State *L);
/* What it stands for; raises when that is not of this graph. */
static inline cs_symbol cs_symbol_of(lua_State *L, const cs_trace *t,
                                     const cs_graph *g, const cs_expression *e)
{
    if (e->serial != t->serial || g != t->graph)
        cs_symbol_stale(L);
    return cs_symbol_in(e);
}

/* The value at `index` as a symbol of g; depth: how many lists it is in. */
cs_symbol cs_symbol_read(lua_State *L, const cs_trace *t, cs_graph *g,
                         int index, int depth);
/* Whether a symbol is in the value, or in a list of it. */
bool cs_symbol_within(lua_State *L, int index, int depth);

int cs_symbol_to_string(lua_State *L);

/* ---- operators.c --------------------------------------------------------- */

/* Makes the classes of symbols and of plain vectors. */
void cs_symbol_open(lua_State *L);

/* ---- words_math.c, words_matrix.c ---------------------------------------- */

/* The words of cs.math: element by element and of vectors; of matrices. */
extern const cs_symbol_word cs_math_words[];
extern const size_t cs_math_words_n;
extern const cs_symbol_word cs_matrix_words[];
extern const size_t cs_matrix_words_n;

/* sparse { rows =, cols =, i =, j =, v = }: a matrix of few entries. */
int cs_script_sparse(lua_State *L);
void cs_script_open_sparse(lua_State *L);
