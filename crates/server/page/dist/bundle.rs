//! The files of the page's bundle. Written by `cargo xtask page`.

use super::BundleFile;

pub(super) const FILES: &[BundleFile] = &[
    BundleFile {
        name: "chunk-BUTLUXIY.js",
        content_type: "text/javascript; charset=utf-8",
        identity: include_bytes!("chunk-BUTLUXIY.js"),
        gzip: Some(include_bytes!("chunk-BUTLUXIY.js.gz")),
    },
    BundleFile {
        name: "icon-RFPQVJGV.svg",
        content_type: "image/svg+xml",
        identity: include_bytes!("icon-RFPQVJGV.svg"),
        gzip: Some(include_bytes!("icon-RFPQVJGV.svg.gz")),
    },
    BundleFile {
        name: "page-7SLB5YUT.js",
        content_type: "text/javascript; charset=utf-8",
        identity: include_bytes!("page-7SLB5YUT.js"),
        gzip: Some(include_bytes!("page-7SLB5YUT.js.gz")),
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
        name: "reference-3P7M4FSV.js",
        content_type: "text/javascript; charset=utf-8",
        identity: include_bytes!("reference-3P7M4FSV.js"),
        gzip: Some(include_bytes!("reference-3P7M4FSV.js.gz")),
    },
    BundleFile {
        name: "reference-XEC5MYU7.css",
        content_type: "text/css; charset=utf-8",
        identity: include_bytes!("reference-XEC5MYU7.css"),
        gzip: Some(include_bytes!("reference-XEC5MYU7.css.gz")),
    },
];
