import { html } from 'hono/html';
import type { Html } from './layout.ts';

/** A time of an answer, for people. */
export function time(at: string): Html {
  return html`<time datetime="${at}">${at.slice(0, 16).replace('T', ' ')} UTC</time>`;
}

/** What a field of a form asks for. */
export interface Field {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly maxLength: number;
  readonly isRequired?: true;
}

/** A field of a form, for ids and names: nothing that a browser knows how to spell, or keeps. */
export function field({ name, label, value, maxLength, isRequired }: Field): Html {
  return html`
    <label for="${name}">${label}</label>
    <input id="${name}" name="${name}" value="${value}" maxlength="${maxLength}"${isRequired && html` required`} autocomplete="off" spellcheck="false">`;
}

/** A button that does something by itself. */
export function button(action: string, name: string, about: string): Html {
  return html`<form method="post" action="${action}"><button aria-label="${name}: ${about}">${name}</button></form>`;
}

/** What can be decided, by its address and its name. */
export type Choice = readonly [action: string, name: string];

/** A form that asks for the reason and, with one button each, for what is decided. */
export function decision(
  id: string,
  about: string,
  [first, ...others]: readonly [Choice, ...Choice[]],
): Html {
  const [action, name] = first;
  return html`
    <form class="decision" method="post" action="${action}">
      <label for="reason-${id}">Reason</label>
      <input id="reason-${id}" name="reason" required pattern=".*\\S.*" title="Say why." maxlength="500" autocomplete="off">
      <div class="buttons">
        <button aria-label="${name}: ${about}">${name}</button>
        ${others.map(
          ([otherAction, otherName]) =>
            html`<button formaction="${otherAction}" aria-label="${otherName}: ${about}">${otherName}</button>`,
        )}
      </div>
    </form>`;
}

/** A column of a table: its heading, and its cell for an item. */
export type Column<T> = readonly [heading: string, cell: (item: T) => Html | string | number];

/**
 * A table, which is a list of cards on a phone. Its roles are said, as browsers forget those of what is shown as blocks.
 * @param idOf what a row is called in the address
 */
export function table<T>(
  caption: string,
  columns: readonly Column<T>[],
  items: readonly T[],
  idOf: (item: T) => string,
): Html {
  return html`
    <table role="table">
      <caption>${caption}</caption>
      <thead role="rowgroup">
        <tr role="row">${columns.map(([heading]) => html`<th role="columnheader" scope="col">${heading}</th>`)}</tr>
      </thead>
      <tbody role="rowgroup">${items.map(
        (item) => html`
        <tr role="row" id="${idOf(item)}">${columns.map(
          ([heading, cell]) => html`
          <td role="cell"><span class="heading" aria-hidden="true">${heading}</span><div>${cell(item)}</div></td>`,
        )}
        </tr>`,
      )}
      </tbody>
    </table>`;
}

/** The way to the page behind this one. */
export function more(path: string, nextCursor: string | null): Html | null {
  return nextCursor === null
    ? null
    : html`<p><a rel="next" href="${path}?${new URLSearchParams({ cursor: nextCursor })}">More</a></p>`;
}

/** The same address with what it takes to come back to this page of a list. */
export function backTo(action: string, cursor: string | undefined): string {
  return cursor === undefined ? action : `${action}?${new URLSearchParams({ cursor })}`;
}
