/* Converts bytes from the keyboard to keys, mouse events and pasted text.
 * The parser reads every sequence of ECMA-48 to its end, and drops sequences
 * without a meaning. It calls no other part of the program and reads no
 * clock. */
#pragma once

#include "screen/term/mouse_event.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    /* parameters stored per sequence; further parameters are ignored */
    CS_INPUT_PARAMS = 16,
    CS_INPUT_SUBS = 3,       /* parts of a parameter, separated by colons */
    CS_INPUT_PASTE = 8 << 10 /* maximum length of pasted text, in bytes */
};

typedef struct cs_key_input {
    /* a code point, with CS_KEY_ALT for Alt; or CS_KEY_... */
    unsigned key;
    cs_mouse mouse; /* if the key is CS_KEY_MOUSE */
} cs_key_input;

/* A sequence after its introducer, without the final byte. */
typedef struct cs_sequence {
    unsigned char prefix;       /* one of < = > ?, or 0 */
    unsigned char intermediate; /* last byte from 0x20 to 0x2F, or 0 */
    bool alt;                   /* an ESC came before the sequence */
    size_t n;                   /* number of parameters */
    /* decimal numbers, at most 0x110000; 0 if they were left out */
    unsigned param[CS_INPUT_PARAMS][CS_INPUT_SUBS];
} cs_sequence;

/* A reply of the terminal to a query; a reply is never a key. */
typedef struct cs_reply {
    enum {
        CS_REPLY_NONE,
        CS_REPLY_DEVICE, /* primary device attributes: CSI ? ... c */
        CS_REPLY_CELL,   /* size of a cell in pixels: CSI 6 ; h ; w t */
        CS_REPLY_KITTY   /* reply of kitty's graphics protocol */
    } kind;
    bool good; /* device: it has sixel graphics; kitty: the reply is OK */
    /* cell: width and height in pixels; kitty: the number of the image */
    unsigned number[2];
} cs_reply;

enum { CS_INPUT_STRING = 32 }; /* bytes stored per string sequence */

/* All zeros: no byte has arrived. */
typedef struct cs_input_parser {
    /* bytes above 127 are characters of one byte, not UTF-8; the caller
     * converts them to code points */
    bool single;
    unsigned char state;
    cs_sequence sequence;
    /* index of the part of a parameter that is being read */
    size_t sub;
    unsigned code, least; /* a UTF-8 character, and its smallest valid value */
    unsigned raw[3];      /* bytes of a mouse report, or their number */
    size_t n_raw;
    /* the last reply; the caller sets its kind to CS_REPLY_NONE */
    cs_reply reply;
    /* the start of a string sequence, with the byte that introduced it; longer
     * strings are cut off */
    char string[CS_INPUT_STRING + 1];
    size_t n_string;
    /* ---- pasted text ---- */
    char text[CS_INPUT_PASTE + 1]; /* ends with a zero after CS_KEY_PASTE */
    size_t used;
    size_t matched; /* bytes of the end mark that have arrived */
    bool long_text; /* the text was longer; the rest is lost */
} cs_input_parser;

typedef enum cs_input_wait {
    CS_INPUT_IDLE,     /* the last byte completed a key or sequence */
    CS_INPUT_ESCAPE,   /* ESC: the key, or the start of a sequence */
    CS_INPUT_SEQUENCE, /* the middle of a sequence or a character */
    CS_INPUT_PASTING   /* pasted text without its end */
} cs_input_wait;

/* Reads one byte. Returns true if it completes a key, mouse event or paste,
 * which is written to *out. */
bool cs_input_byte(cs_input_parser *p, unsigned char byte, cs_key_input *out);
/* Returns what the parser waits for. The caller should wait only a short time
 * after CS_INPUT_ESCAPE. */
cs_input_wait cs_input_waits(const cs_input_parser *p);
/* Ends the wait for bytes after ESC. Returns true if ESC then counts as a
 * key, which is written to *out. Does nothing in other states. */
bool cs_input_silence(cs_input_parser *p, cs_key_input *out);
/* Forgets an incomplete sequence or paste. */
void cs_input_reset(cs_input_parser *p);
