//! The modules of a crate: what each defines, what it imports, and which paths it names.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::tokens::{closing, is_name, tokens};

/// Keywords before the name of an item.
const DEFINING: [&str; 8] = ["fn", "struct", "enum", "trait", "type", "const", "static", "union"];

type Names = Vec<String>;

/// A module; its index in the list of the crate's modules identifies it.
#[derive(Debug)]
pub(super) struct Module {
    pub(super) file: PathBuf,
    parent: Option<usize>,
    children: BTreeMap<String, usize>,
    definitions: BTreeSet<String>,
    /// Names that `use` gives to paths, including `pub use`.
    imports: BTreeMap<String, Names>,
    globs: Vec<Names>,
    /// Paths that its code names, including those of `use`.
    pub(super) paths: BTreeSet<Names>,
}

/// The modules of a crate, its root first. Modules for tests only are omitted.
#[derive(Debug)]
pub(super) struct Crate {
    pub(super) modules: Vec<Module>,
}

impl Crate {
    /// Reads a crate by its root file.
    pub(super) fn read(root: &Path) -> Result<Self> {
        let mut modules = Self { modules: Vec::new() };
        modules.read_file(root, &root.with_file_name(""), None)?;
        Ok(modules)
    }

    fn read_file(&mut self, file: &Path, folder: &Path, parent: Option<usize>) -> Result<usize> {
        let source = fs::read_to_string(file).with_context(|| file.display().to_string())?;
        let index = self.add(file, parent);
        self.items(index, &tokens(&source), folder)?;
        Ok(index)
    }

    fn add(&mut self, file: &Path, parent: Option<usize>) -> usize {
        self.modules.push(Module {
            file: file.to_owned(),
            parent,
            children: BTreeMap::new(),
            definitions: BTreeSet::new(),
            imports: BTreeMap::new(),
            globs: Vec::new(),
            paths: BTreeSet::new(),
        });
        self.modules.len() - 1
    }

    /// Reads a module's items one by one.
    fn items(&mut self, module: usize, tokens: &[String], folder: &Path) -> Result<()> {
        let mut at = 0;
        let mut is_for_tests = false;
        while at < tokens.len() {
            if tokens[at] == "#" {
                let open = at + 1 + usize::from(tokens[at + 1] == "!");
                let end = closing(tokens, open);
                is_for_tests |= tokens[open + 1..end].join("") == "cfg(test)";
                if is_for_tests && tokens[at + 1] == "!" {
                    return Ok(());
                }
                at = end + 1;
                continue;
            }
            let start = after_visibility(tokens, at);
            let end = item_end(tokens, start);
            if !std::mem::take(&mut is_for_tests) {
                self.item(module, &tokens[start..=end], folder)?;
            }
            at = end + 1;
        }
        Ok(())
    }

    fn item(&mut self, module: usize, item: &[String], folder: &Path) -> Result<()> {
        match item.first().map(String::as_str) {
            Some("mod") => {
                let name = &item[1];
                let child = if item[2] == ";" {
                    let file = folder.join(format!("{name}.rs"));
                    // A generated file is not part of the tree.
                    if !file.is_file() {
                        return Ok(());
                    }
                    self.read_file(&file, &folder.join(name), Some(module))?
                } else {
                    let file = self.modules[module].file.clone();
                    let child = self.add(&file, Some(module));
                    self.items(child, &item[3..item.len() - 1], &folder.join(name))?;
                    child
                };
                self.modules[module].children.insert(name.clone(), child);
            }
            Some("use") => self.modules[module].import(&item[1..]),
            _ => {
                let module = &mut self.modules[module];
                module.definitions.extend(defined(item));
                module.take_paths(item);
            }
        }
        Ok(())
    }

    /// The module whose file defines the item of a path, resolved from a module; none if it is not part of the crate.
    /// Renamed imports, including `pub use`, are followed to their target.
    pub(super) fn definition(&self, module: usize, path: &[String]) -> Option<usize> {
        self.resolve(module, path, true, &mut BTreeSet::new())
    }

    fn resolve(
        &self,
        module: usize,
        path: &[String],
        is_start: bool,
        seen: &mut BTreeSet<(usize, Names, bool)>,
    ) -> Option<usize> {
        if !seen.insert((module, path.to_vec(), is_start)) {
            return None;
        }
        let (first, rest) = path.split_first()?;
        let Module { parent, children, definitions, imports, globs, .. } = &self.modules[module];
        if first == "super" {
            let mut parent = (*parent)?;
            let mut rest = rest;
            while let Some(("super", further)) = rest.split_first().map(|(next, rest)| (next.as_str(), rest))
            {
                parent = self.modules[parent].parent?;
                rest = further;
            }
            return self.resolve(parent, rest, false, seen);
        }
        match first.as_str() {
            "crate" if is_start => return self.resolve(0, rest, false, seen),
            "self" if is_start => return self.resolve(module, rest, false, seen),
            "*" => return Some(module),
            _ => {}
        }
        if let Some(child) = children.get(first) {
            return self.resolve(*child, rest, false, seen);
        }
        if definitions.contains(first) {
            return Some(module);
        }
        // `use glob::glob` is of another crate, whose name is the import's.
        if let Some(meant) = imports.get(first).filter(|meant| meant.first() != Some(first)) {
            return self.resolve(module, &[meant.as_slice(), rest].concat(), true, seen);
        }
        let is_own = |glob: &&Names| {
            glob.first().is_some_and(|first| {
                matches!(first.as_str(), "crate" | "self" | "super") || children.contains_key(first)
            })
        };
        let of_glob = globs
            .iter()
            .filter(is_own)
            .find_map(|glob| self.resolve(module, &[glob, path].concat(), true, seen));
        // A name that is not found in a module, such as one that a macro creates, counts as that module's.
        of_glob.or((!is_start).then_some(module))
    }
}

impl Module {
    /// Records the imports of a `use` tree, without the keyword.
    fn import(&mut self, tree: &[String]) {
        let mut found = Vec::new();
        use_tree(tree, 0, &[], &mut found);
        for (path, name) in found {
            self.paths.insert(path.clone());
            match path.split_last() {
                Some((last, glob)) if last == "*" => self.globs.push(glob.to_vec()),
                _ => drop(self.imports.insert(name, path)),
            }
        }
    }

    /// Records the paths in the code of an item, and imports inside it.
    fn take_paths(&mut self, item: &[String]) {
        let mut at = 0;
        while at < item.len() {
            // `impl Future + use<>` imports nothing.
            if item[at] == "use" && item.get(at + 1).is_some_and(|next| next != "<") {
                let end = item_end(item, at);
                self.import(&item[at + 1..=end]);
                at = end + 1;
                continue;
            }
            let is_start = is_name(&item[at]) && (at == 0 || !matches!(item[at - 1].as_str(), "::" | "."));
            let start = at;
            at += 1;
            while is_start && at + 1 < item.len() && item[at] == "::" && is_name(&item[at + 1]) {
                at += 2;
            }
            if is_start && at > start + 1 {
                self.paths.insert(item[start..at].iter().step_by(2).cloned().collect());
            }
        }
    }
}

/// Skips `pub` and `pub(…)`.
fn after_visibility(tokens: &[String], at: usize) -> usize {
    if tokens[at] != "pub" {
        return at;
    }
    if tokens.get(at + 1).is_some_and(|next| next == "(") { closing(tokens, at + 1) + 1 } else { at + 1 }
}

/// End of an item: its braces or its semicolon.
fn item_end(tokens: &[String], start: usize) -> usize {
    let ends_with_semicolon = match tokens[start].as_str() {
        "use" | "static" => true,
        "const" => {
            tokens.get(start + 1).is_some_and(|next| !matches!(next.as_str(), "fn" | "unsafe" | "async"))
        }
        _ => false,
    };
    let mut at = start;
    while at < tokens.len() {
        match tokens[at].as_str() {
            ";" => return at,
            "{" if !ends_with_semicolon => return closing(tokens, at),
            "(" | "[" | "{" => at = closing(tokens, at),
            _ => {}
        }
        at += 1;
    }
    tokens.len() - 1
}

/// The name that an item defines.
fn defined(item: &[String]) -> Option<String> {
    let until_body =
        item.iter().position(|token| matches!(token.as_str(), "{" | "impl")).unwrap_or(item.len());
    let head = &item[..until_body];
    let word = head.iter().position(|token| DEFINING.contains(&token.as_str()))?;
    // `const fn`, `unsafe extern "C" fn`.
    let word = head.iter().position(|token| token == "fn").filter(|at| *at > word).unwrap_or(word);
    head.get(word + 1).filter(|name| is_name(name)).cloned()
}

/// The paths of a `use` tree from `at` on, each with the name that it gets, and the end of the tree.
fn use_tree(tree: &[String], mut at: usize, prefix: &[String], found: &mut Vec<(Names, String)>) -> usize {
    let mut path = prefix.to_vec();
    while let Some(token) = tree.get(at) {
        match token.as_str() {
            "{" => {
                at += 1;
                while tree.get(at).is_some_and(|token| token != "}") {
                    at = use_tree(tree, at, &path, found);
                    at += usize::from(tree.get(at).is_some_and(|token| token == ","));
                }
                return at + 1;
            }
            "::" => at += 1,
            "as" => {
                found.push((without_self(path), tree.get(at + 1).cloned().unwrap_or_default()));
                return at + 2;
            }
            "," | "}" | ";" => break,
            _ => {
                path.push(token.clone());
                at += 1;
            }
        }
    }
    let path = without_self(path);
    let name = path.last().cloned().unwrap_or_default();
    found.push((path, name));
    at
}

/// `a::{self}` imports `a`.
fn without_self(mut path: Names) -> Names {
    if path.len() > 1 && path.last().is_some_and(|last| last == "self") {
        path.pop();
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn use_trees_are_flattened_to_paths() {
        let mut found = Vec::new();
        use_tree(&tokens("crate::a::{self, b::{C, D as E}, f::*};"), 0, &[], &mut found);
        let shown: Vec<_> = found.iter().map(|(path, name)| format!("{} {name}", path.join("::"))).collect();
        assert_eq!(shown, ["crate::a a", "crate::a::b::C C", "crate::a::b::D E", "crate::a::f::* *"]);
    }

    #[test]
    fn names_of_items_are_recognized() {
        for (item, expected) in [
            ("struct A<T> where T: B { c: D }", Some("A")),
            ("const fn e() {}", Some("e")),
            ("unsafe extern \"C\" fn f();", Some("f")),
            ("impl fmt::Display for G { fn fmt() {} }", None),
            ("static H: I = I { j: 1 };", Some("H")),
        ] {
            assert_eq!(defined(&tokens(item)).as_deref(), expected, "{item}");
        }
    }
}
