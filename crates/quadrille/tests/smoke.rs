use quadrille::*;
fn rng(s: &mut u64) -> u32 {
    *s = s.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    (*s >> 33) as u32
}
#[test]
fn smoke() {
    let mut s = 1;
    for round in 0..200 {
        let mut a = Index::<BruteForce<i32>>::default();
        let sub = if round % 3 == 0 {
            Subdivision::Fixed(3)
        } else {
            Subdivision::Adaptive { capacity: 1 + round % 5, max_depth: 12 }
        };
        let world = (round % 2 == 0).then(|| Aabb::new([0, 0], [50, 100]));
        let mut b = Index::<Quadtree<i32>>::new(QuadtreeOptions { world, subdivision: sub }).unwrap();
        for _ in 0..300 {
            let mut bx = || {
                let x = rng(&mut s) as i32 % 120 - 10;
                let y = rng(&mut s) as i32 % 120 - 10;
                let w = (rng(&mut s) % 9) as i32;
                let h = if rng(&mut s) % 20 == 0 { 100 } else { 3 };
                Aabb::new([x, y], [x + w, y + h])
            };
            let bb = bx();
            let q = bx();
            match rng(&mut s) % 8 {
                0..4 => assert_eq!(a.insert(bb).unwrap(), b.insert(bb).unwrap()),
                4..6 => {
                    let id = rng(&mut s) % 200;
                    assert_eq!(a.update(id, bb).ok(), b.update(id, bb).ok())
                }
                6 => {
                    let id = rng(&mut s) % 200;
                    assert_eq!(a.remove(id), b.remove(id))
                }
                _ => {
                    if rng(&mut s) % 4 == 0 {
                        b.maintain()
                    }
                }
            }
            b.validate().unwrap();
            let mut v: Vec<_> = b.query(Overlaps(q)).collect();
            v.sort();
            assert_eq!(a.query(Overlaps(q)).collect::<Vec<_>>(), v);
            let mut v: Vec<_> = b.query(Inside(q)).collect();
            v.sort();
            assert_eq!(a.query(Inside(q)).collect::<Vec<_>>(), v);
            let mut v: Vec<_> = b.pairs().collect();
            v.sort();
            assert_eq!(a.pairs().collect::<Vec<_>>(), v);
        }
        if round < 5 {
            println!("{:?}", b.stats());
        }
    }
}
