import { test } from 'vitest';
import { expectExactInboxes } from '../support/inbox-histories.ts';

test('unreadCount is exact and every change raises inboxVersion in random histories', async () => {
  await expectExactInboxes(150, 40);
});
