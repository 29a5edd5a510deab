// An image over the whole viewport, pixel by pixel, without smoothing.

@group(0) @binding(0) var image: texture_2d<f32>;

struct Out {
    @builtin(position) place: vec4f,
    // From 0 to 1; rows go down.
    @location(0) at: vec2f,
}

@vertex
fn image_vertex(@builtin(vertex_index) index: u32) -> Out {
    let at = vec2f(f32(index & 1u), f32(index >> 1u));
    return Out(vec4f(at.x * 2.0 - 1.0, 1.0 - at.y * 2.0, 0.0, 1.0), at);
}

@fragment
fn image_fragment(in: Out) -> @location(0) vec4f {
    return textureLoad(image, vec2i(in.at * vec2f(textureDimensions(image))), 0);
}
