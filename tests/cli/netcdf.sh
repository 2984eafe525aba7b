#!/bin/sh
# usage: netcdf.sh PROGRAM SCENARIO
# Tests netCDF files of other programs: an export keeps all groups of ArviZ, files are
# joined, names that clash are changed, and cut files are reported with their length.
. "$(dirname "$0")/../support/begin.sh"
cd "$work" || exit 1
printf 'lp__,x\n-1,2\n-2,3\n' >any.csv
"$program" export any.csv -o any.nc >said 2>&1 && command -v ncgen >/dev/null || {
    [ -n "$CHAINSCOPE_NO_SKIP" ] && fault "no netCDF: $(cat said)"
    echo "skipped: no netCDF"
    exit $faults
}

cat >all.cdl <<'END'
netcdf all {
:title = "all";
group: posterior {
dimensions: chain = 2; draw = 3; school = 2;
variables: int64 chain(chain); int64 draw(draw); string school(school); double mu(chain, draw);
  float theta(chain, draw, school); int64 k(chain, draw); string label(chain, draw);
:created_at = "2024"; mu:units = "m"; mu:_FillValue = -9.;
data: chain = 0, 1; draw = 0, 1, 2; school = "a", "b"; mu = 1, 2, 3, 4, 5, 6.1;
  theta = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0.5; k = 9007199254740993, 2, 3, 4, 5, 6;
  label = "a", "b", "c", "d", "e", "f";
}
group: sample_stats {
types: byte enum truth {FALSE = 0, TRUE = 1};
dimensions: chain = 2; draw = 3;
variables: truth diverging(chain, draw); truth other(chain, draw); double lp(chain, draw);
data: diverging = FALSE, FALSE, TRUE, FALSE, FALSE, FALSE; lp = -1, -2, -3, -4, -5, NaN;
  other = FALSE, TRUE, TRUE, FALSE, FALSE, FALSE;
}
group: log_likelihood {
dimensions: chain = 2; draw = 3; school = 2;
variables: double y(chain, draw, school);
data: y = 1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6;
}
group: posterior_predictive {
dimensions: chain = 2; draw = 3; school = 2;
variables: double y(chain, draw, school);
data: y = 1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 7;
}
group: prior { dimensions: chain = 1; draw = 4; variables: double mu(chain, draw); data: mu = 4, 3, 2, 1; }
group: prior_predictive { dimensions: chain = 1; draw = 4; school = 2;
variables: double y(chain, draw, school); data: y = 4, 3, 2, 1, 0, 0, 0, 0; }
group: observed_data { dimensions: school = 2; variables: double y(school); data: y = 28, 8; }
group: constant_data { dimensions: school = 2; variables: double sigma(school); double scale;
data: sigma = 10, 15; scale = 3; }
group: warmup_posterior { dimensions: chain = 2; draw = 1; variables: double mu(chain, draw); data: mu = 9, 8; }
group: warmup_sample_stats { dimensions: chain = 2; draw = 1; variables: double lp(chain, draw); data: lp = -9, -8; }
}
END
ncgen -4 -o all.nc all.cdl || fault "ncgen failed"

# Each group keeps names, types, shapes, dimensions, coordinates, attributes and values.
exits 0 export all.nc -o copy.nc
says '3 draws of 2 chains to copy.nc'
says 'constant_data, warmup_posterior, warmup_sample_stats'
ncdump -p 9,17 all.nc | sed 1d >want.txt
ncdump -p 9,17 copy.nc | sed 1d >got.txt
[ -s want.txt ] && cmp -s want.txt got.txt || fault "the copy differs: $(diff want.txt got.txt)"

# Chains of several files are joined, to the length of the shortest. Data must be equal.
sed 's/draw = 3/draw = 2/; s/draw = 0, 1, 2;/draw = 0, 1;/; s/mu = 1, 2, 3, 4, 5, 6.1/mu = 7, 8, 9, 10/
    s/7, 8, 9, 10, 11, 0.5;/7, 8;/; s/ k = .*/ k = 1, 2, 3, 4;/; s/, "e", "f"//
    s/TRUE, FALSE, FALSE, FALSE;/TRUE;/; s/-5, NaN/-4/; s/-4, -4/-4/; s/TRUE, TRUE;/TRUE, TRUE, FALSE;/
    s/diverging = FALSE, FALSE, TRUE/diverging = FALSE, FALSE, TRUE, FALSE/; s/, 3, 4, 5, [67];/;/' all.cdl >short.cdl
ncgen -4 -o short.nc short.cdl || fault "ncgen failed for a short file"
exits 0 export all.nc short.nc -o joined.nc
says '2 draws of 4 chains'
says 'the longest chain has 3 draws'
ncdump -v posterior/mu,posterior/theta,posterior/chain,prior/mu joined.nc | tr -d ' \n' >got.txt
for want in 'chain=0,1,2,3;' 'mu=1,2,4,5,7,8,9,10;' 'theta=1,2,3,4,7,8,9,10,1,2,3,4,5,6,7,8;' 'mu=4,3,2,1,4,3,2,1;'; do
    grep -q -F "$want" got.txt || fault "joined: no $want in $(cat got.txt)"
done
mkdir both
cp all.nc both/a.nc
cp short.nc both/b.nc
exits 0 export both -o folder.nc
[ "$(ncdump folder.nc | sed 1d | cksum)" = "$(ncdump joined.nc | sed 1d | cksum)" ] || fault "a folder is not joined"
sed 's/y = 28, 8/y = 28, 9/' all.cdl | ncgen -4 -o other.nc
exits 1 export all.nc other.nc -o wrong.nc
says 'other.nc: netCDF: observed_data/y differs from that of the first file'
sed 's/group: prior /group: before /' all.cdl | ncgen -4 -o other.nc
exits 1 export all.nc other.nc -o wrong.nc
says 'prior is missing'
[ -e wrong.nc ] && fault "a refused file was written"

# Groups in groups are copied and joined, to a depth of 16.
cat >nested.cdl <<'END'
netcdf nested {
group: posterior { dimensions: chain = 2; draw = 2; variables: double mu(chain, draw); data: mu = 1, 2, 3, 4;
  group: pieces { dimensions: piece = 2; variables: double tau(chain, draw, piece); tau:units = "s";
    data: tau = 1, 2, 3, 4, 5, 6, 7, 8;
    group: deep { :note = "kept"; variables: string code; data: code = "a"; } } }
group: meta { group: model { variables: int n; data: n = 7; } }
}
END
ncgen -4 -o nested.nc nested.cdl || fault "ncgen failed for nested groups"
exits 0 export nested.nc -o inner.nc
says 'groups: posterior, posterior/pieces, posterior/pieces/deep, meta, meta/model'
[ "$(ncdump inner.nc | sed 1d)" = "$(ncdump nested.nc | sed 1d)" ] || fault "nested groups: $(ncdump inner.nc)"
exits 0 export nested.nc nested.nc -o inner2.nc
ncdump -v posterior/pieces/tau inner2.nc | tr -d ' \n' | grep -q 'tau=1,2,3,4,5,6,7,8,1,2,3,4,5,6,7,8;' ||
    fault "nested groups are not joined: $(ncdump inner2.nc)"
sed 's/code = "a"/code = "b"/' nested.cdl | ncgen -4 -o other.nc
exits 1 export nested.nc other.nc -o wrong.nc
says 'other.nc: netCDF: posterior/pieces/deep/code differs from that of the first file'
deep() { # GROUPS: meta has this many groups in each other
    sed '/^group: meta/,$d' nested.cdl
    yes 'group: g {' | head -n "$1"
    yes '}' | head -n $(($1 + 1))
}
deep 16 | ncgen -4 -o deep.nc && exits 0 export deep.nc -o deep16.nc
deep 17 | ncgen -4 -o deep.nc && exits 1 export deep.nc -o deep17.nc
says 'g/g is in more than 16 groups'

# Text has the draws only; the other groups are named.
exits 0 export all.nc -o all.jsonl
says 'not read: log_likelihood, posterior_predictive, prior'
says '1 draws of warm-up per chain are left out'

# A value _FillValue is missing, as in xarray.
sed 's/mu:_FillValue = -9./mu:_FillValue = 3./' all.cdl | ncgen -4 -o fill.nc || fault "ncgen failed for missing values"
exits 0 export fill.nc -o fill.jsonl
says 'fill.nc: missing values (_FillValue): 1'
sed -n 3p fill.jsonl | grep -q '"mu": null' || fault "a missing value: $(cat fill.jsonl)"

# Variables whose names are those of dimensions or of other variables.
cat >clash.csv <<'END'
# posterior_predictive chain = chain
# log_likelihood chain = x_dim_0
# observed_data chain = 1,2
lp__,lp____,chain.1,chain.2,draw,x,x.1,x.2,x_dim_0,chain_
-1,0,1,2,3,4,5,6,7,8
-2,0,1,2,3,4,5,6,7,8.5
END
exits 0 export clash.csv -o clash.nc
says 'the variable draw is written as draw_'
says 'chain in group log_likelihood is written as chain_'
ncdump clash.nc | tr -d ' \n\t' >got.txt
for want in 'draw_=3,3;' 'x=4,4;' 'x_=5,6,5,6;' 'chain_=8,8.5;' 'chain_=7,7;' 'chain_=1,2,1,2;' 'chain=1,2;'; do
    grep -q -F "$want" got.txt || fault "clash: no $want in $(cat got.txt)"
done
exits 0 export clash.csv -o clash.jsonl
head -1 clash.jsonl | grep -q -F '"lp____": 0, "chain__": [1, 2], "draw_": 3, "x": 4, "x_": [5, 6], "x_dim_0": 7, "chain_": 8}' ||
    fault "clash: $(cat clash.jsonl)"

# A file that is cut is refused with its length and the length that it should have. The
# classic formats read zeros behind the end.
cat >classic.cdl <<'END'
netcdf classic {
dimensions: chain = 2; draw = 3; school = 2;
variables: double mu(chain, draw); double theta(chain, draw, school); mu:units = "m"; :title = "t";
data: mu = 1, 2, 3, 4, 5, 6.1; theta = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0.5;
}
END
sed 's/draw = 3/draw = UNLIMITED/; s/(chain, draw/(draw, chain/g' classic.cdl >records.cdl
mus() { # FILE: mu of the draws of chain 1, then of chain 2
    [ "$1" = classic ] && echo '1 2 3 4 5 6.1 ' || echo '1 3 5 2 4 6.1 '
}
cut() { # FILE, BYTES, HEADER: cuts the file
    size=$(stat -c %s "$1")
    head -c "$2" "$1" >cut.nc
    exits 1 summary cut.nc
    if [ "$2" -lt "$3" ]; then
        says "cut.nc: netCDF: the file is cut: it ends in its header, after $2 bytes"
    else
        says "cut.nc: netCDF: the file is cut: it has $2 of $size bytes: copy it again"
    fi
}
for n in 9 30; do cut all.nc $n 48; done
for n in 48 700 $(($(stat -c %s all.nc) - 1)); do cut all.nc $n 48; done
for kind in 1 2 5; do
    for file in classic records; do
        ncgen -k $kind -o $file.nc $file.cdl
        exits 0 export $file.nc -o $file$kind.jsonl
        [ "$(sed 's/.*"mu": \([0-9.]*\),.*/\1/' $file$kind.jsonl | tr '\n' ' ')" = "$(mus $file)" ] || fault "$file $kind: $(cat $file$kind.jsonl)"
        size=$(stat -c %s $file.nc)
        cut $file.nc 60 9999
        for n in 1 9 100; do cut $file.nc $((size - n)) 0; done
    done
done
exit $faults
