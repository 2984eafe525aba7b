/* The state of the screen, and a whole frame made from it: no terminal is
 * needed, so a test and `chainscope shot` draw what a user sees. */
#ifndef CS_SCREEN_UI_H
#define CS_SCREEN_UI_H

#include "io/lesson.h"
#include "screen/layout.h"

typedef enum cs_view {
    CS_VIEW_RUN,
    CS_VIEW_GALLERY,
    CS_VIEW_HELP,
    CS_VIEW_LOG /* the messages, over the lower part of what was there */
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

typedef struct cs_ui {
    cs_view view, before; /* the view that help or messages cover */
    const cs_panel_type *panel[CS_LAYOUT_PANELS];
    bool on[CS_LAYOUT_PANELS];
    unsigned option[CS_LAYOUT_PANELS], variant[CS_LAYOUT_PANELS];
    size_t scroll[CS_LAYOUT_PANELS];
    cs_panel_word told[CS_LAYOUT_PANELS]; /* what it shows, which arm first */
    size_t n_panels, focus, preset;
    cs_area part[CS_LAYOUT_PANELS]; /* where panels stand in the last frame */
    size_t n_parts;                 /* 0: something covers them */
    bool zoom;
    cs_selection look;
    size_t param;           /* the chosen parameter of the chosen arm */
    bool params;            /* the list of parameters is shown */
    size_t row;             /* chosen line of the gallery, top of the help */
    char panels_seen[2048]; /* the list of the scenario that is open */
    cs_log log;
    cs_trail trail;
    size_t pictures; /* that the last frame had room for, see panel.h */
    double messages; /* of the session that the log has */
    char wait[160];  /* what is being waited for, in the newest one's place */
    cs_prompt prompt;
    bool quit, lost;       /* lost: the session has ended */
    unsigned asked, again; /* the key that is to be pressed a second time; that
                              was pressed before this one */
    char ask[160];  /* what it would lose, in the newest message's place */
    char state[16]; /* run/state of the last snapshot */
    char back[160]; /* the run that is open, for the gallery; "": none */
    bool at_back;   /* that row of the gallery is chosen */
    const unsigned char *gallery; /* a table of scenarios [borrowed] */
    size_t gallery_used;
    char filter[128];             /* words that the rows in view have */
    char lesson[CS_LESSON_BYTES]; /* of the chosen row, */
    char lesson_of[1024];         /* which is that of this file */
} cs_ui;

/* The screen at the start. */
void cs_ui_init(cs_ui *ui);

/* Chooses panels by words (see panel.h), separated by blanks; unknown names are left out and
 * an empty list is the default. */
void cs_ui_panels(cs_ui *ui, const char *names);

/* The panels that the open scenario has chosen; when it has chosen none, those
 * that suit its target. */
const char *cs_ui_own_panels(const cs_shot *s);

/* The probes whose reports are looked at now, separated by blanks. */
void cs_ui_reports(const cs_ui *ui, char *out, size_t size);

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
void cs_view_params(const cs_area *a, const cs_ui *ui, const cs_shot *s);
void cs_view_keys(const cs_area *a, const cs_ui *ui);
void cs_view_prompt(const cs_area *a, const cs_ui *ui, const cs_shot *s);
void cs_view_log(const cs_area *a, const cs_ui *ui);

/* Draws everything: title, panels, event line, keys. Follows the snapshot
 * where it must (panels of a new scenario, fewer chains). */
void cs_screen_frame(cs_ui *ui, const unsigned char *base, size_t used,
                     cs_canvas *canvas);

#endif
