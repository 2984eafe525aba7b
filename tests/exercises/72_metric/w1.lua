-- slip: centres_only
-- say: your columns are centred but not scaled: the slope of an income is still a thousand times narrower than the intercept
-- Rescale the columns of a regression: complete the function rescale.
-- Mark it: chainscope exercise 72 --mark mine.lua

-- Returns a new column of the same length. It is called for the years, then for the incomes.
local function rescale(column)
  local mean, new = 0, {}
  for _, x in ipairs(column) do mean = mean + x / #column end
  for i, x in ipairs(column) do new[i] = x - mean end
  return new
end

return { rescale = rescale }
