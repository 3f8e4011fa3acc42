import { html } from 'hono/html';
import { ReportReason } from '../domains/moderation/schemas.ts';
import type { Html } from './layout.ts';

/** Renders a time of an answer for people. */
export function time(at: string): Html {
  return html`<time datetime="${at}">${at.slice(0, 16).replace('T', ' ')} UTC</time>`;
}

/** A field of a form. */
export interface Field {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly maxLength: number;
  readonly isRequired?: true;
  readonly type?: 'email';
}

/** Renders a field for ids and names, without spell check and autocompletion. */
export function field({ name, label, value, maxLength, isRequired, type }: Field): Html {
  return html`
    <label for="${name}">${label}</label>
    <input id="${name}" name="${name}"${type && html` type="${type}"`} value="${value}" maxlength="${maxLength}"${isRequired && html` required`} autocomplete="off" spellcheck="false">`;
}

/** Renders a form of one button. @param about completes its name for screen readers */
export function button(action: string, name: string, about: string): Html {
  return html`<form method="post" action="${action}"><button aria-label="${name}: ${about}">${name}</button></form>`;
}

/** A possible decision: the URL of its form, its name, what it does, and the outcome that the form sends. */
export type Choice = readonly [action: string, name: string, effect?: string, outcome?: string];

/** A list of choices of a form. An empty option stands for none of them. */
export interface Select {
  readonly id: string;
  readonly name: string;
  readonly label: string;
  readonly options: readonly string[];
  readonly chosen: string;
  /** The name of the empty option. */
  readonly none: string;
  /** Whether one must be chosen. */
  readonly isRequired?: true;
}

/** Renders a list of choices. */
export function select({ id, name, label, options, chosen, none, isRequired }: Select): Html {
  return html`
    <div><label for="${id}">${label}</label>
    <select id="${id}" name="${name}"${isRequired && html` required`}>${['', ...options].map(
      (option) =>
        html`<option value="${option}"${option === chosen && html` selected`}>${option || none}</option>`,
    )}</select></div>`;
}

/**
 * Renders the form of a decision: the reason, the statement for the person concerned, and a button for each choice, which
 * asks to confirm it.
 * @param reason the preselected reason, or empty
 */
export function statement(id: string, about: string, choices: readonly Choice[], reason = ''): Html {
  return html`
    <form class="decision" method="post" action="${choices[0]?.[0]}">
      ${select({
        id: `why-${id}`,
        name: 'reason',
        label: 'Against the rules as',
        options: ReportReason.options,
        chosen: reason,
        none: 'Choose a reason',
        isRequired: true,
      })}
      <label for="statement-${id}">Statement for the person concerned</label>
      <textarea id="statement-${id}" name="statement" required maxlength="2000" rows="2"></textarea>
      ${choices.map(([, name, effect]) => effect && html`<p class="quiet"><strong>${name}</strong> ${effect}</p>`)}
      <div class="buttons">${choices.map((choice, index) => confirmed(`confirm-${id}-${index}`, about, choice))}</div>
    </form>`;
}

/** Renders a button that opens a question, and the question, whose answer sends the form. */
export function confirmed(id: string, about: string, [action, name, effect, outcome]: Choice): Html {
  return html`
    <button type="button" popovertarget="${id}" aria-label="${name}: ${about}">${name}</button>
    <div id="${id}" class="question" popover role="dialog" aria-label="Confirm: ${name}">
      <p>${name}: ${about}?</p>
      ${effect && html`<p class="quiet">It ${effect}</p>`}
      <div class="buttons">
        <button type="button" popovertarget="${id}" popovertargetaction="hide" autofocus>Cancel</button>
        <button formaction="${action}"${outcome && html` name="outcome" value="${outcome}"`}>Yes, ${name.toLowerCase()}</button>
      </div>
    </div>`;
}

/** Renders a form with the reason and a button for each decision. */
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
 * Renders a table; the stylesheet shows it as a list of cards on a phone. The explicit roles stay although browsers drop the
 * implicit ones of elements with `display: block`.
 * @param rowId returns the HTML id of a row
 */
export function table<T>(
  caption: string,
  columns: readonly Column<T>[],
  items: readonly T[],
  rowId: (item: T) => string,
): Html {
  return html`
    <table role="table">
      <caption>${caption}</caption>
      <thead role="rowgroup">
        <tr role="row">${columns.map(([heading]) => html`<th role="columnheader" scope="col">${heading}</th>`)}</tr>
      </thead>
      <tbody role="rowgroup">${items.map(
        (item) => html`
        <tr role="row" id="${rowId(item)}">${columns.map(
          ([heading, cell]) => html`
          <td role="cell"><span class="heading" aria-hidden="true">${heading}</span><div>${cell(item)}</div></td>`,
        )}
        </tr>`,
      )}
      </tbody>
    </table>`;
}

/** Renders the link to the next page of a list, or null at its end. @param query is kept in the link */
export function nextLink(
  path: string,
  nextCursor: string | null,
  query: Record<string, string> = {},
): Html | null {
  return nextCursor === null
    ? null
    : html`<p><a rel="next" href="${path}?${new URLSearchParams({ ...query, cursor: nextCursor })}">More</a></p>`;
}

/** Adds the cursor of a list's page to the URL of an action, which returns to this page. */
export function withCursor(action: string, cursor: string | undefined): string {
  return cursor === undefined ? action : `${action}?${new URLSearchParams({ cursor })}`;
}

/** What a suspension does, in words beside its button. */
export const SUSPENSION = 'signs the person out, and hides their profile and all that they wrote.';
export const HUB_SUSPENSION = 'hides the Hub from everybody, its members too.';
