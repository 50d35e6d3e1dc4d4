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
        name: "page-SXQXUIG2.css",
        content_type: "text/css; charset=utf-8",
        identity: include_bytes!("page-SXQXUIG2.css"),
        gzip: Some(include_bytes!("page-SXQXUIG2.css.gz")),
    },
    BundleFile {
        name: "page-VOQJLM5I.js",
        content_type: "text/javascript; charset=utf-8",
        identity: include_bytes!("page-VOQJLM5I.js"),
        gzip: Some(include_bytes!("page-VOQJLM5I.js.gz")),
    },
    BundleFile {
        name: "plot-7NXSCIUI.js",
        content_type: "text/javascript; charset=utf-8",
        identity: include_bytes!("plot-7NXSCIUI.js"),
        gzip: Some(include_bytes!("plot-7NXSCIUI.js.gz")),
    },
];
