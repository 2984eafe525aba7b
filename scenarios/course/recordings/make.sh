#!/bin/sh
# usage: make.sh PROGRAM FOLDER
# Records the lectures of the course: FOLDER/NAME.cast for each. Run it in the root of the sources; the
# target `recordings` does. The steps and the answers of a lecture are words: n is the next step, a2 the
# answer 2, =3,2,1 an answer that is typed.
program=$1
folder=$2
film() {
    keys=":record $folder/$1.cast force<enter><wait 8>"
    for word in $2; do
        case $word in
        n) keys="$keys<enter><wait 8>" ;;
        a*) keys="$keys<wait 6>${word#a}<wait 2>" ;;
        =*) keys="$keys<wait 6>:answer ${word#=}<enter><wait 2>" ;;
        esac
    done
    "$program" shot "scenarios/course/$1.lua" --steps 0 --size 80x24 --keys "$keys:record<enter>" >/dev/null || exit 1
}
unset CHAINSCOPE_THEME NO_COLOR
film 1_first_steps 'n n a1 n n n n =0,0 n n a1 n n n n a2 n n n n a2 n n n'
film 1b_shortcuts 'n a1 n n n a3 n n n a1 n n n'
film 5_witnesses 'n n n a5 n n n n a2 n n n n a1 n n a3 n n'
film 9_nine_spins 'n n n a2 n n n a3 n n n =3,2,1 n n n a1 n n a1 n n'
