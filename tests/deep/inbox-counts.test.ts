import { test } from 'vitest';
import { expectExactInboxes } from '../support/inbox-histories.ts';

test('whatever happens, a badge is what is unread, and every change makes an inbox newer', async () => {
  await expectExactInboxes(150, 40);
});
