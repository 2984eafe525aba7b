-- slip: too_narrow
-- say: your hill is too narrow: the walk finds one more place, and there are two valleys now
-- One more hill: give its mean and its standard deviation. It has 5 % of the mass.
-- Mark it: chainscope exercise 82 --mark mine.lua
return { mean = { 11, 8 }, sd = 1 }
