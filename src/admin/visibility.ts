import { html } from 'hono/html';
import type { z } from 'zod';
import type { Visibility } from '../domains/moderation/schemas.ts';
import type { Html } from './layout.ts';
import { type Column, field, table } from './pieces.ts';

type Rules = z.infer<typeof Visibility>['rules'];

/** A question about a post and its viewer; an empty `viewerId` stands for a guest. */
export interface VisibilityQuestion {
  readonly postId: string;
  readonly viewerId: string;
}

/** Renders the form for a question and, after it, each rule of the answer. */
export function visibilityView({ postId, viewerId }: VisibilityQuestion, rules?: Rules): Html {
  return html`
    <search><form method="post" action="/admin/visibility">
      ${field({ name: 'postId', label: 'Id of the post', value: postId, maxLength: 36, isRequired: true })}
      ${field({ name: 'viewerId', label: 'Id of who looks (empty for a guest)', value: viewerId, maxLength: 36 })}
      <button>Explain</button>
      <p class="quiet noted">The audit log records this question.</p>
    </form></search>
    ${rules && table('Visibility rules', COLUMNS, rules, ({ rule }) => rule.replaceAll(/\W+/g, '-'))}`;
}

const COLUMNS: readonly Column<Rules[number]>[] = [
  [
    'Rule',
    ({ rule, detail }) => html`<p>${rule}</p>${detail !== null && html`<p class="quiet">${detail}</p>`}`,
  ],
  ['Holds', ({ holds }) => html`<strong>${holds ? 'yes' : 'no'}</strong>`],
];
