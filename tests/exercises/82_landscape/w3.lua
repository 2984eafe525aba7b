-- slip: on_top
-- say: your hill is on one of the others: the valley is as empty as before
-- One more hill: give its mean and its standard deviation. It has 5 % of the mass.
-- Mark it: chainscope exercise 82 --mark mine.lua
return { mean = { 20, 15 }, sd = 1 }
