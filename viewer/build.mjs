// Makes the page of a run from src/, without its data:
//
//   node build.mjs DIRECTORY      writes report_template.html, and the same as C++ source: report_template.cpp
//
// Everything is in one file: script and style are bundled and put into src/page.html.
import { build } from "esbuild";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";

const here = path.dirname(fileURLToPath(import.meta.url));
const out = process.argv[2];
if (!out) {
  console.error("usage: node build.mjs DIRECTORY");
  process.exit(2);
}

// Licences that ask to be told are told at the start of the script.
const { dependencies } = JSON.parse(await readFile(path.join(here, "package.json"), "utf8"));
const licences = await Promise.all(
  Object.entries(dependencies).map(async ([name, version]) => {
    const text = await readFile(path.join(here, "node_modules", name, "LICENSE"), "utf8");
    return `/*! ${name} ${version}\n\n${text.trim()}\n*/`;
  }),
);

const bundle = await build({
  entryPoints: [path.join(here, "src/main.ts")],
  outdir: "unused",
  write: false,
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2020",
  charset: "utf8",
  legalComments: "none",
  banner: { js: licences.join("\n") },
  logLevel: "warning",
});
const output = (suffix) => bundle.outputFiles.find((file) => file.path.endsWith(suffix)).text.trim();

function put(page, mark, text) {
  const parts = page.split(mark);
  if (parts.length !== 2) throw new Error(`src/page.html should have ${mark} once`);
  return parts.join(text);
}

let page = await readFile(path.join(here, "src/page.html"), "utf8");
page = put(page, "@RICOCHET_STYLE@", output(".css"));
page = put(page, "@RICOCHET_SCRIPT@", output(".js"));
put(page, "@RICOCHET_DATA@", ""); // once, also after the bundle is in

const delimiter = "ricochet_page";
if (page.includes(`)${delimiter}"`)) throw new Error("the page cannot be written as a raw string of C++");
const source = `// Generated from viewer/ by viewer/build.mjs.
#include <string_view>

#pragma GCC diagnostic ignored "-Woverlength-strings"  // compilers must take 65536 characters, and do take more

namespace ricochet::io {

std::string_view report_template();
std::string_view report_template() { return R"${delimiter}(${page})${delimiter}"; }

}  // namespace ricochet::io
`;

await mkdir(out, { recursive: true });
await writeFile(path.join(out, "report_template.html"), page);
await writeFile(path.join(out, "report_template.cpp"), source);
console.log(`report_template.html: ${(page.length / 1024).toFixed(0)} kB`);
