/* The state of the screen, and a whole frame made from it: no terminal is
 * needed, so a test and `chainscope shot` draw what a user sees. */
#pragma once

#include "io/lesson.h"
#include "screen/canvas/keep.h"
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
    CS_VIEW_LOG,  /* the messages, over the lower part of what was there */
    CS_VIEW_BUILD /* no view: the run's, while a landscape is built; for keys */
} cs_view;

/* The line that is typed. The editor is elsewhere; this is what is shown. */
enum { CS_OFFERS = 200, CS_OFFER_WIDTH = 80 };
typedef struct cs_prompt {
    char mark;      /* ':' a command, ';' Lua, '/' the filter, 0 = no prompt */
    char text[512]; /* with its mark */
    int cursor;     /* column of the cursor */
    char offer[CS_OFFERS][CS_OFFER_WIDTH]; /* completions */
    size_t n_offers;
    char begin[128]; /* what a line that is asked for begins with */
} cs_prompt;

/* Where the chain that is looked at was, a step ago: the session only knows
 * where it is. */
enum { CS_TRAIL = 256 };
typedef struct cs_trail {
    double arm, chain, steps;
    size_t n; /* of x; the first coordinates */
    double x[CS_TRAIL], from[CS_TRAIL];
    bool known; /* from */
} cs_trail;

/* Where the last frame has something that a click means: a key, a parameter's
 * row or slider. */
typedef enum cs_hit_kind {
    CS_HIT_KEY,
    CS_HIT_PARAM,
    CS_HIT_SLIDER,
    CS_HIT_CHOICE
} cs_hit_kind;

typedef struct cs_hit {
    cs_hit_kind kind;
    int x, y, w;
    unsigned key; /* KEY: the key; else the number of the parameter */
    double value; /* CHOICE: which */
} cs_hit;

enum { CS_HITS = 128, CS_BINDINGS = 64 };

/* What `frames` and `bandwidth` may be: */
#define CS_UI_FRAMES 12.0 /* the most of them, which is usual */
#define CS_UI_FRAMES_LEAST 0.1
#define CS_UI_BANDWIDTH_LEAST 1.0

/* A key that the user has given another meaning. */
typedef struct cs_binding {
    unsigned key;
    const char *name, *line; /* [borrowed] the command line that it is */
} cs_binding;

/* The border on the right of a place of the layout, or beneath it. */
typedef struct cs_border {
    size_t place;
    bool down, held; /* held: it follows the mouse */
} cs_border;

/* What the mouse may mean in the last frame, and what it is doing. */
typedef struct cs_mouse_state {
    cs_hit hit[CS_HITS];
    size_t n_hits;
    cs_hit dragged; /* the slider that is pulled, w = 0: none */
    double dragged_to;
    cs_border border; /* that is being moved */
    enum { CS_PULL_NONE, CS_PULL_BEGUN, CS_PULL_ON } pull; /* of a hill */
    bool listens;
} cs_mouse_state;

/* The last frame. */
typedef struct cs_drawn {
    const cs_canvas *canvas;          /* [borrowed] */
    cs_layout layout;                 /* of its panels, */
    cs_area field;                    /* which they stand on */
    cs_area part[CS_LAYOUT_PANELS];   /* where panels stand */
    size_t part_of[CS_LAYOUT_PANELS]; /* which panel each is */
    size_t n_parts;                   /* 0: something covers them */
    const bool *rests; /* which of them stay as they are in the next frame, on
                          the same canvas [borrowed]; NULL: none. It becomes NULL
                          where they stand elsewhere */
    size_t n_rests;    /* how many there were */
    cs_area focused;   /* where the one with the focus stands, w = 0: it is not
                          in view */
    const cs_frame *seen; /* without a prompt [borrowed], NULL: none yet */
    size_t pictures;      /* that there was room for, see panel.h */
    cs_flat_index index;  /* of its snapshot */
} cs_drawn;

/* What the user has chosen for every run. */
typedef struct cs_prefs {
    cs_shot wishes; /* see wishes.h */
    cs_binding binding[CS_BINDINGS];
    size_t n_bindings;
    const struct cs_keyboard *keyboard; /* see keyboards.h [borrowed] */
    double frames;    /* pictures a second at most, 0: as usual */
    double bandwidth; /* KiB a second at most, 0: as usual */
    bool reduced;     /* little is to move */
    bool laws_off;    /* they are not tried in the background, see laws.h */
    bool laid_out;    /* the layout among the wishes was shown */
} cs_prefs;

typedef struct cs_gallery {
    char back[160];            /* the run that is open; "": none */
    bool at_back;              /* the row that leads there is chosen */
    const unsigned char *rows; /* a table of scenarios [borrowed] */
    size_t used;
    char filter[128];               /* words that the rows in view have */
    char picture[CS_PREVIEW_BYTES]; /* of the chosen row, lines; "": none yet */
    char lesson[CS_LESSON_BYTES];   /* of the chosen row, */
    char lesson_of[1024];           /* which is that of this file */
} cs_gallery;

/* Runs in the background, NULL: there can be none. [borrowed] */
typedef struct cs_ui_jobs {
    struct cs_replicates *sweep;
    struct cs_calibrations *calibrations;
    struct cs_replicates *replicates; /* of the open run, see replicates.h */
} cs_ui_jobs;

/* What the screen has taken from snapshots so far. */
typedef struct cs_heard {
    double messages;        /* of the session that the log has */
    double chosen, held;    /* look/chosen and run/held of the last snapshot */
    char state[16];         /* run/state of the last snapshot */
    bool ranked;            /* the end's ranking of its arms is in the log */
    char panels_seen[2048]; /* the list of the scenario that is open */
} cs_heard;

struct cs_ui {
    cs_mouse_state mouse;
    cs_drawn drawn;
    cs_prefs prefs;
    cs_slots slots;
    cs_own_list own; /* panels of the open scenario's own */
    cs_gallery gallery;
    cs_ui_jobs jobs;
    cs_heard heard;
    const cs_theme *theme;  /* [borrowed] */
    cs_view view, before;   /* the view that help or messages cover */
    cs_recording *recorder; /* [own] what records the screen, NULL: nothing */
    cs_selection look;
    size_t param;     /* the chosen parameter of the chosen arm */
    bool params;      /* the list of parameters is shown */
    size_t row;       /* chosen line of the gallery or the help; how far the
                         messages are scrolled */
    size_t top;       /* the first line of the help in view */
    char sought[128]; /* words that the lines of the help have */
    cs_log log;
    cs_trail trail;
    cs_undo undo;
    size_t kind;    /* of the events that keys go to, see screen/timeline.h */
    char wait[160]; /* what is being waited for, in the newest one's place */
    cs_prompt prompt;
    cs_typed_set typed;    /* what the line would set */
    bool quit, lost;       /* lost: the session has ended */
    bool edit;             /* the file that is open is to be edited */
    unsigned asked, again; /* the key that is to be pressed a second time; that
                              was pressed before this one */
    char ask[160]; /* what it would lose, in the newest message's place */
};

/* The views whose keys have a meaning, as bits 1 << cs_view. */
static inline unsigned cs_ui_views(const cs_ui *ui)
{
    bool builds = ui->view == CS_VIEW_RUN && ui->look.hill;
    return 1u << ui->view | (builds ? 1u << CS_VIEW_BUILD : 0);
}

/* The screen at the start. */
void cs_ui_init(cs_ui *ui);

/* Ends a recording, and says where it is. */
void cs_ui_end_recording(cs_ui *ui);
/* The same, and frees what it holds. */
void cs_ui_fini(cs_ui *ui);

/* Chooses panels by words (see panel.h), separated by blanks; unknown names are left out and
 * an empty list is the default. */
void cs_ui_panels(cs_ui *ui, const char *names);

/* The panels that the open scenario has chosen; when it has chosen none, those
 * that suit its target. */
const char *cs_ui_own_panels(const cs_shot *s);

/* Logs what can be said of the arms, a line a clause; false: nothing. */
bool cs_ui_rank(cs_ui *ui, const cs_shot *s, cs_log_kind kind);

/* Counts work in another unit from now on, and says so. */
void cs_ui_unit(cs_ui *ui, cs_unit unit);

/* Follows a new snapshot: panels of a scenario that was opened, messages, arms
 * and chains that are there. */
void cs_ui_follow(cs_ui *ui, const cs_shot *s);

/* What a panel is given to look at. */
cs_selection cs_ui_look(const cs_ui *ui, const cs_shot *s, size_t panel);

/* What is looked at now, as words of the command `reports`: probes, then single
 * quantities ("ranks=x.3"). */
void cs_ui_reports(const cs_ui *ui, const cs_shot *s, char *out, size_t size);

/* Help or messages cover what is there, until they are closed. */
void cs_ui_cover(cs_ui *ui, cs_view view);

/* What is known of the line that is typed: a command's arguments, the range of
 * a parameter. (commands.c) */
void cs_prompt_hint(const cs_ui *ui, const cs_shot *s, char *out, size_t size);

/* Chooses another row of the gallery, `by` rows on among those that the filter
 * shows; the chosen one's file, "" when it shows none. (view_gallery.c) */
void cs_gallery_move(cs_ui *ui, long by);
const char *cs_gallery_file(const cs_ui *ui);
/* Whether its first row is chosen, which leads back to the run that is open. */
bool cs_gallery_is_back(const cs_ui *ui);

/* What a line of the help does when it is run: NULL, none. (view_help.c) */
typedef struct cs_help_line {
    const void *action;  /* cs_action */
    const char *command; /* its name */
    bool has_args;
    const cs_panel_type *panel;
} cs_help_line;
cs_help_line cs_help_chosen(const cs_ui *ui);

/* Shows a panel and gives it the focus. */
void cs_ui_show(cs_ui *ui, const cs_panel_type *type);

/* The words that are looked for in the view that is there. */
char *cs_ui_filter(cs_ui *ui, size_t *size);

/* The value of a parameter at a share 0 .. 1 of its slider. (view_params.c) */
double cs_slider_value(const cs_shot *s, size_t arm, size_t k, double share);

/* Says what stands at columns x .. x + w - 1 of line y of an area. */
void cs_ui_hit(cs_ui *ui, const cs_area *a, cs_hit hit);

/* The chosen parameter of the chosen arm, `way` 0, or the one after (1) or
 * before it (-1), among those that do something in this space. */
enum { CS_NO_PARAM = 1 << 20 };
size_t cs_ui_param(const cs_ui *ui, const cs_shot *s, int way);

/* The line of what is being waited for, else of what was said last. */
const char *cs_ui_event(const cs_ui *ui, cs_role *role);

/* The parts of a frame that are not panels (views.c, view_gallery.c,
 * view_params.c, view_help.c). */
void cs_view_help(const cs_area *a, cs_ui *ui);
void cs_view_gallery(const cs_area *a, cs_ui *ui);
void cs_view_params(const cs_area *a, cs_ui *ui, const cs_shot *s);
void cs_view_keys(const cs_area *a, cs_ui *ui);
void cs_view_prompt(const cs_area *a, const cs_ui *ui, const cs_shot *s);
void cs_view_log(const cs_area *a, const cs_ui *ui);

/* Draws everything: title, panels, event line, keys. Follows the snapshot
 * where it must (panels of a new scenario, fewer chains). */
void cs_screen_frame(cs_ui *ui, const unsigned char *base, size_t used,
                     cs_canvas *canvas);
