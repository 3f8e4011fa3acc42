import { z } from 'zod';
import { text } from '../contract/values.ts';
import type { Route } from '../http/handler.ts';

/** People (spec.md "D. Users"). */
export const people: readonly Route[] = [
  {
    id: 'check_handle',
    method: 'post',
    path: '/users/handles/availability',
    tag: 'People',
    summary: 'Whether a username is free',
    description:
      'A preview: nothing is reserved. Any text is brought into canonical form first. Limited for each user, beyond what somebody types.',
    auth: 'required',
    level: 1,
    body: z.strictObject({ username: text(0, 200) }),
    data: z.strictObject({
      username: z.string().meta({ description: 'The text in canonical form.' }),
      available: z.boolean(),
      reason: z.enum(['taken', 'invalid', 'reserved']).nullable(),
      alternatives: z.array(z.string()).max(3),
    }),
    status: 200,
    message: 'Availability.',
    errors: ['RATE_LIMITED'],
    example: {
      body: { username: '@Amara' },
      data: {
        username: 'amara',
        available: false,
        reason: 'taken',
        alternatives: ['amara27', 'amara618', 'amara4093'],
      },
    },
  },
];
