/* Stores, for each change made by a command, the command that reverses the
 * change. An undo is itself a change, made at the current step, and `redo`
 * reverses it. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Maximum number of stored commands. The newest command is last. */
enum { CS_UNDOS = 64 };
typedef struct cs_set_back_step {
    char *line; /* [own]; NULL: the change cannot be undone */
    /* message that is printed after the undo; if the change cannot be undone, a
     * description of the change */
    char said[200];
} cs_set_back_step;

typedef struct cs_set_back {
    cs_set_back_step step[CS_UNDOS];
    size_t n;
} cs_set_back;

typedef struct cs_way_back {
    cs_set_back undo, redo;
    cs_set_back *under_way; /* the list whose command is being obeyed, or
                             * NULL */
    uint64_t changes;       /* number of changes that can be undone */
} cs_way_back;

/* Stores the command line that reverses a change, after the change was made.
 * NULL: no command can reverse it. Also stores the message to print after the
 * undo ("dmala.step back to 0.2"). */
void cs_way_back_add(cs_way_back *b, const char *line, const char *said);
void cs_way_back_clear(cs_way_back *b);
