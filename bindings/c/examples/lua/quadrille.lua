-- quadrille for LuaJIT, by its ffi: what include/quadrille.h declares, as far as boxes in `float` need it.
--
-- local quadrille = require("quadrille").load("libquadrille.so")
local ffi = require("ffi")

ffi.cdef[[
typedef int QuadrilleStatus;
typedef struct { uint64_t bits; } QuadrilleBoxes;
typedef struct { const void *first; size_t count, stride; uint32_t scalar, numbers; } QuadrilleRows;
typedef struct { uint32_t a, b; } QuadrillePair;
typedef struct { uint32_t *data; size_t room, count; } QuadrilleIds;
typedef struct { QuadrillePair *data; size_t room, count; } QuadrillePairs;
typedef struct {
  const uint32_t *ids; size_t id_count;
  const uint32_t *counts; size_t query_count;
  const double *distances; size_t distance_count;
  const int8_t *normals;
  const QuadrillePair *pairs; size_t pair_count;
  const QuadrillePair *began; size_t began_count;
  const QuadrillePair *ended; size_t ended_count;
} QuadrilleKept;
const char *quadrille_version(void);
const char *quadrille_error_text(void);
QuadrilleStatus quadrille_boxes_new(const char *structure, QuadrilleRows rows, QuadrilleBoxes *boxes);
QuadrilleStatus quadrille_boxes_free(QuadrilleBoxes boxes);
QuadrilleStatus quadrille_boxes_update(QuadrilleBoxes boxes, QuadrilleRows rows);
QuadrilleStatus quadrille_boxes_pairs(QuadrilleBoxes boxes, QuadrillePairs *pairs);
QuadrilleStatus quadrille_boxes_events(QuadrilleBoxes boxes, QuadrillePairs *began, QuadrillePairs *ended);
QuadrilleStatus quadrille_boxes_query(QuadrilleBoxes boxes, QuadrilleRows rows, uint32_t layers, uint32_t *counts, QuadrilleIds *ids);
QuadrilleStatus quadrille_boxes_kept(QuadrilleBoxes boxes, QuadrilleKept *kept);
]]

local Boxes = {}
Boxes.__index = Boxes

local function check(library, status)
  if status ~= 0 then error(ffi.string(library.quadrille_error_text()), 3) end
end

local function rows(first, count, stride)
  return ffi.new("QuadrilleRows", first, count, stride or 0, 0, 4)
end

-- From now on there are exactly these boxes: `first` leads to the four floats of the first, `stride` is the bytes to the next.
function Boxes:update(first, count, stride)
  check(self.library, self.library.quadrille_boxes_update(self.handle, rows(first, count, stride)))
end

function Boxes:kept()
  check(self.library, self.library.quadrille_boxes_kept(self.handle, self.answers))
  return self.answers
end

-- All pairs and how many there are, until the next call.
function Boxes:pairs()
  check(self.library, self.library.quadrille_boxes_pairs(self.handle, nil))
  local kept = self:kept()
  return kept.pairs, tonumber(kept.pair_count)
end

-- Pairs that began and ended since the last call of this, until the next call.
function Boxes:events()
  check(self.library, self.library.quadrille_boxes_events(self.handle, nil, nil))
  local kept = self:kept()
  return kept.began, tonumber(kept.began_count), kept.ended, tonumber(kept.ended_count)
end

-- The ids of what overlaps a box and how many there are, until the next call.
function Boxes:query(x0, y0, x1, y1)
  local asked = ffi.new("float[4]", x0, y0, x1, y1)
  check(self.library, self.library.quadrille_boxes_query(self.handle, rows(asked, 1), 0xffffffff, nil, nil))
  local kept = self:kept()
  return kept.ids, tonumber(kept.id_count)
end

return {
  load = function(name)
    local library = ffi.load(name)
    local function boxes(first, count, stride, structure)
      local handle = ffi.new("QuadrilleBoxes")
      check(library, library.quadrille_boxes_new(structure or "frame-tree", rows(first, count, stride), handle))
      ffi.gc(handle, library.quadrille_boxes_free)
      return setmetatable({ library = library, handle = handle, answers = ffi.new("QuadrilleKept") }, Boxes)
    end
    return { boxes = boxes, version = ffi.string(library.quadrille_version()) }
  end,
}
