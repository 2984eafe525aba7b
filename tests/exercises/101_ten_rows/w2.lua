-- slip: small_rate
-- say: with this rate the chains hardly move: the rows are used up first
-- Rate and batch of SGLD, for 2,000,000 rows in all.
-- Mark it: chainscope exercise 101 --mark mine.lua
return { rate = 0.00002, batch = 2 }
