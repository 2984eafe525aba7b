/* Internals of cs.math: values with a shape, and descriptions of its
 * functions. */
#pragma once

#include "expr/graph.h"

#include <lua.h>
#include <stdbool.h>

/* A node of a graph as a number (rank 0), a vector (1), or a row-major matrix
 * (2) of rows x cols. */
typedef struct cs_symbol {
    cs_node node;
    unsigned rank;
    size_t rows, cols; /* numbers of rows and columns; only set for a matrix */
} cs_symbol;

/* One call of a function, with arguments at stack indices 1 .. n. The call uses
 * the graph of the open trace. If no argument is a symbol, the call uses a
 * private graph instead, in which all results are constants. */
typedef struct cs_symbol_rule {
    lua_State *L;
    const struct cs_trace *trace;
    cs_graph *g;
    const struct cs_symbol_word *word;
    int n;
    const struct cs_expression *known[3]; /* the symbols among arguments 1 to
                                           * 3 */
} cs_symbol_rule;

/* A function of cs.math, or an operator. */
typedef struct cs_symbol_word {
    const char *name;
    const char *arguments; /* description of the arguments, for the manual */
    const char *help;
    cs_symbol (*make)(cs_symbol_rule *w);
    cs_op op; /* operation that `make` creates */
    int least, most;
    /* With `make`: the operation whose value `make` has for one number or, if it
     * has two arguments, for several numbers from the left; or CS_OP_NONE. */
    cs_op plain;
} cs_symbol_word;

/* ---- rule.c -------------------------------------------------------------- */

/* Raises an error at the script's line: "cs.math.NAME: WHAT: HINT". */
_Noreturn void cs_rule_fail(cs_symbol_rule *w, const char *hint,
                            const char *what, ...)
    __attribute__((format(printf, 3, 4)));

/* Returns argument i as a symbol of the graph; raises an error for any other
 * value. */
cs_symbol cs_rule_at(cs_symbol_rule *w, int i);
/* Returns argument i, which must be a vector or a matrix, as a symbol. */
cs_symbol cs_rule_vector(cs_symbol_rule *w, int i);
cs_symbol cs_rule_matrix(cs_symbol_rule *w, int i);
/* Returns argument i, an integer from `low` to `high`. */
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

/* Writes "a number", "a vector of 3" or "a matrix of 2 x 3" to text[64]. */
const char *cs_symbol_text(const cs_graph *g, cs_symbol s, char *text);

/* Applies op elementwise to one to three symbols; raises an error if the shapes
 * do not match. */
cs_symbol cs_rule_map(cs_symbol_rule *w, cs_op op, const cs_symbol *a, int n);

/* ---- symbol.c ------------------------------------------------------------ */

#define CS_SYMBOL_META "chainscope.expression"
#define CS_VECTOR_META "chainscope.vector"

/* Tests indices that are computed from columns of data (bind/term_index.h).
 * Returns CS_UNSUPPORTED for an index that does not read a column. */
typedef struct cs_row_index {
    cs_status (*check)(const struct cs_row_index *self, cs_graph *g, cs_node i,
                       size_t size, bool rows, cs_error *err);
    const void *data;
    size_t dim; /* numbers of the state, which precede the row in the input */
} cs_row_index;

/* The open trace. At most one trace is open at a time. Each symbol stores the
 * number of the trace that created it. A Lua state has one cs_trace, which is
 * freed with the state. */
typedef struct cs_trace {
    cs_graph *graph; /* graph of the open trace; NULL: no trace is open */
    unsigned serial : 30;
    unsigned last : 30; /* number of the newest trace */
    bool nested;        /* the trace is inside another trace */
    bool symbolic_math; /* true while math.* accepts symbols and os has no
                         * clock */
    const void *caller; /* the function of the script that was called last */
    const cs_row_index *rows; /* NULL: no rows of data are traced */
} cs_trace;

/* A symbol in a script. The symbol belongs to the trace with the number
 * `serial`. The object is small because every operation creates one. */
typedef struct cs_expression {
    const void *mark; /* mark that identifies symbols among userdata */
    cs_node node;
    unsigned serial : 30, rank : 2;
} cs_expression;

typedef struct cs_matrix_expression {
    cs_expression e; /* the common part, with rank 2 */
    size_t rows, cols;
} cs_matrix_expression;

extern const char cs_symbol_mark; /* the address of this variable is the mark */

/* Creates the trace; called once, after the metatable of symbols is created. */
void cs_trace_create(lua_State *L);
cs_trace *cs_trace_of(lua_State *L);
/* Continues a trace that was interrupted by another one; `outer` is a copy from
 * before. */
void cs_script_trace_resume(lua_State *L, const cs_trace *outer);
/* Sets the test of indices until the next trace is opened; `rows` must outlive
 * the trace. */
void cs_trace_set_rows(lua_State *L, const cs_row_index *rows);
/* Returns the graph of the trace; raises an error if no trace is open. */
cs_graph *cs_trace_graph(lua_State *L, const cs_trace *t);

/* Upvalue indices. Functions that are called for each operation have the trace
 * and the metatable of symbols as upvalues, which saves look-ups. */
enum { CS_TRACE_UPVALUE = 2, CS_SYMBOL_UPVALUE };
/* Pushes f as a closure over the value on top of the stack (the first upvalue),
 * the trace and the metatable. */
void cs_trace_closure(lua_State *L, lua_CFunction f);
static inline cs_trace *cs_trace_here(lua_State *L)
{
    return lua_touserdata(L, lua_upvalueindex(CS_TRACE_UPVALUE));
}
/* Pushes a symbol; for functions that have the trace and the metatable as
 * upvalues. */
void cs_symbol_push_here(lua_State *L, const cs_trace *t, cs_symbol s);
/* Pushes a number as a symbol; for functions that have the trace and the
 * metatable as upvalues. */
static inline void cs_symbol_push_number(lua_State *L, const cs_trace *t,
                                         cs_node n)
{
    cs_expression *e = lua_newuserdatauv(L, sizeof *e, 0);
    *e = (cs_expression){&cs_symbol_mark, n, t->serial, 0};
    lua_pushvalue(L, lua_upvalueindex(CS_SYMBOL_UPVALUE));
    lua_setmetatable(L, -2);
}

/* Pushes a symbol; for functions without the metatable as upvalue. */
void cs_symbol_push(lua_State *L, cs_symbol s);

/* cs_symbol_fail raises an error at the script's line; cs_symbol_refuse
 * explains why the graph rejected a node. */
int cs_symbol_fail(lua_State *L, const char *what, const char *hint);
int cs_symbol_refuse(lua_State *L, cs_graph *g);

/* Pushes a constant of a graph as a number, a list or a list of lists. */
void cs_symbol_push_plain(lua_State *L, const cs_graph *g, cs_symbol s);

/* Returns the symbol at `index`, or NULL. Tests the size and the mark, because
 * comparing metatables takes three times as long. */
static inline const cs_expression *cs_expression_at(lua_State *L, int index)
{
    const cs_expression *e = lua_touserdata(L, index);
    return e && lua_rawlen(L, index) >= sizeof *e && e->mark == &cs_symbol_mark
               ? e
               : NULL;
}
cs_symbol cs_symbol_in(const cs_expression *e);
_Noreturn void cs_symbol_stale(lua_State *L);
/* Returns the value of a symbol; raises an error if the symbol belongs to
 * another graph. */
static inline cs_symbol cs_symbol_of(lua_State *L, const cs_trace *t,
                                     const cs_graph *g, const cs_expression *e)
{
    if (e->serial != t->serial || g != t->graph)
        cs_symbol_stale(L);
    return cs_symbol_in(e);
}

/* Reads the value at `index` as a symbol of g. `depth`: number of enclosing
 * lists. */
cs_symbol cs_symbol_read(lua_State *L, const cs_trace *t, cs_graph *g,
                         int index, int depth);
/* True if the value is a symbol or a list that contains one. */
bool cs_symbol_within(lua_State *L, int index, int depth);

int cs_symbol_to_string(lua_State *L);

/* ---- index_symbol.c ------------------------------------------------------ */

/* Returns the entry of a vector, or the row of a matrix, number i, which may be
 * a vector of indices. Raises an error if i is not a whole number for every
 * state, or could be outside. */
cs_symbol cs_symbol_pick(lua_State *L, cs_graph *g, cs_symbol of, cs_symbol i);

/* ---- operators.c --------------------------------------------------------- */

/* Creates the classes of symbols and of plain vectors. */
void cs_symbol_open(lua_State *L);

/* ---- words_math.c, words_matrix.c ---------------------------------------- */

/* The functions of cs.math. cs_math_words: elementwise functions and functions
 * of vectors. cs_matrix_words: functions of matrices. */
extern const cs_symbol_word cs_math_words[];
extern const size_t cs_math_words_n;
extern const cs_symbol_word cs_matrix_words[];
extern const size_t cs_matrix_words_n;

/* sparse { rows =, cols =, i =, j =, v = }: returns a sparse matrix. */
int cs_script_sparse(lua_State *L);
void cs_script_open_sparse(lua_State *L);
