-- slip: a_digit_too_many
-- say: you pay for a digit that nobody wants: a tenth of the error costs a hundred times the steps
-- steps: steps per chain; thin: one of so many draws is kept.
-- Mark it: chainscope exercise 52 --mark mine.lua
return { steps = 3700000, thin = 1 }
