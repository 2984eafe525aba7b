/* Counts as texts that people read. */
#ifndef CS_BASE_COUNT_H
#define CS_BASE_COUNT_H

/* A number as a text. */
typedef struct cs_number {
    char text[24];
} cs_number;

/* 1240512 as "1,240,512"; what is not below 1e15 with an exponent. */
cs_number cs_count(double v);

#endif
