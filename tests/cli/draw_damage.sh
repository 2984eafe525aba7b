#!/bin/sh
# usage: draw_damage.sh PROGRAM SCENARIO
# Tests files of draws that were cut or damaged: each is refused with its place, or its
# damage is a warning with exit code 1; and numbers that only some programs write.
. "$(dirname "$0")/../support/begin.sh"
cd "$work" || exit 1

rows() { awk -v n="$1" 'BEGIN { srand(4); for (i = 0; i < n; i++) printf "%.4f,%.4f\n", -rand(), rand() }'; }

# CmdStan: the draws before the damage are used, also if no other chain is left.
{
    printf '# method = sample (Default)\n#     num_samples = 300\n#     thin = 1 (Default)\nlp__,mu\n'
    rows 300
    printf '# \n#  Elapsed Time: 0.02 seconds (Warm-up)\n'
} >whole.csv
exits 0 summary whole.csv
grep -q -e 'damaged' -e 'were cut' said && fault "a whole file: $(cat said)"
sed '204s/,.*//' whole.csv >short.csv
exits 1 summary short.csv
says 'damaged: the files of 1 of 1 chains; nothing after the damage is used'
says 'short.csv: line 204 is damaged: it has 1 fields, but the header has 2'
exits 1 summary short.csv --json
says '"name": "damaged", "severity": "wrong"'
sed '204s/,/,x/' whole.csv >word.csv
exits 1 summary word.csv
grep -q 'change the start' err && fault "a remedy for a run: $(cat err)"
head -n 204 whole.csv >cut.csv
exits 0 summary cut.csv
says 'the files have 200 of 300 draws per chain: they were cut, or are still being written'
sed 's/num_samples = 300/num_samples = 400/; s/thin = 1 /thin = 2 /' cut.csv >thin.csv
exits 0 summary thin.csv
grep -q 'were cut' said && fault "a thinned file: $(cat said)"
# our own files state no number before they are complete
"$program" run "$2" --steps 40 --out runs >said 2>&1
exits 0 summary runs
grep -q 'were cut' said && fault "an own run: $(cat said)"

# A value that is not a number does not empty the histogram of the others.
sed '100s/,.*/,NaN/; 150s/,.*/,Inf/' whole.csv >nan.csv
exits 0 shot nan.csv -o frame.txt --size 80x24
grep -q 'mean -, sd -' frame.txt || fault "no figures: $(cat frame.txt)"
sed -n '5,18p' frame.txt | cut -c41- | grep -q '█' || fault "no histogram: $(cat frame.txt)"

# A table whose rows end in a separator has no names of rows.
printf 'a,b\n1,2,\n3,4,\n' >ragged.csv
exits 1 summary ragged.csv
says 'ragged.csv:2: the rows end in a separator, but the header does not: remove it'
printf '"a","b"\n"1",2,\n"2",4,\n' >names.csv
exits 0 summary names.csv
says 'the first column has the names of the rows'

# Python writes NaN and Infinity; R writes strings.
printf '{"a": NaN, "b": 1}\n{"a": -Infinity, "b": 2}\n{"a": Infinity, "b": 3}\n' >python.jsonl
sed 's/NaN/"NaN"/; s/-Infinity/"-Inf"/; s/Infinity/"Inf"/' python.jsonl >r.jsonl
exits 0 export python.jsonl -o x_index.txt
sed -n 4,6p x_chain1.txt | tr '\n' ' ' | grep -qx '1 NaN 2 -Inf 3 Inf ' || fault "NaN: $(cat x_chain1.txt)"
exits 0 export r.jsonl -o y_index.txt
cmp -s x_chain1.txt y_chain1.txt || fault "strings: $(cat y_chain1.txt)"
head -c 25 python.jsonl >cut.jsonl
exits 1 summary cut.jsonl
says 'cut.jsonl:2: the file ends at byte 25 in the middle of a draw'
printf '{"a": -Inf}\n{"a": 1}\n' >wrong.jsonl
exits 1 summary wrong.jsonl
says 'wrong.jsonl:1: this is not a JSON value'

# CODA: a damaged index is reported, and a quantity that it lacks is noticed.
printf 'lp 1 2\nmu 3 4\ntau 5 6\n' >CODAindex.txt
printf '1 1\n2 2\n1 3\n2 4\n1 5\n2 6\n' >CODAchain1.txt
exits 0 export CODAindex.txt CODAchain1.txt -o coda.jsonl
for damage in '2s/.*/mu 3/' '2s/mu/5/' '3s/$/ 7 8 9/'; do
    sed "$damage" CODAindex.txt >damaged && cp damaged other.txt
    exits 1 summary other.txt CODAchain1.txt
    says 'other.txt:[23]: this '
done
sed 2d CODAindex.txt >other.txt
exits 1 summary other.txt CODAchain1.txt
says 'other.txt:2: this quantity starts at line 5 of the chain, but the one before it ends at line 2'
exit $faults
