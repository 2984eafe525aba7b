/* What was set by commands can be set back: for each change the command that sets
 * back what it changed. That command is a change like any other, made now; what
 * would set it back in turn is done again by `redo`. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Commands that set back what was set, the newest last, and what is said when
 * they are obeyed. */
enum { CS_UNDOS = 64 };
typedef struct cs_set_back_step {
    char *line; /* [own]; NULL: there is none */
    char said[200];
} cs_set_back_step;

typedef struct cs_set_back {
    cs_set_back_step step[CS_UNDOS];
    size_t n;
} cs_set_back;

typedef struct cs_way_back {
    cs_set_back undo, redo;
    cs_set_back *under_way; /* the one of them that is obeyed, or NULL */
    uint64_t changes;       /* how often something was set that can be undone */
} cs_way_back;

/* After a change: the command line that sets back what it changed, NULL where
 * none can, and what is to be said then ("dmala.step back to 0.2"). */
void cs_way_back_add(cs_way_back *b, const char *line, const char *said);
void cs_way_back_clear(cs_way_back *b);
