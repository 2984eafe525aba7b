/* Interface of a fuzz target, which is a reader of untrusted bytes. Each
 * fuzz_NAME.c is used by libFuzzer (CS_FUZZ, libfuzzer.c) and by the replay of
 * the stored corpus (replay.c). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The reader that one file fuzz_NAME.c tests. The file defines it as
 * reader_NAME. */
typedef struct fuzz_reader {
    void (*prepare)(void); /* called before the first input; may be NULL */
    void (*read)(const uint8_t *data, size_t size);
} fuzz_reader;

/* Returns the path of a file that contains data[size]. The file is valid until
 * the next call. The first call creates a temporary folder and makes it the
 * working directory (files.c). */
const char *fuzz_file(const void *data, size_t size);
/* Writes a valid netCDF file whose groups, dimensions and variables depend on
 * the bytes (make_netcdf.c). Returns false if netCDF is not available. */
bool fuzz_netcdf(const char *path, const uint8_t *data, size_t size);
/* Returns a copy with a terminating zero, valid until the next call. */
char *fuzz_text(const uint8_t *data, size_t size);
/* Writes the FNV-1a checksum of the preceding bytes to data[size - 8 ..]. Files
 * of this program have their checksum at this place. The reader then accepts
 * the checksum and parses the contents too. */
void fuzz_seal(uint8_t *data, size_t size);
/* Prints a message and aborts, so that the fuzzer stores the input. */
void fuzz_broken(const char *what);
