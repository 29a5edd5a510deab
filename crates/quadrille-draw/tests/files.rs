//! Files are read back, and show what was drawn.

use std::io::Cursor;

use quadrille::structures::Quadtree;
use quadrille::{Aabb, Index};
use quadrille_draw::{Animation, Camera, Canvas, Color, Disc, INKS, draw_discs, draw_nodes, palette, write_png};

fn scene(step: u8) -> Canvas {
    let mut canvas = Canvas::new(160, 90, palette::PAPER);
    let camera = Camera::fit(&Aabb::new([0.0, 0.0], [16.0, 9.0]), &canvas);
    let center = [3.0 + f32::from(step), 4.0];
    let free = Disc { center, radius: 1.0, touching: false };
    draw_discs(&mut canvas, &camera, &[Disc { center: [8.0, 5.0], radius: 0.5, touching: true }, free]);
    let boxes = [Aabb::from_center(center, [1.0, 1.0]), Aabb::from_center([8.0, 5.0], [0.5, 0.5])];
    draw_nodes(&mut canvas, &camera, &Index::<Quadtree>::from_boxes(&boxes).expect("valid boxes"));
    canvas
}

/// The picture in a PNG file, as the red, green and blue of its pixels.
fn png_pixels(file: &[u8]) -> Vec<u8> {
    let mut reader = png::Decoder::new(Cursor::new(file)).read_info().expect("a PNG header");
    let mut pixels = vec![0; reader.output_buffer_size().expect("a small picture")];
    reader.next_frame(&mut pixels).expect("a PNG picture");
    pixels
}

#[test]
fn a_png_holds_the_very_pixels() {
    let canvas = scene(0);
    let mut file = Vec::new();
    write_png(&canvas, &mut file).expect("memory can be written");
    assert_eq!(png_pixels(&file), canvas.pixels().flat_map(|color| color.0).collect::<Vec<_>>());
}

#[test]
fn frames_of_a_gif_show_what_was_drawn() {
    let canvases = [0, 1, 1, 5].map(scene);
    let mut animation = Animation::new(Vec::new(), &canvases[0], &INKS, 4).expect("memory can be written");
    for canvas in &canvases {
        animation.push(canvas).expect("memory can be written");
    }
    let file = animation.finish().expect("memory can be written");

    let mut decoder = gif::DecodeOptions::new().read_info(&file[..]).expect("a GIF header");
    let colors: Vec<Color> =
        decoder.palette().expect("a palette").chunks_exact(3).map(|rgb| Color([rgb[0], rgb[1], rgb[2]])).collect();
    let mut shown = vec![palette::INK; 160 * 90];
    for canvas in &canvases {
        let frame = decoder.read_next_frame().expect("a GIF frame").expect("as many frames as were pushed");
        assert_eq!(frame.delay, 4);
        for (pixel, &index) in shown.iter_mut().zip(&*frame.buffer) {
            if Some(index) != frame.transparent {
                *pixel = colors[usize::from(index)];
            }
        }
        for (shown, drawn) in shown.iter().zip(canvas.pixels()) {
            let off = (0..3).map(|channel| shown.0[channel].abs_diff(drawn.0[channel])).max();
            // Edges where three colors mix are the worst: the palette has mixtures of two.
            assert!(off <= Some(40), "{drawn:?} is shown as {shown:?}");
        }
    }
    assert!(decoder.read_next_frame().expect("the end").is_none());
}

#[test]
fn discs_in_contact_lie_above_and_y_points_up() {
    let mut canvas = Canvas::new(108, 108, palette::PAPER);
    let camera = Camera::fit(&Aabb::new([0.0, 0.0], [10.0, 10.0]), &canvas);
    let disc = |center, touching| Disc { center, radius: 2.0, touching };
    draw_discs(&mut canvas, &camera, &[disc([5.0, 8.0], true), disc([5.0, 7.0], false)]);
    let [upper, lower] = [24, 50].map(|y| canvas.pixel(54, y));
    assert_eq!((upper, lower), (Some(palette::VERMILION), Some(palette::SKY)));
}

#[test]
fn nodes_of_an_empty_structure_and_of_a_wide_one_can_be_drawn() {
    let mut canvas = Canvas::new(50, 50, palette::PAPER);
    let camera = Camera::fit(&Aabb::new([0.0, 0.0], [1.0, 1.0]), &canvas);
    draw_nodes(&mut canvas, &camera, &Index::<Quadtree>::default());
    let wide = [Aabb::new([-1e30, -1e30], [1e30, 1e30]), Aabb::from_point([0.5, 0.5])];
    draw_nodes(&mut canvas, &camera, &Index::<Quadtree>::from_boxes(&wide).expect("valid boxes"));
    assert_eq!(canvas.pixels().count(), 2500);
}
