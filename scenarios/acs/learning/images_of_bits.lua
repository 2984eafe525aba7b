-- Images of bits, of 28 x 28 pixels or of 14 x 14, where a bit is 1 where the mean of
-- 2 x 2 pixels is half or more: what scenarios of energy networks learn from.
local cs = require "chainscope"
local bits = {}

-- pixel(k) = pixel k of an image of 28 x 28, 0 to 1, row by row.
local function pooled(pixel, size)
  local state, wide = {}, 28 // size
  for r = 0, size - 1 do
    for c = 0, size - 1 do
      local sum = 0
      for k = 0, wide * wide - 1 do
        sum = sum + pixel(28 * (wide * r + k // wide) + wide * c + k % wide + 1)
      end
      state[#state + 1] = sum >= wide * wide / 2 and 1 or 0
    end
  end
  return state
end

-- The first n images of an IDX file of 28 x 28 bytes.
local function of_images(path, n, size)
  local list = {}
  for i, image in ipairs(cs.read_idx(path, 1, n)) do
    list[i] = pooled(function(k) return image[k] / 255 end, size)
  end
  return list
end

-- Rows first .. last of the draws of a machine of digits that come with the program.
local function of_draws(first, last, size)
  local columns, names = cs.read_table "digits_cd_draws.csv.gz"
  local list = {}
  for i = first, last do
    list[#list + 1] = pooled(function(k) return columns[names[k]][i] end, size)
  end
  return list
end

-- Data to learn from and to judge by: n images of that set, or where there is no
-- folder of data, or no name, draws of a machine of digits. `size` is 14 or 28.
function bits.data(name, n, size)
  local function file(part) return ("images/%s-%s-images-idx3-ubyte.gz"):format(name, part) end
  if name and cs.has_data(file "train") and cs.has_data(file "test") then
    return { file = file "train", train = of_images(file "train", n, size), test = of_images(file "test", 500, size) }
  end
  return { file = name and file "train", train = of_draws(1, 400, size), test = of_draws(401, 500, size) }
end

-- Means of the pixels, away from 0 and 1 as acs has them.
function bits.means(list)
  local mean = {}
  for i = 1, #list[1] do
    local sum = 0
    for _, state in ipairs(list) do sum = sum + state[i] end
    mean[i] = 0.01 + 0.98 * sum / #list
  end
  return mean
end

return bits
