import { html } from 'hono/html';

/** A piece of the page. It escapes interpolated values, except other pieces. */
export type Html = ReturnType<typeof html>;

/** Renders the Markdown of our descriptions: paragraphs, `code` and **bold**. */
export function formatText(text: string): Html {
  return html`${text
    .split('\n\n')
    .filter(Boolean)
    .map((paragraph) => html`<p>${formatLine(paragraph)}</p>`)}`;
}

/** Renders `code` and **bold** of a line. */
export function formatLine(line: string): Html {
  return html`${line.split(/(`[^`]*`|\*\*[^*]*\*\*)/).map((part) => {
    if (part.startsWith('`')) return html`<code>${part.slice(1, -1)}</code>`;
    return part.startsWith('**') ? html`<strong>${part.slice(2, -2)}</strong>` : part;
  })}`;
}
