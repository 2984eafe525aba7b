-- slip: linear
-- say: equal differences are too large at the bottom: the first exchange is nearly never accepted
-- The temperatures of a ladder: at most six, in increasing order, the first is 1.
-- Mark it: chainscope exercise 81 --mark mine.lua
return { temperatures = { 1, 25, 49, 73, 97, 121 } }
