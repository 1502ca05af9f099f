// Numbers as text: a true minus sign, no more digits than are read, powers of ten only where they are shorter.
import type { Numeric } from "./data";

const minus = "\u2212";
const thinSpace = "\u202f";

// Those of the mantissa: 1.50e-40 becomes 1.5e-40.
function withoutTrailingZeros(text: string): string {
  const [mantissa = "", ...power] = text.split("e");
  return [mantissa.includes(".") ? mantissa.replace(/\.?0+$/, "") : mantissa, ...power].join("e");
}

export function number(value: Numeric | undefined, digits = 6): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  if (value === 0) return "0";
  const size = Math.abs(value);
  const text = size < 1e-4 || size >= 1e7 ? value.toExponential(digits - 1) : value.toPrecision(digits);
  // toPrecision gives exponents to whole numbers of many digits
  const plain = text.includes("e") && size >= 1e-4 && size < 1e7 ? String(Number(text)) : text;
  return withoutTrailingZeros(plain).replace("e+", "e").replace(/-/g, minus);
}

export function whole(value: Numeric | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  return Math.round(value)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, thinSpace)
    .replace("-", minus);
}

export function percent(share: number, digits = 3): string {
  return `${number(100 * share, digits)}${thinSpace}%`;
}

export function withUnit(value: Numeric | undefined, unit: string, digits = 6): string {
  const text = number(value, digits);
  return text === "–" || unit === "" ? text : `${text}${thinSpace}${unit}`;
}

export function duration(seconds: Numeric | undefined): string {
  if (seconds === null || seconds === undefined || !Number.isFinite(seconds)) return "–";
  if (seconds < 120) return withUnit(seconds, "s", 3);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 120) return `${minutes}${thinSpace}min ${Math.round(seconds % 60)}${thinSpace}s`;
  return `${Math.floor(minutes / 60)}${thinSpace}h ${minutes % 60}${thinSpace}min`;
}

export function plural(count: number, one: string, many: string): string {
  return `${whole(count)} ${count === 1 ? one : many}`;
}

// "contact_normal" -> "contact normal"
export function words(name: string): string {
  return name.replace(/_/g, " ");
}
