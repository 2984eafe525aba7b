/* A theme in which every text and frame has a contrast of at least 7 to 1 on a
 * black background, which is painted. It uses no greys. */
#include "screen/canvas/theme_rows.h"

const cs_theme cs_theme_contrast = {
    .name = "contrast",
    .help = "strongest colours on black",
    .paints = true,
    .ground = {0, 0, 0, 0, 0},
    .ink = {255, 255, 255, 15, 0},
    .role =
        {
            [CS_ROLE_NORMAL] = {255, 255, 255, 15, 0},
            [CS_ROLE_FAINT] = {215, 215, 215, 7, 0},
            [CS_ROLE_TITLE] = {255, 255, 255, 15, CS_BOLD},
            [CS_ROLE_BORDER] = {255, 255, 255, 15, 0},
            [CS_ROLE_FOCUS] = {120, 210, 255, 14, CS_BOLD},
            [CS_ROLE_KEY] = {255, 255, 90, 11, CS_BOLD},
            [CS_ROLE_LABEL] = {235, 235, 235, 15, 0},
            [CS_ROLE_VALUE] = {255, 255, 255, 15, CS_BOLD},
            [CS_ROLE_ACCEPT] = {120, 210, 255, 14, 0},
            [CS_ROLE_REJECT] = {255, 176, 0, 11, 0},
            [CS_ROLE_WARN] = {255, 176, 0, 11, CS_BOLD},
            [CS_ROLE_ERROR] = {255, 130, 100, 9, CS_BOLD},
            [CS_ROLE_TRUTH] = {255, 255, 90, 11, CS_BOLD},
            [CS_ROLE_CURSOR] = {255, 255, 255, 15, CS_REVERSE},
            [CS_ROLE_EVENT] = {255, 160, 215, 13, 0},
            [CS_ROLE_BAR] = {255, 255, 255, 15, CS_REVERSE},
            [CS_ROLE_LINE] = {255, 255, 255, 15, 0},
            [CS_ROLE_INK] = {0, 0, 0, 0, 0},
        },
    /* The hues of the dark theme, each with a contrast of at least 4.5 to 1
     * against black. The distances between them in CIELAB are as large as
     * could be found (dE 29 for every kind of colour vision). */
    .chain = {{84, 185, 251, 14, 0},
              {255, 176, 0, 3, 0},
              {58, 250, 181, 10, 0},
              {209, 98, 155, 13, 0},
              {255, 255, 140, 11, 0},
              {214, 75, 13, 9, 0},
              {76, 118, 243, 12, 0},
              {205, 235, 255, 15, 0}},
    .ramp = {{20, 10, 110, -1, 0},
             {145, 17, 160, -1, 0},
             {205, 43, 120, -1, 0},
             {248, 116, 54, -1, 0},
             {255, 193, 59, -1, 0},
             {255, 255, 170, -1, 0}},
    .ramp_256 = {17, 91, 161, 173, 214, 229},
    .sides = {{70, 110, 255, 12, 0},
              {100, 150, 255, 12, 0},
              {140, 190, 255, 14, 0},
              {190, 220, 255, 14, 0},
              {255, 255, 255, 15, 0},
              {255, 225, 170, 11, 0},
              {255, 195, 90, 11, 0},
              {255, 150, 20, 3, 0},
              {235, 95, 0, 9, 0}},
};
