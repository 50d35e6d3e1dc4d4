//! The files of the page's bundle. Written by `cargo xtask page`.

use super::BundleFile;

pub(super) const FILES: &[BundleFile] = &[
    BundleFile {
        name: "chunk-L33OYAZ2.js",
        content_type: "text/javascript; charset=utf-8",
        identity: include_bytes!("chunk-L33OYAZ2.js"),
        gzip: Some(include_bytes!("chunk-L33OYAZ2.js.gz")),
    },
    BundleFile {
        name: "icon-RFPQVJGV.svg",
        content_type: "image/svg+xml",
        identity: include_bytes!("icon-RFPQVJGV.svg"),
        gzip: Some(include_bytes!("icon-RFPQVJGV.svg.gz")),
    },
    BundleFile {
        name: "page-KLTS5YRJ.css",
        content_type: "text/css; charset=utf-8",
        identity: include_bytes!("page-KLTS5YRJ.css"),
        gzip: Some(include_bytes!("page-KLTS5YRJ.css.gz")),
    },
    BundleFile {
        name: "page-MQNWDKAM.js",
        content_type: "text/javascript; charset=utf-8",
        identity: include_bytes!("page-MQNWDKAM.js"),
        gzip: Some(include_bytes!("page-MQNWDKAM.js.gz")),
    },
    BundleFile {
        name: "plot-7NXSCIUI.js",
        content_type: "text/javascript; charset=utf-8",
        identity: include_bytes!("plot-7NXSCIUI.js"),
        gzip: Some(include_bytes!("plot-7NXSCIUI.js.gz")),
    },
    BundleFile {
        name: "reference-XEC5MYU7.css",
        content_type: "text/css; charset=utf-8",
        identity: include_bytes!("reference-XEC5MYU7.css"),
        gzip: Some(include_bytes!("reference-XEC5MYU7.css.gz")),
    },
    BundleFile {
        name: "reference-XRLUG2ZG.js",
        content_type: "text/javascript; charset=utf-8",
        identity: include_bytes!("reference-XRLUG2ZG.js"),
        gzip: Some(include_bytes!("reference-XRLUG2ZG.js.gz")),
    },
];
