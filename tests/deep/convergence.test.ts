import { test } from 'vitest';
import { expectConvergence } from '../builders/phone-schedules.ts';

test('whatever is lost, doubled or late, a phone shows what the inbox is in the end', async () => {
  await expectConvergence({ numRuns: 1000, maxLength: 50, patience: 3_000_000 });
});
