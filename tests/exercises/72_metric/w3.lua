-- slip: divides_by_variance
-- say: you divide by the variance: the standard deviation of a column has its units
-- Rescale the columns of a regression: complete the function rescale.
-- Mark it: chainscope exercise 72 --mark mine.lua

-- Returns a new column of the same length. It is called for the years, then for the incomes.
local function rescale(column)
  local mean, variance, new = 0, 0, {}
  for _, x in ipairs(column) do mean = mean + x / #column end
  for _, x in ipairs(column) do variance = variance + (x - mean)^2 / #column end
  for i, x in ipairs(column) do new[i] = (x - mean) / variance end
  return new
end

return { rescale = rescale }
