import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { listen } from '../src/listen.ts';

// Less than the patience with those that are answering.
const SOON_MS = 5_000;

test(
  'a connection on which nobody has asked for anything does not keep the server',
  async () => {
    const { port, close } = await listen(() => new Response('here'), '127.0.0.1', 0);
    const inAdvance = connect(port, '127.0.0.1');
    await once(inAdvance, 'connect');
    // Opened after it: when this one is answered, the server knows of both.
    expect(await fetch(`http://127.0.0.1:${port}`).then((answer) => answer.text())).toBe('here');

    await Promise.all([close(), once(inAdvance, 'close')]);
  },
  SOON_MS,
);
