/* Internals of the inputs of a run. */
#pragma once

#include "data/inputs.h"

typedef struct cs_input {
    cs_input_kind kind;
    char *name; /* [own] */
    char *text; /* [own] `size` bytes and a terminating zero; NULL for data */
    size_t size;
    uint64_t sum; /* checksum of data */
} cs_input;

struct cs_inputs {
    cs_input *entry; /* [own] */
    size_t n, capacity;
    size_t bytes; /* total size of all texts */
    size_t owners;
    bool recorded;
    bool strict;   /* true if the files differ from the recorded inputs; then
                    * only recorded files may be opened */
    bool overfull; /* true if some input could not be added */
    cs_error failure;
};

/* Returns the entry with that kind and name, or NULL. */
cs_input *cs_inputs_find(const cs_inputs *in, cs_input_kind kind,
                         const char *name);
/* Adds an entry to the inputs, with a copy of text[size] (NULL: no text). If
 * memory runs out, or if there are too many entries, sets `overfull` and
 * returns NULL. */
cs_input *cs_inputs_add(cs_inputs *in, cs_input_kind kind, const char *name,
                        const char *text, size_t size);
