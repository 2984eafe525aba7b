/* Fuzzes the reader of travelling salesman problems. */
#include "data/tsplib.h"
#include "fuzz.h"

#include <math.h>

static void one_input(const uint8_t *data, size_t size)
{
    cs_cities c = {0};
    cs_error err = {0};
    cs_status s =
        cs_cities_parse((const char *)data, size, "input.tsp", &c, &err);
    for (size_t k = 0; s == CS_OK && k < c.n * c.n; k++)
        if (!isfinite(c.cost[k]))
            fuzz_broken("a distance is not a number");
    if (s != CS_OK && (!err.what[0] || c.cost || c.place))
        fuzz_broken("error without a message, or with a result");
    cs_cities_free(&c);
}

const fuzz_reader reader_tsplib = {.read = one_input};
