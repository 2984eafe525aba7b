/* The state of the screen, and the drawing of whole frames from it. No terminal
 * is needed, so tests and `chainscope shot` draw the frames that a user
 * sees. */
#pragma once

#include "io/lesson.h"
#include "screen/canvas/colours.h"
#include "screen/canvas/frame_files.h"
#include "screen/panels/own_panels.h"
#include "screen/panels/typed_set.h"
#include "screen/state/layout.h"
#include "screen/state/preview.h"
#include "screen/state/recorder.h"
#include "screen/state/undo.h"

typedef enum cs_view {
    CS_VIEW_RUN,
    CS_VIEW_GALLERY,
    CS_VIEW_HELP,
    CS_VIEW_EVENTS,
    CS_VIEW_LOG,    /* the messages, over the lower part of the previous view */
    CS_VIEW_BUILD,  /* not a view: the run's keys while a landscape is edited */
    CS_VIEW_LESSON, /* not a view: the run's keys in a scenario with a course */
    CS_VIEW_GAME    /* not a view: the run's keys while a game is open */
} cs_view;

/* The typed line as displayed. The editor (editor.h) is separate. */
enum { CS_OFFERS = 200, CS_OFFER_WIDTH = 80, CS_PROMPT_BYTES = 9 << 10 };
typedef struct cs_prompt {
    char mark; /* ':' a command, ';' Lua, '/' the filter, 0: no prompt */
    char text[CS_PROMPT_BYTES]; /* includes the mark */
    int cursor;                 /* column of the cursor */
    /* about the last paste; replaces the hint until a key is pressed */
    char note[120];
    char offer[CS_OFFERS][CS_OFFER_WIDTH]; /* completions */
    size_t n_offers;
    char begin[128]; /* initial text of a line that a key opens */
} cs_prompt;

/* The displayed chain's state one step ago, which the session does not
 * store. */
enum { CS_TRAIL = 256 };
typedef struct cs_trail {
    double arm, chain, steps;
    size_t n; /* number of coordinates stored in x */
    double x[CS_TRAIL], from[CS_TRAIL];
    bool known; /* `from` is known */
} cs_trail;

/* An object in the last frame that can be clicked: a key, the row of a
 * parameter, or a slider. */
typedef enum cs_hit_kind {
    CS_HIT_KEY,
    CS_HIT_PARAM,
    CS_HIT_SLIDER,
    CS_HIT_CHOICE,
    CS_HIT_ARM
} cs_hit_kind;

typedef struct cs_hit {
    cs_hit_kind kind;
    int x, y, w;
    unsigned key; /* KEY: the key; ARM: the arm; else number of the parameter */
    double value; /* CHOICE: number of the choice */
} cs_hit;

enum { CS_HITS = 128, CS_BINDINGS = 64 };

/* Limits of `frames` and `bandwidth`: */
#define CS_UI_FRAMES 12.0 /* maximum and default */
#define CS_UI_FRAMES_LEAST 0.1
#define CS_UI_BANDWIDTH_LEAST 1.0

/* A key that the user has bound to a command. */
typedef struct cs_binding {
    unsigned key;
    const char *name, *line; /* name of the key; command line [borrowed] */
} cs_binding;

/* The border to the right of a place in the layout, or below it. */
typedef struct cs_border {
    size_t place;
    bool down, held; /* held: being dragged */
} cs_border;

/* The objects of the last frame that react to the mouse, and the current mouse
 * action. */
typedef struct cs_mouse_state {
    cs_hit hit[CS_HITS];
    size_t n_hits;
    /* keys in the title of the focused panel; w = 0: not shown. They remain
     * while the panel is not drawn again */
    cs_hit choice[2];
    cs_hit dragged; /* the slider being dragged; w = 0: none */
    double dragged_to;
    /* border being moved */
    cs_border border;
    /* state of dragging a hill */
    enum { CS_PULL_NONE, CS_PULL_BEGUN, CS_PULL_ON } pull;
    bool listens;
} cs_mouse_state;

/* The last frame. */
typedef struct cs_drawn {
    const cs_canvas *canvas;          /* [borrowed] */
    cs_layout layout;                 /* layout of the panels */
    cs_area field;                    /* area of the panels */
    cs_area part[CS_LAYOUT_PANELS];   /* areas of the visible panels */
    size_t part_of[CS_LAYOUT_PANELS]; /* index of the panel in each area */
    size_t n_parts;                   /* 0: another view covers the panels */
    /* panels that remain unchanged in the next frame on the same canvas
     * [borrowed]; NULL: none. It is set to NULL when the layout changes */
    const bool *rests;
    size_t n_rests;  /* length of `rests` */
    cs_area focused; /* area of the focused panel; w = 0: not visible */
    /* last frame without a prompt [borrowed]; NULL: none yet */
    const cs_frame *seen;
    /* how pictures are drawn, and why [borrowed]; NULL: no terminal */
    const char *graphics;
    bool legend; /* the focused panel has its legend */
    /* number of pictures that fit, as returned by `pictures` in panel.h */
    size_t pictures;
    cs_flat_index index; /* index of the snapshot */
} cs_drawn;

/* The user's preferences for every run. */
typedef struct cs_prefs {
    cs_shot preferences; /* see preferences.h */
    cs_binding binding[CS_BINDINGS];
    size_t n_bindings;
    const struct cs_keyboard *keyboard; /* see keyboards.h [borrowed] */
    double frames;               /* maximum frames per second; 0: default */
    double bandwidth;            /* maximum KiB per second; 0: default */
    bool reduced;                /* reduced motion */
    cs_graphics_choice graphics; /* pictures in pixels or in characters */
    bool ask_graphics;           /* the user wants the terminal to be asked */
    /* laws are not checked in the background, see law_trials.h */
    bool laws_off;
    bool laid_out; /* the preferred layout was shown */
} cs_prefs;

typedef struct cs_gallery {
    char back[160]; /* file of the open run; "": none */
    /* the chosen row is the one that returns to the open run */
    bool at_back;
    const unsigned char *rows; /* the session's table of scenarios [borrowed] */
    size_t used;
    char filter[128]; /* words that visible rows must contain */
    /* picture of the chosen row, as lines; "": none yet */
    char picture[CS_PREVIEW_BYTES];
    char lesson[CS_LESSON_BYTES]; /* lesson of the chosen row */
    char lesson_of[1024];         /* file whose lesson is stored */
} cs_gallery;

/* Values already read from snapshots. */
typedef struct cs_heard {
    double messages; /* number of the session's messages in the log */
    /* values of the keys look/chosen and run/held in the last snapshot */
    double chosen, held;
    char state[16];         /* run/state of the last snapshot */
    bool ranked;            /* the final ranking of the arms is in the log */
    char panels_seen[2048]; /* the open scenario's list of panels */
    char lesson_step[8];    /* number of the lesson's step; empty: no lesson */
    bool one_panel;         /* the screen shows the focused panel only */
} cs_heard;

struct cs_ui {
    cs_mouse_state mouse;
    cs_drawn drawn;
    cs_prefs prefs;
    cs_slots slots;
    cs_own_list own; /* panels defined by the open scenario */
    cs_gallery gallery;
    struct cs_background
        *jobs; /* background runs; NULL: not available (background.h)
                * [borrowed] */
    cs_heard heard;
    const cs_theme *theme; /* [borrowed] */
    /* before: the view under the help or the messages */
    cs_view view, before;
    cs_recording *recorder; /* [own] recording of the screen; NULL: none */
    size_t marks;           /* typed marks and marks by a key in it */
    /* the time in seconds of a screen without a terminal, which only keys
     * advance; 0: the time is that of the clock */
    double time;
    cs_selection look;
    size_t param; /* chosen parameter of the chosen arm */
    bool params;  /* the list of parameters is visible */
    /* legends: 1 in all panels, -1 in none, 0 in the focused panel if there is
     * much space */
    int legend;
    /* chosen line of the gallery or the help; scroll position of the
     * messages */
    size_t row;
    size_t top;       /* first visible line of the help */
    char sought[128]; /* words of the search in the help */
    cs_log log;
    cs_trail trail;
    cs_undo undo;
    /* kind of events to which keys move, see panels/timeline.h */
    size_t kind;
    /* text about a pending operation; replaces the newest message */
    char wait[160];
    cs_prompt prompt;
    cs_typed_set typed; /* effect of the typed line */
    bool lesson;        /* the open scenario has a course */
    bool game;          /* true while a game is open, whose keys then apply */
    bool quit, lost;    /* lost: the session has ended */
    bool edit;          /* the user wants to edit the open file */
    /* asked: a key that must be pressed a second time; again: the key that
     * was pressed before the current key */
    unsigned asked, again;
    bool beyond; /* `ask` is a question, see cs_key_run */
    /* warning about the key `asked`, or a question; replaces the newest
     * message */
    char ask[160];
};

/* Returns the views whose keys apply, as bits 1 << cs_view. */
static inline unsigned cs_ui_views(const cs_ui *ui)
{
    bool builds = ui->view == CS_VIEW_RUN && ui->look.hill;
    bool learns = ui->view == CS_VIEW_RUN && ui->lesson;
    bool plays = ui->view == CS_VIEW_RUN && ui->game;
    return 1u << ui->view | (builds ? 1u << CS_VIEW_BUILD : 0) |
           (learns ? 1u << CS_VIEW_LESSON : 0) |
           (plays ? 1u << CS_VIEW_GAME : 0);
}

/* Initialises the screen. */
void cs_ui_init(cs_ui *ui);

/* Ends a recording and logs the path of its file. */
void cs_ui_end_recording(cs_ui *ui);
/* Returns the time of the recording in seconds since a fixed moment. */
double cs_ui_time(const cs_ui *ui);
/* Ends a recording and frees the screen's memory. */
void cs_ui_fini(cs_ui *ui);

/* Chooses panels by words (see panel.h) separated by blanks. Unknown names are
 * ignored; an empty list selects the default. */
void cs_ui_panels(cs_ui *ui, const char *names);
/* Turns the layout for a projector on or off, with large letters. */
void cs_ui_lecture(cs_ui *ui, bool on);
/* Focuses the first shown panel that is not a text, to which the layout gives
 * most space; if only texts are shown, the first of them. */
void cs_ui_focus_large(cs_ui *ui);

/* Returns the panels chosen by the open scenario, or the panels that suit its
 * target if the scenario chooses none. */
const char *cs_ui_own_panels(const cs_shot *s);

/* Logs the ranking of the arms, one clause per line. If there is no ranking,
 * returns false. */
bool cs_ui_rank(cs_ui *ui, const cs_shot *s, cs_log_kind kind);

/* Sets the unit of work and logs it. */
void cs_ui_unit(cs_ui *ui, cs_unit unit);

/* Updates the screen for a new snapshot: the panels of a newly opened scenario,
 * new messages, and the arms and chains that exist. */
void cs_ui_follow(cs_ui *ui, const cs_shot *s);

/* Returns the selection for a panel. */
cs_selection cs_ui_look(const cs_ui *ui, const cs_shot *s, size_t panel);

/* Writes the reports that the panels need as words of the command `reports`:
 * probes, then single quantities ("ranks=x.3"). */
void cs_ui_reports(const cs_ui *ui, const cs_shot *s, char *out, size_t size);

/* Covers the current view with the help or the messages until they are
 * closed. */
void cs_ui_cover(cs_ui *ui, cs_view view);

/* Writes a hint about the typed line: a command's arguments, the range of a
 * parameter. (commands.c) */
void cs_prompt_hint(const cs_ui *ui, const cs_shot *s, char *out, size_t size);

/* cs_gallery_move moves the choice by `by` rows of the gallery, counting
 * only rows that match the filter. cs_gallery_file returns the file of the
 * chosen row, or "" if no row matches. (view_gallery.c) */
void cs_gallery_move(cs_ui *ui, long by);
/* Chooses the first row whose title matches the filter, if there is such a row.
 * Many other rows may match elsewhere, for example in their lessons. */
void cs_gallery_seek(cs_ui *ui);
const char *cs_gallery_file(const cs_ui *ui);
/* Returns true if the chosen row is the first one, which returns to the open
 * run. */
bool cs_gallery_is_back(const cs_ui *ui);

/* The effect of the chosen line of the help; NULL members: no effect.
 * (view_help.c) */
typedef struct cs_help_line {
    const void *action;  /* the cs_action of a key */
    const char *command; /* name of the command */
    bool has_args;
    const cs_panel_type *panel;
} cs_help_line;
cs_help_line cs_help_chosen(const cs_ui *ui);

/* Finds the step and the arm of the event in the chosen line of the table of
 * events. If there are no events, returns false. (view_events.c) */
bool cs_events_chosen(const cs_ui *ui, const cs_shot *s, double *step,
                      size_t *arm);

/* Shows a panel and focuses it. */
void cs_ui_show(cs_ui *ui, const cs_panel_type *type);

/* Returns the words of the search in the current view. */
char *cs_ui_filter(cs_ui *ui, size_t *size);

/* Returns the value of a parameter at a share 0 .. 1 of its slider.
 * (view_params.c) */
double cs_slider_value(const cs_shot *s, size_t arm, size_t k, double share);

/* Records the effect of a click at columns x .. x + w - 1 of line y of an
 * area. */
void cs_ui_hit(cs_ui *ui, const cs_area *a, cs_hit hit);

/* Returns the chosen parameter of the chosen arm (`way` 0), the next one (1) or
 * the previous one (-1). Skips parameters that have no effect on the target's
 * kind of state. */
enum { CS_NO_PARAM = 1 << 20 };
size_t cs_ui_param(const cs_ui *ui, const cs_shot *s, int way);

/* Returns the text about a pending operation, otherwise the newest message. */
const char *cs_ui_event(const cs_ui *ui, cs_role *role);

/* Draw the parts of a frame that are not panels (views.c, view_gallery.c,
 * view_params.c, view_help.c, view_strip.c). */
void cs_view_help(const cs_area *a, cs_ui *ui);
void cs_view_gallery(const cs_area *a, cs_ui *ui);
void cs_view_events(const cs_area *a, cs_ui *ui, const cs_shot *s);
void cs_view_params(const cs_area *a, cs_ui *ui, const cs_shot *s);
void cs_view_keys(const cs_area *a, cs_ui *ui, size_t arms);
void cs_view_strip(const cs_area *a, cs_ui *ui, const cs_shot *s);
/* Draws the arrow of a lesson, after the panels. (view_point.c) */
void cs_view_point(const cs_area *whole, const cs_ui *ui, const cs_shot *s);
void cs_view_prompt(const cs_area *a, const cs_ui *ui, const cs_shot *s);
void cs_view_log(const cs_area *a, const cs_ui *ui);

/* Draws the whole frame: title, panels, event line, keys. First updates `ui`
 * if the snapshot requires it (panels of a new scenario, fewer chains). */
void cs_screen_frame(cs_ui *ui, const unsigned char *base, size_t used,
                     cs_canvas *canvas);
