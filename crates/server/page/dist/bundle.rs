//! The files of the page's bundle. Written by `cargo xtask page`.

use super::BundleFile;

pub(super) const FILES: &[BundleFile] = &[
    BundleFile {
        name: "chunk-VPFKM6GI.js",
        content_type: "text/javascript; charset=utf-8",
        identity: include_bytes!("chunk-VPFKM6GI.js"),
        gzip: Some(include_bytes!("chunk-VPFKM6GI.js.gz")),
    },
    BundleFile {
        name: "icon-RFPQVJGV.svg",
        content_type: "image/svg+xml",
        identity: include_bytes!("icon-RFPQVJGV.svg"),
        gzip: Some(include_bytes!("icon-RFPQVJGV.svg.gz")),
    },
    BundleFile {
        name: "page-FYWIL3XR.css",
        content_type: "text/css; charset=utf-8",
        identity: include_bytes!("page-FYWIL3XR.css"),
        gzip: Some(include_bytes!("page-FYWIL3XR.css.gz")),
    },
    BundleFile {
        name: "page-GN7EG4CF.js",
        content_type: "text/javascript; charset=utf-8",
        identity: include_bytes!("page-GN7EG4CF.js"),
        gzip: Some(include_bytes!("page-GN7EG4CF.js.gz")),
    },
    BundleFile {
        name: "plot-7NXSCIUI.js",
        content_type: "text/javascript; charset=utf-8",
        identity: include_bytes!("plot-7NXSCIUI.js"),
        gzip: Some(include_bytes!("plot-7NXSCIUI.js.gz")),
    },
    BundleFile {
        name: "reference-3YP3KJV7.js",
        content_type: "text/javascript; charset=utf-8",
        identity: include_bytes!("reference-3YP3KJV7.js"),
        gzip: Some(include_bytes!("reference-3YP3KJV7.js.gz")),
    },
    BundleFile {
        name: "reference-XEC5MYU7.css",
        content_type: "text/css; charset=utf-8",
        identity: include_bytes!("reference-XEC5MYU7.css"),
        gzip: Some(include_bytes!("reference-XEC5MYU7.css.gz")),
    },
];
