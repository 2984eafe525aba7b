#!/bin/sh
# usage: eight_questions.sh PROGRAM SCENARIO, in a repository with the gallery
# Tests that the first screen answers eight questions of a user, with at most one
# key, on both common sizes (see the table eight_questions.txt).
export LC_ALL=C.UTF-8
. "$(dirname "$0")/../support/screen_rows.sh"
table=$(dirname "$0")/eight_questions.txt
while IFS='|' read -r question scenario steps keys words; do
    case $question in '#'* | '') continue ;; esac
    lines=$((lines + 1))
    [ $((lines % every)) -eq 0 ] || continue
    for size in 120x40 80x24; do
        XDG_STATE_HOME=$work XDG_CACHE_HOME=$work "$program" shot "$scenarios/$scenario.lua" \
            --size $size --steps "$steps" --keys "$keys" >"$work/seen.txt" </dev/null || faults=1
        rows=$((rows + 1))
        sed 's/│/ /g' "$work/seen.txt" | tr -s '\n ' '  ' | grep -qE "$words" && continue
        echo "$question in $scenario at $size: no '$words' in"
        cat "$work/seen.txt"
        faults=1
    done
done <"$table"
[ $rows -ge $((50 / every)) ] || { echo "only $rows screens were read"; faults=1; }
[ "$(grep -cE '^[a-z]' "$table")" -ge 25 ] || faults=1
exit $faults
