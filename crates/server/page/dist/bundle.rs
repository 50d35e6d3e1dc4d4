//! The files of the page's bundle. Written by `cargo xtask page`.

use super::BundleFile;

pub(super) const FILES: &[BundleFile] = &[
    BundleFile {
        name: "icon-RFPQVJGV.svg",
        content_type: "image/svg+xml",
        identity: include_bytes!("icon-RFPQVJGV.svg"),
        gzip: Some(include_bytes!("icon-RFPQVJGV.svg.gz")),
    },
    BundleFile {
        name: "page-4SKZC26D.css",
        content_type: "text/css; charset=utf-8",
        identity: include_bytes!("page-4SKZC26D.css"),
        gzip: Some(include_bytes!("page-4SKZC26D.css.gz")),
    },
    BundleFile {
        name: "page-5SLGP53V.js",
        content_type: "text/javascript; charset=utf-8",
        identity: include_bytes!("page-5SLGP53V.js"),
        gzip: Some(include_bytes!("page-5SLGP53V.js.gz")),
    },
    BundleFile {
        name: "plot-7NXSCIUI.js",
        content_type: "text/javascript; charset=utf-8",
        identity: include_bytes!("plot-7NXSCIUI.js"),
        gzip: Some(include_bytes!("plot-7NXSCIUI.js.gz")),
    },
];
