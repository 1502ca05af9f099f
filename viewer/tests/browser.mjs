// The browser: Debian's Chromium, without a window, drawing with the processor alone.
import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

const places = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

// Null if there is none. The page is put together by Chromium itself, only the replay goes through WebGL: to send the
// whole page through software WebGL, too, would take most of the time.
export async function openBrowser(more = []) {
  const executablePath = process.env.RICOCHET_CHROMIUM ?? places.find((place) => existsSync(place));
  if (!executablePath) return null;
  const args = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"];
  return chromium.launch({ executablePath, args: [...args, "--disable-gpu-compositing", ...more] });
}
