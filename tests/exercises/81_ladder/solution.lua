-- The temperatures of a ladder: at most six, in increasing order, the first is 1.
-- Mark it: chainscope exercise 81 --mark mine.lua
return { temperatures = { 1, 2, 4, 8, 16, 32 } }
