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
  local function log_w(k)
    return count[k] * math.log(p.early / p.late) - k * (p.early - p.late)
  end
  local most = -math.huge
  for k = 1, years - 1 do most = math.max(most, log_w(k)) end
  while true do -- a weight over the largest one is a probability, and need not be normalised
    local k = 1 + math.floor((years - 1) * rng:uniform())
    if rng:uniform() < math.exp(log_w(k) - most) then return k end
  end
end

return { draw = draw }
