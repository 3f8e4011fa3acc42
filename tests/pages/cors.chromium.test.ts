import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openChromium } from '../support/chromium.ts';
import { startOpine } from '../support/opine.ts';
import { anonymousPerson } from '../support/people.ts';

test('a page of an allowed origin reads API responses and errors in a browser, but no staff routes', async () => {
  const opine = await startOpine({ CORS_ORIGINS: 'http://localhost:*' });
  onTestFinished(() => opine.stop());
  const maya = await anonymousPerson(opine);
  const site = createServer((_, response) =>
    response.setHeader('Content-Type', 'text/html').end('<p>A page.'),
  );
  await new Promise<void>((resolve) => site.listen(0, 'localhost', resolve));
  const browser = await openChromium();
  onTestFinished(async () => {
    await browser.close();
    await new Promise((resolve) => site.close(resolve));
  });
  const page = await browser.newPage();
  await page.goto(`http://localhost:${(site.address() as AddressInfo).port}`);
  const seen = await page.evaluate(
    async ({ api, token }) => {
      const call = async (path: string, init: RequestInit = {}) => {
        const headers = {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          'x-request-id': 'of-a-page',
        };
        try {
          const response = await fetch(api + path, { ...init, headers: { ...headers, ...init.headers } });
          await (init.method === 'GET' ? response.body?.cancel() : response.json());
          return [response.status, response.headers.get('x-request-id')];
        } catch (error) {
          return [`${error}`];
        }
      };
      const key = { 'idempotency-key': 'of-a-page' };
      return {
        feed: await call('/posts'),
        refused: await call('/posts', {
          method: 'POST',
          headers: key,
          body: '{"visibility":"public","thoughtText":"a"}',
        }),
        missing: await call('/posts/none'),
        removed: await call('/users/me/sessions/none', { method: 'DELETE' }),
        stream: await call('/notifications/stream', { method: 'GET' }),
        staff: await call('/admin/auth/config'),
      };
    },
    { api: `${opine.url}/api/v1`, token: maya.session.accessToken },
  );
  expect(seen).toMatchObject({
    feed: [200, 'of-a-page'],
    refused: [403, 'of-a-page'],
    missing: [404, 'of-a-page'],
    removed: [404, 'of-a-page'],
    stream: [200, 'of-a-page'],
    staff: ['TypeError: Failed to fetch'],
  });
});
