-- slip: two_temperatures
-- say: from 1 to the top in one step: nearly no exchange is accepted
-- The temperatures of a ladder: at most six, in increasing order, the first is 1.
-- Mark it: chainscope exercise 81 --mark mine.lua
return { temperatures = { 1, 60 } }
