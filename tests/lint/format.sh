#!/bin/sh
# Checks that C files are formatted as clang-format does. Skips (77) without
# clang-format. Checks only files that differ from the versions that STAMP lists
# as accepted.
# Usage: format.sh ROOT STAMP
command -v clang-format >/dev/null || { echo "skipped: no clang-format"; exit 77; }
cd "$1" || exit 1
new=$2.$$
trap 'rm -f "$new"' EXIT
key=$({ clang-format --version; cat .clang-format; } | cksum | tr ' ' _) || exit 1
find src tests -name '*.[ch]' -exec md5sum {} + | sort | sed "s/^/$key /" >"$new"
[ -s "$new" ] || { echo "no C files in $1"; exit 1; }
[ -e "$2" ] || : >"$2"
# The name follows the key and the digest.
comm -23 "$new" "$2" | cut -d ' ' -f 4- | tr '\n' '\0' |
    xargs -0 -r clang-format --dry-run --Werror && mv "$new" "$2"
