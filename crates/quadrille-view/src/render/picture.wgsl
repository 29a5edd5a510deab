// Discs, rectangles and lines, each an instance of a strip of two triangles. Edges are smoothed over one pixel.
// Colours are premultiplied and stay as they are: the panels' renderer works on gamma-encoded colours too.

struct View {
    // Clip space = (world - center) * scale.
    center: vec2f,
    scale: vec2f,
    // Units of the world that a pixel is wide, and pixels that a point is wide.
    pixel: f32,
    pixels_per_point: f32,
    unused: vec2f,
}

@group(0) @binding(0) var<uniform> view: View;

fn clip(world: vec2f) -> vec4f {
    return vec4f((world - view.center) * view.scale, 0.0, 1.0);
}

// Corner 0 to 3 of a square from -1 to 1, as a strip.
fn corner(index: u32) -> vec2f {
    return vec2f(f32(index & 1u), f32(index >> 1u)) * 2.0 - 1.0;
}

// ---- discs

struct DiscOut {
    @builtin(position) place: vec4f,
    // From the middle, in pixels.
    @location(0) aside: vec2f,
    @location(1) @interpolate(flat) radius: f32,
    @location(2) @interpolate(flat) color: vec4f,
}

// Smaller discs are drawn this large, in pixels, and fainter instead: no agent vanishes between the pixels.
const LEAST: f32 = 0.75;
const FAINTEST: f32 = 0.4;

@vertex
fn disc_vertex(@builtin(vertex_index) index: u32, @location(0) center: vec2f, @location(1) radius: f32, @location(2) color: vec4f) -> DiscOut {
    let true_radius = radius / view.pixel;
    let shown = max(true_radius, LEAST);
    // Half a pixel is smoothed.
    let aside = corner(index) * (shown + 0.5);
    let share = true_radius / shown;
    return DiscOut(clip(center + aside * view.pixel), aside, shown, color * max(share * share, FAINTEST));
}

@fragment
fn disc_fragment(in: DiscOut) -> @location(0) vec4f {
    let coverage = clamp(in.radius - length(in.aside) + 0.5, 0.0, 1.0);
    return in.color * coverage;
}

// ---- rectangles

struct RectangleOut {
    @builtin(position) place: vec4f,
    // From the lower and from the upper corner inwards, in pixels.
    @location(0) inwards: vec4f,
    @location(1) @interpolate(flat) fill: vec4f,
    @location(2) @interpolate(flat) stroke: vec4f,
}

@vertex
fn rectangle_vertex(
    @builtin(vertex_index) index: u32,
    @location(0) lower: vec2f,
    @location(1) upper: vec2f,
    @location(2) fill: vec4f,
    @location(3) stroke: vec4f,
) -> RectangleOut {
    let side = corner(index);
    let place = select(lower, upper, side > vec2f(0.0)) + side * view.pixel;
    let inwards = vec4f(place - lower, upper - place) / view.pixel;
    return RectangleOut(clip(place), inwards, fill, stroke);
}

@fragment
fn rectangle_fragment(in: RectangleOut) -> @location(0) vec4f {
    let nearest = min(min(in.inwards.x, in.inwards.y), min(in.inwards.z, in.inwards.w));
    let inside = in.fill * clamp(nearest + 0.5, 0.0, 1.0);
    let edge = in.stroke * clamp(1.0 - abs(nearest), 0.0, 1.0);
    return edge + inside * (1.0 - edge.a);
}

// ---- lines

struct LineOut {
    @builtin(position) place: vec4f,
    // To the side of the line, in pixels.
    @location(0) aside: f32,
    @location(1) @interpolate(flat) half_width: f32,
    @location(2) @interpolate(flat) color: vec4f,
}

@vertex
fn line_vertex(
    @builtin(vertex_index) index: u32,
    @location(0) start: vec2f,
    @location(1) end: vec2f,
    @location(2) width: f32,
    @location(3) color: vec4f,
) -> LineOut {
    let side = corner(index);
    let way = end - start;
    let along = way / max(length(way), 1e-30);
    let half_width = max(width * view.pixels_per_point, 1.0) * 0.5;
    let aside = side.y * (half_width + 0.5);
    let place = select(start, end, side.x > 0.0) + vec2f(-along.y, along.x) * (aside * view.pixel);
    return LineOut(clip(place), aside, half_width, color);
}

@fragment
fn line_fragment(in: LineOut) -> @location(0) vec4f {
    let coverage = clamp(in.half_width - abs(in.aside) + 0.5, 0.0, 1.0);
    return in.color * coverage;
}
