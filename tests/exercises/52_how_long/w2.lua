-- slip: a_digit_too_many
-- say: this error is much smaller than the task demands: a tenth of the error costs a hundred times the steps
-- steps: steps per chain; thin: 1 uses all draws, 10 every tenth draw.
-- Mark it: chainscope exercise 52 --mark mine.lua
return { steps = 3700000, thin = 1 }
