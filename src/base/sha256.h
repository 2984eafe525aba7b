/* SHA-256 (FIPS 180-4). */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { CS_SHA256_BYTES = 32, CS_SHA256_HEX = 65 };

/* Writes the digest of bytes[n]. `bytes` may be NULL if n is 0. */
void cs_sha256(const void *bytes, size_t n, uint8_t digest[CS_SHA256_BYTES]);

/* Writes the digest as 64 lower-case hexadecimal digits and a zero byte. */
void cs_sha256_hex(const uint8_t digest[CS_SHA256_BYTES],
                   char text[CS_SHA256_HEX]);
