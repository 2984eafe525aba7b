/* Bulk fills of uniforms and normals: compiled for each instruction set. */
#include "rng/stream.h"
