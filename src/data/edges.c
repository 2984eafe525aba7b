#include "data/edges.h"

#include "base/memory.h"
#include "data/lines.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

typedef struct format {
    const char *kind;   /* second word of a "p" line; NULL: the format has no
                         * "p" line */
    double first;       /* number of the first vertex */
    const char *before; /* word before each edge, NULL: none */
    unsigned counted;   /* 2 if the first line of a file may count each edge
                         * twice, otherwise 1 */
} format;

static const format formats[] = {
    {NULL, 1, NULL, 1}, /* rudy: the first line is just two numbers */
    {"edge", 1, "e", 2},          {"col", 1, "e", 2}, {"qubo", 0, NULL, 1},
    {"MatrixMarket", 1, NULL, 1}, /* first line starts with %%, not with p */
};
enum { MATRIX = 4 };

/* Formats that are not read, identified by their first word, with advice. */
static const struct {
    const char *word, *what, *hint;
} others[] = {
    {"MARKOV", "this is a UAI file of a Markov network, which is not supported",
     "write the pairs as a graph: a line \"n m\", then lines \"i j w\""},
    {"BAYES",
     "this is a UAI file of a Bayesian network, which is not supported",
     "write the density in Lua: cs.target"},
    {"graph", "this is a GML or DOT graph, which is not supported",
     "write a line \"n m\", then lines \"i j w\""},
};

typedef struct reader {
    cs_lines *lines;
    const format *format;
    cs_edges *edges;
    size_t capacity;
    const char *text; /* start of the file's text */
    double promised;  /* minimum number of edge lines */
    cs_error *err;
} reader;

static cs_status refuse(reader *r, const char *what, const char *hint)
{
    return cs_lines_refuse(r->lines, CS_INPUT, r->err, what, hint);
}

static bool next_line(reader *r, cs_word_span *line)
{
    while (cs_lines_next(r->lines, line)) {
        cs_word_span rest = *line;
        bool remark = *line->at == '%' && r->format == &formats[MATRIX];
        if (!remark && !cs_word_is(cs_word_next(&rest), "c"))
            return true;
    }
    return false;
}

/* Returns the number of edge lines that the rest of the first line declares.
 * (In qubo this is the number of vertices plus the number of pairs.) Returns 0
 * if the line declares no number. */
static double promise(const format *f, cs_word_span line)
{
    double n, pairs = 0;
    if (!cs_word_whole(cs_word_next(&line), 0, 1e15, &n))
        return 0;
    if (f->first == 0)
        cs_word_whole(cs_word_next(&line), 0, 1e15, &pairs);
    return (n + pairs) / f->counted;
}

/* Reads "%%MatrixMarket matrix coordinate real symmetric", then a line of
 * sizes. */
static cs_status begin_matrix(reader *r, cs_word_span line)
{
    double n, columns;
    bool kept = cs_word_is(cs_word_next(&line), "matrix") &&
                cs_word_is(cs_word_next(&line), "coordinate");
    cs_word_span field = cs_word_next(&line);
    kept = kept && !cs_word_is(field, "complex") &&
           cs_word_is(cs_word_next(&line), "symmetric");
    r->format = &formats[MATRIX];
    if (!kept)
        return refuse(
            r, "this kind of MatrixMarket file is not supported",
            "write the matrix as \"matrix coordinate real symmetric\"");
    if (!next_line(r, &line))
        return refuse(r, "the line of sizes is missing",
                      "write \"n n entries\"");
    if (!cs_word_whole(cs_word_next(&line), 1, CS_EDGES_VERTICES, &n) ||
        !cs_word_whole(cs_word_next(&line), n, n, &columns))
        return refuse(r, "the sizes of the matrix are invalid for a graph",
                      "write \"n n entries\", n up to 1048576");
    r->edges->vertices = (size_t)n;
    r->promised = promise(r->format, line);
    return CS_OK;
}

/* Returns true for a file in D-Wave's COO format, which usually starts with the
 * comment "# vartype". Its vertices are numbered from 0, and it has no line of
 * sizes. */
static bool is_coo(const reader *r)
{
    static const char coo[] = "# vartype";
    size_t n = (size_t)(r->lines->end - r->text);
    return n >= sizeof coo - 1 && memcmp(r->text, coo, sizeof coo - 1) == 0;
}

/* Reports a first line that does not describe a graph. */
static cs_status refuse_begin(reader *r, cs_word_span line)
{
    cs_word_span word = cs_word_next(&line);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (cs_word_is(word, others[i].word))
            return refuse(r, others[i].what, others[i].hint);
    cs_word_next(&line);
    cs_word_span weight = cs_word_next(&line);
    if (is_coo(r) || (cs_word_is(word, "0") && weight.at < weight.end))
        return refuse(r, "this is a COO file, without a line of sizes",
                      "start with \"p qubo 0 n d o\": n vertices from 0, d "
                      "lines i i w, o lines i j w");
    return refuse(r, "the number of vertices is missing or too large",
                  "start with \"n m\", \"p edge n m\" or \"p qubo 0 n d o\", "
                  "with n up to 1048576");
}

static cs_status refuse_problem(reader *r, cs_word_span kind)
{
    return cs_word_is(kind, "cnf")
               ? refuse(r, "this is a formula in DIMACS CNF, not a graph",
                        "use p edge, p col or p qubo")
               : refuse(r, "unknown problem type",
                        "use p edge, p col or p qubo");
}

static cs_status begin(reader *r, cs_word_span line)
{
    cs_word_span whole = line;
    cs_word_span word = cs_word_next(&line);
    double n;
    r->format = &formats[0];
    if (cs_word_is(word, "%%MatrixMarket"))
        return begin_matrix(r, line);
    if (cs_word_is(word, "p")) {
        word = cs_word_next(&line);
        for (size_t i = 1; i < sizeof formats / sizeof *formats; i++)
            if (cs_word_is(word, formats[i].kind))
                r->format = &formats[i];
        if (!r->format->kind)
            return refuse_problem(r, word);
        if (r->format->first == 0)
            cs_word_next(&line); /* skips a QUBO file's topology (always 0) */
        word = cs_word_next(&line);
    }
    if (is_coo(r) || !cs_word_whole(word, 1, CS_EDGES_VERTICES, &n))
        return refuse_begin(r, whole);
    r->edges->vertices = (size_t)n;
    r->promised = promise(r->format, line);
    return CS_OK;
}

static cs_status add(reader *r, cs_word_span line)
{
    cs_edges *e = r->edges;
    double first = r->format->first, i, j, w = 1;
    double last = first + (double)e->vertices - 1;
    bool sizes = r->format == &formats[0] && r->promised == 0;
    if (r->format->before &&
        !cs_word_is(cs_word_next(&line), r->format->before))
        return refuse(r, "this line is not an edge", "write e i j");
    cs_word_span from = cs_word_next(&line), to = cs_word_next(&line);
    cs_word_span weight = cs_word_next(&line), more = cs_word_next(&line);
    if (!cs_word_whole(from, first, last, &i) ||
        !cs_word_whole(to, first, last, &j))
        return refuse(r, "an endpoint of this edge is not a vertex",
                      first == 0 ? "number the vertices 0 to n - 1"
                      : sizes
                          ? "start with \"n m\"; if the file has several "
                            "problems, as in OR-library, give only one of them"
                          : "number the vertices 1 to n");
    if (weight.at < weight.end && !cs_word_number(weight, &w))
        return refuse(r, "the weight of this edge is not a number",
                      "write i j w, or i j for a weight of 1");
    if (more.at < more.end)
        return refuse(
            r, "this line has more fields than an edge",
            "write i j w; lists of neighbours as in METIS are not supported");
    if (!CS_GROW(e->edge, e->n, r->capacity, 1))
        return cs_lines_refuse(r->lines, CS_MEMORY, r->err,
                               "out of memory for the graph",
                               "use a smaller one");
    e->edge[e->n++] =
        (cs_edge){(uint32_t)(i - first), (uint32_t)(j - first), w};
    return CS_OK;
}

static cs_status parse(reader *r)
{
    cs_word_span line;
    if (!next_line(r, &line))
        return refuse(r, "the graph is empty", "begin with \"n m\"");
    cs_status s = begin(r, line);
    while (!s && next_line(r, &line))
        s = add(r, line);
    if (!s && (double)r->edges->n < r->promised)
        return refuse(r, "the file ends before its last edge",
                      "give the number of edges that the first line declares");
    return s;
}

static int by_ends(const void *a, const void *b)
{
    const cs_edge *p = a, *q = b;
    return p->i != q->i ? (p->i < q->i ? -1 : 1)
                        : (p->j > q->j) - (p->j < q->j);
}

/* Orients each edge so that its first vertex is the lower one, then sorts the
 * edges. */
static void sort_ends(cs_edges *e)
{
    for (size_t k = 0; k < e->n; k++)
        if (e->edge[k].i > e->edge[k].j)
            e->edge[k] = (cs_edge){e->edge[k].j, e->edge[k].i, e->edge[k].w};
    if (e->n > 1)
        qsort(e->edge, e->n, sizeof *e->edge, by_ends);
}

void cs_edges_tidy(cs_edges *e)
{
    assert(e->edge || e->n == 0);
    size_t kept = 0;
    sort_ends(e);
    for (size_t k = 0; k < e->n; k++)
        if (kept && by_ends(&e->edge[kept - 1], &e->edge[k]) == 0)
            e->edge[kept - 1].w += e->edge[k].w;
        else
            e->edge[kept++] = e->edge[k];
    e->n = kept;
}

/* Merges entries for one edge. A file of this format may list an edge twice, or
 * once from each end. */
static cs_status join_ends(reader *r)
{
    cs_edges *e = r->edges;
    size_t kept = 0;
    sort_ends(e);
    for (size_t k = 0; k < e->n; k++)
        if (!kept || by_ends(&e->edge[kept - 1], &e->edge[k]) != 0)
            e->edge[kept++] = e->edge[k];
        else if (e->edge[kept - 1].w != e->edge[k].w)
            return refuse(
                r, "an edge is listed twice with distinct weights",
                "list the edge once, or give both entries the same weight");
    e->n = kept;
    return CS_OK;
}

static cs_status read_lines(cs_lines *lines, void *out, cs_error *err)
{
    reader r = {.lines = lines, .text = lines->at, .edges = out, .err = err};
    cs_status s = parse(&r);
    if (!s && r.format->counted > 1)
        s = join_ends(&r);
    if (s)
        cs_edges_free(out);
    else
        cs_edges_tidy(out);
    return s;
}

cs_status cs_edges_parse(const char *text, size_t size, const char *where,
                         cs_edges *out, cs_error *err)
{
    *out = (cs_edges){0};
    return cs_lines_parse(text, size, where, read_lines, out, err);
}

cs_status cs_edges_read(const char *path, cs_edges *out, cs_error *err)
{
    *out = (cs_edges){0};
    return cs_lines_read(path, "graph file", read_lines, out, err);
}

void cs_edges_free(cs_edges *e)
{
    cs_free(e->edge);
    *e = (cs_edges){0};
}
