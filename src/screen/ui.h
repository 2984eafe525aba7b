/* The state of the screen, and a whole frame made from it: no terminal is
 * needed, so a test and `chainscope shot` draw what a user sees. */
#ifndef CS_SCREEN_UI_H
#define CS_SCREEN_UI_H

#include "screen/layout.h"

typedef enum cs_view { CS_VIEW_RUN, CS_VIEW_GALLERY, CS_VIEW_HELP } cs_view;

typedef struct cs_ui {
    cs_view view, before_help;
    const cs_panel_type *panel[CS_LAYOUT_PANELS];
    bool on[CS_LAYOUT_PANELS];
    unsigned option[CS_LAYOUT_PANELS], variant[CS_LAYOUT_PANELS];
    size_t scroll[CS_LAYOUT_PANELS];
    size_t n_panels, focus, preset;
    bool zoom;
    cs_look_at look;
    size_t param;          /* the chosen parameter of the chosen arm */
    bool params;           /* the list of parameters is shown */
    size_t row;            /* chosen line of the gallery, top of the help */
    char panels_seen[256]; /* the list of the scenario that is open */
    char note[256];        /* shown on the event line until `notes` changes */
    double notes;
    char prompt[512]; /* the line that is typed, with its mark */
    int prompt_at;    /* column of the cursor, -1 = no prompt */
    double speed;     /* of +, - and = */
    bool quit;
    const unsigned char *gallery; /* a table of scenarios [borrowed] */
    size_t gallery_used;
    const char *help; /* the help page [borrowed], see keys.h */
} cs_ui;

/* The screen at the start. */
void cs_ui_init(cs_ui *ui);

/* Chooses panels by name, separated by blanks; unknown names are left out and
 * an empty list is the default. */
void cs_ui_panels(cs_ui *ui, const char *names);

/* The parts of a frame that are not panels (views.c). */
void cs_view_help(const cs_area *a, cs_ui *ui);
void cs_view_gallery(const cs_area *a, const cs_ui *ui);
void cs_view_params(const cs_area *a, const cs_ui *ui, const cs_shot *s);
void cs_view_keys(const cs_area *a, const cs_ui *ui);

/* Draws everything: title, panels, event line, keys. Follows the snapshot
 * where it must (panels of a new scenario, fewer chains). */
void cs_screen_frame(cs_ui *ui, const unsigned char *base, size_t used,
                     cs_canvas *canvas);

#endif
