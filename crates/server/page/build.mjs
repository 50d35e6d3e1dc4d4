// Bundles the page: `node build.mjs [FOLDER]`, by default into dist/. `cargo xtask page` calls it. The same sources and
// lock file always give the same files; only how `.gz` packs its contents may differ between versions of Node.js.

import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const folder = process.argv[2] ?? "dist";
await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });

const result = await build({
  entryPoints: { page: "src/main.tsx", reference: "src/reference/main.tsx", icon: "src/icon.svg" },
  outdir: folder,
  bundle: true,
  splitting: true,
  format: "esm",
  target: ["chrome115", "firefox115", "safari16.4"],
  minify: true,
  legalComments: "none",
  entryNames: "[name]-[hash]",
  chunkNames: "[name]-[hash]",
  loader: { ".svg": "copy" },
  jsx: "automatic",
  jsxImportSource: "preact",
  metafile: true,
});

const outputs = Object.entries(result.metafile.outputs);
const named = (prefix, ending) => {
  const found = outputs.map(([path]) => basename(path)).filter((name) => name.startsWith(prefix) && name.endsWith(ending));
  if (found.length !== 1) throw new Error(`expected one ${prefix}*${ending}, found ${found.join(", ") || "none"}`);
  return found[0];
};
// Each document names its script, its style, and what the script imports at once, which is fetched at once; what it
// imports later is not.
for (const [document, entry] of [["index.html", "page-"], ["reference.html", "reference-"]]) {
  const script = named(entry, ".js");
  const preloads = outputs
    .find(([path]) => basename(path) === script)[1]
    .imports.filter((chunk) => chunk.kind === "import-statement")
    .map((chunk) => `<link rel="modulepreload" href="assets/${basename(chunk.path)}">\n`);
  const template = await readFile(join("src", document), "utf8");
  const filled = template
    .replace("{{script}}", script)
    .replace("{{style}}", named(entry, ".css"))
    .replace("{{icon}}", named("icon-", ".svg"))
    .replace("{{preloads}}", preloads.join(""));
  await writeFile(join(folder, document), filled);
}

// The notices of the packages whose files are in the bundle; it has no comments.
const packages = new Set();
for (const output of Object.values(result.metafile.outputs)) {
  for (const [path, { bytesInOutput }] of Object.entries(output.inputs)) {
    const found = bytesInOutput > 0 && path.match(/^node_modules\/((?:@[^/]+\/)?[^/]+)\//);
    if (found) packages.add(found[1]);
  }
}
const notices = [];
for (const name of [...packages].sort()) {
  const { version, license } = JSON.parse(await readFile(join("node_modules", name, "package.json"), "utf8"));
  const text = (await readdir(join("node_modules", name))).find((file) => /^licen[cs]e/i.test(file));
  if (!text) throw new Error(`${name} has no file with its licence`);
  notices.push(`${name} ${version}: ${license}\n\n${(await readFile(join("node_modules", name, text), "utf8")).trim()}\n`);
}
await writeFile(join(folder, "third-party.txt"), notices.join("\n"));

const CONTENT_TYPES = { js: "text/javascript; charset=utf-8", css: "text/css; charset=utf-8", svg: "image/svg+xml" };
const entries = [];
for (const name of outputs.map(([path]) => basename(path)).sort()) {
  const bytes = await readFile(join(folder, name));
  const packed = gzipSync(bytes, { level: 9 });
  const isWorthIt = packed.length < bytes.length * 0.9;
  if (isWorthIt) await writeFile(join(folder, `${name}.gz`), packed);
  entries.push(`    BundleFile {
        name: "${name}",
        content_type: "${CONTENT_TYPES[name.split(".").pop()]}",
        identity: include_bytes!("${name}"),
        gzip: ${isWorthIt ? `Some(include_bytes!("${name}.gz"))` : "None"},
    },
`);
  console.log(`${String(bytes.length).padStart(8)} ${String(packed.length).padStart(8)}  ${name}`);
}
await writeFile(
  join(folder, "bundle.rs"),
  `//! The files of the page's bundle. Written by \`cargo xtask page\`.

use super::BundleFile;

pub(super) const FILES: &[BundleFile] = &[
${entries.join("")}];
`,
);
