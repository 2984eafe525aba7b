-- slip: draws_for_ess
-- say: you count all draws, but they are correlated: about fifty of them are worth one independent draw
-- steps: steps per chain; thin: 1 uses all draws, 10 every tenth draw.
-- Mark it: chainscope exercise 52 --mark mine.lua
return { steps = 625, thin = 1 }
