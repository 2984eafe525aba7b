#!/bin/sh
# usage: report.sh PROGRAM SCENARIO
# Tests the report of a run as one page, and its summary as tables.
. "$(dirname "$0")/../support/begin.sh"
scenario=$(dirname "$2")/../../scenarios/start/02_step_size.lua
cd "$work" || exit 1
export XDG_STATE_HOME="$work" XDG_CACHE_HOME="$work"

# The page has what the scenario shows, what is known, the lesson, a figure per
# panel of the scenario in light and in dark colours, the tables, the journal, and
# the command that repeats the report.
"$program" report "$scenario" --steps 300 --set small.step=0.3 -o page.html >said 2>&1 ||
    fault "no report: $(cat said)"
figures=$(grep -c '<figure>' page.html)
[ "$figures" -eq 4 ] || fault "$figures figures: trace, acceptance, energy and tuner are expected"
for kind in light dark; do
    [ "$(grep -c "<div class=\"$kind\"><svg" page.html)" -eq "$figures" ] || fault "not all figures are $kind"
done
[ "$(grep -c '</svg>' page.html)" -eq $((2 * figures)) ] || fault "a picture is incomplete"
grep -q '┌\|│1 trace' page.html && fault "a figure has the frame of the terminal"
grep -q '<p class="shows">A high acceptance rate does not prove' page.html || fault "it does not say what is shown"
grep -q '<p class="known"><code>[a-z]*</code> ' page.html || fault "it does not say what is known"
grep -q '<text[^>]*>[^<]*[▁▂▃▄▅▆▇█]' page.html && fault "a bar is drawn with a font, which leaves gaps"
grep -q '<p>A tiny step is nearly always accepted' page.html || fault "no lesson"
grep -q '<h2>Method</h2>' page.html || fault "no method section: $(grep '<h[1-4]' page.html)"
for arm in small right large tuned; do
    grep -q ">[o#^d] $arm" page.html || fault "arm $arm is not in the figures"
done
tail -1 page.html | grep -q '</html>' || fault "the page is incomplete"
grep -q '300 steps, seed' page.html || fault "the steps are not given"
grep -q '<td>small</td>' page.html || fault "arm small is not in the table"
grep -q -e "--set small.step=0.3 --steps 300 -o page.html" page.html || fault "the command is missing"
grep -q '^0 .*step.*0.3\|set small.step=0.3' page.html || fault "the settings are not in the journal"
grep -Eq '(src|href)=' page.html && fault "the page loads external files"

# For the same run the tables are the same. In the picture of the summary only
# the times differ.
"$program" report "$scenario" --steps 300 --set small.step=0.3 -o again.html >said 2>&1
tables_of() { sed -n '/^<p>Target/,$s/again.html/page.html/;/^<p>Target/,$p' "$1"; }
tables_of page.html >page.txt
tables_of again.html | cmp - page.txt || fault "a repeated report differs"
[ "$(wc -l <page.txt)" -gt 50 ] || fault "there are no tables"

# The figures are those of `run`: the draws do not include the warm-up.
"$program" run "$scenario" >run.txt 2>&1
"$program" report "$scenario" -o whole.html >said 2>&1 || fault "no report: $(cat said)"
figures() { sed -n 's/^ *\(x\.[0-9]\) *\([-0-9.e]*\) *\([0-9.e+-]*\) .*/\1 \2 \3/p' run.txt; }
[ "$(figures | wc -l)" -gt 4 ] || fault "run has no figures: $(cat run.txt)"
figures | while read -r name mean sd; do
    grep -q "<td>$name</td><td>$mean</td><td>$sd</td>" whole.html || echo "$name $mean $sd"
done >missing.txt
[ -s missing.txt ] && fault "the report has other figures than run: $(cat missing.txt)"

# The quantiles are those that were asked for, also in the command of the page.
"$program" report "$scenario" --steps 50 --quantiles 2.5,80 -o page.html >said 2>&1 || fault "no report: $(cat said)"
grep -q '<th[^>]*>2.5%</th><th[^>]*>80%</th>' page.html || fault "no quantiles: $(grep -o '<th[^>]*>[0-9.]*%</th>' page.html)"
grep -q '<th[^>]*>95%</th>' page.html && fault "the usual quantiles remain"
grep -q -e '--quantiles 2.5,80 -o page.html' page.html || fault "the command lacks the quantiles"

# Predictive checks have a section with a figure per check and the numbers that
# `run` prints, also if the scenario does not show their panel.
models=$(dirname "$scenario")/../targets
cp -r "$models/predictions" .
sed 's/"predictive", "map"/"map"/' "$models/schools_pooled.lua" >pooled.lua
"$program" report pooled.lua --steps 600 -o pooled.html >said 2>&1 || fault "no report: $(cat said)"
"$program" run pooled.lua --steps 600 >run.txt 2>&1
grep -q '<h2>Predictive checks</h2>' pooled.html || fault "no section on predictive checks"
for check in schools pooled; do
    grep -q "<figcaption>Figure [0-9]*: predictive check.*$check[.]" pooled.html || fault "no figure of the check $check"
    line=$(grep "^ *$check  *nuts  *max " run.txt)
    [ -n "$line" ] && grep -qF -e "$line" pooled.html || fault "the numbers of $check differ: $line"
done
sed -n '/<h2>Predictive/,$p' pooled.html | grep -q '>x</text>\|>o</text>' || fault "the checks are not drawn"
grep -q '<h2>Predictive checks</h2>' page.html && fault "a scenario without checks has a section on them"

# refused WORDS ARGUMENTS ...: checks that report fails and that its message has
# WORDS.
refused() {
    words=$1
    shift
    "$program" report "$@" >err 2>&1
    [ $? -ne 0 ] && grep -q "$words" err || fault "$*: $(cat err)"
}
refused 'add -o FILE.html' "$scenario"
refused 'is not a list of percentages' "$scenario" --steps 5 --quantiles 120 -o none.html
refused 'nowhere' "$scenario" --steps 5 -o nowhere/page.html
refused 'none.lua' none.lua -o none.html
[ -e none.html ] && fault "an empty page remains"

# Tests the tables of a summary.
tables() { printf ':step 200\n;run:go()\n:summary %s\n' "$1" | "$program" repl "$scenario" 2>&1; }
tables markdown | grep -q '^| arm | kernel |' || fault "no table in Markdown: $(tables markdown)"
tables latex | grep -q '^.begin{tabular}{ll' || fault "no table in LaTeX"
tables words | grep -q 'markdown, latex or html' || fault "the list of formats is not printed: $(tables words)"
exit $faults
