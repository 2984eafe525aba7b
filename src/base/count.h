/* Formats counts and numbers for people. */
#pragma once

#include <stddef.h>

/* A formatted number. */
typedef struct cs_number {
    char text[24];
} cs_number;

/* Formats 1240512 as "1,240,512"; numbers from 1e15 on get an exponent. */
cs_number cs_count(double v);

/* Formats a number in a few characters: "1.24M", "4,886", "-412.8",
 * "3.1e-04". */
const char *cs_short(double v, char *text, size_t size);
cs_number cs_num(double v);
