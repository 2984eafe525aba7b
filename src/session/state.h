/* What the files of the session share. */
#pragma once

#include "io/checked.h"
#include "session/aside.h"
#include "session/breaks.h"
#include "session/host.h"
#include "session/record.h"
#include "session/snapshot.h"
#include "session/watch.h"
#include "session/wire.h"

enum { CS_SESSION_SETS = 512, CS_SESSION_REPORTS = 1024 };

/* Numbers from 0. */
typedef struct cs_look_at {
    size_t arm, chain, coordinate;
} cs_look_at;

/* Commands that set back what was set, the newest last, and what is said when
 * they are obeyed. (undo.c) */
enum { CS_UNDOS = 64 };
typedef struct cs_set_back_step {
    char *line; /* [own]; NULL: there is none */
    char said[200];
} cs_set_back_step;

typedef struct cs_set_back {
    cs_set_back_step step[CS_UNDOS];
    size_t n;
} cs_set_back;

/* Log p that a user asked for, and where the chain stood then. */
typedef struct cs_truth {
    bool known;
    uint64_t place;
    double logp;
} cs_truth;

/* The line along which the energy is shown, and what was found there (line.c). */
typedef enum cs_line_kind {
    CS_LINE_LOOK, /* along the coordinate that is looked at */
    CS_LINE_COORDINATE,
    CS_LINE_MODES,
    CS_LINE_CHAINS
} cs_line_kind;

enum { CS_LINE_POINTS = 401 };
typedef struct cs_line {
    cs_line_kind kind;
    size_t a, b;      /* the coordinate; the two modes or chains */
    double range[2];  /* of the coordinate, NAN: as far as chains go */
    size_t of;        /* the coordinate whose chains were seen ... */
    double low, high; /* ... from here to there */

    bool known;
    uint64_t place, step; /* what is there was evaluated at that step */
    double made, took;    /* when, in seconds */
    const char *why;      /* there is none; NULL: there is */
    size_t n;
    double first, last; /* of the axis */
    double mark[2];
    size_t marks;
    char name[80], through[96];
    double energy[CS_LINE_POINTS];
} cs_line;

/* What :check has found of an arm. */
typedef struct cs_checked_arm {
    char name[64];
    char broken[32]; /* the first law that was found broken, "": none */
    unsigned held;   /* a bit for each of cs_arm_laws that held ... */
    uint64_t as;     /* ... of the kernel and its values that this is of */
} cs_checked_arm;

/* The same of the open run. */
typedef struct cs_checked_run {
    cs_checked_arm arm[CS_CHECKED_ARMS]; /* with a name, "" behind */
    char target[32]; /* a law of the target that is broken, "": none */
    bool whole;      /* all laws were tried on all arms */
} cs_checked_run;

/* The scenario's own panels (own_panels.c). */
typedef struct cs_own_panels {
    bool there;   /* it has some */
    cs_flat flat; /* [own base] what they show: of ... */
    bool known;
    uint64_t place;      /* ... the state of the run that this is */
    double made, next;   /* when; not made again before that, in seconds */
    uint64_t sample;     /* the step at which their curves have a point */
    double since, spent; /* seconds of calls for curves, since then, */
    double last;         /* and of the last of them */
} cs_own_panels;

/* How the run is moved. */
typedef struct cs_motion {
    bool running;
    bool waits;    /* it would run, and others have yet to write its draws */
    bool over;     /* of a rank that follows: there are no more orders */
    bool failed;   /* the last message is why the run stopped */
    uint64_t goal; /* runs until this step */
    double speed;  /* steps per second asked for, 0 = no limit */
    double pace;   /* what the scenario asks of `toggle`, until it is told
                          otherwise; 0: nothing */
    double speed_from; /* when the limit began to count, at which step */
    uint64_t speed_step;
    uint64_t quantum;  /* steps of the next advance */
    uint64_t farthest; /* the farthest step, once the run went back */
    uint64_t event_at; /* the step of the script's next event */
    double calling;    /* seconds since it was started that went to functions of
                          the script */
} cs_motion;

/* What is published of the run, and when. */
typedef struct cs_showing {
    double at;     /* when the last snapshot was published, in seconds */
    double took;   /* how long that took */
    bool overfull; /* ... and not all of it fitted */
    char reports[CS_SESSION_REPORTS]; /* what is looked at: probes, "*": all;
                                         words of cs_run_want */
    double rate, rate_time, rate_steps;
    size_t pictures; /* chains of an arm that snapshots show as pictures */
    bool dirty;      /* something changed since the last snapshot */
    bool news;       /* a report was made since, while the run rests */
} cs_showing;

/* What can be set back. */
typedef struct cs_way_back {
    cs_set_back undo, redo;
    cs_set_back *under_way; /* the one of them that is obeyed, or NULL */
    uint64_t changes;       /* how often something was set that can be undone */
} cs_way_back;

/* Messages to the user. */
typedef struct cs_messages {
    char newest[1024];
    uint64_t n;
    char said[CS_SAID][256]; /* the newest ones, cut, in turn */
    double said_at[CS_SAID]; /* the run's step at each */
} cs_messages;

struct cs_session {
    int fd, wake; /* commands and replies; an eventfd that wakes the front */
    const cs_host *host;
    cs_snapshot_end end;
    cs_opened open;             /* open.run NULL: nothing is open */
    char *set[CS_SESSION_SETS]; /* [own] what `restart` opens it with */
    size_t n_set;
    char *scenario;    /* [own] the text of the open scenario, or NULL */
    cs_record *record; /* [own] what writes draws to files, or NULL */
    bool quit;
    cs_motion move;
    cs_showing show;
    cs_aside *aside; /* [own] NULL: no memory for it */
    cs_look_at look; /* what the user looks at */
    struct {
        uint64_t step;
        size_t arm; /* the old course of which goes on beside it ... */
        bool there; /* ... from that step on */
    } branched;
    cs_way_back back;
    uint64_t looked; /* how often the session has chosen that itself ... */
    uint64_t held;   /* ... and how often a breakpoint has held the run */
    cs_breaks breaks;
    cs_own_panels own;
    cs_truth truth;
    cs_checked_run checked;
    char
        lesson[64]; /* the scenario that the warnings of the arm which is looked
                        at lead to, "": none (lessons.c) */
    bool compares;  /* estimated ratios with true ones, of the chain that is
                        looked at ... */
    cs_look_at compared; /* ... which is followed (ratios.c) */
    cs_line line;
    cs_messages told;
    cs_message in, out;
};

/* Remembers the newest event, for the screen. */
void cs_session_say(cs_session *s, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Completes the files that are being written, if any. */
cs_status cs_session_finish(cs_session *s, cs_error *err);

/* Where ranks move the run (follow.c): all fail where one did. */
cs_status cs_session_agree(const cs_session *s, cs_status mine, cs_error *err);
/* Tells the user what each rank does. */
void cs_session_say_ranks(cs_session *s);
/* The first has all of a run that comes to rest, and says what it took. */
cs_status cs_session_gather(cs_session *s, cs_error *err);
/* Of the others: does what the first orders, until that ends. */
void cs_session_follow(cs_session *s);
void cs_session_end_ranks(cs_session *s);
/* Moves the run as the first has ordered (signals.c). */
void cs_session_follow_to(cs_session *s, uint64_t goal);
/* From now on the first rank's signals count, and this process ends with its
 * front. */
void cs_signals_follow(void);
/* There is nothing left to stop: only the other ranks are waited for. */
void cs_signals_end(void);
/* There is no script any more that a signal could interrupt. */
void cs_signals_leave(void);

/* Destroys the open run, if any. */
void cs_session_drop(cs_session *s);
/* Opens `path` with the sets, as its files are now; or, unless `from` is NULL, from
 * what a recording carries. On failure what was open stays open. */
cs_status cs_session_open(cs_session *s, const char *path, cs_inputs *from,
                          cs_error *err);

/* Has the host open `path` as *next, which is not taken yet; and leaves that: the
 * run that is open stays. (opened.c) */
cs_status cs_session_make(cs_session *s, const char *path,
                          const char *const *set, size_t n, cs_inputs *from,
                          cs_opened *next, cs_error *err);
void cs_session_leave(cs_session *s, cs_opened *next);
/* What the run that is open was opened from, if a recording carries it; NULL: from
 * files. Whether these are others by now: nothing that opens the file again makes
 * this run. */
cs_inputs *cs_session_recorded(const cs_session *s);
/* A digest of what the arms and the target of the open run were made of. */
uint64_t cs_session_made(const cs_session *s);
bool cs_session_differs(const cs_session *s);

/* Where an arm of a run that is opened with other arms comes from; one that is
 * not named comes from that of its own name, if there is one. */
typedef struct cs_arm_origin {
    const char *name, *from;
} cs_arm_origin;

/* Opens the scenario again with other arms, as the sets say by now, and goes on
 * where the run was: arms that were there are as they were, new ones have
 * their steps still to make. `keep` (NULL: nothing is) does the rest with both
 * runs, source[arms of the new one]. On failure the run stays as it was, unless
 * it says otherwise. (rearm.c) */
typedef cs_status cs_rearm_keep(cs_run *next, const cs_run *old,
                                const size_t *source, cs_error *err);
cs_status cs_session_rearm(cs_session *s, const cs_arm_origin *origin, size_t n,
                           cs_rearm_keep *keep, cs_error *err);

/* Opens the file as it is now, and goes on: arms that are in it as they were go on
 * from where they are, others begin anew and make the steps of the others. Where
 * its target, its seed or what else all arms share is another, or `careful` and an
 * arm would be lost, it says so and nothing changes. (rearm.c) */
cs_status cs_session_reload(cs_session *s, bool careful, cs_error *err);

/* Adds a change of the arms to the sets; takes the newest out again. (rearm.c) */
cs_status cs_session_remember_arm(cs_session *s, const char *change,
                                  cs_error *err);
void cs_session_forget_arm(cs_session *s);
/* Takes out the newest change of the arms that is `change`; false: there is
 * none. (rearm.c) */
bool cs_session_forget_change(cs_session *s, const char *change);
/* What a parameter of an arm is, as a text that sets it again: a number, or the
 * schedule that drives it; nothing of a function of the script.
 * (command_change.c) */
void cs_session_put_value(const cs_session *s, size_t arm, const cs_param *row,
                          cs_page *p);

/* Takes the set of that name out, if there is one. (rearm.c) */
void cs_session_forget_set(cs_session *s, const char *name);

/* After a change of an arm at a step in the past: its old course goes on as an
 * arm beside it. False: it does not, `course` leads back. (branch.c) */
bool cs_session_branch(cs_session *s);

/* Whether a report that is no probe's is looked at: a front names it, or, where
 * all is asked for, the scenario shows the panel. (publish.c) */
bool cs_session_wants(const cs_session *s, const char *report,
                      const char *panel);

/* Whether a step of the chosen arm is soon made, by those so far: keys wait for
 * it. (publish.c) */
bool cs_session_is_quick(const cs_session *s);

/* The parameters of an arm, and what drives them. (params.c) */
void cs_session_put_params(const cs_run *r, size_t arm, cs_flat *f);

/* While the run rests, and somebody looks: the step to come. (coming.c) */
void cs_session_put_coming(cs_session *s, cs_flat *f);

/* Takes a run that was opened in the place of the one that is. [own: next] */
void cs_session_take(cs_session *s, cs_opened *next);

/* Adds "name=value" to the sets, in the place of an earlier one. */
cs_status cs_session_remember(cs_session *s, const char *name,
                              const char *value, cs_error *err);
void cs_session_forget(cs_session *s);

/* After a change: the command line that sets back what it changed, NULL where
 * none can, and what is to be said then ("dmala.step back to 0.2"). (undo.c) */
void cs_session_can_undo(cs_session *s, const char *line, const char *said);
void cs_session_forget_undo(cs_session *s);

/* Begins to obey signals, and messages that come to `fd`. (signals.c) */
void cs_signals_listen(const cs_host *host, int fd);
/* Call it before commands are read from the socket: it clears the note that
 * one has arrived, which would stop the next advance. */
void cs_signals_look(void);
/* Whether the last advance was interrupted (SIGUSR1, SIGTERM). */
bool cs_signals_asked(void);
/* Whether the session is to end (SIGTERM). */
bool cs_signals_ended(void);

/* Moves the open run by n steps, by fewer where a signal or the arrival of a
 * command stops it; *done: how many were made. (signals.c) */
cs_status cs_session_advance(cs_session *s, uint64_t n, uint64_t *done,
                             cs_error *err);

/* Replays a journal (run/run.h) on the open run; signals stop it, commands do
 * not. */
cs_status cs_session_replay(cs_session *s, const char *journal, cs_error *err);

/* What the open scenario claims, judged now (cs_host.claims). [own
 * cs_free(base)]; base NULL: there is no memory. */
cs_flat cs_session_judge(cs_session *s);

/* To be called after the run was put at another step. Events of the script that are
 * due at `step` happen once more with `redo`. */
void cs_session_placed(cs_session *s, uint64_t step, bool redo);
/* The same after a load: events up to there have happened for ever. */
void cs_session_loaded(cs_session *s);

/* Starts the run: it is moved until step `goal`. `beyond`: a run whose budget
 * is spent goes on without one. */
cs_status cs_session_go(cs_session *s, uint64_t goal, bool beyond,
                        cs_error *err);
/* Makes one quantum of steps of a run that was started; returns the seconds
 * until the next one is due. */
double cs_session_move(cs_session *s);
void cs_session_pause(cs_session *s);

/* Wakes the front. */
void cs_session_poke(cs_session *s);

/* Obeys the line in s->in and fills s->out. (commands.c) */
void cs_session_obey(cs_session *s);
/* Obeys a line, which is cut into words in place. (commands.c) */
cs_status cs_session_do(cs_session *s, char *line, cs_error *err);

/* The states of the chains that are looked at as pictures. (pictures.c) */
void cs_session_put_pictures(const cs_session *s, cs_flat *f);
/* The warnings of arm i, what :check has found, and the lesson that they lead to.
 * `told` has the arm's reports. (publish_warnings.c) */
void cs_session_put_warnings(cs_session *s, size_t i, const cs_flat *told,
                             cs_flat *f);
/* The n coordinates from `first` on by the clusters they are in: where the target
 * has bonds. (clusters.c) */
void cs_session_put_clusters(const cs_session *s, size_t first, size_t n,
                             cs_flat *f);

/* Data observed, and those that the chain that is looked at simulated last.
 * (pictures.c) */
void cs_session_put_data(const cs_session *s, cs_flat *f);

/* True ratios of its steps, where they were asked for. (ratios.c) */
void cs_session_put_ratios(cs_session *s, cs_flat *f);

/* What log p of that chain is, and itself where it was asked for. (truth.c) */
void cs_session_put_truth(const cs_session *s, const cs_chain_view *v,
                          cs_flat *f);

/* The energy along a line, where a panel shows it. (line.c) */
void cs_session_put_line(cs_session *s, cs_flat *f);

/* Whether somebody looks at what the probe of that name reports. */
cs_aside_wanted cs_session_reports; /* of a cs_session */

/* Own panels of the scenario. Another run is open, and attached; the end. */
void cs_own_opened(cs_session *s);
void cs_own_close(cs_session *s);
/* The run was put at another step. */
void cs_own_placed(cs_session *s);
/* Others are looked at. */
void cs_own_ask(cs_session *s);
/* How many of n steps lead to the next point of their curves; adds that point
 * where the run is there. */
uint64_t cs_own_limit(const cs_session *s, uint64_t n);
void cs_own_sample(cs_session *s);
/* Makes what they show where that is due; true: it did. */
bool cs_own_tend(cs_session *s);
/* Whether what they show is of this step; seconds until it will be made. */
bool cs_own_is_current(const cs_session *s);
double cs_own_wait(const cs_session *s);
void cs_own_put(const cs_session *s, cs_flat *f);

/* Remembers the first law that was found broken of an arm; law NULL: forgets
 * it, arm NULL: of all. And that law, "": none is known. (checked.c) */
void cs_session_mark(cs_session *s, const char *arm, const char *law);
const char *cs_session_mark_of(const cs_session *s, const char *arm);
/* Remembers a law that held of the arm of that name. And those of an arm as it
 * is, names with a blank between; "": it was not checked, or has been changed
 * since. */
void cs_session_hold(cs_session *s, const char *name, const char *law);
void cs_session_held(const cs_session *s, size_t arm, char *text, size_t size);
/* Both in words: "hold: again record", "BROKEN: reach", "not tried"; and whether
 * anything was tried. */
void cs_session_laws(const cs_session *s, size_t arm, char *text, size_t size);
bool cs_session_is_checked(const cs_session *s);
/* Forgets all but what the list has of the scenario that is open (io/checked.h);
 * writes it there, where its arms are as they were opened. */
void cs_session_recall(cs_session *s);
void cs_session_keep_checked(const cs_session *s);

/* Fills and hands over a snapshot. (publish.c) */
void cs_session_publish(cs_session *s);
