#!/bin/sh
# Checks that hot code for AVX2 does not split vectors into lanes. Of 1000
# instructions of an object, at most a few move one lane to or from a general
# register, or branch on a lane. GCC generates such code for vectors wider than
# the registers (see src/simd/simd.h). Skips (77) without objdump.
# Usage: lanes.sh OBJECT ...
command -v objdump >/dev/null || { echo "skipped: no objdump"; exit 77; }
most=50
bad=0
for object; do
    name=$(basename "$object" .c.o)
    case $name in
    perceptron) limit=90 ;; # processes rows and units in groups of eight
    *) limit=$most ;;
    esac
    objdump -d --no-show-raw-insn "$object" |
        awk -v name="$name" -v limit="$limit" '
            $1 ~ /^[0-9a-f]+:$/ { all++ }
            $2 ~ /^v?p(extr|insr)q$/ || $2 ~ /^(set|cmov)/ { one++ }
            END {
                share = all ? 1000 * one / all : 0
                # a small file may have such instructions for good reasons
                if (all > 1000 && share > limit) {
                    printf "%s: %d of %d instructions are of one lane, ", \
                        name, one, all
                    printf "%.0f in a thousand (at most %d)\n", share, limit
                    exit 1
                }
            }' || bad=1
done
exit $bad
