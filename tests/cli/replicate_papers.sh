#!/bin/sh
# usage: replicate_papers.sh PROGRAM
# Tests the scenarios of four papers, replicated in the quick setting. No
# scenario fails, each has a table, every verdict is the expected one, and every
# row has the verdict listed in replicate_papers.txt (except rows that are not
# run because data are missing). RECORD=1 writes that list again. PAPERS=some
# runs a few scenarios of each paper.
. "$(dirname "$0")/../support/begin.sh"
list=$(dirname "$0")/replicate_papers.txt
export LC_ALL=C

# rows: prints a table as lines "paper/scenario | arm | figure | bound |
# verdict".
rows() {
    awk -F '  +' '/^[a-z_]+\/[a-z0-9_]+: / { scenario = $1; sub(/:.*/, "", scenario) }
        /^  [^ ]/ && NF == 6 && $2 != "arm" { print scenario " | " $2 " | " $3 " | " $4 " | " $6 }' "$1"
}

# replicated PAPER [SCENARIO]: runs the scenarios and stores their rows.
replicated() {
    "$program" replicate "$@" --quick --workers 1 >"$work/said" 2>"$work/err"
    code=$?
    [ $code -le 1 ] || fault "replicate $*: exit $code: $(cat "$work/err")"
    grep -E -q '^[1-9][0-9]* claims? in [0-9]+ scenarios?\. Hold: ' "$work/said" ||
        fault "replicate $*: no count: $(cat "$work/said" "$work/err")"
    ! grep -E -q '^  failed: |scenarios? (failed|not run)|not as the scenario expects|cannot fail' "$work/said" ||
        fault "replicate $*: $(cat "$work/said")"
    rows "$work/said" >"$work/table"
    n=$(sed -n 's/^\([0-9]*\) claims* in .*/\1/p' "$work/said")
    [ "$(wc -l <"$work/table")" = "$n" ] || fault "replicate $*: $(wc -l <"$work/table") rows of $n"
    cat "$work/table" >>"$work/rows"
    grep -E '^[1-9][0-9]* claims? in ' "$work/said"
}

papers="acs auxiliary csgld edlp"
[ -z "$PAPERS" ] || [ "$PAPERS" = some ] || papers=$PAPERS
for paper in $papers; do
    case $paper in
    acs) some="table_2 table_4_caltech" ;;
    auxiliary) some="table_1_tight table_4" ;;
    csgld) some="wang_landau_potts" ;;
    edlp) some="eta flat_modes focusing_images" ;;
    esac
    [ "$PAPERS" = some ] || some=
    for scenario in ${some:-""}; do replicated $paper $scenario; done
done
sort "$work/rows" >"$work/now"
if [ -n "$RECORD" ] && [ -z "$PAPERS" ]; then
    cp "$work/now" "$list"
    exit $faults
fi
grep -E "^($(echo $papers | tr ' ' '|'))/" "$list" | sort >"$work/then"
# Rows whose data are missing are not compared with the verdicts from a machine
# that has the data.
name='s/ | [^|]*$//'
grep ' | not run: no data$' "$work/now" | sed "$name" >"$work/without"
for which in now then; do
    awk -v without="$work/without" 'BEGIN { while ((getline line < without) > 0) skip[line] = 1 }
        { name = $0; sub(/ \| [^|]*$/, "", name) } !(name in skip)' "$work/$which" >"$work/$which.judged"
done
comm -23 "$work/now.judged" "$work/then.judged" >"$work/other"
[ -s "$work/other" ] && fault "rows that are not as $list has them:
$(cat "$work/other")"
if [ "$PAPERS" != some ]; then
    sed "$name" "$work/then.judged" | sort >"$work/there"
    sed "$name" "$work/now.judged" | sort | comm -13 - "$work/there" >"$work/gone"
    [ -s "$work/gone" ] && fault "rows that are gone:
$(cat "$work/gone")"
fi
exit $faults
