import { test } from 'vitest';
import { expectExactInboxes } from '../support/inbox-histories.ts';

// To make a history that fails shorter takes its time.
const timeout = 300_000;

test('whatever happens, a badge is what is unread, and every change makes an inbox newer', {
  timeout,
}, async () => {
  await expectExactInboxes(6, 30);
});
