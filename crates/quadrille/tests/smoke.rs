use quadrille::*;
fn rng(s: &mut u64) -> u32 {
    *s = s.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    (*s >> 33) as u32
}
fn smoke<S: Scalar>() {
    let mut s = 1;
    for &kind in StructureKind::ALL {
        for round in 0..100 {
            let mut a = Index::<BruteForce<S>>::default();
            let mut b = Index::<AnyStructure<S>>::new(kind.into()).unwrap();
            let scale = if round % 7 == 6 {
                17895697.0
            } else if round % 7 == 5 {
                0.125
            } else {
                1.0
            };
            for _ in 0..300 {
                let mut bx = || {
                    let x = (rng(&mut s) % 120) as f64 - 10.0;
                    let y = (rng(&mut s) % 120) as f64 - 60.;
                    let w = (rng(&mut s) % 9) as f64;
                    let h = if rng(&mut s) % 20 == 0 { 100. } else { 3. };
                    Aabb::new(
                        [S::from_f64(x * scale), S::from_f64(y * scale)],
                        [S::from_f64((x + w) * scale), S::from_f64((y + h) * scale)],
                    )
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
            if round < 1 {
                println!("{kind} {:?}", b.stats());
            }
        }
    }
}
#[test]
fn i() {
    smoke::<i32>()
}
#[test]
fn f() {
    smoke::<f32>()
}
#[test]
fn d() {
    smoke::<f64>()
}
