#!/bin/sh
# usage: picture.sh BUILD_DIR
# Creates the pictures of the README with the commands in the README.
PATH=$1:$PATH
grep '^chainscope shot .* -o assets/' README.md | sh -ex
