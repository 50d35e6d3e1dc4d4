//! The page in a browser: `tests/browser` drives Chromium over a real server. Screenshots of the run are in
//! `target/tmp/browser`. Skipped with a message if Node.js, Chromium or the driver is missing; never on CI.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rowhouse_tests::{Server, path_in_tests, skip};

/// Path of Chromium in Debian's package; `CHROMIUM` names another.
const CHROMIUM: &str = "/usr/bin/chromium";

#[test]
fn the_page_works_in_a_browser() {
    let folder = path_in_tests("browser");
    let chromium = std::env::var_os("CHROMIUM").map_or_else(|| PathBuf::from(CHROMIUM), PathBuf::from);
    if let Some(missing) = missing(&folder, &chromium) {
        skip("browser", missing);
        return;
    }
    let screenshots = Path::new(env!("CARGO_TARGET_TMPDIR")).join("browser");
    std::fs::create_dir_all(&screenshots).expect("a folder for the screenshots");
    let server = Server::builder().log_file(screenshots.join("server.log")).start();
    let status = Command::new("node")
        .args(["--test", "--test-concurrency=1", "--test-reporter=spec", "."])
        .current_dir(&folder)
        .env("ROWHOUSE_URL", server.url())
        .env("ROWHOUSE_TOKEN", server.admin_token())
        .env("ROWHOUSE_SCREENSHOTS", &screenshots)
        .env("CHROMIUM", &chromium)
        .status()
        .expect("node starts");
    assert!(status.success(), "the browser's tests ended with {status}");
    let pictures = std::fs::read_dir(&screenshots).expect("screenshots").flatten();
    let widths = ["1280", "390"];
    let names: Vec<_> = pictures.map(|picture| picture.file_name().to_string_lossy().into_owned()).collect();
    for width in widths {
        let of_width = names.iter().filter(|name| name.ends_with(&format!("-{width}.png"))).count();
        assert!(of_width >= 5, "{of_width} screenshots of {width} pixels: {names:?}");
    }
}

/// The missing tool, if any.
fn missing(folder: &Path, chromium: &Path) -> Option<String> {
    let node = Command::new("node").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    if !node.is_ok_and(|status| status.success()) {
        return Some("node is not installed".to_owned());
    }
    if !chromium.is_file() {
        return Some(format!("{} is not there: apt-get install chromium", chromium.display()));
    }
    if !folder.join("node_modules/playwright-core").is_dir() {
        return Some("playwright-core is not installed: npm ci --prefix tests/browser".to_owned());
    }
    None
}
