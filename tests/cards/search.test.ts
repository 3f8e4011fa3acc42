import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, expectOk, type Json } from '../support/client.ts';
import { aHub, aHubPost, join } from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aGuest, confirmedPerson, hubReadyPerson } from '../support/people.ts';
import { publish } from '../support/posts.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

const search = (client: Client, query: Record<string, string>): Promise<Json> =>
  expectOk(client.get(`/search/posts?${new URLSearchParams(query)}`));
const idsOf = ({ items }: Json): string[] => items.map(({ id }: Json) => id);

test('a search finds a post from the moment it is published until it is deleted', async () => {
  const maya = await confirmedPerson(opine);
  const guest = aGuest(opine);
  const { id } = await expectOk(publish(maya, { thoughtText: 'Crème brûlée with garlic' }));
  const found = await search(guest, { q: 'creme garlic' });
  expect(found.items).toEqual([(await expectOk(guest.get(`/users/${maya.id}/feed`))).items[0]]);
  await expectOk(maya.delete(`/posts/${id}`));
  expect(await search(guest, { q: 'creme garlic' })).toEqual({ items: [], nextCursor: null });
});

test('pages of a search hold each post once, newest first, also when posts are published meanwhile', async () => {
  const maya = await confirmedPerson(opine);
  const publishTram = (n: number) => expectOk(publish(maya, { thoughtText: `Tram number ${n}` }));
  const ids: string[] = [];
  for (let n = 0; n < 5; n += 1) ids.unshift((await publishTram(n)).id);
  const first = await search(aGuest(opine), { q: 'tram', limit: '2' });
  await publishTram(5);
  const second = await search(aGuest(opine), { q: 'tram', limit: '2', cursor: first.nextCursor });
  const third = await search(aGuest(opine), { q: 'tram', limit: '2', cursor: second.nextCursor });
  expect([first, second, third].flatMap(idsOf)).toEqual(ids);
  expect(third.nextCursor).toBeNull();
});

// docs/product.md PO24
test('a private post is found by members of its Hub alone, and hubId is for members alone', async () => {
  const [amara, jonas, nonMember] = [
    await hubReadyPerson(opine),
    await hubReadyPerson(opine),
    await hubReadyPerson(opine),
  ];
  const hub = await aHub(amara);
  await join(amara, hub, [jonas]);
  const post = await aHubPost(amara, [hub], { thoughtText: 'A secret leek' });
  expect(idsOf(await search(jonas, { q: 'leek' }))).toEqual([post.id]);
  expect(idsOf(await search(jonas, { q: 'leek', hubId: hub.id }))).toEqual([post.id]);
  for (const [client, status] of [
    [nonMember, 403],
    [aGuest(opine), 401],
  ] as const) {
    expect(idsOf(await search(client, { q: 'leek' }))).toEqual([]);
    expect((await client.get(`/search/posts?q=leek&hubId=${hub.id}`)).status).toBe(status);
  }
});
