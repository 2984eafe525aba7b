-- slip: large_rate
-- say: all rows do not help if the rate is large: the finite step widens the distribution
-- Rate and batch of SGLD, for 2,000,000 rows in all.
-- Mark it: chainscope exercise 101 --mark mine.lua
return { rate = 0.05, batch = 10 }
