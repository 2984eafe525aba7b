/* Dark text on a light background, which is painted, so that the theme looks
 * the same on every terminal. */
#include "screen/canvas/theme_rows.h"

const cs_theme cs_theme_light = {
    .name = "light",
    .help = "dark text on a light background",
    .paints = true,
    .ground = {250, 250, 250, 15, 0},
    .ink = {28, 28, 28, 0, 0},
    .role =
        {
            [CS_ROLE_NORMAL] = {28, 28, 28, 0, 0},
            [CS_ROLE_FAINT] = {106, 106, 106, 0, 0},
            [CS_ROLE_TITLE] = {0, 0, 0, 0, CS_BOLD},
            [CS_ROLE_BORDER] = {140, 140, 144, 0, 0},
            [CS_ROLE_FOCUS] = {0, 95, 160, 4, CS_BOLD},
            [CS_ROLE_KEY] = {125, 80, 0, 2, CS_BOLD},
            [CS_ROLE_LABEL] = {106, 106, 106, 0, 0},
            [CS_ROLE_VALUE] = {0, 0, 0, 0, CS_BOLD},
            [CS_ROLE_ACCEPT] = {0, 95, 160, 4, 0},
            [CS_ROLE_REJECT] = {176, 80, 0, 1, 0},
            [CS_ROLE_WARN] = {176, 80, 0, 5, CS_BOLD},
            [CS_ROLE_ERROR] = {179, 38, 30, 1, CS_BOLD},
            [CS_ROLE_TRUTH] = {110, 80, 0, 0, 0},
            [CS_ROLE_CURSOR] = {26, 26, 26, 0, CS_REVERSE},
            [CS_ROLE_EVENT] = {160, 50, 120, 5, 0},
            [CS_ROLE_BAR] = {26, 26, 26, 0, CS_REVERSE},
            [CS_ROLE_LINE] = {0, 0, 0, 0, 0},
            [CS_ROLE_INK] = {255, 255, 255, 15, 0},
        },
    /* Colours of the palette of 256. The smallest distance in CIELAB between any
     * two is 23.0 for normal, protan, deutan and tritan vision. */
    .chain = {{135, 95, 175, 4, 0},
              {135, 95, 0, 1, 0},
              {215, 0, 95, 5, 0},
              {0, 0, 255, 0, 0},
              {175, 0, 215, 6, 0},
              {135, 0, 95, 2, 0},
              {95, 0, 135, 12, 0},
              {95, 0, 0, 8, 0}},
    /* Large values are dark on the light background. */
    .ramp = {{95, 135, 175, -1, 0},
             {95, 95, 175, -1, 0},
             {0, 95, 175, -1, 0},
             {0, 95, 135, -1, 0},
             {0, 0, 135, -1, 0},
             {0, 0, 0, -1, 0}},
    .ramp_256 = {67, 61, 25, 24, 18, 16},
    .sides = {{0, 80, 160, 4, 0},
              {40, 120, 190, 4, 0},
              {100, 160, 215, 6, 0},
              {165, 200, 230, 6, 0},
              {225, 225, 225, 0, 0},
              {240, 205, 150, 3, 0},
              {235, 170, 80, 3, 0},
              {225, 130, 20, 3, 0},
              {200, 85, 0, 1, 0}},
};
