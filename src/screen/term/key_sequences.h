/* The meaning of complete sequences from the keyboard: xterm, rxvt, the Linux
 * console, tmux and screen, modifyOtherKeys of xterm, and the keyboard protocol
 * of kitty. */
#pragma once

#include "screen/term/input_parser.h"

/* Each returns false if the sequence has no meaning; then *out is undefined.
 * `final` is the last byte of the sequence. */
bool cs_csi_input(const cs_sequence *s, unsigned char final, cs_key_input *out);
bool cs_ss3_input(const cs_sequence *s, unsigned char final, cs_key_input *out);
/* The function keys of the Linux console: ESC [ [ A. */
bool cs_console_input(const cs_sequence *s, unsigned char final,
                      cs_key_input *out);
/* A mouse report of the form ESC [ M with three bytes. */
bool cs_raw_mouse_input(const unsigned byte[3], cs_key_input *out);
/* A character; with `alt`, Alt was pressed. */
bool cs_character_input(unsigned code, bool alt, cs_key_input *out);
