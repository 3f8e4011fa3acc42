import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../support/client.ts';
import { everyPage, granted, idsOf } from '../support/graph.ts';
import {
  aHub,
  aHubPost,
  aMemberOf,
  aMessage,
  discussionOf,
  type Hub,
  hubSeenBy,
  join,
} from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aHubReady, type Person } from '../support/people.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

const hubsOf = async (person: Client) => idsOf((await everyPage(person, '/users/me/hubs')).flat());

describe('the last activity of a Hub', () => {
  /** Creates two Hubs of Amara with Jonas. */
  async function twoHubs(): Promise<{ amara: Person; jonas: Person; older: Hub; newer: Hub }> {
    const [amara, jonas] = await Promise.all([aHubReady(opine, 'Amara'), aHubReady(opine, 'Jonas')]);
    const [older, newer] = [await aHub(amara), await aHub(amara)];
    for (const hub of [newer, older]) await join(amara, hub, [jonas]);
    return { amara, jonas, older, newer };
  }

  test('creation counts as activity, and neither joins nor changes do', async () => {
    const { amara, jonas, older, newer } = await twoHubs();
    await granted(amara.patch(`/hubs/${older.id}`, { name: 'Oak Street' }));
    await aMemberOf(opine, amara, older);
    await hubSeenBy(jonas, older);
    for (const person of [amara, jonas]) expect(await hubsOf(person)).toEqual(idsOf([newer, older]));
  });

  test('a post of any member moves the Hub to the top', async () => {
    const { amara, jonas, older, newer } = await twoHubs();
    await aHubPost(amara, [older]);
    for (const person of [amara, jonas]) expect(await hubsOf(person)).toEqual(idsOf([older, newer]));
    await aHubPost(jonas, [newer], { visibility: 'public_hub' });
    for (const person of [amara, jonas]) expect(await hubsOf(person)).toEqual(idsOf([newer, older]));
  });

  test('a message and a reply move the Hub to the top', async () => {
    const { amara, jonas, older, newer } = await twoHubs();
    const post = await aHubPost(amara, [older]);
    const here = await discussionOf(amara, older, post);
    const there = await discussionOf(amara, newer, await aHubPost(amara, [newer]));
    const message = await aMessage(jonas, here);
    expect(await hubsOf(amara)).toEqual(idsOf([older, newer]));
    await aMessage(amara, there);
    expect(await hubsOf(amara)).toEqual(idsOf([newer, older]));
    await aMessage(jonas, here, 'And so on.', { parentMessageId: message.id });
    expect(await hubsOf(jonas)).toEqual(idsOf([older, newer]));
  });

  test('a public post and a refused post do not move the Hub', async () => {
    const { amara, jonas, older, newer } = await twoHubs();
    await granted(jonas.post('/posts', { visibility: 'public', thoughtText: 'To all.' }));
    const elsewhere = await aHub(amara);
    const body = { visibility: 'private_locked_hub', thoughtText: 'No.', hubIds: [older.id, elsewhere.id] };
    expect((await jonas.post('/posts', body)).status).toBe(403);
    expect(await hubsOf(jonas)).toEqual(idsOf([newer, older]));
  });
});
