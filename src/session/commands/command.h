/* Declarations shared by the command files: the struct that defines a command,
 * and functions that parse the words of a line. */
#pragma once

#include "base/page.h"
#include "session/client/shell_words.h"
#include "session/state/session_state.h"

/* CS_COMMAND_RAW: word[1] is the unparsed rest of the line. CS_COMMAND_MAKES:
 * the command needs a run that makes its own steps, that is, a run that is not
 * read from files. CS_COMMAND_PLAYS: the command is allowed while a game is
 * open (lua/chainscope/game.lua), since it does not tell the answer. */
enum {
    CS_COMMAND_RAW = 1,
    CS_COMMAND_NEEDS_RUN = 2,
    CS_COMMAND_MAKES = 4,
    CS_COMMAND_PLAYS = 8
};

/* Meaning of the first word after the command's name, for completion. */
typedef enum cs_word_kind {
    CS_WORD_ANY,
    CS_WORD_FILE,
    CS_WORD_ARM,
    CS_WORD_PARAM,
    CS_WORD_WAY,    /* `event`: a kind of event, then an arm */
    CS_WORD_BREAK,  /* `break`: a kind of event or a rule, then an arm */
    CS_WORD_CHANGE, /* `arm`: a kind of change, then an arm or a kernel */
    CS_WORD_START   /* `start`: chains, then the new state */
} cs_word_kind;

/* Obeys a command. word[0] is its name, and n words follow. The answer is
 * written to s->front.out. */
typedef cs_status cs_command_obey(cs_session *s, char **word, size_t n,
                                  cs_error *err);

typedef struct cs_command {
    const char *name, *args, *help;
    unsigned flags;
    size_t least; /* minimum number of words after the command's name */
    cs_word_kind word;
    cs_command_obey *obey;
    const char *instead; /* how to reverse the command if `undo` cannot, or
                          * NULL */
} cs_command;

/* Obeys the line in s->front.in and fills s->front.out. (obey.c) */
void cs_session_obey(cs_session *s);
/* Splits a line into words, in place, and obeys it. (obey.c) */
cs_status cs_session_do(cs_session *s, char *line, cs_error *err);

/* Returns command number i. After the last command, returns NULL. */
const cs_command *cs_command_at(size_t i);
/* Returns the command that the first word of a line names. If there is no such
 * command, returns NULL. */
const cs_command *cs_command_named(const char *line);

cs_command_obey cs_command_open, cs_command_gallery, cs_command_recent,
    cs_command_run, cs_command_pause, cs_command_toggle, cs_command_step,
    cs_command_speed, cs_command_slow, cs_command_set, cs_command_restart,
    cs_command_reseed, cs_command_reload, cs_command_rewind, cs_command_undo,
    cs_command_redo, cs_command_branch, cs_command_look, cs_command_lua,
    cs_command_chunk, cs_command_complete, cs_command_save, cs_command_load,
    cs_command_write, cs_command_summary, cs_command_replay, cs_command_tape,
    cs_command_schedules, cs_command_pictures, cs_command_claims,
    cs_command_check, cs_command_reports, cs_command_once, cs_command_logp,
    cs_command_ratios, cs_command_line, cs_command_arms, cs_command_event,
    cs_command_break, cs_command_journal, cs_command_start, cs_command_key,
    cs_command_hill, cs_command_results, cs_command_share, cs_command_lesson,
    cs_command_quantiles, cs_command_draws, cs_command_course, cs_command_guess,
    cs_command_class, cs_command_game, cs_command_loo, cs_command_sensitivity,
    cs_command_exercise;

/* Returns the i-th word that may follow `break`. After the last word, returns
 * NULL. */
const char *cs_break_word(size_t i);
/* Returns the help text of the event or rule that a word of `break` names. If
 * the word is unknown, returns NULL. */
const char *cs_break_help(const char *word);

void cs_command_answer(cs_session *s, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Collects the output of a command in the body of the reply. If `stream` is
 * true, the output is instead sent while the command prints it, before the
 * reply. (printer.c) */
typedef struct cs_printer {
    cs_session *s;
    bool stream;
    double sent;
} cs_printer;

void cs_printer_begin(cs_printer *p, cs_session *s, bool stream);
cs_host_print cs_printer_print; /* Prints to a cs_printer; `self` is the
                                 * cs_printer. */
void cs_printer_end(cs_printer *p);
/* Sends a page before the reply, for text that may be too long for one
 * message. */
void cs_printer_page(cs_session *s, const cs_page *page);

/* Parse one word. It is a number, a count of steps ("5000", "1e6"), or an arm,
 * which is given by its name or by its number from 1. */
cs_status cs_command_number(const char *word, double *out, cs_error *err);
cs_status cs_command_count(const char *word, uint64_t *out, cs_error *err);
cs_status cs_command_arm(cs_session *s, const char *word, size_t *out,
                         cs_error *err);

/* Stores settings of the form "name=value". The scenario is opened and reopened
 * with these settings. */
cs_status cs_command_remember(cs_session *s, char **word, size_t n,
                              cs_error *err);

/* cs_command_put_journal appends the journal of the run with the comments that
 * identify the run; `lesson`: also the comments that describe the lesson.
 * cs_command_recall_sets replaces the stored settings by those of a journal. */
cs_status cs_command_put_journal(cs_session *s, bool lesson, cs_page *p,
                                 cs_error *err);
cs_status cs_command_recall_sets(cs_session *s, const char *journal,
                                 cs_error *err);

/* Writes to said[size] a description of the changes after the run's step that
 * the journal does not contain; "" if there are no such changes. Call it after
 * the replay. */
void cs_command_ahead(cs_session *s, const char *journal, char *said,
                      size_t size);

/* Returns true if the path has the name of a recording. (command_cast.c) */
bool cs_command_is_cast(const char *path);
/* Opens the recorded run with the settings in word[n] and moves it to the end
 * of the recording. Other words are allowed, too: with "at=STEP" the run is moved
 * to that step instead, with "at=12.5s" to that time of the recording. With
 * "of=FILE" the function fails if FILE is not the recording's scenario. Fails if
 * the result would differ from the recorded run. All lines of the answer except
 * the first are notes. */
cs_status cs_command_open_cast(cs_session *s, const char *path, char **word,
                               size_t n, cs_error *err);
/* If a scenario is open, moves it to the end of its recording, or to *step.
 * Fails if the recording belongs to another scenario. */
cs_status cs_command_replay_cast(cs_session *s, const char *path,
                                 const uint64_t *step, cs_error *err);
/* Fails if the journal belongs to a scenario whose text differs from that of
 * the open scenario. */
cs_status cs_command_is_of(const cs_session *s, const char *journal,
                           cs_error *err);

/* Updates the session. Call this after the run was moved to an earlier or later
 * step of its current branch. */
void cs_command_stand(cs_session *s);

/* Runs a piece of Lua. The answer is the output of the piece.
 * (command_lua.c) */
cs_status cs_command_eval(cs_session *s, const char *code, cs_error *err);
