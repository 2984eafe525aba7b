-- steps: steps per chain; thin: one of so many draws is kept.
-- Mark it: chainscope exercise 52 --mark mine.lua
return { steps = 37000, thin = 1 }
