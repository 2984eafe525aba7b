/* What the files of the commands share: the row of a command, and the words
 * that commands read. */
#pragma once

#include "session/state.h"
#include "session/words.h"

/* RAW: word[1] is the rest of the line as it is. */
/* MAKES: it is of steps that are made here, not of draws that are read. */
enum { CS_COMMAND_RAW = 1, CS_COMMAND_NEEDS_RUN = 2, CS_COMMAND_MAKES = 4 };

/* What the first word after the name is, for completion. */
typedef enum cs_word_kind {
    CS_WORD_ANY,
    CS_WORD_FILE,
    CS_WORD_ARM,
    CS_WORD_PARAM,
    CS_WORD_WAY,    /* of `event`: then a kind, an arm */
    CS_WORD_BREAK,  /* of `break`: then an arm */
    CS_WORD_CHANGE, /* of `arm`: what is changed, an arm or a kernel */
    CS_WORD_START   /* of `start`: arms, then where */
} cs_word_kind;

/* word[0] is the name, n words follow it. What is answered goes to s->out. */
typedef cs_status cs_command_obey(cs_session *s, char **word, size_t n,
                                  cs_error *err);

typedef struct cs_command {
    const char *name, *args, *help;
    unsigned flags;
    size_t least; /* words after the name */
    cs_word_kind word;
    cs_command_obey *obey;
    const char *instead; /* of what `undo` cannot undo: what leads back; NULL */
} cs_command;

/* Command number i, NULL past the last. */
const cs_command *cs_command_at(size_t i);
/* That which the first word of a line names, NULL: none. */
const cs_command *cs_command_named(const char *line);

cs_command_obey cs_command_open, cs_command_gallery, cs_command_recent,
    cs_command_run, cs_command_pause, cs_command_toggle, cs_command_step,
    cs_command_speed, cs_command_set, cs_command_restart, cs_command_reseed,
    cs_command_reload, cs_command_rewind, cs_command_undo, cs_command_redo,
    cs_command_course, cs_command_look, cs_command_lua, cs_command_chunk,
    cs_command_complete, cs_command_save, cs_command_load, cs_command_write,
    cs_command_summary, cs_command_replay, cs_command_tape,
    cs_command_schedules, cs_command_pictures, cs_command_claims,
    cs_command_check, cs_command_reports, cs_command_logp, cs_command_ratios,
    cs_command_line, cs_command_arms, cs_command_event, cs_command_break,
    cs_command_journal, cs_command_start, cs_command_key, cs_command_hill,
    cs_command_results, cs_command_share;

/* Where advice leads (lessons.c): the command; row i of the table, a scenario,
 * NULL past the last, and words of the warnings that it is about; that of the first
 * warning which has one, "": none, and that which is `open` (a path) is none. */
cs_command_obey cs_command_lesson;
const char *cs_lesson_about(size_t i, const char **words);
const char *cs_session_lesson_of(const char *warnings, const char *more,
                                 const char *open);

/* What the first word of `break` may be; NULL past the last. */
const char *cs_break_word(size_t i);
/* What may stand behind it, and what that holds the run at; NULL: nothing is
 * called so. */
const char *cs_break_help(const char *word);

void cs_command_answer(cs_session *s, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* What a command prints gathers in the body of its reply; with `stream` it
 * goes ahead of the reply as it comes. (printer.c) */
typedef struct cs_printer {
    cs_session *s;
    bool stream;
    double sent;
} cs_printer;

void cs_printer_begin(cs_printer *p, cs_session *s, bool stream);
cs_host_print cs_printer_print; /* to a cs_printer */
void cs_printer_end(cs_printer *p);

/* A number; a count of steps ("5000", "1e6"); an arm by its name or its
 * number from 1. */
cs_status cs_command_number(const char *word, double *out, cs_error *err);
cs_status cs_command_count(const char *word, uint64_t *out, cs_error *err);
cs_status cs_command_arm(cs_session *s, const char *word, size_t *out,
                         cs_error *err);

/* Sets that a scenario is opened with, "name=value" each: beside those that
 * are remembered. */
cs_status cs_command_remember(cs_session *s, char **word, size_t n,
                              cs_error *err);

/* To said[size], in words, what lay ahead of the run of a journal and is not in it; "":
 * nothing. For after the replay. */
void cs_command_ahead(cs_session *s, const char *journal, char *said,
                      size_t size);

/* Whether it is named as a recording is. (command_cast.c) */
bool cs_command_is_cast(const char *path);
/* Opens the run that is recorded, with such sets, and takes it to where the
 * recording ends; "at=STEP": to that step; "of=FILE": if the scenario is that one.
 * Fails where it would be another run than the one that was recorded. The lines of
 * the answer but the first are notes. */
cs_status cs_command_open_cast(cs_session *s, const char *path, char **word,
                               size_t n, cs_error *err);
/* Takes the open scenario, if one is open, to where the recording of it ends, or to
 * *step; fails where it is that of another. */
cs_status cs_command_replay_cast(cs_session *s, const char *path,
                                 const uint64_t *step, cs_error *err);
/* Fails where a journal says that it is of a scenario of another text. */
cs_status cs_command_is_of(const cs_session *s, const char *journal,
                           cs_error *err);

/* The run was put at another step of its own course, before or after. */
void cs_command_stand(cs_session *s);

/* Runs a piece of Lua; what it prints is the answer. (command_lua.c) */
cs_status cs_command_eval(cs_session *s, const char *code, cs_error *err);

/* Fails while draws are written: their files know no way back. */
cs_status cs_command_unwritten(const cs_session *s, cs_error *err);
