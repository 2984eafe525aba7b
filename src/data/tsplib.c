#include "data/tsplib.h"

#include "base/memory.h"
#include "data/lines.h"

#include <math.h>
#include <string.h>

typedef struct reader reader;

/* A rule for computing distances from coordinates. */
typedef struct metric {
    const char *name;
    double (*distance)(const double *a, const double *b);
    bool latitudes; /* coordinates are latitude and longitude, that is, y and
                     * x */
} metric;

/* Layout of a matrix: the parts whose elements the file lists, row by row. */
typedef struct format {
    const char *name;
    bool lower, upper, diagonal;
} format;

struct reader {
    cs_lines *lines;
    cs_cities *cities;
    const metric *metric; /* rule for distances; NULL: the distances are listed
                           * explicitly */
    const format *format;
    bool placed, weighed;
    double *shown; /* [n][2] coordinates that are only for drawing [own] */
    cs_error *err;
};

/* ---- distances ----------------------------------------------------------- */

static double euclidean(const double *a, const double *b)
{
    return floor(hypot(a[0] - b[0], a[1] - b[1]) + 0.5);
}

static double ceiling(const double *a, const double *b)
{
    return ceil(hypot(a[0] - b[0], a[1] - b[1]));
}

static double manhattan(const double *a, const double *b)
{
    return floor(fabs(a[0] - b[0]) + fabs(a[1] - b[1]) + 0.5);
}

static double largest(const double *a, const double *b)
{
    return fmax(floor(fabs(a[0] - b[0]) + 0.5), floor(fabs(a[1] - b[1]) + 0.5));
}

static double pseudo_euclidean(const double *a, const double *b)
{
    return ceil(hypot(a[0] - b[0], a[1] - b[1]) / sqrt(10));
}

/* Converts degrees and minutes, DDD.MM, to radians. Uses the approximation of
 * pi that TSPLIB defines. */
static double radians(double place)
{
    double degrees = trunc(place);
    return 3.141592 * (degrees + 5 * (place - degrees) / 3) / 180;
}

static double geographical(const double *a, const double *b)
{
    double q1 = cos(radians(a[1]) - radians(b[1]));
    double q2 = cos(radians(a[0]) - radians(b[0]));
    double q3 = cos(radians(a[0]) + radians(b[0]));
    double cosine = 0.5 * ((1 + q1) * q2 - (1 - q1) * q3);
    return trunc(6378.388 * acos(fmax(-1, fmin(1, cosine))) + 1);
}

static const metric metrics[] = {
    {"EUC_2D", euclidean, false},     {"CEIL_2D", ceiling, false},
    {"MAN_2D", manhattan, false},     {"MAX_2D", largest, false},
    {"ATT", pseudo_euclidean, false}, {"GEO", geographical, true},
};

static const format formats[] = {
    {"FULL_MATRIX", true, true, true},
    {"UPPER_ROW", false, true, false},
    {"LOWER_ROW", true, false, false},
    {"UPPER_DIAG_ROW", false, true, true},
    {"LOWER_DIAG_ROW", true, false, true},
    {"LOWER_COL", false, true, false},
    {"UPPER_COL", true, false, false},
    {"LOWER_DIAG_COL", false, true, true},
    {"UPPER_DIAG_COL", true, false, true},
};

/* ---- reading ------------------------------------------------------------- */

static cs_status refuse(reader *r, const char *what, const char *hint)
{
    return cs_lines_refuse(r->lines, CS_INPUT, r->err, what, hint);
}

/* Reads the next number of the text, on this line or a later one. */
static bool next_number(reader *r, cs_word_span *line, double *number)
{
    cs_word_span word = cs_word_next(line);
    while (word.at == word.end) {
        if (!cs_lines_next(r->lines, line))
            return false;
        word = cs_word_next(line);
    }
    return cs_word_number(word, number);
}

static cs_status sized(reader *r)
{
    return r->cities->n
               ? CS_OK
               : refuse(r,
                        "the number of cities is not given before this section",
                        "put DIMENSION before the sections");
}

static cs_status no_memory(reader *r)
{
    return cs_lines_refuse(r->lines, CS_MEMORY, r->err,
                           "out of memory for the cities", "use fewer cities");
}

/* Reads a line "number x y" for each city into place[n][2]. */
static cs_status read_places(reader *r, double *place)
{
    size_t n = r->cities->n;
    for (size_t i = 0; i < 2 * n; i++)
        place[i] = NAN;
    for (size_t k = 0; k < n; k++) {
        cs_word_span line;
        double city, x, y;
        if (!cs_lines_next(r->lines, &line) ||
            !cs_word_whole(cs_word_next(&line), 1, (double)n, &city) ||
            !cs_word_number(cs_word_next(&line), &x) ||
            !cs_word_number(cs_word_next(&line), &y) ||
            !(fabs(x) < 1e100 && fabs(y) < 1e100))
            return refuse(r, "this line has no valid coordinates of a city",
                          "write \"number x y\" for each city, from 1");
        double *to = place + 2 * (size_t)city - 2;
        if (to[0] == to[0])
            return refuse(r, "this city already has coordinates",
                          "number the cities 1 to n, each once");
        to[0] = x;
        to[1] = y;
    }
    return CS_OK;
}

static cs_status node_coord_section(reader *r)
{
    cs_status s = sized(r);
    r->placed = !s;
    return s ? s : read_places(r, r->cities->place);
}

static cs_status display_data_section(reader *r)
{
    cs_status s = sized(r);
    if (!s && !r->shown)
        r->shown = cs_alloc(r->cities->n, 2 * sizeof *r->shown);
    if (!s && !r->shown)
        return no_memory(r);
    return s ? s : read_places(r, r->shown);
}

static cs_status edge_weight_section(reader *r)
{
    cs_cities *c = r->cities;
    const format *f = r->format;
    cs_word_span line = {NULL, NULL};
    cs_status s = sized(r);
    if (!s && !f)
        s = refuse(r,
                   "the format of the matrix is not given before this section",
                   "put EDGE_WEIGHT_FORMAT before the section");
    for (size_t i = 0; !s && i < c->n; i++)
        for (size_t j = 0; !s && j < c->n; j++) {
            double cost;
            if (i < j ? !f->upper : i > j ? !f->lower : !f->diagonal)
                continue;
            if (!next_number(r, &line, &cost) || !(fabs(cost) < 1e100))
                s = refuse(r, "the matrix has too few numbers",
                           "give every cost that the format asks for");
            else if (i != j)
                c->cost[i * c->n + j] = cost;
            if (!s && i != j && !(f->lower && f->upper))
                c->cost[j * c->n + i] = cost;
        }
    r->weighed = !s;
    return s;
}

static cs_status type(reader *r, cs_word_span value)
{
    return cs_word_is(value, "TSP") || cs_word_is(value, "ATSP")
               ? CS_OK
               : refuse(r, "this is not a travelling salesman problem",
                        "use a file of TYPE TSP or ATSP");
}

static cs_status dimension(reader *r, cs_word_span value)
{
    cs_cities *c = r->cities;
    double n;
    if (c->n || !cs_word_whole(value, 3, CS_TSPLIB_CITIES, &n))
        return refuse(r, "the number of cities must be between 3 and 1024",
                      "write DIMENSION: n, once");
    c->n = (size_t)n;
    c->cost = cs_alloc(c->n * c->n, sizeof *c->cost);
    c->place = cs_alloc(c->n, 2 * sizeof *c->place);
    return c->cost && c->place ? CS_OK : no_memory(r);
}

static cs_status edge_weight_type(reader *r, cs_word_span value)
{
    r->metric = NULL;
    if (cs_word_is(value, "EXPLICIT"))
        return CS_OK;
    for (size_t i = 0; i < sizeof metrics / sizeof *metrics; i++)
        if (cs_word_is(value, metrics[i].name))
            r->metric = &metrics[i];
    return r->metric ? CS_OK
                     : refuse(r, "unknown EDGE_WEIGHT_TYPE",
                              "use EXPLICIT, EUC_2D, CEIL_2D, MAN_2D, MAX_2D, "
                              "GEO or ATT");
}

/* Reads the format of the matrix. FUNCTION is accepted; it means that the file
 * has no matrix. */
static cs_status edge_weight_format(reader *r, cs_word_span value)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (cs_word_is(value, formats[i].name))
            r->format = &formats[i];
    return r->format || cs_word_is(value, "FUNCTION")
               ? CS_OK
               : refuse(r, "unknown EDGE_WEIGHT_FORMAT",
                        "use FULL_MATRIX, UPPER_ROW, LOWER_ROW, "
                        "UPPER_DIAG_ROW or LOWER_DIAG_ROW");
}

static const struct {
    const char *key;
    cs_status (*value)(reader *r, cs_word_span value); /* reads "KEY : value" */
    cs_status (*section)(reader *r); /* reads the lines after "KEY" */
} keys[] = {
    {"TYPE", type, NULL},
    {"DIMENSION", dimension, NULL},
    {"EDGE_WEIGHT_TYPE", edge_weight_type, NULL},
    {"EDGE_WEIGHT_FORMAT", edge_weight_format, NULL},
    {"NODE_COORD_SECTION", NULL, node_coord_section},
    {"DISPLAY_DATA_SECTION", NULL, display_data_section},
    {"EDGE_WEIGHT_SECTION", NULL, edge_weight_section},
};

/* Reads "KEY", "KEY: value" or "KEY : value". Skips keys that do not change the
 * problem (NAME, COMMENT ...). */
static cs_status read_key(reader *r, cs_word_span line)
{
    const char *colon = memchr(line.at, ':', (size_t)(line.end - line.at));
    cs_word_span key =
        cs_word_trim((cs_word_span){line.at, colon ? colon : line.end});
    cs_word_span value = {line.end, line.end};
    if (colon)
        value = cs_word_trim((cs_word_span){colon + 1, line.end});
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (cs_word_is(key, keys[i].key))
            return keys[i].value ? keys[i].value(r, value) : keys[i].section(r);
    return colon ? CS_OK
                 : refuse(r, "this line is not a key of TSPLIB",
                          "write \"KEY: value\", or the name of a section, "
                          "followed by its lines (see DIMENSION)");
}

/* ---- reading a file ------------------------------------------------------ */

static void measure(cs_cities *c, const metric *m)
{
    for (size_t i = 0; i < c->n; i++)
        for (size_t j = 0; j < c->n; j++)
            if (i != j)
                c->cost[i * c->n + j] =
                    m->distance(c->place + 2 * i, c->place + 2 * j);
    for (size_t i = 0; m->latitudes && i < c->n; i++) {
        double y = c->place[2 * i];
        c->place[2 * i] = c->place[2 * i + 1];
        c->place[2 * i + 1] = y;
    }
}

static cs_status parse(reader *r)
{
    cs_word_span line;
    cs_status s = CS_OK;
    while (!s && cs_lines_next(r->lines, &line) && !cs_word_is(line, "EOF"))
        s = read_key(r, line);
    if (s)
        return s;
    if (r->metric ? !r->placed : !r->weighed)
        return refuse(r, "the file has no distances",
                      "give a NODE_COORD_SECTION, or an EDGE_WEIGHT_SECTION "
                      "of EXPLICIT costs");
    if (r->metric)
        measure(r->cities, r->metric);
    if (!r->placed || r->shown) {
        cs_free(r->cities->place);
        r->cities->place = r->shown;
        r->shown = NULL;
    }
    return CS_OK;
}

static cs_status read_lines(cs_lines *lines, void *out, cs_error *err)
{
    reader r = {.lines = lines, .cities = out, .err = err};
    cs_status s = parse(&r);
    cs_free(r.shown);
    if (s)
        cs_cities_free(out);
    return s;
}

cs_status cs_cities_parse(const char *text, size_t size, const char *where,
                          cs_cities *out, cs_error *err)
{
    *out = (cs_cities){0};
    return cs_lines_parse(text, size, where, read_lines, out, err);
}

cs_status cs_cities_read(const char *path, cs_cities *out, cs_error *err)
{
    *out = (cs_cities){0};
    return cs_lines_read(path, "TSPLIB file", read_lines, out, err);
}

void cs_cities_free(cs_cities *c)
{
    cs_free(c->cost);
    cs_free(c->place);
    *c = (cs_cities){0};
}
