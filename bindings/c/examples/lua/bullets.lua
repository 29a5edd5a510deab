-- Bullets and enemies in LuaJIT, or in LÖVE: luajit bullets.lua <where libquadrille.so is>
local ffi = require("ffi")
ffi.cdef[[typedef struct { float box[4]; float speed; } Thing;]]
local quadrille = require("quadrille").load(arg and arg[1] or "quadrille")

local names = { [0] = "bullet", "slow bullet", "dragon" }
local things = ffi.new("Thing[3]", { { { 0, 0, 1, 1 }, 4 }, { { 0, 5, 1, 6 }, 3 }, { { 20, 0, 30, 9 }, -2 } })
local boxes = quadrille.boxes(things[0].box, 3, ffi.sizeof("Thing"))

for frame = 1, 8 do
  for at = 0, 2 do
    local thing = things[at]
    thing.box[0], thing.box[2] = thing.box[0] + thing.speed, thing.box[2] + thing.speed
  end
  boxes:update(things[0].box, 3, ffi.sizeof("Thing"))
  local began, count = boxes:events()
  for at = 0, count - 1 do print(("frame %d: the %s meets the %s"):format(frame, names[began[at].a], names[began[at].b])) end
end
local ids, found = boxes:query(-100, -100, 100, 100)
assert(found == 3 and ids[0] < 3)
assert(not pcall(boxes.update, boxes, ffi.new("float[4]", 0 / 0, 0, 1, 1), 1), "NaN is refused")
