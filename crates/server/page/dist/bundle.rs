//! The files of the page's bundle. Written by `cargo xtask page`.

use super::BundleFile;

pub(super) const FILES: &[BundleFile] = &[
    BundleFile {
        name: "chunk-5ENMXHGK.js",
        content_type: "text/javascript; charset=utf-8",
        identity: include_bytes!("chunk-5ENMXHGK.js"),
        gzip: Some(include_bytes!("chunk-5ENMXHGK.js.gz")),
    },
    BundleFile {
        name: "icon-RFPQVJGV.svg",
        content_type: "image/svg+xml",
        identity: include_bytes!("icon-RFPQVJGV.svg"),
        gzip: Some(include_bytes!("icon-RFPQVJGV.svg.gz")),
    },
    BundleFile {
        name: "page-E2XY22XO.js",
        content_type: "text/javascript; charset=utf-8",
        identity: include_bytes!("page-E2XY22XO.js"),
        gzip: Some(include_bytes!("page-E2XY22XO.js.gz")),
    },
    BundleFile {
        name: "page-FYWIL3XR.css",
        content_type: "text/css; charset=utf-8",
        identity: include_bytes!("page-FYWIL3XR.css"),
        gzip: Some(include_bytes!("page-FYWIL3XR.css.gz")),
    },
    BundleFile {
        name: "plot-7NXSCIUI.js",
        content_type: "text/javascript; charset=utf-8",
        identity: include_bytes!("plot-7NXSCIUI.js"),
        gzip: Some(include_bytes!("plot-7NXSCIUI.js.gz")),
    },
    BundleFile {
        name: "reference-EPF2OZL2.js",
        content_type: "text/javascript; charset=utf-8",
        identity: include_bytes!("reference-EPF2OZL2.js"),
        gzip: Some(include_bytes!("reference-EPF2OZL2.js.gz")),
    },
    BundleFile {
        name: "reference-XEC5MYU7.css",
        content_type: "text/css; charset=utf-8",
        identity: include_bytes!("reference-XEC5MYU7.css"),
        gzip: Some(include_bytes!("reference-XEC5MYU7.css.gz")),
    },
];
