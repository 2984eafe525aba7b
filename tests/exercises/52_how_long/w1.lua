-- slip: draws_for_ess
-- say: you count draws: they are correlated, and some fifty of them are worth one independent draw
-- steps: steps per chain; thin: one of so many draws is kept.
-- Mark it: chainscope exercise 52 --mark mine.lua
return { steps = 625, thin = 1 }
