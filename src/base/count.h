/* Counts and numbers as texts that people read. */
#pragma once

#include <stddef.h>

/* A number as a text. */
typedef struct cs_number {
    char text[24];
} cs_number;

/* 1240512 as "1,240,512"; numbers from 1e15 on with an exponent. */
cs_number cs_count(double v);

/* A short text of a number: "1.24M", "-412.8", "3.1e-04". */
const char *cs_short(double v, char *text, size_t size);
cs_number cs_num(double v);
