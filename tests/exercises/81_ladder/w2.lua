-- slip: too_cool
-- say: your hottest chain is too cold to cross the valley, so all trips end on the hill where they began
-- The temperatures of a ladder: at most six, in increasing order, the first is 1.
-- Mark it: chainscope exercise 81 --mark mine.lua
return { temperatures = { 1, 1.3, 1.7, 2.3, 3, 4 } }
