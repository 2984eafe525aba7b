#include "targets/intractable/edge_field.h"

void cs_edge_list_pairs(size_t vertices, uint8_t (*pair)[2])
{
    size_t e = 0;
    for (size_t i = 0; i < vertices; i++)
        for (size_t j = i + 1; j < vertices; j++, e++) {
            pair[e][0] = (uint8_t)i;
            pair[e][1] = (uint8_t)j;
        }
}
