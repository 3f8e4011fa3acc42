import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { answerError } from '../../src/http/answer.ts';
import { createDeadline } from '../../src/http/deadline.ts';
import { isForgotten } from '../support/memory.ts';

test('a deadline answers open requests and later ones with 503, and leaves earlier answers alone', async () => {
  const { middleware, pass } = createDeadline();
  const slow = Promise.withResolvers<void>();
  const app = new Hono()
    .use(middleware)
    .onError(answerError)
    .get('/slow', async (c) => {
      await slow.promise;
      return c.text('late');
    })
    .get('/', (c) => c.text('here'));
  const early = await app.request('/');
  const open = app.request('/slow');
  pass();
  expect([early.status, (await open).status, (await app.request('/')).status]).toEqual([200, 503, 503]);
  slow.resolve();
});

test('a deadline forgets the requests that are answered', async () => {
  const { middleware, pass } = createDeadline();
  let request: WeakRef<Request> | undefined;
  const app = new Hono().use(middleware).get('/', (c) => {
    request = new WeakRef(c.req.raw);
    return c.text('here');
  });
  await app.request('/');
  expect(request && (await isForgotten(request))).toBe(true);
  pass();
});
