#!/bin/sh
# usage: warned.sh PROGRAM SCENARIO
# Each warning appears just beyond its threshold and not just before it, and its
# numbers are those of the draws.
command -v python3 >/dev/null || {
    echo "skipped: there is no python3"
    exit 77
}
exec python3 "$(dirname "$0")/../support/warned.py" "$1"
