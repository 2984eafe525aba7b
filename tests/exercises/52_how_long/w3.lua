-- slip: thins
-- say: the mean of every tenth draw has no smaller error than the mean of all draws: thinning saves only memory
-- steps: steps per chain; thin: 1 uses all draws, 10 every tenth draw.
-- Mark it: chainscope exercise 52 --mark mine.lua
return { steps = 37000, thin = 10 }
