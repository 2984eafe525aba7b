-- A matrix with the stationary law (1, 2, 3)/6 and an absolute gap of at least 0.7.
-- Mark it: chainscope exercise 21 --mark mine.lua
-- Row i has the probabilities of the moves from island i: matrix[i][k] is that from i to k.
return {
  matrix = {
    { 1/6, 2/6, 3/6 },
    { 1/6, 2/6, 3/6 },
    { 1/6, 2/6, 3/6 },
  },
}
