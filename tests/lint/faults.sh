#!/bin/sh
# The lint checks can fail: each is shown a fault and must refuse it.
# Usage: faults.sh LUA LINT_DIR
lua=$1 lint=$2
tree=$(mktemp -d) || exit 1
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree/base" "$tree/kernel"
echo '#include "kernel/kernel.h"' >"$tree/base/up.h"
"$lua" "$lint/layers.lua" "$tree" >/dev/null && { echo "an arrow upwards passed"; exit 1; }
echo '#include <lua.h>' >"$tree/base/up.h"
"$lua" "$lint/layers.lua" "$tree" >/dev/null && { echo "lua.h in base passed"; exit 1; }
rm "$tree/base/up.h"
echo 'CS_KERNEL(gone, gone)' >"$tree/kernel/kernels.def"
"$lua" "$lint/registered.lua" "$tree" >/dev/null && { echo "a missing file passed"; exit 1; }
: >"$tree/kernel/kernels.def"
printf '\nconst cs_kernel_type CS_VARIANT(cs_kernel_lost) = {0};\n' >"$tree/kernel/lost.c"
"$lua" "$lint/registered.lua" "$tree" >/dev/null && { echo "an orphan passed"; exit 1; }
exit 0
