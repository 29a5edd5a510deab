//! Pictures by the GPU: an image or paper, then four instanced draws from one buffer, in a callback of the panels'
//! renderer.
//!
//! Nothing here needs more than WebGL2 has: no storage buffers, no compute, four attributes an instance at most.

use eframe::egui::{ColorImage, PaintCallbackInfo, Rect, Shape};
use eframe::egui_wgpu::{Callback, CallbackResources, CallbackTrait, RenderState, ScreenDescriptor};
use eframe::wgpu;

use super::{Disc, Line, Picture, Rectangle};
use crate::camera::Camera;

/// A picture on its way to the screen.
struct Frame {
    picture: Picture,
    screen: Rect,
    camera: Camera,
    /// Which of several pictures side by side; each has a buffer of its own.
    pane: usize,
}

/// The shape that draws a picture in `screen`.
pub fn shape(picture: Picture, screen: Rect, camera: Camera, pane: usize) -> Shape {
    Callback::new_paint_callback(screen, Frame { picture, screen, camera, pane }).into()
}

/// Prepares a renderer for [`shape`]s. To be called once.
pub fn install(state: &RenderState) {
    let gpu = Gpu::new(&state.device, state.target_format);
    state.renderer.write().callback_resources.insert(gpu);
}

/// The graphics interface in use and, if known, the name of the device.
pub fn name(adapter: &wgpu::AdapterInfo) -> String {
    let interface = match adapter.backend {
        wgpu::Backend::BrowserWebGpu => "WebGPU",
        wgpu::Backend::Gl if cfg!(target_arch = "wasm32") => "WebGL2",
        wgpu::Backend::Gl => "OpenGL",
        wgpu::Backend::Vulkan => "Vulkan",
        wgpu::Backend::Metal => "Metal",
        wgpu::Backend::Dx12 => "Direct3D 12",
        wgpu::Backend::Noop => "nothing",
    };
    if adapter.name.is_empty() { interface.into() } else { format!("{interface}: {}", adapter.name) }
}

/// The camera as the shader gets it. A multiple of 16 bytes, as WebGL2 requires.
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
struct Uniforms {
    center: [f32; 2],
    scale: [f32; 2],
    pixel: f32,
    pixels_per_point: f32,
    unused: [f32; 2],
}

impl Uniforms {
    fn new(camera: Camera, screen: Rect, pixels_per_point: f32) -> Self {
        let points = camera.scale(screen);
        let scale = [2.0 * points / screen.width(), 2.0 * points / screen.height()];
        Self {
            center: camera.center,
            scale,
            pixel: 1.0 / (points * pixels_per_point),
            pixels_per_point,
            unused: [0.0; 2],
        }
    }
}

struct Gpu {
    images: wgpu::RenderPipeline,
    discs: wgpu::RenderPipeline,
    rectangles: wgpu::RenderPipeline,
    lines: wgpu::RenderPipeline,
    layout: wgpu::BindGroupLayout,
    image_layout: wgpu::BindGroupLayout,
    panes: Vec<Pane>,
}

/// The buffers of one picture.
struct Pane {
    instances: wgpu::Buffer,
    uniforms: wgpu::Buffer,
    group: wgpu::BindGroup,
    image: Option<Image>,
}

/// An image behind a picture; made again if the size changes.
struct Image {
    texture: wgpu::Texture,
    group: wgpu::BindGroup,
}

/// Smallest buffer, in bytes. It doubles when a picture has outgrown it.
const LEAST_BYTES: u64 = 1 << 16;

/// Largest buffer: what every device grants. Eleven million lines.
pub const MOST_BYTES: usize = 1 << 28;

impl Gpu {
    fn new(device: &wgpu::Device, target: wgpu::TextureFormat) -> Self {
        let shader = device.create_shader_module(wgpu::include_wgsl!("picture.wgsl"));
        let uniforms = wgpu::BindingType::Buffer {
            ty: wgpu::BufferBindingType::Uniform,
            has_dynamic_offset: false,
            min_binding_size: wgpu::BufferSize::new(size_of::<Uniforms>() as u64),
        };
        let layout = layout_of_one(device, wgpu::ShaderStages::VERTEX, uniforms);
        let build = Builder { device, shader: &shader, layout: &layout, target };
        let discs = build.pipeline(
            ["disc_vertex", "disc_fragment"],
            &[Some(instances::<Disc>(&wgpu::vertex_attr_array![0 => Float32x2, 1 => Float32, 2 => Unorm8x4]))],
        );
        let rectangles = build.pipeline(
            ["rectangle_vertex", "rectangle_fragment"],
            &[Some(instances::<Rectangle>(
                &wgpu::vertex_attr_array![0 => Float32x2, 1 => Float32x2, 2 => Unorm8x4, 3 => Unorm8x4],
            ))],
        );
        let lines = build.pipeline(
            ["line_vertex", "line_fragment"],
            &[Some(instances::<Line>(
                &wgpu::vertex_attr_array![0 => Float32x2, 1 => Float32x2, 2 => Float32, 3 => Unorm8x4],
            ))],
        );
        let texture = wgpu::BindingType::Texture {
            sample_type: wgpu::TextureSampleType::Float { filterable: false },
            view_dimension: wgpu::TextureViewDimension::D2,
            multisampled: false,
        };
        let image_layout = layout_of_one(device, wgpu::ShaderStages::FRAGMENT, texture);
        let shader = device.create_shader_module(wgpu::include_wgsl!("image.wgsl"));
        let build = Builder { shader: &shader, layout: &image_layout, ..build };
        let images = build.pipeline(["image_vertex", "image_fragment"], &[]);
        Self { images, discs, rectangles, lines, layout, image_layout, panes: Vec::new() }
    }

    /// The buffers of a pane, large enough for `bytes` and the image.
    fn pane(&mut self, device: &wgpu::Device, pane: usize, bytes: u64, image: Option<&ColorImage>) -> &Pane {
        while self.panes.len() <= pane {
            self.panes.push(Pane::new(device, &self.layout, LEAST_BYTES));
        }
        if self.panes[pane].instances.size() < bytes {
            self.panes[pane] = Pane::new(device, &self.layout, bytes.next_power_of_two());
        }
        let pane = &mut self.panes[pane];
        if let Some(image) = image.filter(|image| pane.image.as_ref().is_none_or(|old| !old.has_size(image))) {
            pane.image = Some(Image::new(device, &self.image_layout, image));
        }
        pane
    }
}

impl Pane {
    fn new(device: &wgpu::Device, layout: &wgpu::BindGroupLayout, bytes: u64) -> Self {
        let buffer = |size, usage| {
            let usage = usage | wgpu::BufferUsages::COPY_DST;
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("picture"),
                size,
                usage,
                mapped_at_creation: false,
            })
        };
        let uniforms = buffer(size_of::<Uniforms>() as u64, wgpu::BufferUsages::UNIFORM);
        let group = group_of_one(device, layout, uniforms.as_entire_binding());
        Self { instances: buffer(bytes, wgpu::BufferUsages::VERTEX), uniforms, group, image: None }
    }
}

impl Image {
    /// Room for an image of this size.
    fn new(device: &wgpu::Device, layout: &wgpu::BindGroupLayout, image: &ColorImage) -> Self {
        let texture = device.create_texture(&wgpu::TextureDescriptor {
            label: Some("image"),
            size: extent(image),
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: wgpu::TextureFormat::Rgba8Unorm,
            usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
            view_formats: &[],
        });
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        let group = group_of_one(device, layout, wgpu::BindingResource::TextureView(&view));
        Self { texture, group }
    }

    fn has_size(&self, image: &ColorImage) -> bool {
        self.texture.size() == extent(image)
    }

    /// Copies an image of the same size.
    fn write(&self, queue: &wgpu::Queue, image: &ColorImage) {
        let size = extent(image);
        let rows = wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(4 * size.width), rows_per_image: None };
        queue.write_texture(self.texture.as_image_copy(), image.as_raw(), rows, size);
    }
}

/// The layout of a group that binds one thing.
fn layout_of_one(
    device: &wgpu::Device,
    visibility: wgpu::ShaderStages,
    ty: wgpu::BindingType,
) -> wgpu::BindGroupLayout {
    let entries = &[wgpu::BindGroupLayoutEntry { binding: 0, visibility, ty, count: None }];
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: None, entries })
}

/// The group that binds this one.
fn group_of_one(
    device: &wgpu::Device,
    layout: &wgpu::BindGroupLayout,
    resource: wgpu::BindingResource<'_>,
) -> wgpu::BindGroup {
    let entries = &[wgpu::BindGroupEntry { binding: 0, resource }];
    device.create_bind_group(&wgpu::BindGroupDescriptor { label: None, layout, entries })
}

fn extent(image: &ColorImage) -> wgpu::Extent3d {
    let [width, height] = image.size.map(|side| u32::try_from(side).unwrap_or(u32::MAX));
    wgpu::Extent3d { width, height, depth_or_array_layers: 1 }
}

/// A buffer of instances.
fn instances<Instance>(attributes: &[wgpu::VertexAttribute]) -> wgpu::VertexBufferLayout<'_> {
    wgpu::VertexBufferLayout {
        array_stride: size_of::<Instance>() as u64,
        step_mode: wgpu::VertexStepMode::Instance,
        attributes,
    }
}

/// What all pipelines have in common.
struct Builder<'a> {
    device: &'a wgpu::Device,
    shader: &'a wgpu::ShaderModule,
    layout: &'a wgpu::BindGroupLayout,
    target: wgpu::TextureFormat,
}

impl Builder<'_> {
    fn pipeline(
        &self,
        [vertex, fragment]: [&str; 2],
        buffers: &[Option<wgpu::VertexBufferLayout<'_>>],
    ) -> wgpu::RenderPipeline {
        let layout = self.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some(vertex),
            bind_group_layouts: &[Some(self.layout)],
            ..Default::default()
        });
        self.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some(vertex),
            layout: Some(&layout),
            vertex: wgpu::VertexState {
                module: self.shader,
                entry_point: Some(vertex),
                buffers,
                compilation_options: wgpu::PipelineCompilationOptions::default(),
            },
            fragment: Some(wgpu::FragmentState {
                module: self.shader,
                entry_point: Some(fragment),
                targets: &[Some(wgpu::ColorTargetState {
                    format: self.target,
                    blend: Some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING),
                    write_mask: wgpu::ColorWrites::ALL,
                })],
                compilation_options: wgpu::PipelineCompilationOptions::default(),
            }),
            primitive: wgpu::PrimitiveState { topology: wgpu::PrimitiveTopology::TriangleStrip, ..Default::default() },
            depth_stencil: None,
            multisample: wgpu::MultisampleState::default(),
            multiview_mask: None,
            cache: None,
        })
    }
}

/// The layers of a picture as bytes, in the order of the buffer and of drawing, with the number of instances, and without
/// what does not fit into a buffer of this size.
fn layers(picture: &Picture, mut room: usize) -> [(&[u8], u32); 4] {
    let Picture { under, discs, over, lines, .. } = picture;
    let all = [
        (bytemuck::cast_slice(under), size_of::<Rectangle>()),
        (bytemuck::cast_slice(discs), size_of::<Disc>()),
        (bytemuck::cast_slice(over), size_of::<Rectangle>()),
        (bytemuck::cast_slice(lines), size_of::<Line>()),
    ];
    all.map(|(bytes, size): (&[u8], usize)| {
        let count = bytes.len().min(room) / size;
        room -= count * size;
        (&bytes[..count * size], count as u32)
    })
}

/// How many parts of a picture do not fit into a buffer of this size.
pub fn left_out(picture: &Picture, room: usize) -> usize {
    let drawn: usize = layers(picture, room).iter().map(|layer| layer.1 as usize).sum();
    picture.under.len() + picture.discs.len() + picture.over.len() + picture.lines.len() - drawn
}

impl CallbackTrait for Frame {
    fn prepare(
        &self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        screen: &ScreenDescriptor,
        _encoder: &mut wgpu::CommandEncoder,
        resources: &mut CallbackResources,
    ) -> Vec<wgpu::CommandBuffer> {
        let Some(gpu) = resources.get_mut::<Gpu>() else { return Vec::new() };
        let layers = layers(&self.picture, MOST_BYTES);
        let bytes = layers.iter().map(|(bytes, _)| bytes.len() as u64).sum();
        let image = self.picture.image.as_ref();
        let pane = gpu.pane(device, self.pane, bytes, image);
        if let Some((room, image)) = pane.image.as_ref().zip(image) {
            room.write(queue, image);
        }
        let uniforms = Uniforms::new(self.camera, self.screen, screen.pixels_per_point);
        queue.write_buffer(&pane.uniforms, 0, bytemuck::bytes_of(&uniforms));
        let mut offset = 0;
        for (bytes, _) in layers {
            queue.write_buffer(&pane.instances, offset, bytes);
            offset += bytes.len() as u64;
        }
        Vec::new()
    }

    fn paint(&self, _info: PaintCallbackInfo, pass: &mut wgpu::RenderPass<'static>, resources: &CallbackResources) {
        let Some((gpu, pane)) = resources.get::<Gpu>().and_then(|gpu| Some((gpu, gpu.panes.get(self.pane)?))) else {
            return;
        };
        if let Some(image) = pane.image.as_ref().filter(|_| self.picture.image.is_some()) {
            pass.set_pipeline(&gpu.images);
            pass.set_bind_group(0, &image.group, &[]);
            pass.draw(0..4, 0..1);
        }
        let pipelines = [&gpu.rectangles, &gpu.discs, &gpu.rectangles, &gpu.lines];
        pass.set_bind_group(0, &pane.group, &[]);
        let mut offset = 0;
        for (pipeline, (bytes, count)) in pipelines.into_iter().zip(layers(&self.picture, MOST_BYTES)) {
            let end = offset + bytes.len() as u64;
            if count > 0 {
                pass.set_pipeline(pipeline);
                pass.set_vertex_buffer(0, pane.instances.slice(offset..end));
                pass.draw(0..4, 0..count);
            }
            offset = end;
        }
    }
}

#[cfg(test)]
mod tests {
    use eframe::egui::Color32;

    use super::*;

    #[test]
    fn what_does_not_fit_into_a_buffer_is_left_out_and_counted() {
        let disc = Disc { center: [0.0; 2], radius: 1.0, color: Color32::WHITE };
        let line = Line { from: [0.0; 2], to: [1.0; 2], width: 1.0, color: Color32::WHITE };
        let picture = Picture { discs: vec![disc; 10], lines: vec![line; 10], ..Picture::default() };
        for (room, counts) in [(0, [0, 0]), (MOST_BYTES, [10, 10]), (159, [9, 0]), (160 + 49, [10, 2])] {
            let layers = layers(&picture, room);
            assert_eq!(layers.map(|layer| layer.1), [0, counts[0], 0, counts[1]]);
            assert!(layers.iter().map(|layer| layer.0.len()).sum::<usize>() <= room);
            assert_eq!(left_out(&picture, room), 20 - counts[0] as usize - counts[1] as usize);
        }
    }
}
