//! The files of the page's bundle. Written by `cargo xtask page`.

use super::BundleFile;

pub(super) const FILES: &[BundleFile] = &[
    BundleFile {
        name: "chunk-DNC4SGVY.js",
        content_type: "text/javascript; charset=utf-8",
        identity: include_bytes!("chunk-DNC4SGVY.js"),
        gzip: Some(include_bytes!("chunk-DNC4SGVY.js.gz")),
    },
    BundleFile {
        name: "icon-RFPQVJGV.svg",
        content_type: "image/svg+xml",
        identity: include_bytes!("icon-RFPQVJGV.svg"),
        gzip: Some(include_bytes!("icon-RFPQVJGV.svg.gz")),
    },
    BundleFile {
        name: "page-PDZVKHTS.js",
        content_type: "text/javascript; charset=utf-8",
        identity: include_bytes!("page-PDZVKHTS.js"),
        gzip: Some(include_bytes!("page-PDZVKHTS.js.gz")),
    },
    BundleFile {
        name: "page-SXQXUIG2.css",
        content_type: "text/css; charset=utf-8",
        identity: include_bytes!("page-SXQXUIG2.css"),
        gzip: Some(include_bytes!("page-SXQXUIG2.css.gz")),
    },
    BundleFile {
        name: "plot-7NXSCIUI.js",
        content_type: "text/javascript; charset=utf-8",
        identity: include_bytes!("plot-7NXSCIUI.js"),
        gzip: Some(include_bytes!("plot-7NXSCIUI.js.gz")),
    },
    BundleFile {
        name: "reference-OE7WKAO6.js",
        content_type: "text/javascript; charset=utf-8",
        identity: include_bytes!("reference-OE7WKAO6.js"),
        gzip: Some(include_bytes!("reference-OE7WKAO6.js.gz")),
    },
    BundleFile {
        name: "reference-S225KE3P.css",
        content_type: "text/css; charset=utf-8",
        identity: include_bytes!("reference-S225KE3P.css"),
        gzip: Some(include_bytes!("reference-S225KE3P.css.gz")),
    },
];
