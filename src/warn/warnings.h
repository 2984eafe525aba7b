/* Warnings of an arm: one list of kinds (table.c), in the order of causes. A
 * warning is one sentence with one remedy; a cause comes before its effects, and
 * removes those whose remedy would be the wrong one. */
#pragma once

#include "base/page.h"
#include "warn/draws.h"
#include "warn/facts.h"

/* Ascending. A note is true of the method or of the design of the run; a
 * warning says that figures may be wrong or vague; with `wrong` they are wrong. */
typedef enum cs_severity {
    CS_SEVERITY_NONE,
    CS_SEVERITY_NOTE,
    CS_SEVERITY_WARNING,
    CS_SEVERITY_WRONG
} cs_severity;

/* "none", "note", "warning", "wrong". */
const char *cs_severity_name(cs_severity s);

/* One kind of warning. */
typedef struct cs_warning {
    const char *name; /* a word, constant */
    cs_severity severity;
    bool (*find)(const cs_warn_facts *f, cs_page *p); /* NULL: from `draws` */
    bool (*draws)(const cs_warn_draws *d, cs_page *p);
    /* Names between blanks of the kinds that it explains: these are not said. */
    const char *hides;
    /* Words at the end of its sentence which are left out when a kind that
     * comes earlier and has `explains` was found; or NULL. */
    const char *remedy;
    bool explains; /* it is the cause of disagreeing or few draws */
} cs_warning;

enum { CS_WARNING_KINDS = 64 }; /* at most */

/* Kind i in the order of causes; NULL past the last. */
const cs_warning *cs_warning_at(size_t i);

/* What was found: text[i], of one line or several, each ended by a newline, of
 * kind i; NULL: not found. Begins as {0}, ends with cs_warnings_free. */
typedef struct cs_warnings {
    char *text[CS_WARNING_KINDS]; /* [own] */
    bool full;                    /* memory ran out */
} cs_warnings;
void cs_warnings_free(cs_warnings *w);

/* Add what an arm's facts show, or its draws. */
void cs_warnings_find(cs_warnings *w, const cs_warn_facts *f);
void cs_warnings_find_draws(cs_warnings *w, const cs_warn_draws *d);

/* The warnings as lines of text, and their names between blanks, a name a line:
 * how a report carries them. Reading them back ignores unknown names. */
void cs_warnings_put(const cs_warnings *w, cs_page *lines, cs_page *names);
/* Only the lines of what the arm's facts show, without what its draws show. */
void cs_warnings_put_facts(const cs_warnings *w, cs_page *lines);
void cs_warnings_read(cs_warnings *w, const char *lines, const char *names);

/* Removes what a cause hides, and the remedies of what is explained. Call it
 * once, after everything was added. */
void cs_warnings_settle(cs_warnings *w);

cs_severity cs_warnings_worst(const cs_warnings *w);
/* The lines of the kind called `name`; NULL: it was not found. */
const char *cs_warnings_text(const cs_warnings *w, const char *name);
/* Whether the kind called `name` was found. */
bool cs_warnings_has(const cs_warnings *w, const char *name);

/* As fields of an array of JSON: [{"name": ..., "severity": ..., "text": ...}]. */
void cs_warnings_json(const cs_warnings *w, cs_page *p);
