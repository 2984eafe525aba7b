/* Fuzzes the reader of neural networks. */
#include "fuzz.h"
#include "learn/network.h"

#include <math.h>

static void one_input(const uint8_t *data, size_t size)
{
    cs_network net;
    cs_error err = {0};
    cs_status s =
        cs_network_parse(&net, (const char *)data, size, "input", &err);
    for (size_t i = 0; s == CS_OK && i < net.words; i++)
        if (!isfinite((double)net.number[i]))
            fuzz_broken("a weight is not finite");
    if (s != CS_OK && !err.what[0])
        fuzz_broken("error without a message");
    cs_network_free(&net);
}

const fuzz_reader reader_network = {.read = one_input};
