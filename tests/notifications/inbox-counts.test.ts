import { test } from 'vitest';
import { expectExactInboxes } from '../support/inbox-histories.ts';

// Shrinking a failing history takes minutes.
const timeout = 300_000;

// docs/product.md N11
test('after random activity the badge counts the unread notifications, and every change raises inboxVersion', {
  timeout,
}, async () => {
  await expectExactInboxes(6, 30);
});
