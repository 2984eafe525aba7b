#!/bin/sh
# usage: picture.sh BUILD_DIR
# Makes the README's pictures anew, by the README's own commands.
PATH=$1:$PATH
grep '^chainscope shot .* -o assets/' README.md | sh -ex
