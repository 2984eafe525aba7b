/* Light text on the terminal's own background, which is dark. */
#include "screen/canvas/theme_rows.h"

const cs_theme cs_theme_dark = {
    .name = "dark",
    .help = "light text on the terminal's own dark background",
    .ground = {16, 20, 24, 0, 0},
    .ink = {216, 216, 216, 7, 0},
    .role =
        {
            [CS_ROLE_NORMAL] = {-1, 0, 0, 7, 0},
            [CS_ROLE_FAINT] = {138, 138, 138, 8, 0},
            [CS_ROLE_TITLE] = {-1, 0, 0, 7, CS_BOLD},
            [CS_ROLE_BORDER] = {118, 118, 118, 8, 0},
            [CS_ROLE_FOCUS] = {86, 180, 233, 6, CS_BOLD},
            [CS_ROLE_KEY] = {240, 228, 66, 3, CS_BOLD},
            [CS_ROLE_LABEL] = {158, 158, 158, 7, 0},
            [CS_ROLE_VALUE] = {-1, 0, 0, 7, CS_BOLD},
            [CS_ROLE_ACCEPT] = {86, 180, 233, 6, 0},
            [CS_ROLE_REJECT] = {230, 159, 0, 3, 0},
            [CS_ROLE_WARN] = {230, 159, 0, 3, CS_BOLD},
            [CS_ROLE_ERROR] = {213, 94, 0, 1, CS_BOLD},
            [CS_ROLE_TRUTH] = {240, 228, 66, 3, 0},
            [CS_ROLE_CURSOR] = {-1, 0, 0, 7, CS_REVERSE},
            [CS_ROLE_EVENT] = {204, 121, 167, 5, 0},
            [CS_ROLE_BAR] = {-1, 0, 0, 7, CS_REVERSE},
            [CS_ROLE_LINE] = {255, 255, 255, 15, 0},
            [CS_ROLE_INK] = {0, 0, 0, 0, 0},
        },
    /* Okabe and Ito, "Color Universal Design" (2008), with black replaced by
     * grey, which is visible on a dark background. */
    .chain = {{86, 180, 233, 6, 0},
              {230, 159, 0, 3, 0},
              {0, 158, 115, 2, 0},
              {204, 121, 167, 5, 0},
              {240, 228, 66, 11, 0},
              {213, 94, 0, 1, 0},
              {0, 114, 178, 4, 0},
              {178, 178, 178, 7, 0}},
    /* Twelve colours of the map plasma (Smith and van der Walt, 2015),
     * evenly spaced in CIELAB (dE 19 to 22) and increasingly light (dL 5 to
     * 12). They can be distinguished in grey and by every kind of colour
     * vision. */
    .ramp = {{13, 8, 135, 4, 0},
             {98, 1, 166, 4, 0},
             {148, 17, 161, 4, 0},
             {175, 41, 145, 4, 0},
             {196, 62, 127, 5, 0},
             {213, 84, 110, 5, 0},
             {228, 106, 93, 5, 0},
             {241, 130, 76, 5, 0},
             {250, 159, 58, 3, 0},
             {252, 188, 45, 3, 0},
             {248, 219, 36, 3, 0},
             {240, 249, 33, 3, 0}},
    .ramp_256 = {17, 18, 54, 90, 126, 162, 198, 204, 210, 216, 222, 228},
    /* From blue through a pale middle to orange: distinguishable by every kind
     * of colour vision. */
    .sides = {{0, 80, 160, 4, 0},
              {40, 120, 190, 4, 0},
              {100, 160, 215, 6, 0},
              {165, 200, 230, 6, 0},
              {225, 225, 225, 7, 0},
              {240, 205, 150, 7, 0},
              {235, 170, 80, 3, 0},
              {225, 130, 20, 3, 0},
              {200, 85, 0, 1, 0}},
};
