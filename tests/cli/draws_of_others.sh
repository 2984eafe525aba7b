#!/bin/sh
# usage: draws_of_others.sh PROGRAM SCENARIO
# Tests draws of other programs: each format is read by every command, and a round trip
# through each format of export loses nothing.
. "$(dirname "$0")/../support/begin.sh"
scenarios=$(dirname "$2")/../../scenarios
cd "$work" || exit 1
mkdir tmp
TMPDIR=$work/tmp
export TMPDIR

"$program" run "$scenarios/targets/eight_schools.lua" --steps 600 --out runs >said 2>&1
"$program" export runs --arm nuts -o nuts.jsonl >said 2>&1 || fault "no JSON: $(cat said)"
rows() { grep -v '^#' "$@"; }

# The draws of the file, exported again, are the same bytes.
again() { # FILE
    rm -f again.jsonl
    exits 0 export "$1" -o again.jsonl
    cmp -s nuts.jsonl again.jsonl || fault "a round trip through $1 changes the draws"
}
again nuts.jsonl
"$program" export runs --arm nuts -o nuts.nc >said 2>&1
built=$?
[ $built -ne 0 ] && [ -n "$CHAINSCOPE_NO_SKIP" ] && fault "no netCDF: $(cat said)"
if [ $built -eq 0 ]; then
    mv nuts.nc nuts.lua # the content counts, not the ending
    again nuts.lua
fi

# The summary of the file is that of the run's own files.
exits 0 summary runs --format csv
grep '^nuts' said | cut -d, -f2- >own.txt
[ -s own.txt ] || fault "no summary of the folder: $(cat said)"
exits 0 summary nuts.jsonl --format csv
grep '^draws' said | cut -d, -f2- >theirs.txt
cmp -s own.txt theirs.txt || fault "other summaries: $(head -n 3 own.txt) $(head -n 3 theirs.txt)"

# The median is the quantile at 50 %.
awk -F, '{
    if (FNR == 1) {
        for (i = 1; i <= NF; i++)
            at[$i] = i
        if (!at["median"] || !at["50%"])
            exit 1
    } else if ($at["median"] != $at["50%"])
        exit 1
}' said || fault "the median is another quantile: $(head -n 3 said)"

# A table of a spreadsheet: each assumption is reported.
printf '\357\273\277mu;b[1]\r\n' >table.csv
i=0
while [ $i -lt 300 ]; do
    printf '%d,%d;%d\r\n' $((i % 7)) $((i * 7919 % 1000)) $((i * 104729 % 997)) >>table.csv
    i=$((i + 1))
done
exits 0 summary table.csv
says 'semicolons separate the fields, and numbers have a decimal comma'
says 'byte order mark'
says 'CR LF'
says 'b.1 '
says 'draws (recorded): 1 chains, 300 steps, read from files'
exits 3 summary table.csv --strict
exits 0 summary table.csv --json
says '"warned"'
exits 0 shot table.csv -o frame.txt
grep -q 'draws of table.csv' frame.txt || fault "no title: $(head -n 3 frame.txt)"
exits 0 report table.csv -o page.html
grep -q 'semicolons' page.html || fault "the page lacks the notes"
grep -q 'chainscope report table.csv' page.html || fault "the page lacks its command"
"$program" watch --plain table.csv </dev/null >said 2>err || fault "watch: $(cat err)"
says 'semicolons'

# Files are compared with each other and with runs.
cp nuts.jsonl same.lua
exits 0 diff nuts.jsonl same.lua
says 'first:  nuts.jsonl'
says 'draws.*mu .*the same draws'
exits 0 diff table.csv nuts.jsonl
# Files with other quantities of the sampler have the same draws; the names of the files
# are no settings.
rows runs/nuts_1.csv | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if (i == 1 || $i !~ /__$/) keep[i] = 1 }
    { line = ""; for (i = 1; i <= NF; i++) if (i in keep) line = line (line == "" ? "" : ",") $i; print line }' >few.csv
exits 0 diff runs/nuts_1.csv few.csv
says 'the draws are equal bit for bit, up to the shorter run (300 per chain); only the [0-9]* quantities of both files'
says 'draws.*mu .*the same draws'
grep -q 'none differ' said || fault "settings: $(cat said)"
awk -F, -v OFS=, 'NR == 51 { $3 = 0.5 } 1' few.csv >changed.csv
exits 0 diff runs/nuts_1.csv changed.csv
says 'the first 49 draws are equal, then chain 1 differs'
grep -q 'the same draws' said && fault "a changed draw: $(cat said)"
sed 's/^lp__/other/' few.csv >without.csv
exits 0 diff few.csv without.csv
says 'equal bit for bit'

# PyMC's layout, with a group of warm-up, and emcee's backend, whose arrays have room for
# more steps than were made.
cat >pymc.cdl <<'END'
netcdf pymc {
group: posterior {
dimensions: chain = 2; draw = 3; school = 2;
variables: string school(school); double mu(chain, draw); float theta(chain, draw, school);
data: school = "a", "b"; mu = 1, 2, 3, 4, 5, 6.1; theta = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0.5;
}
group: sample_stats {
dimensions: chain = 2; draw = 3;
variables: byte diverging(chain, draw); double lp(chain, draw); int64 tree_depth(chain, draw);
  int64 depth(chain, draw);
data: diverging = 0, 0, 1, 0, 0, 0; lp = -1, -2, -3, -4, -5, NaN; tree_depth = 1, 2, 3, 4, 5, 6;
  depth = 2, 2, 2, 2, 2, 2;
}
group: warmup_posterior {
dimensions: chain = 2; draw = 1; school = 2;
variables: double mu(chain, draw); float theta(chain, draw, school);
data: mu = 9, 9; theta = 9, 9, 9, 9;
}
group: log_likelihood {
dimensions: chain = 2; draw = 3;
variables: double y(chain, draw);
data: y = 1, 2, 3, 4, 5, 6;
}
}
END
cat >emcee.cdl <<'END'
netcdf emcee {
group: mcmc {
dimensions: s = 3; w = 2; d = 2;
variables: double chain(s, w, d); double log_prob(s, w); :iteration = 2;
data: chain = 0, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 0; log_prob = -1, -2, -3, -4, 0, 0;
}
}
END
if [ $built -eq 0 ] && command -v ncgen >/dev/null; then
    ncgen -4 -o pymc.csv pymc.cdl && ncgen -4 -o emcee.csv emcee.cdl || fault "ncgen failed"
    exits 0 export pymc.csv -o pymc.jsonl
    says 'not read: log_likelihood'
    says '1 draws of warm-up per chain are left out'
    [ "$(wc -l <pymc.jsonl)" -eq 6 ] || fault "pymc: $(cat pymc.jsonl)"
    grep -q '{"chain": 1, "draw": 3, "lp__": -3, "divergent__": 1, "treedepth__": 3, "depth__": 2, "mu": 3, "theta": \[5, 6\]}' pymc.jsonl ||
        fault "pymc: $(cat pymc.jsonl)"
    grep -q '"lp__": null, .*"mu": 6.1, "theta": \[11, 0.5\]' pymc.jsonl || fault "pymc: $(cat pymc.jsonl)"
    exits 0 export pymc.csv --groups log_likelihood -o more.jsonl
    grep -q '"draw": 2, .*"log_likelihood_y": 5}' more.jsonl || fault "groups: $(cat more.jsonl)"
    exits 2 export pymc.csv --groups nothing -o x.jsonl
    exits 0 export emcee.csv -o emcee.jsonl
    [ "$(sed -n 4p emcee.jsonl)" = '{"chain": 2, "draw": 2, "lp__": -4, "x": [7, 8]}' ] ||
        fault "emcee: $(cat emcee.jsonl)"
    grep -q '"draw": 1, "lp__": -1, "x": \[0, 2\]' emcee.jsonl || fault "a zero of emcee: $(cat emcee.jsonl)"
    # as many numbers as destroyed the stack when all of them were read
    sed "s/iteration = 2/iteration = $(seq -s, 5000)/" emcee.cdl | ncgen -4 -o list.csv || fault "ncgen failed for a list"
    exits 1 summary list.csv
    says 'needs one number in the attribute iteration'
    head -c 3000 pymc.csv >cut.nc
    exits 1 summary cut.nc
    says 'netCDF'
fi

# Files of the run given one by one are read as they are.
exits 0 summary runs/nuts_1.csv runs/nuts_2.csv
says '2 chains'
cp runs/nuts_1.csv 1.csv

# Damaged files, and files without draws.
sed '40s/,.*//' runs/nuts_1.csv >damaged.csv
exits 1 summary damaged.csv runs/nuts_2.csv
says 'line 40'
sed '/^lp__/!d; s/mu/tau/' runs/nuts_1.csv >twice.csv
rows runs/nuts_1.csv | sed 1d >>twice.csv
exits 1 summary twice.csv
says 'have the same name, tau'
printf 'a,b\n1,2\n3\n' >short.csv
exits 1 summary short.csv
says 'short.csv:3: this row has 1 fields'
exits 2 summary "$2"
says 'not a file of draws in a known format'
printf "some words\n" >words
exits 2 diff runs words
says 'neither a scenario nor draws'
exits 2 report table.csv
says 'no output file'
exits 1 summary table.csv short.csv
exits 1 summary nowhere.csv
mkdir both && cp table.csv both && printf '{"N": 2, "y": [1, 2]}\n' >both/data.json
exits 1 summary both
says 'both/table.csv: column N is missing, but it is in data.json'
exits 1 export nowhere --arm nuts -o x.jsonl
says 'nowhere cannot be read: No such file'
mkfifo pipe
exits 1 summary pipe
exits 1 export pipe -o x.jsonl
exits 1 resample pipe --out x.csv
exits 1 diff pipe runs
for method in variational optimize; do
    printf '# method = %s\nlp__,mu\n0,1\n' $method >vi.csv
    exits 1 summary vi.csv
    says "the method is $method"
done
# A pipe in place of a chain, alone or in a folder, does not stop a command for ever, and a
# chain that is missing is noticed.
cp -r runs whole
for damage in pipe nothing; do
    rm -f runs/nuts_3.csv
    [ $damage = pipe ] && mkfifo runs/nuts_3.csv
    for c in summary "export --arm nuts -o x.jsonl" "report -o x.html" "resample --arm nuts --out x.csv" "diff whole"; do
        set -- $c
        exits 1 "$@" runs
        says 'runs/nuts_3.csv'
    done
done
# A command that runs a scenario says what another file is, and what reads it.
printf 'parameters { real mu; }\nmodel { mu ~ normal(0, 1); }\n' >model.stan
printf 'mu 1 2\n' >CODAindex.txt
printf '1 0.5\n2 0.25\n' >CODAchain1.txt
printf 'model {\n  mu ~ dnorm(0, 1)\n  tau ~ dgamma(1, 1)\n}\n' >model.bug
printf 'import pymc as pm\nx = pm.Normal("x", 0, 1)\n' >model.py
printf 'from numpy import array\n' >from.py
printf 'These words are\nfrom the page of a book, and nothing to import.\n' >prose.txt
printf '{"N": 2, "y": [1, 2]}\n' >data.json
gzip -c table.csv >table.gz
cp table.csv table.lua
while read -r file text; do
    exits 1 run $file
    says "$file is $text"
    grep -q 'near' err && fault "run $file: $(cat err)"
done <<'END'
1.csv not a scenario: its format is CmdStan CSV: read its draws with chainscope summary
nuts.jsonl not a scenario: its format is JSON lines: read draws with chainscope summary, and data
data.json not a scenario: its format is JSON lines: .* and data in a scenario with cs.read_json
table.lua not a scenario: its format is CSV: .* and data in a scenario with cs.read_table
CODAindex.txt not a scenario: its format is CODA index: .* summary and the files of the chains
CODAchain1.txt not a scenario: its format is CODA: read its draws with chainscope summary
table.gz compressed by gzip
model.stan a Stan program, .*: compile it with BridgeStan
model.bug a model of Stan, JAGS or BUGS, and neither
model.py a Python program, and neither
from.py a Python program, and neither
prose.txt text, and neither
runs/journal.txt a journal, .* --replay JOURNAL
tmp a folder of draws: .* use chainscope watch, shot or report
END
[ $built -ne 0 ] || { exits 1 run nuts.lua && says 'nuts.lua is not a scenario: its format is netCDF'; }
# The format of a table with long lines is found, and a file without draws is named.
awk 'BEGIN { for (k = 0; k < 3; k++) for (i = 0; i < 600000; i++) printf "%s%s", k ? 0.5 : "x" i, i < 599999 ? "," : "\n" }' >wide.csv
exits 1 run wide.csv
says 'wide.csv is not a scenario: its format is CSV'
: >empty.csv
exits 2 summary empty.csv
says 'empty.csv is not a file of draws in a known format: it is empty; the formats are'
exits 2 summary model.stan
says 'it is a Stan program'
printf '[{"mu": 1}, {"mu": 2}]\n' >list.json
exits 2 summary list.json
says 'write one object per line: stream_out'
# A folder of draws opens like a file.
"$program" whole --plain </dev/null >said 2>err || fault "chainscope FOLDER: $(cat err)"
says 'watching whole'
# A mistake in a scenario is reported by Lua, also if it contains a program.
printf 'local cs = require "chainscope"\nlocal code = [[\nmodel {\n]]\nx = = 1\n' >wrong.txt
exits 1 run wrong.txt
says "wrong.txt:5: unexpected symbol near '='"
exits 1 sweep table.csv --over a.b=1,2
says 'table.csv is not a scenario'
[ -z "$(ls tmp)" ] || fault "temporary folders remain: $(ls tmp)"
exit $faults
