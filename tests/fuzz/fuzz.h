/* A fuzz target: a reader of untrusted bytes. The same files serve libFuzzer
 * (CS_FUZZ, libfuzzer.c) and the replay of the kept corpus (replay.c). */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Each file fuzz_NAME.c ends with its reader, reader_NAME. */
typedef struct fuzz_reader {
    void (*prepare)(void); /* before the first input; may be NULL */
    void (*read)(const uint8_t *data, size_t size);
} fuzz_reader;

/* The path of a file that holds data[size] until the next call. The first
 * call makes a folder of its own and goes there. (files.c) */
const char *fuzz_file(const void *data, size_t size);
/* A copy with a zero behind its end, until the next call. */
char *fuzz_text(const uint8_t *data, size_t size);
/* FNV-1a, as files of ours are sealed: data[size - 8 ..] becomes the sum of
 * what is before, so that readers are fuzzed behind their checksums. */
void fuzz_seal(uint8_t *data, size_t size);
/* Says what broke and aborts, so that the input is kept. */
void fuzz_broken(const char *what);
