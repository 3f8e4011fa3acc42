import { expect, test } from 'vitest';
import { createConsoleSender } from '../../src/auth/sms.ts';

test('the console sender writes a message as one line', async () => {
  const lines: string[] = [];
  const sender = createConsoleSender((line) => lines.push(line));
  await sender.send({ to: '+12025550101', text: 'Your code is 4242.\n\n@opine.test #4242' });
  expect(lines).toEqual(['Text message to +12025550101: Your code is 4242. @opine.test #4242\n']);
});
