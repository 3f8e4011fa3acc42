import { expect, onTestFinished, test, vi } from 'vitest';
import { clientOf, refusal } from '../support/client.ts';
import { follow } from '../support/graph.ts';
import { anOpine, testEnvironment } from '../support/opine.ts';
import { aRegistered } from '../support/people.ts';
import { waitingIn } from '../support/pushes.ts';
import { startServerProcess } from '../support/server-process.ts';

test('a process that serves tells nobody of anything; one that works does, and serves nobody', async () => {
  const serving = await anOpine({ PROCESS: 'api' });
  const [amara, jonas] = [await aRegistered(serving, 'Amara'), await aRegistered(serving, 'Jonas')];
  await follow(jonas, amara);
  expect(await waitingIn(serving)).toEqual({ outbox: 1, pushes: 0 });
  const environment = { ...testEnvironment(serving.database), LOG_LEVEL: 'info' };
  const working = await startServerProcess({ ...environment, PROCESS: 'worker' });
  onTestFinished(async () => {
    const { code, stdout, stderr } = await working.end();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const [started] = lines.filter(({ msg }) => msg === 'started');
    expect(started).toMatchObject({ process: 'worker', url: working.url });
    expect(lines.map(({ msg }) => msg)).toContain('stopping');
    expect(lines.at(-1)).toMatchObject({ msg: 'stopped' });
  });
  await vi.waitUntil(async () => (await waitingIn(serving)).outbox === 0, { timeout: 10_000 });
  expect(await clientOf(working.url).get('/posts')).toMatchObject(refusal(404, 'ROUTE_NOT_FOUND'));
  expect(await fetch(`${working.url}/healthz`).then((answer) => answer.json())).toEqual({ status: 'ok' });
});
