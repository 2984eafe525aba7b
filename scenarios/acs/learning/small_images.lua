-- Images of 14 x 14 bits, 1 where the mean of 2 x 2 pixels is half or more: what
-- scenarios of energy networks learn from.
local cs = require "chainscope"
local small = { rows = 14, cols = 14 }

local function pooled(pixel)
  local state = {}
  for r = 0, 13 do
    for c = 0, 13 do
      local at = 56 * r + 2 * c
      local sum = pixel(at + 1) + pixel(at + 2) + pixel(at + 29) + pixel(at + 30)
      state[#state + 1] = sum >= 2 and 1 or 0
    end
  end
  return state
end

-- The first n images of an IDX file of 28 x 28 bytes.
local function of_images(path, n)
  local list = {}
  for i, image in ipairs(cs.read_idx(path, 1, n)) do
    list[i] = pooled(function(k) return image[k] / 255 end)
  end
  return list
end

-- Rows first .. last of the draws of a machine of digits that come with the program.
local function of_draws(first, last)
  local columns, names = cs.read_table "digits_cd_draws.csv.gz"
  local list = {}
  for i = first, last do
    list[#list + 1] = pooled(function(k) return columns[names[k]][i] end)
  end
  return list
end

-- Data to learn from and to judge by: of that set of images, or where there is no
-- folder of data draws of a machine of digits.
function small.data(name, n)
  local function file(part) return ("images/%s-%s-images-idx3-ubyte.gz"):format(name, part) end
  if name and cs.has_data(file "train") and cs.has_data(file "test") then
    return { file = file "train", train = of_images(file "train", n), test = of_images(file "test", 500) }
  end
  return { file = name and file "train", train = of_draws(1, 400), test = of_draws(401, 500) }
end

-- Means of the pixels, away from 0 and 1 as acs has them.
function small.means(list)
  local mean = {}
  for i = 1, 196 do
    local sum = 0
    for _, state in ipairs(list) do sum = sum + state[i] end
    mean[i] = 0.01 + 0.98 * sum / #list
  end
  return mean
end

return small
