-- slip: no_power
-- say: a few data sets show nothing: a calibration that passes is a bound, not a proof
-- The fault of a model, found by calibration.
-- fault: "prior", "likelihood", "sampler" or "none"
-- value: the right standard deviation, if it is one of the model
-- sets: data sets that are enough to see the fault
-- Mark it: chainscope exercise 53 --mark mine.lua
return { fault = "none", value = 1, sets = 10 }
