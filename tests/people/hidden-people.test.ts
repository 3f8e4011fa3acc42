import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROUTES } from '../../src/domains/all.ts';
import type { Client, Json } from '../support/client.ts';
import { discussionsOf, pathOf } from '../support/discussions.ts';
import { aComment, aRepost, requestReport, requestSave, share } from '../support/frames.ts';
import {
  aPersonNamed,
  block,
  everybodyIn,
  everyPage,
  follow,
  granted,
  idsOf,
  withQuery,
} from '../support/graph.ts';
import { callIn } from '../support/hub-members.ts';
import {
  aHub,
  aHubPost,
  aJoinRequest,
  aMessage,
  anInvitation,
  anInviteLink,
  discussionOf,
  join,
  tokenIn,
} from '../support/hubs.ts';
import { NO_ACTOR } from '../support/notification-worlds.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aConfirmed, aHubReady, aPhone, aRegistered, type Person } from '../support/people.ts';
import { aSlider, aThought } from '../support/posts.ts';
import { staffDecides } from '../support/staff.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

/** Amara and Lena, who see Jonas in many places; he is a manager in Amara's Hub. */
interface World {
  readonly amara: Person;
  readonly lena: Person;
  readonly jonas: Person;
  readonly hub: Json;
  readonly oak: Json;
  readonly post: Json;
  readonly discussion: Json;
  readonly invitation: Json;
}

async function aWorld(): Promise<World> {
  const [amara, lena, jonas] = [
    await aHubReady(opine, 'Amara'),
    await aHubReady(opine, 'Lena'),
    await aHubReady(opine, 'Jonas Quelle'),
  ];
  await callIn(jonas, { displayName: 'Jonas am Bach' });
  const [hub, oak] = [await aHub(amara), await aHub(amara, { name: 'Oak Street' })];
  await join(amara, hub, [lena]);
  await join(amara, hub, [jonas], 'manager');
  await aJoinRequest(amara, oak, jonas);
  const post = await aSlider(amara);
  await follow(jonas, amara);
  await follow(amara, jonas);
  const comment = await aComment(jonas, post);
  await aComment(lena, post, 'So do I.', { parentCommentId: comment.id });
  await share(jonas, post);
  await granted(requestReport(amara, 'users', jonas));
  await block(lena, jonas);
  const discussion = await discussionOf(amara, hub, await aHubPost(jonas, [hub]));
  const message = await aMessage(jonas, discussion);
  await aMessage(lena, discussion, 'So do I.', { parentMessageId: message.id });
  const invitation = await anInvitation(jonas, hub, { phoneNumber: aPhone() });
  return { amara, lena, jonas, hub, oak, post, discussion, invitation };
}

type Door = (world: World) => Promise<Json>;

const open =
  (path: (world: World) => string, who: 'amara' | 'lena' = 'amara'): Door =>
  (world) =>
    granted(world[who].get(path(world)));

const SECTIONS = ['notifications', 'followers', 'following', 'blocks'];

const exportFor =
  (who: 'amara' | 'lena'): Door =>
  async (world) => {
    const data = await granted(world[who].get('/users/me/export'));
    // A suspension closes reports for good.
    const reports = data.reports.map(({ userId }: Json) => ({ userId }));
    return { ...Object.fromEntries(SECTIONS.map((section) => [section, data[section]])), reports };
  };

/** Each place that shows Jonas while he is not suspended, and how many entries remain there while he is. */
const DOORS: readonly (readonly [string, Door, (data: Json, world: World) => unknown, unknown])[] = [
  ['the search for people', open(({ jonas }) => `/search/users?q=${jonas.username}`), itemCount, 0],
  ['followers', open(({ amara }) => `/users/${amara.id}/followers`), itemCount, 0],
  ['followers by name', open(({ amara }) => `/users/${amara.id}/followers?q=jonas`), itemCount, 0],
  ['following', open(({ amara }) => `/users/${amara.id}/following`), itemCount, 0],
  ['blocks', open(() => '/users/me/blocks', 'lena'), itemCount, 0],
  ['members', open(({ hub }) => `/hubs/${hub.id}/members`), itemCount, 2],
  ['members by name', open(({ hub }) => `/hubs/${hub.id}/members?q=jonas`), itemCount, 0],
  ['admins', open(({ hub }) => `/hubs/${hub.id}/admins`), itemCount, 1],
  [
    'invitations',
    // His alone: the one that brought him in names his phone, which its inviter knows.
    async ({ amara, hub }) => (await granted(amara.get(`/hubs/${hub.id}/invitations?limit=1`))).items[0],
    ({ invitedBy }) => invitedBy,
    { userId: '', displayName: '' },
  ],
  [
    'the look-up of an invitation',
    open(({ invitation }) => `/hub-invitations/by-token/${tokenIn(invitation.inviteUrl)}`),
    ({ invitedBy }) => invitedBy,
    { displayName: '' },
  ],
  [
    'join requests',
    open(({ oak }) => `/hubs/${oak.id}/join-requests`),
    ({ items }) => items.map(({ user }: Json) => user),
    [{ userId: '', displayName: '', profilePhotoUrl: null, username: '' }],
  ],
  [
    'comments that others replied to',
    open(({ post }) => `/posts/${post.id}/comments`),
    ({ items }) => items.map(({ text, isDeleted, replyCount }: Json) => ({ text, isDeleted, replyCount })),
    [{ text: null, isDeleted: true, replyCount: 1 }],
  ],
  [
    'messages that others replied to',
    open(({ discussion }) => pathOf(discussion, 'messages')),
    ({ items }) => items.map(({ text, replyCount }: Json) => ({ text, replyCount })),
    [{ text: null, replyCount: 1 }],
  ],
  ['discussions', open(({ hub }) => `/hubs/${hub.id}/discussions`), itemCount, 1],
  [
    'notifications',
    open(() => '/notifications'),
    ({ items }, { lena }) =>
      distinct(items.map(({ actor }: Json) => actor).filter(({ id }: Json) => id !== lena.id)),
    [NO_ACTOR],
  ],
  [
    'the export of whom he follows',
    exportFor('amara'),
    ({ notifications, followers, following, reports }, { lena }) => [
      distinct(notifications.map(({ actorId }: Json) => actorId).filter((id: string) => id !== lena.id)),
      followers,
      following,
      reports.map(({ userId }: Json) => userId),
    ],
    [[null], [], [], [null]],
  ],
  ['the export of who blocks him', exportFor('lena'), ({ blocks }) => blocks, []],
];

function itemCount({ items }: Json): number {
  return items.length;
}

function distinct(values: readonly Json[]): Json[] {
  return [...new Set(values.map((value) => JSON.stringify(value)))].map((text) => JSON.parse(text));
}

describe('a suspended person', () => {
  test('has no name and no id in any place, and all of them again once restored', async () => {
    const world = await aWorld();
    const { jonas } = world;
    const names = [jonas.id, jonas.username, jonas.phoneNumber, 'Jonas Quelle', 'Jonas am Bach'];
    const namesIn = (data: Json) => names.filter((name) => JSON.stringify(data).includes(name));
    const before = new Map<string, Json>();
    for (const [place, look] of DOORS) {
      const data = await look(world);
      before.set(place, data);
      expect([place, namesIn(data)]).not.toEqual([place, []]);
    }
    await staffDecides(opine, 'suspend_user', jonas);
    for (const [place, look, remains, expected] of DOORS) {
      const data = await look(world);
      expect([place, namesIn(data)]).toEqual([place, []]);
      expect([place, remains(data, world)]).toEqual([place, expected]);
    }
    await staffDecides(opine, 'restore_user', jonas);
    for (const [place, look] of DOORS) {
      expect([place, await look(world)]).toEqual([place, before.get(place)]);
    }
  });

  test('takes no place on a page: pages are full up to the last, and counts stay', async () => {
    const amara = await aHubReady(opine, 'Amara');
    const hub = await aHub(amara);
    const people: Person[] = [];
    for (let number = 0; number < 9; number += 1) {
      const person = await aHubReady(opine, 'Refill');
      await join(amara, hub, [person], 'manager');
      await follow(person, amara);
      await follow(amara, person);
      people.push(person);
    }
    const watcher = await aRegistered(opine);
    const lists = [
      [amara, `/hubs/${hub.id}/members`, {}, 1],
      [amara, `/hubs/${hub.id}/members`, { q: 'refill' }, 0],
      [amara, `/hubs/${hub.id}/admins`, {}, 1],
      [watcher, `/users/${amara.id}/followers`, {}, 0],
      [watcher, `/users/${amara.id}/followers`, { q: 'refill' }, 0],
      [watcher, `/users/${amara.id}/following`, {}, 0],
      [watcher, '/search/users', { q: 'refill' }, 0],
      [watcher, '/search/users', { q: 'refilll' }, 0],
    ] as const;
    for (const index of [0, 1, 4, 5, 6, 8]) await staffDecides(opine, 'suspend_user', people[index] ?? amara);
    for (const [viewer, path, query, others] of lists) {
      const sizes = (await everyPage(viewer, path, { ...query, limit: 2 })).map(({ length }) => length);
      expect([path, query, sizes]).toEqual([path, query, others === 1 ? [2, 2] : [2, 1]]);
    }
    expect(await granted(amara.get(`/hubs/${hub.id}`))).toMatchObject({ memberCount: 10 });
    const { counts } = await granted(watcher.get(`/users/${amara.id}/profile`));
    expect(counts).toEqual({ followers: 9, following: 9 });
  });
});

/** What lies in a cursor, read as text and as digits of ids. */
function contentOf(cursor: string): string {
  const texts = [cursor, cursor.slice(1), cursor.slice(0, 32)].map((part) => Buffer.from(part, 'base64url'));
  const read = texts.map((bytes) => `${bytes.toString('utf8')} ${bytes.toString('hex')}`);
  return `${cursor} ${read.join(' ')}`.toLowerCase();
}

describe('a cursor', () => {
  test('of any list holds no name, username, phone, link or text, and no id of a hidden person', async () => {
    const amara = await aHubReady(opine, 'Amara Zaunkönig');
    await granted(amara.patch('/users/me/hub-profile', { displayName: 'Zaunkönig daheim' }));
    const hubs: Json[] = [];
    const people: Person[] = [];
    for (const number of [1, 2, 3]) {
      const customLink = `zaunlink-${number}`;
      hubs.push(await aHub(amara, { name: `Zaunhub ${number}`, customLink }));
      const person = await aHubReady(opine, `Zaungast ${'abc'[number - 1]}`);
      people.push(person);
    }
    const [hub] = hubs;
    if (hub === undefined) throw new Error('There is no Hub.');
    await join(amara, hub, people, 'manager');
    const post = await aSlider(amara, { thoughtText: 'Zauntext' });
    const discussion = await discussionOf(
      amara,
      hub,
      await aHubPost(amara, hubs, { thoughtText: 'Zauntext' }),
    );
    await aHubPost(amara, [hub], { thoughtText: 'Zauntext' });
    const posts = [post, await aThought(amara)];
    await aRepost(amara, post);
    for (const person of people) {
      await follow(person, amara);
      await follow(amara, person);
      await aComment(person, post, 'Zauntext');
      await aMessage(person, discussion, 'Zauntext');
      await share(amara, post);
      await anInviteLink(amara, hub);
      await anInvitation(amara, hub, { phoneNumber: aPhone() });
      await aJoinRequest(amara, hubs[1] ?? hub, person);
      await block(amara, await aRegistered(opine, 'Zaunfeind'));
    }
    for (const each of posts) await granted(requestSave(amara, each));
    for (const each of await discussionsOf(amara, hub))
      await granted(amara.post(`/hubs/${hub.id}/discussions/${each.id}/save`));
    const hidden = people[1] ?? amara;
    await staffDecides(opine, 'suspend_user', hidden);

    const parts: Record<string, string> = {
      userId: amara.id,
      hubId: hub.id,
      postId: post.id,
      discussionId: discussion.id,
    };
    const queries: Record<string, object[]> = {
      '/search/users': [{ q: 'zaun' }, { q: 'zaungast' }, { q: 'gast' }, { q: 'zaungastt' }, { q: 'a' }],
      '/search/hubs': [{ q: 'zaunhub' }, { q: 'zaunlink' }, { q: 'zaunhubb' }],
      '/hubs/{hubId}/members': [{}, { q: 'zaun' }],
      '/users/{userId}/followers': [{}, { q: 'zaun' }],
      '/posts': [{}, { sort: 'trending' }, { hubId: hub.id }],
    };
    const paths: Record<string, string> = { '/hubs/{hubId}/join-requests': hubs[1]?.id };
    const secrets = ['zaun', 'text', '+1202', '1202555', hidden.id.replaceAll('-', ''), hidden.username];
    const lists = ROUTES.filter(({ auth, query }) => auth !== 'staff' && query && 'cursor' in query.shape);
    const short: string[] = [];
    for (const { path } of lists) {
      for (const query of queries[path] ?? [{}]) {
        const address = path.replaceAll(/\{(\w+)\}/g, (_, name) => paths[path] ?? parts[name] ?? '');
        const cursors = await cursorsOf(amara, address, query);
        if (cursors.length === 0) short.push(`${path} ${JSON.stringify(query)}`);
        for (const cursor of cursors) {
          const shown = secrets.filter((secret) => contentOf(cursor).includes(secret));
          expect([path, query, shown]).toEqual([path, query, []]);
        }
      }
    }
    expect(short).toEqual([]);
  });

  /** The cursors from page to page of one. */
  async function cursorsOf(viewer: Client, path: string, query: object): Promise<string[]> {
    const cursors: string[] = [];
    for (let cursor: object = {}; ; ) {
      const { nextCursor } = await granted(viewer.get(withQuery(path, { ...query, ...cursor, limit: 1 })));
      if (nextCursor === null) return cursors;
      cursors.push(nextCursor);
      cursor = { cursor: nextCursor };
    }
  }

  /** What may become of the person at whom a page ended. */
  const CHANGES: readonly (readonly [string, (last: Person, viewer: Person) => Promise<unknown>])[] = [
    ['took another name and username', rename],
    ['was suspended', (last) => staffDecides(opine, 'suspend_user', last)],
    ['was blocked', (last, viewer) => block(viewer, last)],
    ['blocked the reader', (last, viewer) => block(last, viewer)],
    ['deleted the account', (last) => granted(last.delete('/users/me'))],
  ];

  let round = 0;

  /** Eight letters that no other word is like. */
  function aWord(seed: number): string {
    const digits = createHash('sha256').update(String(seed)).digest('hex').slice(0, 8);
    return [...digits].map((digit) => 'bcdfghjklmnpqrst'[Number.parseInt(digit, 16)]).join('');
  }

  async function rename(last: Person): Promise<void> {
    round += 1;
    await granted(last.patch('/users/me/profile', { fullName: `Aaa ${round}`, username: `aaa_${round}` }));
  }

  describe.each(CHANGES)('goes on where it ended after its last person %s', (_, change) => {
    // By username, name, last name and likeness.
    test.each(['user', 'name', 'last', 'alike'])('in a search by %s', async (tier) => {
      round += 1;
      const word = aWord(round);
      const viewer = await aConfirmed(opine);
      const people: Person[] = [];
      for (const letter of ['a', 'b', 'c', 'd', 'e']) {
        const username = tier === 'user' ? `${word}_${letter}` : `zz_${round}_${letter}`;
        const fullName =
          tier === 'name' ? `${word} ${letter}` : tier === 'user' ? 'Somebody' : `Zoe ${letter} ${word}`;
        people.push(await aPersonNamed(opine, fullName, username));
      }
      const q = tier === 'alike' ? `${word.slice(0, -1)}m` : word;
      const everybody = await everybodyIn(viewer, '/search/users', { q });
      expect(everybody.toSorted()).toEqual(idsOf(people).toSorted());
      const { items, nextCursor } = await granted(viewer.get(withQuery('/search/users', { q, limit: 2 })));
      const last = people.find(({ id }) => id === items[1].id);
      if (last === undefined) throw new Error('Nobody was last.');
      await change(last, viewer);
      const rest = await everybodyIn(viewer, '/search/users', { q, cursor: nextCursor });
      expect(rest).toEqual(everybody.slice(2));
    });

    test('in members by name, followers and following', async () => {
      const viewer = await aHubReady(opine, 'Viewer');
      const hub = await aHub(viewer);
      const people: Person[] = [];
      for (const name of ['Quirin a', 'Quirin b', 'Quirin c', 'Quirin d']) {
        const person = await aHubReady(opine, name);
        await join(viewer, hub, [person]);
        await follow(person, viewer);
        await follow(viewer, person);
        people.push(person);
      }
      const lists = [
        [`/hubs/${hub.id}/members`, { q: 'quirin' }, 'userId'],
        [`/users/${viewer.id}/followers`, {}, 'id'],
        [`/users/${viewer.id}/following`, { q: 'quirin' }, 'id'],
      ] as const;
      const walks = [];
      for (const [path, query, key] of lists) {
        const first = await granted(viewer.get(withQuery(path, { ...query, limit: 2 })));
        const all = (await everyPage(viewer, path, query)).flat().map((item) => item[key]);
        walks.push({ path, query, key, cursor: first.nextCursor, rest: all.slice(2), last: all[1] });
      }
      // Two lists end their first page at one person, the third at another.
      for (const id of new Set(walks.map(({ last }) => last))) {
        const last = people.find((person) => person.id === id);
        if (last !== undefined) await change(last, viewer);
      }
      const changed = new Set(walks.map(({ last }) => last));
      for (const { path, query, key, cursor, rest } of walks) {
        const items = (await everyPage(viewer, path, { ...query, cursor })).flat();
        const others = items.map((item) => item[key]).filter((id) => !changed.has(id));
        expect(others).toEqual(rest.filter((id) => !changed.has(id)));
      }
    });
  });
});
