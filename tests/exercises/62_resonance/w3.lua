-- slip: too_short
-- say: your trajectories are much shorter than a quarter of a period: x.1 hardly moves
-- Mark it: chainscope exercise 62 --mark mine.lua
return { leapfrogs = 2 }
