-- Tests networks that learn three kinds of images from IDX files. The networks
-- classify and reproduce the images, and evaluate the draws of an arm. They can
-- be saved as text and loaded again.
local cs = require "chainscope"

local function idx(path, sizes, bytes)
  local f = assert(io.open(path, "wb"))
  f:write(string.pack(">I4", 0x0800 + #sizes))
  for _, n in ipairs(sizes) do f:write(string.pack(">I4", n)) end
  f:write(string.char(table.unpack(bytes)))
  f:close()
end

-- An image has 8 x 8 pixels with noise. It shows a horizontal bar, a vertical
-- bar or no bar, at any position.
local images, labels = {}, {}
math.randomseed(1)
for i = 1, 90 do
  local kind, place = i % 3, math.random(0, 7)
  for r = 0, 7 do
    for c = 0, 7 do
      local on = kind == 1 and r == place or kind == 2 and c == place
      images[#images + 1] = on and 230 or math.random(0, 60)
    end
  end
  labels[i] = kind
end
local name = os.tmpname()
local files = { images = name .. ".images", labels = name .. ".labels" }
idx(files.images, { 90, 8, 8 }, images)
idx(files.labels, { 90 }, labels)

local function with(more)
  local t = { images = files.images, labels = files.labels }
  for k, v in pairs(more) do t[k] = v end
  return t
end
local function fails(text, f, ...)
  local ok, why = pcall(f, ...)
  assert(not ok and why:find(text, 1, true), tostring(why))
end

local net = cs.network { units = { 64, 24, 3 }, seed = 3 }
local first = net:train(with { count = 60, epochs = 1 })
local loss = net:train(with { count = 60, epochs = 200, batch = 20 })
assert(loss < 0.1 and loss < first / 5, loss)
local count, right = net:classify(with { first = 61 })
assert(right > 0.8, right)
assert(count[1] + count[2] + count[3] == 30)
assert(#net:units() == 3 and net:units()[2] == 24)

-- The autoencoder reproduces its training images better than an untrained
-- network does, and better than the same images with noise.
local auto = cs.network { units = { 64, 32, 64 } }
local function mse(fields)
  return auto:reconstruct(fields).mse
end
local before = mse { images = files.images }
auto:train { images = files.images, epochs = 150, batch = 15 }
local after = mse { images = files.images }
assert(after < before / 4, after)
assert(mse { images = files.images, corruption = "noise" } > after)
assert(mse { images = files.images, corruption = "square" } > after)
local like = auto:reconstruct { images = files.images, clean = true }
assert(like.ssim > 0.5 and like.ssim <= 1 and like.psnr > 10, like.ssim)
fails("one output per pixel", net.train, net, { images = files.images })

-- The same network is read again from its text.
local f = assert(io.open(name .. ".net", "w"))
f:write(net:text())
f:close()
local again = cs.network { file = name .. ".net" }
local count2, right2 = again:classify(with { first = 61 })
assert(right2 == right and count2[1] == count[1])

-- Draws are images too: four bits are 2 x 2 pixels.
local run = cs.open { target = cs.target.bernoulli4 {}, chains = 3, keep = 64,
                      arms = { g = cs.kernel.gibbs { sites = 2 } } }
local small = cs.network { units = { 4, 2 } }
fails("no draws yet", small.classify, small, run:arm "g")
run:step(50)
local seen = small:classify(run:arm "g")
assert(seen[1] + seen[2] == 150, seen[1] + seen[2])
seen = small:classify { arm = run:arm "g", last = 5 }
assert(seen[1] + seen[2] == 15, seen[1] + seen[2])
seen = small:classify { arm = run:arm "g", last = 99 }
assert(seen[1] + seen[2] == 150, seen[1] + seen[2])
fails("'first' and 'count'", net.classify, net, with { last = 3 })
fails("the network has 64 inputs, but the images have 4 pixels", net.classify, net, run:arm "g")
fails("not to draws of an arm", small.classify, small, { arm = run:arm "g", count = 3 })
auto = cs.network { units = { 4, 8, 4 } }
assert(auto:train { arm = run:arm "g", epochs = 300, rate = 0.01 } < 0.02)

fails("did you mean 'train'", function() return net.trian end)
fails("did you mean 'images'", net.train, net, { image = "x" })
local help = cs.help "network"
for _, word in ipairs { "network:classify", "epochs", "corruption", "units" } do
  assert(help:find(word, 1, true), word)
end
fails("neither 'units' nor 'file'", cs.network, {})
fails("number of units 0.5", cs.network, { units = { 3, 0.5 } })
fails("no images", net.classify, net, {})
fails("fewer images", net.classify, net, with { first = 91 })
fails("not an IDX", net.train, net, { images = files.images, labels = name .. ".net" })
for _, path in pairs(files) do os.remove(path) end
os.remove(name)
os.remove(name .. ".net")
