//! Files of a crate that import each other in a circle. A file imports another if it names an item that the other
//! defines, in a `use` or in a path, also through re-exports: a `pub use` in between hides nothing. Imports between a
//! file and the files of its own folder, which are parts of it, are not a circle if nothing else is on the way.

mod modules;
mod tokens;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::Result;

use modules::Crate;

/// Maximum number of circles in the workspace, and of files in one. There is none today.
const MOST_CIRCLES: usize = 3;
const MOST_FILES: usize = 4;

type Imports = BTreeMap<PathBuf, BTreeSet<PathBuf>>;

pub(super) fn check(root: &Path, sources: &[PathBuf]) -> Result<Vec<String>> {
    let mut found = Vec::new();
    for crate_root in sources.iter().filter(|path| is_crate_root(path)) {
        let imports = imports(&Crate::read(&root.join(crate_root))?);
        found.extend(circles(&imports));
    }
    let shown = |circle: &BTreeSet<PathBuf>| {
        let files = circle.iter().map(|file| file.strip_prefix(root).unwrap_or(file).display().to_string());
        format!("files import each other in a circle: {}", files.collect::<Vec<_>>().join(", "))
    };
    let are_many = found.len() > MOST_CIRCLES;
    Ok(found.iter().filter(|circle| are_many || circle.len() > MOST_FILES).map(shown).collect())
}

fn is_crate_root(path: &Path) -> bool {
    let parts: Vec<&str> = path.iter().filter_map(|part| part.to_str()).collect();
    matches!(
        parts.as_slice(),
        ["crates", _, "src", "lib.rs"] | ["xtask" | "tests", "src", "main.rs" | "lib.rs"]
    )
}

/// Which files each file imports.
fn imports(files: &Crate) -> Imports {
    let mut imports = Imports::new();
    for (index, module) in files.modules.iter().enumerate() {
        let named = module.paths.iter().filter_map(|path| files.definition(index, path));
        let others = named.map(|other| files.modules[other].file.clone()).filter(|file| *file != module.file);
        imports.entry(module.file.clone()).or_default().extend(others);
    }
    imports
}

/// The circles, each as a set of files.
fn circles(imports: &Imports) -> Vec<BTreeSet<PathBuf>> {
    let mut found = Vec::new();
    for files in components(imports) {
        match whole_of(&files) {
            // A file and its parts: the parts may still import each other.
            Some(whole) => {
                let among_parts = |(file, others): (&PathBuf, &BTreeSet<PathBuf>)| {
                    let kept = others.intersection(&files).cloned().collect();
                    (*file != whole && files.contains(file)).then(|| (file.clone(), kept))
                };
                found.extend(circles(&imports.iter().filter_map(among_parts).collect()));
            }
            None => found.push(files),
        }
    }
    found
}

/// The file whose folder contains all others. The root of a crate has no folder of its own.
fn whole_of(files: &BTreeSet<PathBuf>) -> Option<PathBuf> {
    let whole = files.iter().min_by_key(|file| file.as_os_str().len())?;
    let is_root = whole.ends_with("src/lib.rs") || whole.ends_with("src/main.rs");
    let folder = whole.with_extension("");
    let is_whole = !is_root && files.iter().all(|file| file == whole || file.starts_with(&folder));
    is_whole.then(|| whole.clone())
}

/// Strongly connected components of two or more files.
fn components(imports: &Imports) -> Vec<BTreeSet<PathBuf>> {
    let reached: BTreeMap<&PathBuf, BTreeSet<&PathBuf>> =
        imports.keys().map(|file| (file, reached(imports, file))).collect();
    let mut found: BTreeSet<BTreeSet<PathBuf>> = BTreeSet::new();
    for (file, others) in &reached {
        let back = others.iter().filter(|other| reached.get(*other).is_some_and(|from| from.contains(file)));
        let component: BTreeSet<PathBuf> = back.map(|other| (*other).clone()).collect();
        if component.len() > 1 {
            found.insert(component);
        }
    }
    found.into_iter().collect()
}

fn reached<'a>(imports: &'a Imports, from: &'a PathBuf) -> BTreeSet<&'a PathBuf> {
    let mut reached = BTreeSet::new();
    let mut waiting = vec![from];
    while let Some(file) = waiting.pop() {
        for other in imports.get(file).into_iter().flatten() {
            if reached.insert(other) {
                waiting.push(other);
            }
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn found(files: &[(&str, &str)]) -> Vec<String> {
        static FOLDERS: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
        let number = FOLDERS.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("import-circles-{}-{number}", std::process::id()));
        for (name, source) in files {
            let path = folder.join("src").join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(path, source).expect("a file");
        }
        let read = Crate::read(&folder.join("src/lib.rs")).expect("a crate");
        let circles = circles(&imports(&read));
        fs::remove_dir_all(&folder).expect("removed");
        let name =
            |file: &PathBuf| file.strip_prefix(folder.join("src")).expect("inside").display().to_string();
        circles.iter().map(|circle| circle.iter().map(name).collect::<Vec<_>>().join(" ")).collect()
    }

    #[test]
    fn circles_are_found_through_imports_paths_and_reexports() {
        let lib = ("lib.rs", "mod a; mod b; mod c; mod face;");
        let face = ("face.rs", "pub(crate) use super::a::A; pub use crate::b::*;");
        let check = |a: &str, b: &str, c: &str, expected: &[&str]| {
            assert_eq!(
                found(&[lib, face, ("a.rs", a), ("b.rs", b), ("c.rs", c)]),
                expected,
                "{a} | {b} | {c}"
            );
        };
        check("pub struct A;", "use crate::a::A; pub struct B(A);", "use super::{a::A, b::B};", &[]);
        check("use crate::b::B; pub struct A;", "use super::a::A; pub struct B;", "", &["a.rs b.rs"]);
        check("pub struct A(crate::b::B);", "use crate::face::A; pub struct B;", "", &["a.rs b.rs"]);
        check("pub fn a() { super::face::b() }", "pub fn b() { crate::a::a() }", "", &["a.rs b.rs"]);
        check(
            "pub struct A; use crate::c;\nfn a() { c::c() }",
            "",
            "use crate::a::A; pub fn c() {}",
            &["a.rs c.rs"],
        );
        check("pub struct A; // use crate::b::B;", "use crate::a::A; pub struct B;", "", &[]);
        check(
            "pub struct A;\n#[cfg(test)]\nmod tests { use crate::b::B; }",
            "use crate::a::A; pub struct B;",
            "",
            &[],
        );
    }

    #[test]
    fn a_file_and_its_parts_are_a_circle_only_if_parts_import_each_other() {
        let lib = ("lib.rs", "mod a; mod b;");
        let whole = ("a.rs", "mod x; mod y; use x::X; pub struct A; fn a() { y::y() }");
        let one_way = ("a/y.rs", "use super::x::X; use super::A; pub fn y() {}");
        assert!(
            found(&[lib, whole, ("a/x.rs", "use super::A; pub struct X;"), one_way, ("b.rs", "")]).is_empty()
        );
        let back = ("a/x.rs", "use super::y; pub struct X; fn x() { y::y() }");
        assert_eq!(found(&[lib, whole, back, one_way, ("b.rs", "")]), ["a/x.rs a/y.rs"]);
        let outside = ("a/x.rs", "use crate::b::B; pub struct X;");
        let circle = found(&[lib, whole, outside, one_way, ("b.rs", "use crate::a::A; pub struct B;")]);
        assert_eq!(circle, ["a/x.rs a/y.rs a.rs b.rs"]);
    }
}
