-- Three islands have 1, 2 and 3 thousand people.
-- Row i of each matrix has the probabilities of the moves from island i.
-- Which of the matrices keep the shares (1, 2, 3)/6, and which are in detailed balance with these shares?
--   A: (0, 1/2, 1/2) (1/4, 1/4, 1/2) (1/6, 1/3, 1/2)
--   B: (0, 1/4, 3/4) (3/8, 1/4, 3/8) (1/12, 5/12, 1/2)
--   C: (1/2, 3/10, 1/5) (3/10, 2/5, 3/10) (1/5, 3/10, 1/2)
--   D: (1/2, 1/3, 1/6) (1/2, 1/4, 1/4) (1/2, 1/2, 0)
-- Mark it: chainscope exercise 22 --mark mine.lua
-- Complete the eight answers, true or false, for the matrices A, B, C and D.
return {
  keeps = { true, true, false, false },
  balances = { true, false, false, false },
}
