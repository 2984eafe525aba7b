#!/bin/sh
# usage: draw_lengths.sh PROGRAM SCENARIO
# Tests chains in files that differ in length: the summary uses the draws that all chains
# have, and says so in every form that has warnings; a chain with few draws is left out,
# with exit code 1. Messages name the user's files.
. "$(dirname "$0")/../support/begin.sh"
cd "$work" || exit 1

chain() { # NUMBER OF DRAWS, SEED, HEADER: a chain of pseudo-random numbers
    echo "$3"
    awk -v n="$1" -v s="$2" 'BEGIN {
        srand(s)
        for (i = 0; i < n; i++)
            printf "%.6f,%.6f\n", rand(), rand()
    }'
}
footer=$(printf '\n# \n#  Elapsed Time: 0.02 seconds (Warm-up)\n#                0.02 seconds (Sampling)')
for kind in table cmdstan ended; do
    head=lp__,mu
    [ $kind = table ] && head=mu,tau
    for n in 400 380 300 5; do
        { chain $n $n $head && [ $kind = ended ] && echo "$footer"; } >$kind$n.csv
    done
    cp ${kind}400.csv one.csv
    # the results are those of chains that were cut
    chain 300 400 $head >one_cut.csv
    exits 0 summary one.csv ${kind}300.csv --format csv
    cp said got.txt
    exits 0 summary one_cut.csv ${kind}300.csv --format csv
    cmp -s got.txt said || fault "$kind: other figures: $(cat got.txt said)"
    text='the chains have from 300 to 400 draws: the results use the first 300 of each chain'
    for format in text markdown latex html json; do
        exits 0 summary one.csv ${kind}300.csv --format $format
        grep -q "$text" said || fault "$kind, $format: $(cat said)"
    done
    exits 0 summary one.csv ${kind}300.csv --format csv
    grep -q "^chainscope: ${kind}300[_2]*.csv: $text" err || fault "$kind, csv: $(cat err)"
    # files that do not grow may not differ at all
    exits 0 summary one.csv ${kind}380.csv
    says '[^s]*380'
    if [ $kind = cmdstan ]; then
        grep -q 'use the first' said && fault "files that may grow: $(cat said)"
    else
        grep -q 'use the first 380 of each chain' said || fault "$kind: $(cat said)"
    fi
    exits 1 summary one.csv ${kind}5.csv
    grep -q 'left out: 1 of 2 chains, with far fewer draws than the longest (400)' said || fault "$kind: $(cat said)"
    grep -q "^chainscope: ${kind}5[_2]*.csv is left out.*: it has 5 draws, others have 400" err || fault "$kind: $(cat err)"
    exits 1 summary one.csv ${kind}5.csv --strict
    says 'strict: draws: left_out'
    exits 1 summary one.csv ${kind}5.csv --json
    says '"name": "left_out", "severity": "warning"'
    exits 0 summary one.csv ${kind}400.csv
    grep -q 'of each chain' said && fault "$kind, equal lengths: $(cat said)"
done
# without a log density, and without the name of the temporary folder
exits 0 summary table400.csv
says 'the files have no log density'
grep -q 'true_logp' said && fault "a remedy for a kernel: $(cat said)"
"$program" watch --plain table400.csv </dev/null >said 2>err || fault "watch: $(cat err)"
says 'opened the files'
exit $faults
