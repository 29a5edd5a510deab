#![allow(warnings)]
use quadrille_paths::*;
use std::time::Instant;
fn main() {
    let dir = std::env::args().nth(1).unwrap();
    let every: usize = std::env::args().nth(2).map_or(20, |s| s.parse().unwrap());
    for name in ["arena","den312d","arena2","Berlin_1_256","rmtst01","random512-10-0","Paris_1_512","64room_000","maze512-32-0","TheFrozenSea","London_2_1024"] {
        let text = std::fs::read_to_string(format!("{dir}/{name}.map")).unwrap();
        let rows: Vec<&[u8]> = text.lines().skip(4).map(|l| l.as_bytes()).collect();
        let (w,h)=(rows[0].len() as u32, rows.len() as u32);
        let t=Instant::now();
        let grid = Grid::from_fn(w,h,|c| matches!(rows[c.y as usize][c.x as usize], b'.'|b'G'|b'S')).unwrap();
        let tg=t.elapsed();
        let t=Instant::now();
        let map = PathMap::new(grid, CostRule::Octile);
        let build=t.elapsed();
        let scen = std::fs::read_to_string(format!("{dir}/{name}.map.scen")).unwrap();
        let mut s = Scratch::default(); let mut a = AStar::new();
        let (mut ts, mut n, mut ta, mut na, mut bad, mut exp, mut gn, mut aexp)=(vec![],0,0f64,0,0,0,0,0);
        for (i,l) in scen.lines().skip(1).filter(|l| !l.trim().is_empty()).enumerate() {
            let f: Vec<&str> = l.split_whitespace().collect();
            let p=|i:usize| f[i].parse::<u32>().unwrap();
            let (from,to)=(Cell::new(p(4),p(5)),Cell::new(p(6),p(7)));
            let want: f64 = f[8].parse().unwrap();
            let t=Instant::now();
            let r=map.path(from,to,&mut s);
            ts.push(t.elapsed().as_secs_f64()*1e6); n+=1; exp+=s.expanded();
            let ok = match &r { Some(p)=> { p.validate(map.grid(), CostRule::Octile).unwrap(); (p.length().as_f64()-want).abs()<0.0051 }, None=> want==0.0 || want< 0.0 || want>1e9 };
            if !ok { bad+=1; if bad<4 { println!("{l} {:?}", r.map(|p|p.length())); } }
            if i%every==0 {
                let t=Instant::now(); let q=a.path(map.grid(),CostRule::Octile,from,to); ta+=t.elapsed().as_secs_f64()*1e6; na+=1; aexp+=a.expanded();
            }
        }
        let mut map = map;
        let mut seed = 12345u64; let mut rnd = |n: u32| { seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407); ((seed >> 33) % n as u64) as u32 };
        let (mut te, mut tm) = (vec![], vec![]);
        for _ in 0..2000 {
            let c = loop { let c=Cell::new(rnd(w), rnd(h)); if map.grid().is_free(c) {break c} };
            for f in [false,true] {
            let t=Instant::now(); map.set(c,f); te.push(t.elapsed().as_secs_f64()*1e6);
            let t=Instant::now(); map.maintain(); tm.push(t.elapsed().as_secs_f64()*1e6);
            }
        }
        let st = |v: &mut Vec<f64>| { v.sort_by(|a,b| a.total_cmp(b)); (v.iter().sum::<f64>()/v.len() as f64, v[v.len()/2], v[v.len()*9/10], v[v.len()*99/100], v[v.len()-1]) };
        println!("   edit {:.1?} maintain {:.1?}", st(&mut te), st(&mut tm));
        let mean=ts.iter().sum::<f64>()/n as f64;
        ts.sort_by(|a,b|a.total_cmp(b));
        println!("{name:16} {} rows {n:5} bad {bad} mean {mean:7.1} p50 {:7.1} p99 {:7.1} max {:7.1}  astar {:8.1} ratio {:6.1} exp {} gn {} aexp {} build {:?} grid {:?} bytes {:.2}M", map.corner_count(), ts[n/2], ts[n*99/100], ts[n-1], ta/na as f64, ta/na as f64/mean, exp/n as u64, gn/n as u64, aexp/na, build,tg,map.bytes() as f64/1e6);
    }
}
