/* Warnings about an arm. The table in kinds.c lists all kinds, causes before
 * effects. A warning is one sentence with one remedy. A cause removes the
 * effects for which the usual remedy would be wrong. */
#pragma once

#include "base/page.h"
#include "warn/arm_facts.h"
#include "warn/diagnosed_draws.h"

/* Severities in ascending order. A note describes the method or the design of
 * the run. A warning means that figures may be wrong or inaccurate; `wrong`
 * means that they are wrong. */
typedef enum cs_severity {
    CS_SEVERITY_NONE,
    CS_SEVERITY_NOTE,
    CS_SEVERITY_WARNING,
    CS_SEVERITY_WRONG
} cs_severity;

/* cs_severity_name returns "none", "note", "warning" or "wrong".
 * cs_severity_is_strict returns true if a warning of this severity makes
 * `chainscope run --strict` exit with status 3. */
const char *cs_severity_name(cs_severity s);
bool cs_severity_is_strict(cs_severity s);

/* The state of an arm's draws in one or two words, in ascending order. */
typedef enum cs_arm_verdict {
    CS_VERDICT_GOOD,
    CS_VERDICT_WARM_UP,
    CS_VERDICT_FEW,
    CS_VERDICT_BIASED,
    CS_VERDICT_MODES,
    CS_VERDICT_NOT_CONVERGED,
    CS_VERDICT_APART, /* two arms disagree */
    CS_VERDICT_SMALL_STEP,
    CS_VERDICT_LARGE_STEP,
    CS_VERDICT_WRONG
} cs_arm_verdict;

/* Returns the words of a verdict: at most 13 characters, or the `whole`
 * words. */
const char *cs_verdict_name(cs_arm_verdict v, bool whole);

/* Checks the condition of one kind of warning. If the facts (or the diagnosed
 * draws) meet the condition, writes the warning as a sentence and returns true;
 * otherwise returns false. */
typedef bool cs_warn_find(const cs_warn_facts *f, cs_page *p);
typedef bool cs_warn_find_draws(const cs_warn_draws *d, cs_page *p);

/* One kind of warning. */
typedef struct cs_warning {
    const char *name; /* one word; a constant string */
    cs_severity severity;
    cs_warn_find *find; /* NULL: `draws` is used instead */
    cs_warn_find_draws *draws;
    /* Space-separated names of the kinds that this kind explains; they are
     * removed. */
    const char *hides;
    /* The end of the sentence that is removed if an earlier kind with
     * `explains` was found; or NULL. */
    const char *remedy;
    /* FOLDER/NAME of the scenario that explains this kind, or NULL */
    const char *lesson;
    /* true: this kind can be the reason why chains disagree or why there are
     * few effective draws */
    bool explains;
    cs_arm_verdict verdict; /* GOOD: the kind does not affect the verdict */
} cs_warning;

enum { CS_WARNING_KINDS = 80 }; /* maximum number of kinds */

/* Returns kind i of the table, which lists causes before effects. If i is too
 * large, returns NULL. */
const cs_warning *cs_warning_at(size_t i);
/* Returns the kind whose name has the characters name[length]. If there is no
 * such kind, returns NULL. */
const cs_warning *cs_warning_find(const char *name, size_t length);

/* The warnings found: text[i] is one or more lines for kind i, each ending in a
 * newline; NULL: not found. Initialize with {0} and free with
 * cs_warnings_free. */
typedef struct cs_warnings {
    char *text[CS_WARNING_KINDS]; /* lines of each kind, or NULL [own] */
    bool full;                    /* memory ran out */
} cs_warnings;
void cs_warnings_free(cs_warnings *w);

/* Add to *w the warnings found from an arm's facts, or from its draws. */
void cs_warnings_find(cs_warnings *w, const cs_warn_facts *f);
void cs_warnings_find_draws(cs_warnings *w, const cs_warn_draws *d);
/* Checks only the kind called `name`. */
void cs_warnings_find_kind(cs_warnings *w, const char *name,
                           const cs_warn_facts *f);

/* Writes the warnings as lines of text to `lines`, and the names of their
 * kinds, separated by spaces, to `names`: one name per line. A report stores
 * both texts; cs_warnings_read reads them and ignores unknown names. */
void cs_warnings_put(const cs_warnings *w, cs_page *lines, cs_page *names);
/* Writes only the lines found from the arm's facts, not from its draws. */
void cs_warnings_put_facts(const cs_warnings *w, cs_page *lines);
void cs_warnings_read(cs_warnings *w, const char *lines, const char *names);

/* Removes the warnings that a cause hides, and the remedies that an earlier
 * cause makes unnecessary. Call it once, after all warnings were added. */
void cs_warnings_settle(cs_warnings *w);

cs_severity cs_warnings_worst(const cs_warnings *w);
/* Returns the lines of the kind called `name`. If this kind was not found,
 * returns NULL. */
const char *cs_warnings_text(const cs_warnings *w, const char *name);
/* Returns true if the kind called `name` was found. */
bool cs_warnings_has(const cs_warnings *w, const char *name);

/* Returns the lesson of the first kind found that has a lesson, or "". The
 * lesson in the scenario file `open` is skipped, since the user is already
 * reading it. */
const char *cs_warnings_lesson(const cs_warnings *w, const char *open);

/* Writes a JSON array: [{"name": ..., "severity": ..., "text": ...}]. */
void cs_warnings_json(const cs_warnings *w, cs_page *p);
