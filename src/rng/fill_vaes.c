/* The variant of fill.c for AVX2 processors with AES on two blocks at once (Zen
 * 3, Ice Lake and later): see fill.c. Empty for other instruction sets. */
#include "rng/fill.h"

#if defined(__AVX2__) && !defined(__AVX512F__)
#define CS_FILL_VAES
#define CS_FILL_NAME cs_fill_avx2_vaes
#include "rng/fill.c"
#else
typedef int cs_fill_vaes_is_empty;
#endif
