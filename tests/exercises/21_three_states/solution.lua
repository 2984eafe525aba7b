-- A matrix with the stationary law (1, 2, 3)/6 and an absolute gap of at least 0.7.
-- Mark it: chainscope exercise 21 --mark mine.lua
-- Row i has the probabilities of the moves from island i: matrix[i][k] is that from i to k.
return {
  matrix = {
    { 0, 1/2, 1/2 },
    { 1/4, 1/4, 1/2 },
    { 1/6, 1/3, 1/2 },
  },
}
