/* Dark text on a white background, which is painted, so that the theme looks
 * the same on every terminal. */
#include "screen/canvas/theme_rows.h"

const cs_theme cs_theme_light = {
    .name = "light",
    .help = "dark text on white",
    .paints = true,
    .ground = {255, 255, 255, 15, 0},
    .ink = {26, 26, 26, 0, 0},
    .role =
        {
            [CS_ROLE_NORMAL] = {26, 26, 26, 0, 0},
            [CS_ROLE_FAINT] = {110, 110, 110, 0, 0},
            [CS_ROLE_TITLE] = {0, 0, 0, 0, CS_BOLD},
            [CS_ROLE_BORDER] = {138, 138, 138, 0, 0},
            [CS_ROLE_FOCUS] = {0, 95, 160, 4, CS_BOLD},
            [CS_ROLE_KEY] = {125, 80, 0, 2, CS_BOLD},
            [CS_ROLE_LABEL] = {88, 88, 88, 0, 0},
            [CS_ROLE_VALUE] = {0, 0, 0, 0, CS_BOLD},
            [CS_ROLE_ACCEPT] = {0, 95, 160, 4, 0},
            [CS_ROLE_REJECT] = {176, 80, 0, 1, 0},
            [CS_ROLE_WARN] = {176, 80, 0, 5, CS_BOLD},
            [CS_ROLE_ERROR] = {170, 20, 0, 1, CS_BOLD},
            [CS_ROLE_TRUTH] = {110, 80, 0, 0, 0},
            [CS_ROLE_CURSOR] = {26, 26, 26, 0, CS_REVERSE},
            [CS_ROLE_EVENT] = {160, 50, 120, 5, 0},
            [CS_ROLE_BAR] = {26, 26, 26, 0, CS_REVERSE},
            [CS_ROLE_LINE] = {0, 0, 0, 0, 0},
            [CS_ROLE_INK] = {255, 255, 255, 15, 0},
        },
    /* The hues of the dark theme, each with a contrast of at least 3 to 1
     * against white. The distances between them in CIELAB are as large as
     * could be found (dE 20 for every kind of colour vision). */
    .chain = {{53, 147, 208, 6, 0},
              {204, 132, 76, 3, 0},
              {16, 125, 83, 2, 0},
              {201, 85, 146, 5, 0},
              {180, 145, 1, 3, 0},
              {177, 53, 0, 1, 0},
              {9, 71, 141, 4, 0},
              {74, 72, 79, 0, 0}},
    /* Twelve colours of the map magma (Smith and van der Walt, 2015), from
     * its light end. Large values are dark on white. */
    .ramp = {{252, 253, 191, 15, 0},
             {253, 223, 165, 3, 0},
             {254, 195, 141, 3, 0},
             {253, 167, 119, 3, 0},
             {252, 138, 98, 5, 0},
             {242, 112, 98, 5, 0},
             {231, 83, 99, 5, 0},
             {210, 70, 108, 5, 0},
             {189, 59, 118, 4, 0},
             {163, 48, 124, 4, 0},
             {133, 38, 128, 4, 0},
             {90, 20, 110, 4, 0}},
    .ramp_256 = {230, 255, 223, 216, 209, 203, 167, 161, 125, 89, 53, 17},
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
