-- slip: whole_periods
-- say: your trajectories are whole periods of x.1: it returns to its start
-- Mark it: chainscope exercise 62 --mark mine.lua
return { leapfrogs = 40 }
