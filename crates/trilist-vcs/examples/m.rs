use std::time::Instant;
use trilist_vcs::index::*;
fn main(){
 for _ in 0..3 {
 let p=std::env::args().nth(1).unwrap();
 let mut f=std::fs::File::open(&p).unwrap(); let n=f.metadata().unwrap().len();
 let t=Instant::now();
 let e=Extensions::locate(&mut f,n,20).unwrap().unwrap();
 let x=e.find(b"TREE").unwrap();
 println!("locate {:?}",t.elapsed());
 let tree=CachedTree::parse(x.read(&mut f).unwrap(),20,x.offset).unwrap();
 println!("parse {:?}",t.elapsed());
 let t=Instant::now();
 let mut r=IndexReader::new(f,n,20).unwrap(); let mut c=0u64; let mut l=0;
 loop { match r.step().unwrap(){Step::End=>break,_=>{c+=1;l+=r.path().len()}} }
 r.finish(Some(&tree)).unwrap();
 println!("{c} {l} {:?}",t.elapsed());
 }
}
