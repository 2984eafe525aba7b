-- slip: thins
-- say: the mean of a part of the draws has no smaller error than the mean of all: thinning saves memory only
-- steps: steps per chain; thin: one of so many draws is kept.
-- Mark it: chainscope exercise 52 --mark mine.lua
return { steps = 37000, thin = 10 }
