// The facts of the scene: what was expected, what was found, and the verdict.
import type { Expectation, Numeric } from "./data";
import { element, section, table } from "./dom";
import { number, percent, plural } from "./format";

const verdicts: Record<Expectation["status"], { text: string; mark: string; className: string }> = {
  holds: { text: "holds", mark: "✓", className: "good" },
  fails: { text: "fails", mark: "✗", className: "bad" },
  not_applicable: { text: "not applicable", mark: "○", className: "neutral" },
  not_reached: { text: "not reached", mark: "✗", className: "warn" },
};

export function badge(text: string, className: string, mark = ""): HTMLElement {
  const sign = mark ? element("span", { "aria-hidden": "true" }, `${mark} `) : null;
  return element("span", { class: `badge ${className}` }, sign, text);
}

export function verdict(fact: Expectation): HTMLElement {
  const known = verdicts[fact.status] ?? verdicts.not_reached;
  return badge(known.text, known.className, known.mark);
}

const isNumber = (value: Numeric): value is number => value !== null && Number.isFinite(value);

// How much of its tolerance a fact has used up.
function used(fact: Expectation): string {
  const { expected, found, tolerance, status } = fact;
  if (status === "not_applicable" || !isNumber(expected) || !isNumber(found) || !isNumber(tolerance)) return "–";
  if (tolerance <= 0) return "–";
  const share = Math.abs(found - expected) / tolerance;
  return share > 0 && share < 1e-3 ? `< ${percent(1e-3)}` : percent(share, 2);
}

// A value, or a bound on one side or on both.
export function expectedText(fact: Expectation): string {
  const bound = (sign: string, value: Numeric | undefined) =>
    isNumber(value ?? null) ? [`${sign} ${number(value, 8)}`] : [];
  const bounds = [...bound("≥", fact.lower), ...bound("≤", fact.upper)];
  return bounds.join(" and ") || number(fact.expected, 8);
}

// A bound has no tolerance: zero would look like one.
const toleranceText = (fact: Expectation) => (fact.tolerance === 0 ? "–" : number(fact.tolerance, 3));

// The sentence of the program, where the columns do not say the same: not for a value that was met.
function factName(fact: Expectation): HTMLElement {
  const told = fact.status === "holds" && fact.tolerance !== 0;
  return element(
    "span",
    {},
    fact.fact,
    fact.detail && !told ? element("span", { class: "detail" }, fact.detail) : null,
    element("span", { class: "detail narrow" }, `source: ${fact.source}`), // in the place of the last column
  );
}

export function factCounts(facts: Expectation[]): Record<Expectation["status"], number> {
  const counts = { holds: 0, fails: 0, not_applicable: 0, not_reached: 0 };
  for (const fact of facts) counts[fact.status] += 1;
  return counts;
}

function sentence(facts: Expectation[]): string {
  const { holds, fails, not_applicable: others, not_reached: missed } = factCounts(facts);
  const judged = holds + fails + missed;
  const parts: string[] = [];
  if (judged > 1 && holds === judged) parts.push(`all ${judged} facts hold`);
  else if (judged > 0) parts.push(plural(holds, "fact holds", "facts hold"));
  if (fails > 0) parts.push(plural(fails, "fails", "fail"));
  if (missed > 0) parts.push(plural(missed, "was not reached", "were not reached"));
  if (others > 0) parts.push(`${plural(others, "does", "do")} not apply to this run`);
  const text = parts.join(", ");
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

export function factsSection(facts: Expectation[]): HTMLElement {
  if (facts.length === 0) {
    return section("facts", "Facts", element("p", { class: "note" }, "The scene expects nothing in particular."));
  }
  const rows = facts.map((fact) => [
    factName(fact),
    verdict(fact),
    expectedText(fact),
    number(fact.found, 8),
    toleranceText(fact),
    used(fact),
    fact.source,
  ]);
  const columns = [
    { title: "Fact" },
    { title: "Verdict" },
    {
      title: "Expected",
      kind: "number" as const,
      hint: "The value that must come out, or the bound that must be kept",
    },
    { title: "Found", kind: "number" as const },
    { title: "Tolerance", kind: "number" as const },
    {
      title: "Used",
      kind: "number" as const,
      hint: "Distance between found and expected, as a share of the tolerance",
    },
    { title: "Source", hint: "Where the expected value comes from" },
  ];
  return section(
    "facts",
    "Facts",
    element("p", { class: "note" }, sentence(facts)),
    table("What must come out of this run, and what did", columns, rows, "facts"),
  );
}
