-- slip: names_prior
-- say: the simulated means have the standard deviation of the prior; the model trusts the four numbers too little
-- The fault of a model, found by calibration.
-- fault: "prior", "likelihood", "sampler" or "none"
-- value: the right standard deviation, if it is one of the model
-- sets: data sets that are enough to see the fault
-- Mark it: chainscope exercise 53 --mark mine.lua
return { fault = "prior", value = 2, sets = 400 }
