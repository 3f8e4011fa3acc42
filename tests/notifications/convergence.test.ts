import { test } from 'vitest';
import { expectConvergence } from '../simulations/devices/schedules.ts';

// To make a schedule that fails shorter takes its time.
const timeout = 300_000;

test('whatever is lost, doubled or late, a phone shows what the inbox is in the end', {
  timeout,
}, async () => {
  await expectConvergence({ numRuns: 8, maxLength: 40, timeout: 200_000 });
});
