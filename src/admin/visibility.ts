import { html } from 'hono/html';
import type { z } from 'zod';
import type { Visibility } from '../domains/moderation/schemas.ts';
import type { Html } from './layout.ts';
import { type Column, field, table } from './pieces.ts';

type Rules = z.infer<typeof Visibility>['rules'];

/** Of which post, and of whom, is asked; of a guest where `viewerId` is empty. */
export interface Asked {
  readonly postId: string;
  readonly viewerId: string;
}

/** The question whether somebody sees a post and, where it was asked, the answer rule by rule. */
export function visibilityView({ postId, viewerId }: Asked, rules?: Rules): Html {
  return html`
    <search><form method="post" action="/admin/visibility">
      ${field({ name: 'postId', label: 'Id of the post', value: postId, maxLength: 36, isRequired: true })}
      ${field({ name: 'viewerId', label: 'Id of who looks, none for a guest', value: viewerId, maxLength: 36 })}
      <button>Explain</button>
      <p class="quiet noted">That you asked is written down.</p>
    </form></search>
    ${rules && table('Whether they see it', COLUMNS, rules, ({ rule }) => rule.replaceAll(/\W+/g, '-'))}`;
}

const COLUMNS: readonly Column<Rules[number]>[] = [
  [
    'Rule',
    ({ rule, detail }) => html`<p>${rule}</p>${detail !== null && html`<p class="quiet">${detail}</p>`}`,
  ],
  ['Holds', ({ holds }) => html`<strong>${holds ? 'yes' : 'no'}</strong>`],
];
