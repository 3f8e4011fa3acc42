import { test } from 'vitest';
import { scaled } from '../support/depth.ts';
import { expectExactInboxes } from '../support/inbox-histories.ts';

test('unreadCount is exact and every change raises inboxVersion in random histories', async () => {
  await expectExactInboxes(scaled(150), 40);
});
