/* Inputs of a run as their files see them. */
#pragma once

#include "data/inputs.h"

typedef struct cs_input {
    cs_input_kind kind;
    char *name; /* [own] */
    char *text; /* [own] of size bytes and a zero; NULL for data */
    size_t size;
    uint64_t sum; /* sum of data */
} cs_input;

struct cs_inputs {
    cs_input *entry; /* [own] */
    size_t n, room;
    size_t bytes; /* of all texts */
    size_t owners;
    bool recorded;
    bool strict;   /* from a recording: no others may be opened */
    bool overfull; /* something was not noted */
    cs_error failure;
};

/* Returns the entry of that kind and name, or NULL. */
cs_input *cs_inputs_find(const cs_inputs *in, cs_input_kind kind,
                         const char *name);
/* Adds one, with a copy of text[size] (NULL: it has none). NULL: no memory, or too
 * many; `overfull` is set. */
cs_input *cs_inputs_add(cs_inputs *in, cs_input_kind kind, const char *name,
                        const char *text, size_t size);
