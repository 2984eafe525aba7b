#!/bin/sh
# usage: export.sh PROGRAM SCENARIO
# Tests exporting draws for other programs: netCDF in ArviZ's format, and lines
# of JSON.
. "$(dirname "$0")/../support/begin.sh"
scenarios=$(dirname "$2")/../../scenarios
cd "$work" || exit 1

"$program" run "$scenarios/targets/eight_schools.lua" --steps 1200 --out runs >said 2>&1
[ -e runs/nuts_1.csv ] || { cat said; exit 1; }
"$program" export runs --arm nuts -o nuts.jsonl >said 2>&1 || fault "no JSON: $(cat said)"
"$program" export runs --arm nuts -o nuts.nc >said 2>&1
built=$?
[ $built -ne 0 ] && [ -n "$CHAINSCOPE_NO_SKIP" ] && fault "no netCDF: $(cat said)"
if [ $built -ne 0 ] && grep -q 'without netCDF' said; then
    echo "netCDF was left out: this program was built without it"
elif [ $built -ne 0 ]; then
    fault "no netCDF: $(cat said)"
fi

# There is one line per draw, which equals the line of the CSV file to the last
# digit.
rows=$(grep -hvc -e '^#' -e '^lp__' runs/nuts_1.csv)
[ "$(wc -l <nuts.jsonl)" -eq $((8 * rows)) ] || fault "$(wc -l <nuts.jsonl) lines of 8 times $rows draws"
grep '"chain": 3, "draw": 2,' nuts.jsonl | tr -d '[] ' | sed 's/"[a-z_]*"://g; s/^{3,2,//; s/}$//' >json.txt
grep -v -e '^#' -e '^lp__' runs/nuts_3.csv | sed -n 2p >csv.txt
cmp -s json.txt csv.txt || fault "a draw differs: $(cat json.txt), $(cat csv.txt)"
grep -q '"theta": \[' nuts.jsonl || fault "theta is not an array"

# The file has the groups, dimensions and names that arviz.from_netcdf expects.
if [ $built -eq 0 ] && ! command -v ncdump >/dev/null; then
    echo "what is in the netCDF was left out: there is no ncdump"
elif [ $built -eq 0 ]; then
    ncdump -h nuts.nc >head.txt || fault "ncdump does not read it"
    for line in 'group: posterior {' 'group: sample_stats {' 'chain = 8 ;' "draw = $rows ;" \
        'theta_dim_0 = 8 ;' 'double theta(chain, draw, theta_dim_0)' 'double mu(chain, draw)' \
        'double lp(chain, draw)' 'double acceptance_rate(chain, draw)' \
        'byte diverging(chain, draw)' 'diverging:dtype = "bool"' \
        'double tree_depth(chain, draw)' 'double n_steps(chain, draw)'; do
        grep -q -F "$line" head.txt || fault "netCDF has no $line: $(cat head.txt)"
    done
    lp=$(cut -d, -f1 csv.txt)
    ncdump -p 9,17 -v lp nuts.nc | grep -q -F -- "$lp" || fault "lp of a draw, $lp, is missing"
    third=$(tr , '\n' <csv.txt | tail -1)
    ncdump -p 9,17 nuts.nc | grep -q -F -- "$third" || fault "the last number of a draw, $third, is missing"
fi

# A name that netCDF refuses is said.
printf '# observed_data y/z = 1,2\nlp__,x\n-1,2\n-2,3\n' >slash.csv
if [ $built -eq 0 ]; then
    "$program" export slash.csv -o slash.nc >said 2>&1 && fault "y/z is accepted"
    grep -q '^chainscope: netCDF: y/z_dim_0: ' said || fault "another message: $(cat said)"
fi

# A scenario with predictive checks has the groups of its data, of a saved warm-up
# and of the prior, each with its numbers.
cp -r "$scenarios/targets/predictions" .
sed 's/  chains = 4, seed = 43,/  chains = 2, seed = 43, save_warmup = true,/' "$scenarios/targets/schools_pooled.lua" >checked.lua
"$program" run checked.lua --steps 60 --out checked >said 2>&1 || fault "no run: $(cat said)"
"$program" run checked.lua --steps 80 --out before >said 2>&1
if [ $built -eq 0 ]; then
    "$program" export checked --prior before -o checked.nc >said 2>&1 || fault "no netCDF: $(cat said)"
fi
if [ $built -eq 0 ] && command -v ncdump >/dev/null; then
    ncdump -p 9,17 checked.nc >all.txt || fault "ncdump does not read it"
    group() { # NAME, PATTERN ...: checks that a group has lines
        name=$1
        shift
        sed -n "/^group: $name {/,/} \/\/ group $name$/p" all.txt >group.txt
        for line in "$@"; do
            grep -q -e "$line" group.txt || fault "group $name has no $line: $(head -30 group.txt)"
        done
    }
    group posterior 'draw = 30 ;' 'double tau(chain, draw)'
    grep -q '_rep(\|log_lik' group.txt && fault "the posterior has replicated data"
    group log_likelihood 'double schools(chain, draw, schools_dim_0)' 'double pooled(chain, draw, pooled_dim_0)'
    group posterior_predictive 'double schools(chain, draw, schools_dim_0)'
    group warmup_posterior 'draw = 30 ;' 'double tau(chain, draw)'
    group warmup_sample_stats 'double lp(chain, draw)'
    group prior 'draw = 40 ;' 'double tau(chain, draw)'
    group prior_predictive 'double pooled(chain, draw, pooled_dim_0)'
    group observed_data 'schools = 28, 8, -3, 7, -1, 1, 18, 12'
    group constant_data 'error = 15, 10, 16, 11, 9, 11, 10, 18'
    column() { # KIND, COLUMN: ten characters of the second number of a column, of draws or of the warm-up
        awk -F, -v kind="$1" -v name="$2" '
            /^# Adaptation/ { over = 1 } /^#/ { next }
            /^lp__/ { for (i = 1; i <= NF; i++) if ($i == name) at = i; next }
            (kind == "draw") == (over == 1) && ++n == 2 { print substr($at, 1, 10) }' checked/nuts_1.csv
    }
    group warmup_posterior " $(column warmup tau)"
    group posterior " $(column draw tau)"
    group posterior_predictive " $(column draw schools_rep.8)"
    group log_likelihood " $(column draw log_lik_pooled.8)"
fi
sed -i 's/^# observed_data schools = 28,/# observed_data schools = x,/' checked/nuts_1.csv
"$program" export checked/nuts_1.csv checked/nuts_2.csv -o wrong.jsonl >err 2>&1 && fault "a wrong line of data is accepted"
grep -q 'wrong line: # observed_data schools = x' err || fault "$(cat err)"

# Tests chains of unequal lengths, and invalid requests.
head -c "$(($(wc -c <runs/nuts_2.csv) / 2))" runs/nuts_2.csv | sed '$d' >short.csv
"$program" export runs/nuts_1.csv short.csv -o short.jsonl >said 2>&1 || fault "the short chain is refused: $(cat said)"
grep -q "the longest chain has $rows" said || fault "no message about the shorter chain: $(cat said)"
refused() { # WORDS, ARGUMENTS ...: checks that the message has WORDS
    words=$1
    shift
    "$program" export "$@" >err 2>&1
    [ $? -ne 0 ] && grep -q -e "$words" err || fault "$*: $(cat err)"
}
refused 'several arms' runs -o x.nc
refused 'unknown file ending' runs --arm nuts -o x.txt
refused 'already exists' runs --arm nuts -o nuts.jsonl
refused 'the columns of .* differ from those of' runs/nuts_1.csv runs/walk_1.csv -o x.jsonl
head -c 3000 runs/nuts_2.csv >broken.csv
refused 'not a row of draws' runs/nuts_1.csv broken.csv -o x.jsonl
refused '-o FILE' runs --arm nuts
refused 'cannot be written' runs --arm nuts -o nowhere/x.jsonl
ls | grep -q -e '^x\.' -e part && fault "an incomplete file remains: $(ls)"
exit $faults
