-- slip: few_rows
-- say: few rows per step add noise to the gradient, which acts as heat: take more rows, or a smaller rate
-- Rate and batch of SGLD, for 2,000,000 rows in all.
-- Mark it: chainscope exercise 101 --mark mine.lua
return { rate = 0.01, batch = 2 }
