-- slip: too_far
-- say: your hill is not between the others: the walk meets it no sooner than the third hill
-- One more hill: give its mean and its standard deviation. It has 5 % of the mass.
-- Mark it: chainscope exercise 82 --mark mine.lua
return { mean = { 40, 30 }, sd = 7 }
