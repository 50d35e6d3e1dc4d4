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
        name: "page-GKYLJ5RJ.js",
        content_type: "text/javascript; charset=utf-8",
        identity: include_bytes!("page-GKYLJ5RJ.js"),
        gzip: Some(include_bytes!("page-GKYLJ5RJ.js.gz")),
    },
    BundleFile {
        name: "page-YHLLINMO.css",
        content_type: "text/css; charset=utf-8",
        identity: include_bytes!("page-YHLLINMO.css"),
        gzip: Some(include_bytes!("page-YHLLINMO.css.gz")),
    },
    BundleFile {
        name: "plot-BF74HYEA.js",
        content_type: "text/javascript; charset=utf-8",
        identity: include_bytes!("plot-BF74HYEA.js"),
        gzip: Some(include_bytes!("plot-BF74HYEA.js.gz")),
    },
];
