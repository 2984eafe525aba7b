/* Declarations shared by the command files: the row of a command, and the words
 * that commands read. */
#pragma once

#include "session/client/shell_words.h"
#include "session/state/session_state.h"

/* RAW: word[1] is the unparsed rest of the line. */
/* MAKES: the command needs steps that are made here, not draws that are
 * read. */
enum { CS_COMMAND_RAW = 1, CS_COMMAND_NEEDS_RUN = 2, CS_COMMAND_MAKES = 4 };

/* Meaning of the first word after the name, for completion. */
typedef enum cs_word_kind {
    CS_WORD_ANY,
    CS_WORD_FILE,
    CS_WORD_ARM,
    CS_WORD_PARAM,
    CS_WORD_WAY,    /* `event`: then a kind, an arm */
    CS_WORD_BREAK,  /* `break`: then an arm */
    CS_WORD_CHANGE, /* `arm`: a change, an arm or a kernel */
    CS_WORD_START   /* `start`: arms, then the new state */
} cs_word_kind;

/* word[0] is the name; n words follow it. The answer goes to s->front.out. */
typedef cs_status cs_command_obey(cs_session *s, char **word, size_t n,
                                  cs_error *err);

typedef struct cs_command {
    const char *name, *args, *help;
    unsigned flags;
    size_t least; /* minimum number of words after the name */
    cs_word_kind word;
    cs_command_obey *obey;
    const char *instead; /* how to reverse a command that `undo` cannot; NULL */
} cs_command;

/* Obeys the line in s->front.in and fills s->front.out. (obey.c) */
void cs_session_obey(cs_session *s);
/* Obeys a line, which is split into words in place. (obey.c) */
cs_status cs_session_do(cs_session *s, char *line, cs_error *err);

/* Returns command number i, NULL past the last. */
const cs_command *cs_command_at(size_t i);
/* Returns the command that the first word of a line names; NULL: none. */
const cs_command *cs_command_named(const char *line);

cs_command_obey cs_command_open, cs_command_gallery, cs_command_recent,
    cs_command_run, cs_command_pause, cs_command_toggle, cs_command_step,
    cs_command_speed, cs_command_set, cs_command_restart, cs_command_reseed,
    cs_command_reload, cs_command_rewind, cs_command_undo, cs_command_redo,
    cs_command_branch, cs_command_look, cs_command_lua, cs_command_chunk,
    cs_command_complete, cs_command_save, cs_command_load, cs_command_write,
    cs_command_summary, cs_command_replay, cs_command_tape,
    cs_command_schedules, cs_command_pictures, cs_command_claims,
    cs_command_check, cs_command_reports, cs_command_logp, cs_command_ratios,
    cs_command_line, cs_command_arms, cs_command_event, cs_command_break,
    cs_command_journal, cs_command_start, cs_command_key, cs_command_hill,
    cs_command_results, cs_command_share, cs_command_lesson;

/* Returns the i-th possible first word of `break`; NULL past the last. */
const char *cs_break_word(size_t i);
/* Returns the event or rule that a word of `break` denotes; NULL:
 * unknown. */
const char *cs_break_help(const char *word);

void cs_command_answer(cs_session *s, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Collects a command's output in the body of its reply; with `stream` sends it
 * ahead of the reply as it is printed. (printer.c) */
typedef struct cs_printer {
    cs_session *s;
    bool stream;
    double sent;
} cs_printer;

void cs_printer_begin(cs_printer *p, cs_session *s, bool stream);
cs_host_print cs_printer_print; /* self: a cs_printer */
void cs_printer_end(cs_printer *p);

/* Parses a number; a count of steps ("5000", "1e6"); an arm by its name or its
 * number from 1. */
cs_status cs_command_number(const char *word, double *out, cs_error *err);
cs_status cs_command_count(const char *word, uint64_t *out, cs_error *err);
cs_status cs_command_arm(cs_session *s, const char *word, size_t *out,
                         cs_error *err);

/* Adds sets that a scenario is opened with, "name=value" each, to the stored
 * ones. */
cs_status cs_command_remember(cs_session *s, char **word, size_t n,
                              cs_error *err);

/* Writes to said[size], in words, the changes after the run's step that are not
 * in the journal; "": none. Call after the replay. */
void cs_command_ahead(cs_session *s, const char *journal, char *said,
                      size_t size);

/* True if the path is named like a recording. (command_cast.c) */
bool cs_command_is_cast(const char *path);
/* Opens the recorded run with these sets and moves it to the end of the
 * recording; "at=STEP": to that step; "of=FILE": only if the scenario is that
 * one. Fails if the result would differ from the recorded run. The lines of the
 * answer after the first are notes. */
cs_status cs_command_open_cast(cs_session *s, const char *path, char **word,
                               size_t n, cs_error *err);
/* Moves the open scenario, if any, to the end of its recording, or to *step;
 * fails if the recording has another scenario. */
cs_status cs_command_replay_cast(cs_session *s, const char *path,
                                 const uint64_t *step, cs_error *err);
/* Fails if the journal belongs to a scenario with another text. */
cs_status cs_command_is_of(const cs_session *s, const char *journal,
                           cs_error *err);

/* Call after the run was moved to another step of its own branch, earlier or
 * later. */
void cs_command_stand(cs_session *s);

/* Runs a piece of Lua; its output is the answer. (command_lua.c) */
cs_status cs_command_eval(cs_session *s, const char *code, cs_error *err);
