-- Rate and batch of SGLD, for 2,000,000 rows in all.
-- Mark it: chainscope exercise 101 --mark mine.lua
return { rate = 0.0025, batch = 5 }
