#!/bin/sh
# usage: manual.sh PROGRAM
# Tests that the manual page is complete and well formed.
program=$1
page=$(mktemp) && err=$(mktemp) || exit 1
trap 'rm -f "$page" "$err"' EXIT
faults=0
fault() { echo "$*"; faults=1; }

"$program" manual >"$page" || fault "there is no manual"
# Prints the required words, one per line: names, sub-commands, and --options,
# which troff writes with a backslash before each hyphen.
wanted() {
    "$program" list | sed -n 's/^  \([a-z0-9_]*\) .*/\1/p'
    for sub in $("$program" --help | sed -n '/^environment/q; s/^  \([a-z]*\)  .*/\1/p'); do
        echo "chainscope $sub"
        "$program" "$sub" --help
    done | sed -n 's/^  \(--[a-z-]*\).*/\1/p; /^chainscope [a-z]*$/p'
}
wanted >"$err"
[ "$(grep -c '^--' "$err")" -gt 20 ] && [ "$(grep -c '^chainscope' "$err")" -gt 10 ] && [ "$(grep -vc '^--' "$err")" -gt 50 ] ||
    fault "too few words are required: $(cat "$err")"
awk 'FNR == NR {
        if (/^\\fB/) { sub(/^\\fB/, ""); sub(/\\fR.*/, ""); gsub(/\\-/, "-"); there[$0] = 1 }
        else if (/^\.SS chainscope /) { there[$2 " " $3] = 1 }
        next
    }
    !($0 in there) { print "the manual lacks " $0; lacks = 1 }
    END { exit lacks }' "$page" "$err" || faults=1
if command -v groff >/dev/null; then
    groff -man -Tutf8 -ww "$page" >/dev/null 2>"$err"
    [ -s "$err" ] && fault "troff reports: $(head -3 "$err")"
fi
exit $faults
