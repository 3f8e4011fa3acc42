import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROUTES } from '../../src/domains/all.ts';
import { allPages, type Client, expectOk, idsOf, type Json, withQuery } from '../support/client.ts';
import { discussionsOf, pathOf } from '../support/discussions.ts';
import { block, follow, listedIds, namedPerson } from '../support/graph.ts';
import {
  aHub,
  aHubPost,
  aJoinRequest,
  aMessage,
  anInvitation,
  anInviteLink,
  discussionOf,
  join,
  setHubProfile,
  tokenIn,
} from '../support/hubs.ts';
import { NO_ACTOR } from '../support/notification-worlds.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import {
  confirmedPerson,
  hubReadyPerson,
  newPhoneNumber,
  type Person,
  registeredPerson,
} from '../support/people.ts';
import { aComment, aRepost, aSlider, aThought, requestSavePost, shareToFeed } from '../support/posts.ts';
import { requestReport } from '../support/reports.ts';
import { removeReported, runStaffAction } from '../support/staff.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

/** Amara and Lena see Jonas in many places; he is a manager in Amara's Hub. */
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
    await hubReadyPerson(opine, 'Amara'),
    await hubReadyPerson(opine, 'Lena'),
    await hubReadyPerson(opine, 'Jonas Quelle'),
  ];
  await setHubProfile(jonas, { displayName: 'Jonas am Bach' });
  const [hub, oak] = [await aHub(amara), await aHub(amara, { name: 'Oak Street' })];
  await join(amara, hub, [lena]);
  await join(amara, hub, [jonas], 'manager');
  await aJoinRequest(amara, oak, jonas);
  const post = await aSlider(amara);
  await follow(jonas, amara);
  await follow(amara, jonas);
  const comment = await aComment(jonas, post);
  await aComment(lena, post, 'So do I.', { parentCommentId: comment.id });
  await shareToFeed(jonas, post);
  await expectOk(requestReport(amara, 'users', jonas));
  const discussion = await discussionOf(amara, hub, await aHubPost(jonas, [hub]));
  const message = await aMessage(jonas, discussion);
  await aMessage(lena, discussion, 'So do I.', { parentMessageId: message.id });
  await block(lena, jonas);
  const invitation = await anInvitation(jonas, hub, { phoneNumber: newPhoneNumber() });
  return { amara, lena, jonas, hub, oak, post, discussion, invitation };
}

/** Reads a place as one of the viewers. */
type Read = (world: World) => Promise<Json>;

const read =
  (path: (world: World) => string, who: 'amara' | 'lena' = 'amara'): Read =>
  (world) =>
    expectOk(world[who].get(path(world)));

const SECTIONS = ['notifications', 'followers', 'following', 'blocks'];

const exportFor =
  (who: 'amara' | 'lena'): Read =>
  async (world) => {
    const data = await expectOk(world[who].get('/users/me/export'));
    // A suspension closes reports for good.
    const reports = data.reports.map(({ userId }: Json) => ({ userId }));
    return { ...Object.fromEntries(SECTIONS.map((section) => [section, data[section]])), reports };
  };

/** Each place that shows Jonas: what to compare of its answer, and the expected value during his suspension. */
const PLACES: readonly (readonly [string, Read, (data: Json, world: World) => unknown, unknown])[] = [
  ['the search for people', read(({ jonas }) => `/search/users?q=${jonas.username}`), itemCount, 0],
  ['followers', read(({ amara }) => `/users/${amara.id}/followers`), itemCount, 0],
  ['followers by name', read(({ amara }) => `/users/${amara.id}/followers?q=jonas`), itemCount, 0],
  ['following', read(({ amara }) => `/users/${amara.id}/following`), itemCount, 0],
  ['blocks', read(() => '/users/me/blocks', 'lena'), itemCount, 0],
  ['members', read(({ hub }) => `/hubs/${hub.id}/members`), itemCount, 2],
  ['members by name', read(({ hub }) => `/hubs/${hub.id}/members?q=jonas`), itemCount, 0],
  ['admins', read(({ hub }) => `/hubs/${hub.id}/admins`), itemCount, 1],
  [
    'invitations',
    // Only his invitation: the one that invited him contains his phone, which its inviter knows.
    async ({ amara, hub }) => (await expectOk(amara.get(`/hubs/${hub.id}/invitations?limit=1`))).items[0],
    ({ invitedBy }) => invitedBy,
    { userId: '', displayName: '' },
  ],
  [
    'the lookup of an invitation',
    read(({ invitation }) => `/hub-invitations/by-token/${tokenIn(invitation.inviteUrl)}`),
    ({ invitedBy }) => invitedBy,
    { displayName: '' },
  ],
  [
    'join requests',
    read(({ oak }) => `/hubs/${oak.id}/join-requests`),
    ({ items }) => items.map(({ user }: Json) => user),
    [{ userId: '', displayName: '', profilePhotoUrl: null, username: '' }],
  ],
  [
    'comments that others replied to',
    read(({ post }) => `/posts/${post.id}/comments`),
    ({ items }) => items.map(({ text, isDeleted, replyCount }: Json) => ({ text, isDeleted, replyCount })),
    [{ text: null, isDeleted: true, replyCount: 1 }],
  ],
  [
    'messages that others replied to',
    read(({ discussion }) => pathOf(discussion, 'messages')),
    ({ items }) => items.map(({ text, replyCount }: Json) => ({ text, replyCount })),
    [{ text: null, replyCount: 1 }],
  ],
  ['discussions', read(({ hub }) => `/hubs/${hub.id}/discussions`), itemCount, 1],
  [
    'notifications',
    read(() => '/notifications'),
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

describe('a suspended user', () => {
  // docs/product.md S12
  test('a suspended user has no name and no id in any place, and has all of them after the suspension', async () => {
    const world = await aWorld();
    const { jonas } = world;
    const names = [jonas.id, jonas.username, jonas.phoneNumber, 'Jonas Quelle', 'Jonas am Bach'];
    const namesIn = (data: Json) => names.filter((name) => JSON.stringify(data).includes(name));
    const before = new Map<string, Json>();
    for (const [place, readPlace] of PLACES) {
      const data = await readPlace(world);
      before.set(place, data);
      expect([place, namesIn(data)]).not.toEqual([place, []]);
    }
    await runStaffAction(opine, 'suspend_user', jonas);
    for (const [place, readPlace, remains, expected] of PLACES) {
      const data = await readPlace(world);
      expect([place, namesIn(data)]).toEqual([place, []]);
      expect([place, remains(data, world)]).toEqual([place, expected]);
    }
    await runStaffAction(opine, 'restore_user', jonas);
    for (const [place, readPlace] of PLACES) {
      expect([place, await readPlace(world)]).toEqual([place, before.get(place)]);
    }
  });

  // docs/product.md W5, S12, S13
  test('pages are full without suspended users, and counts include them', async () => {
    const amara = await hubReadyPerson(opine, 'Amara');
    const hub = await aHub(amara);
    const people: Person[] = [];
    for (let number = 0; number < 9; number += 1) {
      const person = await hubReadyPerson(opine, 'Refill');
      await join(amara, hub, [person], 'manager');
      await follow(person, amara);
      await follow(amara, person);
      people.push(person);
    }
    const observer = await registeredPerson(opine);
    const lists = [
      [amara, `/hubs/${hub.id}/members`, {}, 1],
      [amara, `/hubs/${hub.id}/members`, { q: 'refill' }, 0],
      [amara, `/hubs/${hub.id}/admins`, {}, 1],
      [observer, `/users/${amara.id}/followers`, {}, 0],
      [observer, `/users/${amara.id}/followers`, { q: 'refill' }, 0],
      [observer, `/users/${amara.id}/following`, {}, 0],
      [observer, '/search/users', { q: 'refill' }, 0],
      [observer, '/search/users', { q: 'refilll' }, 0],
    ] as const;
    for (const index of [0, 1, 4, 5, 6, 8])
      await runStaffAction(opine, 'suspend_user', people[index] ?? amara);
    for (const [viewer, path, query, others] of lists) {
      const sizes = (await allPages(viewer, path, { ...query, limit: 2 })).map(({ length }) => length);
      expect([path, query, sizes]).toEqual([path, query, others === 1 ? [2, 2] : [2, 1]]);
    }
    expect(await expectOk(amara.get(`/hubs/${hub.id}`))).toMatchObject({ memberCount: 10 });
    const { counts } = await expectOk(observer.get(`/users/${amara.id}/profile`));
    expect(counts).toEqual({ followers: 9, following: 9 });
  });
});

/** Returns the bytes of a cursor as text and as hexadecimal digits. */
function contentOf(cursor: string): string {
  const texts = [cursor, cursor.slice(1), cursor.slice(0, 32)].map((part) => Buffer.from(part, 'base64url'));
  const read = texts.map((bytes) => `${bytes.toString('utf8')} ${bytes.toString('hex')}`);
  return `${cursor} ${read.join(' ')}`.toLowerCase();
}

describe('a cursor', () => {
  test('a cursor of any list holds no name, username, phone, link or text, and no id of a hidden user', async () => {
    const amara = await hubReadyPerson(opine, 'Amara Zaunkönig');
    await expectOk(amara.patch('/users/me/hub-profile', { displayName: 'Zaunkönig daheim' }));
    const hubs: Json[] = [];
    const people: Person[] = [];
    for (const number of [1, 2, 3]) {
      const customLink = `zaunlink-${number}`;
      hubs.push(await aHub(amara, { name: `Zaunhub ${number}`, customLink }));
      const person = await hubReadyPerson(opine, `Zaungast ${'abc'[number - 1]}`);
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
      await shareToFeed(amara, post);
      await anInviteLink(amara, hub);
      await anInvitation(amara, hub, { phoneNumber: newPhoneNumber() });
      await aJoinRequest(amara, hubs[1] ?? hub, person);
      await block(amara, await registeredPerson(opine, 'Zaunfeind'));
      await expectOk(requestReport(amara, 'users', person, { details: 'Zauntext' }));
      await removeReported(opine, person, 'comments', await aComment(amara, post, 'Zauntext'), amara);
    }
    for (const each of posts) await expectOk(requestSavePost(amara, each));
    for (const each of await discussionsOf(amara, hub))
      await expectOk(amara.post(`/hubs/${hub.id}/discussions/${each.id}/save`));
    const hidden = people[1] ?? amara;
    await runStaffAction(opine, 'suspend_user', hidden);

    const parts: Record<string, string> = {
      userId: amara.id,
      hubId: hub.id,
      postId: post.id,
      discussionId: discussion.id,
    };
    const queries: Record<string, object[]> = {
      '/search/users': [{ q: 'zaun' }, { q: 'zaungast' }, { q: 'gast' }, { q: 'zaungastt' }, { q: 'a' }],
      '/search/posts': [{ q: 'zauntext' }],
      '/search/hubs': [{ q: 'zaunhub' }, { q: 'zaunlink' }, { q: 'zaunhubb' }],
      '/hubs/{hubId}/members': [{}, { q: 'zaun' }],
      '/users/{userId}/followers': [{}, { q: 'zaun' }],
      '/posts': [{}, { sort: 'trending' }, { hubId: hub.id }],
    };
    const paths: Record<string, string> = { '/hubs/{hubId}/join-requests': hubs[1]?.id };
    // Whole words: four letters of base64 may stand in a cursor by chance.
    const words = ['zaunkönig', 'zaungast', 'zaunhub', 'zaunlink', 'zauntext', 'zaunfeind'];
    const secrets = [...words, '+1202', '1202555', hidden.id.replaceAll('-', ''), hidden.username];
    const lists = ROUTES.filter(({ auth, query }) => auth !== 'staff' && query && 'cursor' in query.shape);
    const withoutCursor: string[] = [];
    for (const { path } of lists) {
      for (const query of queries[path] ?? [{}]) {
        const address = path.replaceAll(/\{(\w+)\}/g, (_, name) => paths[path] ?? parts[name] ?? '');
        const cursors = await cursorsOf(amara, address, query);
        if (cursors.length === 0) withoutCursor.push(`${path} ${JSON.stringify(query)}`);
        for (const cursor of cursors) {
          const shown = secrets.filter((secret) => contentOf(cursor).includes(secret));
          expect([path, query, shown]).toEqual([path, query, []]);
        }
      }
    }
    expect(withoutCursor).toEqual([]);
  });

  /** Returns the cursors of all pages of one item. */
  async function cursorsOf(viewer: Client, path: string, query: object): Promise<string[]> {
    const cursors: string[] = [];
    for (let cursor: object = {}; ; ) {
      const { nextCursor } = await expectOk(viewer.get(withQuery(path, { ...query, ...cursor, limit: 1 })));
      if (nextCursor === null) return cursors;
      cursors.push(nextCursor);
      cursor = { cursor: nextCursor };
    }
  }

  /** Changes to the last user of a page. */
  const CHANGES: readonly (readonly [string, (last: Person, viewer: Person) => Promise<unknown>])[] = [
    ['a new name and username', rename],
    ['a suspension', (last) => runStaffAction(opine, 'suspend_user', last)],
    ['a block by the reader', (last, viewer) => block(viewer, last)],
    ['a block of the reader', (last, viewer) => block(last, viewer)],
    ['account deletion', (last) => expectOk(last.delete('/users/me'))],
  ];

  let round = 0;

  /** Returns eight letters that resemble no other word. */
  function aWord(seed: number): string {
    const digits = createHash('sha256').update(String(seed)).digest('hex').slice(0, 8);
    return [...digits].map((digit) => 'bcdfghjklmnpqrst'[Number.parseInt(digit, 16)]).join('');
  }

  async function rename(last: Person): Promise<void> {
    round += 1;
    await expectOk(last.patch('/users/me/profile', { fullName: `Aaa ${round}`, username: `aaa_${round}` }));
  }

  describe.each(CHANGES)('%s of the last user of a page', (_, change) => {
    // The tiers of a search: username, first name, last name, similarity.
    test.each(['user', 'name', 'last', 'alike'])('a search by %s continues after that user', async (tier) => {
      round += 1;
      const word = aWord(round);
      const viewer = await confirmedPerson(opine);
      const people: Person[] = [];
      for (const letter of ['a', 'b', 'c', 'd', 'e']) {
        const username = tier === 'user' ? `${word}_${letter}` : `zz_${round}_${letter}`;
        const fullName =
          tier === 'name' ? `${word} ${letter}` : tier === 'user' ? 'Somebody' : `Zoe ${letter} ${word}`;
        people.push(await namedPerson(opine, fullName, username));
      }
      const q = tier === 'alike' ? `${word.slice(0, -1)}m` : word;
      const everybody = await listedIds(viewer, '/search/users', { q });
      expect(everybody.toSorted()).toEqual(idsOf(people).toSorted());
      const { items, nextCursor } = await expectOk(viewer.get(withQuery('/search/users', { q, limit: 2 })));
      const last = people.find(({ id }) => id === items[1].id);
      if (last === undefined) throw new Error('Nobody was last.');
      await change(last, viewer);
      const rest = await listedIds(viewer, '/search/users', { q, cursor: nextCursor });
      expect(rest).toEqual(everybody.slice(2));
    });

    test('members by name, followers and following continue after that user', async () => {
      const viewer = await hubReadyPerson(opine, 'Viewer');
      const hub = await aHub(viewer);
      const people: Person[] = [];
      for (const name of ['Quirin a', 'Quirin b', 'Quirin c', 'Quirin d']) {
        const person = await hubReadyPerson(opine, name);
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
      const starts = [];
      for (const [path, query, key] of lists) {
        const first = await expectOk(viewer.get(withQuery(path, { ...query, limit: 2 })));
        const all = (await allPages(viewer, path, query)).flat().map((item) => item[key]);
        starts.push({ path, query, key, cursor: first.nextCursor, rest: all.slice(2), last: all[1] });
      }
      // The first pages of the lists may end at different users.
      for (const id of new Set(starts.map(({ last }) => last))) {
        const last = people.find((person) => person.id === id);
        if (last !== undefined) await change(last, viewer);
      }
      const changed = new Set(starts.map(({ last }) => last));
      for (const { path, query, key, cursor, rest } of starts) {
        const items = (await allPages(viewer, path, { ...query, cursor })).flat();
        const others = items.map((item) => item[key]).filter((id) => !changed.has(id));
        expect(others).toEqual(rest.filter((id) => !changed.has(id)));
      }
    });
  });
});
