// Elements of the page. Texts are always set as text, never as HTML: a scene may hold anything.

type Child = Node | string | null;

export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Record<string, string> = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children.filter((child): child is Node | string => child !== null));
  return made;
}

// A part of the page with its heading. The identifier is also the target of the link to it.
export function section(id: string, title: string, ...children: Child[]): HTMLElement {
  const heading = element("h2", { id: `${id}-title` }, title);
  return element("section", { id, "aria-labelledby": `${id}-title` }, heading, ...children);
}

export interface TableColumn {
  title: string;
  kind?: "number" | "middle" | "text"; // numbers are set to the right
  hint?: string;
}

// A table whose first cell in each row names the row. Wide tables scroll by themselves, not with the page.
export function table(caption: string, columns: TableColumn[], rows: Child[][], className = ""): HTMLElement {
  const kinds = columns.map((column) => column.kind ?? "text");
  const head = columns.map((column, i) =>
    element(
      "th",
      { scope: "col", class: kinds[i] ?? "", ...(column.hint ? { title: column.hint } : {}) },
      column.title,
    ),
  );
  const body = rows.map((cells) =>
    element(
      "tr",
      {},
      ...cells.map((cell, i) =>
        i === 0 ? element("th", { scope: "row" }, cell) : element("td", { class: kinds[i] ?? "" }, cell),
      ),
    ),
  );
  return element(
    "div",
    { class: `table ${className}`, tabindex: "0", role: "group", "aria-label": caption },
    element(
      "table",
      {},
      element("caption", {}, caption),
      element("thead", {}, element("tr", {}, ...head)),
      element("tbody", {}, ...body),
    ),
  );
}
