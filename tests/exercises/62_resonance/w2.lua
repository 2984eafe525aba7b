-- slip: half_a_period
-- say: your trajectories are half periods of x.1: it changes its sign, and its square stays
-- Mark it: chainscope exercise 62 --mark mine.lua
return { leapfrogs = 10 }
