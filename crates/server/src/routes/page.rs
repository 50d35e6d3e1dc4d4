//! The page at `/web/` and the API reference: documents that are requested each time, and the files of the bundle,
//! whose names change with their contents. The sources are in `crates/server/page`; `cargo xtask page` bundles them.

pub(super) mod document;
pub(super) mod file;

#[rustfmt::skip]
#[path = "../../page/dist/bundle.rs"]
mod bundle;

/// A file of the bundle, uncompressed, and compressed if it is worth it.
#[derive(Debug)]
struct BundleFile {
    /// Its name, with a hash of its contents.
    name: &'static str,
    content_type: &'static str,
    identity: &'static [u8],
    gzip: Option<&'static [u8]>,
}
