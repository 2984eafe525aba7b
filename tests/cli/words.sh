#!/bin/sh
# usage: words.sh PROGRAM SCENARIO, in a repository with the gallery
# Tests that the first view of a scenario has at most 150 words and numbers at
# 120x40 (see the table words.txt). A word or number is a run of characters
# with a letter or digit. Two kinds of runs do not count: those with a character
# of a drawing (they are part of a plot), and the cells of the matrix of modes
# (a row: number of the mode, shades, shares, first visit).
# Neither these screens nor the stored frames have an exclamation mark.
export LC_ALL=C
. "$(dirname "$0")/../support/screen_rows.sh"
table=$(dirname "$0")/words.txt
# boxes, lines, blocks; braille; the middle dot
drawn=$(printf '\342\224|\342\225|\342\226[\200-\237]|\342[\240-\243]|\302\267')
row=' [0-9]+ [^0-9%A-Za-z]* +[0-9.]+%( +[0-9.]+%)? +(never|[0-9][0-9,.k]*)'
count() {
    sed -E "s/$row/ /g" "$1" | tr -s ' ' '\n' | grep -avE "$drawn" | grep -ac '[A-Za-z0-9]'
}
# "!" has no meaning on the screen: verdicts are words.
no_signs() {
    ! grep -an '!' "$@" || { echo "a screen has an exclamation mark"; faults=1; }
}
while IFS='|' read -r scenario matrix most; do
    case $scenario in '#'* | '') continue ;; esac
    lines=$((lines + 1))
    [ $((lines % every)) -eq 0 ] || continue
    XDG_STATE_HOME=$work XDG_CACHE_HOME=$work "$program" shot "$scenarios/$scenario.lua" \
        --size 120x40 --steps 1000 >"$work/seen.txt" </dev/null || faults=1
    rows=$((rows + 1))
    no_signs "$work/seen.txt"
    n=$(count "$work/seen.txt")
    found=$(grep -acE "$row" "$work/seen.txt")
    [ -z "$WORDS" ] || echo "$scenario $n"
    [ "$(wc -l <"$work/seen.txt")" -eq 40 ] && [ "$n" -ge 40 ] && [ "$n" -le "${most:-150}" ] &&
        [ "$found" -ge "${matrix:-0}" ] && continue
    echo "$scenario: $n words and numbers, $found rows of a matrix, in"
    cat "$work/seen.txt"
    faults=1
done <"$table"
frames=$(dirname "$0")/../screen/frames
no_signs "$frames"/*.txt "$frames"/*.ans
[ $rows -ge $((12 / every)) ] || { echo "only $rows screens were read"; faults=1; }
exit $faults
