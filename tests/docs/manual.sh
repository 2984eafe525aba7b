#!/bin/sh
# usage: manual.sh PROGRAM
# The manual page is whole and well formed.
program=$1
page=$(mktemp) && err=$(mktemp) || exit 1
trap 'rm -f "$page" "$err"' EXIT
faults=0
fault() { echo "$*"; faults=1; }

"$program" manual >"$page" || fault "there is no manual"
for name in $("$program" list | sed -n 's/^  \([a-z0-9_]*\) .*/\1/p'); do
    grep -q "^.fB$name.fR" "$page" || fault "the manual lacks $name"
done
for sub in $("$program" --help | sed -n '/^environment/q; s/^  \([a-z]*\)  .*/\1/p'); do
    grep -q "^\.SS chainscope $sub" "$page" || fault "the manual lacks $sub"
    for option in $("$program" "$sub" --help | sed -n 's/^  --\([a-z-]*\).*/\1/p'); do
        option=$(echo "$option" | sed 's/-/.-/g')
        grep -q "^.fB.-.-$option.fR" "$page" || fault "the manual lacks --$option"
    done
done
if command -v groff >/dev/null; then
    groff -man -Tutf8 -ww "$page" >/dev/null 2>"$err"
    [ -s "$err" ] && fault "troff complains: $(head -3 "$err")"
fi
exit $faults
