#!/bin/sh
# usage: warned.sh PROGRAM SCENARIO
# Each warning of a run is there just beyond its threshold and not there just
# before it, and the figures in it are those of the draws.
command -v python3 >/dev/null || {
    echo "skipped: there is no python3"
    exit 77
}
exec python3 "$(dirname "$0")/../support/warned.py" "$1"
