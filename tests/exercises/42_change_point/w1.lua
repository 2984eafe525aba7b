-- slip: late_left_out
-- say: the years after the change have weights, too: their rate is `late`
-- The year of a change, given the rates before and after it: complete the function draw.
-- Mark it: chainscope exercise 42 --mark mine.lua
local deaths = {
  4, 5, 4, 0, 1, 4, 3, 4, 0, 6, 3, 3, 4, 0, 2, 6, 3, 3, 5, 4, 5, 3, 1, 4, 4, 1, 5, 5,
  3, 4, 2, 5, 2, 2, 3, 4, 2, 1, 3, 2, 2, 1, 1, 1, 1, 3, 0, 0, 1, 0, 1, 1, 0, 0, 3, 1,
  0, 3, 2, 2, 0, 1, 1, 1, 0, 1, 0, 1, 0, 0, 0, 2, 1, 0, 0, 0, 1, 1, 0, 2, 3, 3, 1, 1,
  2, 1, 1, 1, 1, 2, 4, 2, 0, 0, 1, 4, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 1,
}
local years, total, count = #deaths, 0, {} -- count[k]: the accidents in the first k years
for k = 1, years do
  total = total + deaths[k]
  count[k] = total
end

-- Returns a draw of k, from 1 to years - 1, given the rates p.early and p.late.
-- rng:uniform() is a uniform number between 0 and 1.
local function draw(p, rng)
  local w, most, sum = {}, -math.huge, 0
  for k = 1, years - 1 do
    w[k] = count[k] * math.log(p.early) - k * p.early
    most = math.max(most, w[k])
  end
  for k = 1, years - 1 do
    w[k] = math.exp(w[k] - most)
    sum = sum + w[k]
  end
  local u, k = sum * rng:uniform(), 1
  while k < years - 1 and u >= w[k] do u, k = u - w[k], k + 1 end
  return k
end

return { draw = draw }
