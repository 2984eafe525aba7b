-- Mark it: chainscope exercise 62 --mark mine.lua
return { leapfrogs = 5 }
