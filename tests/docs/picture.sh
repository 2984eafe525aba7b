#!/bin/sh
# usage: picture.sh BUILD_DIR
# Makes the pictures of the README again, with the commands in the README.
PATH=$1:$PATH
grep '^chainscope shot .* -o assets/' README.md | sh -ex
