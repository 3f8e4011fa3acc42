import { expect, onTestFinished, test, vi } from 'vitest';
import { clientOf, refusal } from '../support/client.ts';
import { follow } from '../support/graph.ts';
import { anOpine, testEnvironment } from '../support/opine.ts';
import { registeredPerson } from '../support/people.ts';
import { queuedCounts } from '../support/pushes.ts';
import { startServerProcess } from '../support/server-process.ts';

test('PROCESS=api publishes no signals, and PROCESS=worker publishes them and serves no API', async () => {
  const api = await anOpine({ PROCESS: 'api' });
  const [amara, jonas] = [await registeredPerson(api, 'Amara'), await registeredPerson(api, 'Jonas')];
  await follow(jonas, amara);
  expect(await queuedCounts(api)).toEqual({ outbox: 1, pushes: 0 });
  const environment = { ...testEnvironment(api.database), LOG_LEVEL: 'info' };
  const worker = await startServerProcess({ ...environment, PROCESS: 'worker' });
  onTestFinished(async () => {
    const { code, stdout, stderr } = await worker.end();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const [started] = lines.filter(({ msg }) => msg === 'started');
    expect(started).toMatchObject({ process: 'worker', url: worker.url });
    expect(lines.map(({ msg }) => msg)).toContain('stopping');
    expect(lines.at(-1)).toMatchObject({ msg: 'stopped' });
  });
  await vi.waitUntil(async () => (await queuedCounts(api)).outbox === 0, { timeout: 60_000 });
  expect(await clientOf(worker.url).get('/posts')).toMatchObject(refusal(404, 'ROUTE_NOT_FOUND'));
  expect(await fetch(`${worker.url}/healthz`).then((answer) => answer.json())).toEqual({ status: 'ok' });
});
