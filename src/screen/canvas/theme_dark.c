/* Light text on the terminal's own background, which is dark. */
#include "screen/canvas/theme_rows.h"

const cs_theme cs_theme_dark = {
    .name = "dark",
    .help = "light text on the terminal's own dark background",
    .ground = {16, 16, 20, 0, 0},
    .ink = {218, 218, 218, 7, 0},
    .role =
        {
            [CS_ROLE_NORMAL] = {-1, 0, 0, 7, 0},
            [CS_ROLE_FAINT] = {138, 138, 138, 8, 0},
            [CS_ROLE_TITLE] = {-1, 0, 0, 7, CS_BOLD},
            [CS_ROLE_BORDER] = {108, 108, 114, 8, 0},
            [CS_ROLE_FOCUS] = {86, 180, 233, 6, CS_BOLD},
            [CS_ROLE_KEY] = {240, 228, 66, 3, CS_BOLD},
            [CS_ROLE_LABEL] = {138, 138, 138, 7, 0},
            [CS_ROLE_VALUE] = {-1, 0, 0, 7, CS_BOLD},
            [CS_ROLE_ACCEPT] = {86, 180, 233, 6, 0},
            [CS_ROLE_REJECT] = {230, 159, 0, 3, 0},
            [CS_ROLE_WARN] = {230, 159, 0, 3, CS_BOLD},
            [CS_ROLE_ERROR] = {255, 107, 107, 9, CS_BOLD},
            [CS_ROLE_TRUTH] = {240, 228, 66, 3, 0},
            [CS_ROLE_CURSOR] = {-1, 0, 0, 7, CS_REVERSE},
            [CS_ROLE_EVENT] = {204, 121, 167, 5, 0},
            [CS_ROLE_BAR] = {-1, 0, 0, 7, CS_REVERSE},
            [CS_ROLE_LINE] = {255, 255, 255, 15, 0},
            [CS_ROLE_INK] = {0, 0, 0, 0, 0},
        },
    /* Colours of the palette of 256. The smallest distance in CIELAB between any
     * two is 25.6 for normal, protan, deutan and tritan vision. */
    .chain = {{95, 215, 175, 14, 0},
              {255, 215, 0, 11, 0},
              {215, 95, 0, 9, 0},
              {215, 215, 255, 15, 0},
              {215, 0, 255, 13, 0},
              {215, 135, 95, 3, 0},
              {215, 135, 255, 5, 0},
              {95, 135, 135, 6, 0}},
    /* From dim to bright. With 16 colours, shades in the default colour. */
    .ramp = {{95, 95, 175, -1, 0},
             {95, 135, 175, -1, 0},
             {135, 175, 175, -1, 0},
             {175, 215, 175, -1, 0},
             {215, 215, 175, -1, 0},
             {255, 255, 175, -1, 0}},
    .ramp_256 = {61, 67, 109, 151, 187, 229},
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
