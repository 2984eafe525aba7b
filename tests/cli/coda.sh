#!/bin/sh
# usage: coda.sh PROGRAM SCENARIO
# Tests the export to CODA: its layout is that of JAGS and OpenBUGS, a round trip keeps each
# digit and each name, and what CODA cannot hold is reported.
. "$(dirname "$0")/../support/begin.sh"
cd "$work" || exit 1

cat >one.csv <<'END'
# observed_data y = 1,2
lp__,mu,M.1.1,M.2.1,M.1.2,M.2.2,x.3,a.b,12,big
-1,0.1,11,21,12,22,3,4,5,0.125
-2.5,0.30000000000000004,-11,-21,-12,-22,-3,-4,-5,NaN
-3,2,0,0,0,0,0,0,0,-Inf
END
sed 's/0.1,11/0.7,11/' one.csv >two.csv
exits 0 export one.csv two.csv -o CODAindex.txt
says '3 draws of 2 chains to CODAindex.txt'
says 'left out, because a file of CODA has only draws: observed_data y'
cat >index.want <<'END'
lp__ 1 3
mu 4 6
M[1,1] 7 9
M[2,1] 10 12
M[1,2] 13 15
M[2,2] 16 18
x.3 19 21
a.b 22 24
"12" 25 27
big 28 30
END
cmp -s CODAindex.txt index.want || fault "the index is $(cat CODAindex.txt)"
# column by column, "ITERATION VALUE"
for k in 1 2 3 4 5 6 7 8 9 10; do
    grep -v -e '^#' -e '^lp__' two.csv | cut -d, -f$k | awk '{ print NR, $1 }'
done >chain.want
cmp -s CODAchain2.txt chain.want || fault "a chain is $(cat CODAchain2.txt)"

# A round trip.
exits 0 export one.csv two.csv -o there.jsonl
exits 0 export CODAindex.txt CODAchain1.txt CODAchain2.txt -o back.jsonl
cmp -s there.jsonl back.jsonl || fault "a round trip changes the draws: $(diff there.jsonl back.jsonl)"
mkdir again
exits 0 export CODAchain1.txt CODAchain2.txt -o again/stem_index.txt
cmp -s CODAindex.txt again/stem_index.txt || fault "the index changes: $(cat again/stem_index.txt)"
for i in 1 2; do
    cmp -s CODAchain$i.txt again/stem_chain$i.txt || fault "chain $i changes"
done

# Chains of one draw: each line is a quantity, and the iterations do not increase.
mkdir short alone
printf 'mu 1 1\ntheta[1] 2 2\n' >short/CODAindex.txt
printf '7 0.5\n7 2.5\n' >short/CODAchain1.txt
printf '7 0.25\n7 NA\n' >short/CODAchain2.txt
exits 0 export short -o short.jsonl
grep -q '"chain": 2, "draw": 1, .*"mu": 0.25, "theta": \[null\]' short.jsonl || fault "one draw: $(cat short.jsonl)"
echo 'mu 1 1' >alone/CODAindex.txt
echo '1 3' >alone/CODAchain1.txt
exits 0 summary alone/CODAchain1.txt
says '  mu  *3 '
# tables without a header are not chains
printf '1 2\n0 3\n' >table.txt
exits 2 summary table.txt
printf '1 2\n1 3\n0 4\n' >table.txt
exits 2 summary table.txt

# A saved warm-up is reported. Nothing is overwritten, and a failed export leaves no files.
cat >warm.csv <<'END'
#     save_warmup = 1
lp__,mu
-9,9
# Adaptation terminated
-1,1
-2,2
END
exits 0 export warm.csv -o warm_index.txt
says 'the saved warm-up of 1 draws per chain'
[ "$(cat warm_chain1.txt)" = "$(printf '1 -1\n2 -2\n1 1\n2 2')" ] || fault "warm-up: $(cat warm_chain1.txt)"
rm CODAindex.txt
exits 1 export one.csv two.csv -o CODAindex.txt
says 'CODAchain1.txt.* already exists'
[ -e CODAindex.txt ] && fault "an index of a failed export"
mkdir full
printf 'lp__,"a\n-1,2\n-2,3\n' >quote.csv
exits 1 export quote.csv -o full/CODAindex.txt
says 'quotation mark'
n=1
while [ $n -lt 100 ] && ! CHAINSCOPE_IOFAIL=$n "$program" export one.csv two.csv -o full/CODAindex.txt >said 2>&1; do
    [ -z "$(ls -A full)" ] || fault "after failure $n, the export leaves $(ls -A full)"
    rm -rf full
    mkdir full
    n=$((n + 1))
done
[ $n -gt 6 ] && [ $n -lt 100 ] || fault "not 6 to 100 writes can fail, but $n"
[ "$(ls full | wc -l)" -eq 3 ] || fault "without a failure: $(ls full)"
exits 1 export one.csv -o one.txt
says 'index.txt (CODA)'
exit $faults
