import { sql } from 'kysely';
import type { Json } from '../../support/client.ts';
import { pathOf } from '../../support/discussions.ts';
import { everybodyIn, everyPage, followedBy, followersOf, found } from '../../support/graph.ts';
import { idsIn } from '../../support/hub-members.ts';
import type { Hub } from '../../support/hubs.ts';
import { exportOf } from '../../support/own-data.ts';
import { aGuest, type Person } from '../../support/people.ts';
import type { PushingOpine } from '../../support/pushes.ts';
import { listening } from '../../support/streams.ts';
import { type HiddenModel, idsSorted, type Look } from './model.ts';

/** A comment or a message: who said it, in which thread. */
interface Said {
  readonly id: string;
  readonly author: Pick<Person, 'id'>;
  readonly rootId: string | null;
}

/** People, a Hub of the first of them, and what they have made. */
export interface HiddenWorld {
  readonly people: Person[];
  readonly host: Person;
  readonly hub: Hub;
  readonly discussion: Json;
  readonly model: HiddenModel;
  /** The token of everybody's device. */
  readonly devices: Map<string, string>;
  readonly posts: Json[];
  readonly comments: (Said & { readonly postId: string })[];
  readonly messages: Said[];
}

/** A notification as it is stored: who did what, before it is decided what to show. */
interface Stored {
  readonly id: string;
  readonly recipient_id: string;
  readonly actor_id: string;
  readonly author_id: string | null;
  readonly audience: string;
}

/** What differs from the model, in every place that shows people, for everybody who can look. */
export async function differencesAt(opine: PushingOpine, world: HiddenWorld): Promise<string[]> {
  const { people, model } = world;
  const viewers = people.filter((person) => model.isLive(person));
  const pushed = await pushDifferences(opine, world);
  const seen = await Promise.all([
    publicDifferences(opine, world),
    ...viewers.map((viewer) => differencesFor(opine, world, viewer)),
  ]);
  return [...pushed, ...seen.flat()];
}

/** Compares in the words of a story. */
function compare(what: string, actual: unknown, expected: unknown): string[] {
  const [one, other] = [JSON.stringify(actual), JSON.stringify(expected)];
  return one === other ? [] : [`${what}: ${one} instead of ${other}`];
}

async function differencesFor(opine: PushingOpine, world: HiddenWorld, viewer: Person): Promise<string[]> {
  const who = viewer.username;
  const faults = (
    await Promise.all([
      peopleDifferences(world, viewer),
      contentDifferences(world, viewer),
      hubDifferences(world, viewer),
      inboxDifferences(opine, world, viewer),
    ])
  ).flat();
  return faults.map((fault) => `${who}: ${fault}`);
}

/** A guest is hidden from by nobody's block. */
async function publicDifferences(opine: PushingOpine, { people, model }: HiddenWorld): Promise<string[]> {
  const guest = aGuest(opine);
  const faults: string[] = [];
  for (const person of people) {
    const ids = await found(guest, person.username);
    const isNamed = model.inPublic(null, person) === 'named';
    faults.push(...compare(`guest: search for ${person.username}`, ids.includes(person.id), isNamed));
    const { status } = await guest.get(`/users/${person.id}/profile`);
    faults.push(...compare(`guest: profile of ${person.username}`, status, isNamed ? 200 : 404));
  }
  return faults;
}

/** Lists of people. */
async function peopleDifferences({ people, model }: HiddenWorld, viewer: Person): Promise<string[]> {
  const faults: string[] = [];
  const blocked = (await everybodyIn(viewer, '/users/me/blocks')).sort();
  const isBlocked = (other: Person) =>
    model.blocks.has(`${viewer.id} ${other.id}`) && model.profile(viewer, other) === 'named';
  faults.push(...compare('blocks', blocked, model.ids(isBlocked)));
  for (const person of people) {
    const name = person.username;
    const isFound = (await found(viewer, name)).includes(person.id);
    faults.push(...compare(`search for ${name}`, isFound, model.inPublic(viewer, person) === 'named'));
    const { status } = await viewer.get(`/users/${person.id}/profile`);
    faults.push(...compare(`profile of ${name}`, status === 200, model.profile(viewer, person) === 'named'));
    for (const [side, look] of [
      ['followers', followersOf],
      ['following', followedBy],
    ] as const) {
      const ids = await look(viewer, person, { limit: 2 }).then(
        (list) => list.sort(),
        () => null,
      );
      faults.push(...compare(`${side} of ${name}`, ids, model.followsOf(viewer, person, side)));
    }
  }
  return faults;
}

/** Posts, feeds and comments. */
async function contentDifferences(
  { posts, comments, people, model }: HiddenWorld,
  viewer: Person,
): Promise<string[]> {
  const faults: string[] = [];
  const sees = (author: Pick<Person, 'id'>) => model.inPublic(viewer, author) === 'named';
  for (const post of posts) {
    const { status, data } = await viewer.get(`/posts/${post.id}`);
    const isSeen = sees(post.author);
    faults.push(
      ...compare('post', [status, data?.author.id], isSeen ? [200, post.author.id] : [404, undefined]),
    );
    if (!isSeen) continue;
    const path = `/posts/${post.id}/comments`;
    const threads = await threadsOf(
      (query) => everyPage(viewer, path, { limit: 2, ...query }),
      'parentCommentId',
    );
    const said = comments.filter(({ postId }) => postId === post.id);
    faults.push(
      ...compare(
        'comments',
        threads,
        expectedThreads(
          said,
          (author) => model.inPublic(viewer, author),
          (author) => !model.isBlockedBetween(viewer, author),
        ),
      ),
    );
  }
  const hidden = people.filter((person) => person.id !== viewer.id && !sees(person));
  for (const path of ['/posts', '/posts?sort=trending', `/users/${viewer.id}/feed`]) {
    const text = JSON.stringify((await viewer.get(path)).data);
    const shown = hidden.filter(({ id, username }) => text.includes(id) || text.includes(username));
    faults.push(...compare(`hidden people in ${path}`, idsSorted(shown), []));
  }
  return faults;
}

/** Each root of a list with who said it, and below it its replies. */
async function threadsOf(
  pages: (query: object) => Promise<Json[][]>,
  parameter: 'parentCommentId' | 'parentMessageId',
): Promise<unknown[]> {
  const said = ({ id, author }: Json) => [id, author.id ?? author.userId];
  const roots = (await pages({})).flat();
  return Promise.all(
    roots.map(async (root) => [said(root), (await pages({ [parameter]: root.id })).flat().map(said)]),
  );
}

/** The threads that a viewer reads, to whom authors look so: without a root's author where only replies are seen. */
function expectedThreads(
  said: readonly Said[],
  lookOf: (author: Pick<Person, 'id'>) => Look,
  isOpen: (author: Pick<Person, 'id'>) => boolean,
): unknown[] {
  const shown = ({ id, author }: Said) => [id, lookOf(author) === 'named' ? author.id : ''];
  const isSeen = ({ author }: Said) => lookOf(author) !== 'absent';
  return said
    .filter((root) => root.rootId === null && isOpen(root.author))
    .map((root) => ({ root, replies: said.filter((reply) => reply.rootId === root.id && isSeen(reply)) }))
    .filter(({ root, replies }) => isSeen(root) || replies.length > 0)
    .map(({ root, replies }) => [shown(root), replies.map(shown)]);
}

/** A Hub's lists and messages, to its members. */
async function hubDifferences(
  { hub, discussion, messages, model }: HiddenWorld,
  viewer: Person,
): Promise<string[]> {
  if (!model.members.has(viewer.id)) return [];
  const isListed = (person: Person) => model.members.has(person.id) && model.inHub(person) === 'named';
  const people = (await idsIn(viewer, hub, { limit: 2 })).sort();
  const said = await threadsOf(
    (query) => everyPage(viewer, pathOf(discussion, 'messages'), { limit: 2, ...query }),
    'parentMessageId',
  );
  const expected = expectedThreads(
    messages,
    (author) => model.message(author),
    () => true,
  );
  const discussions = (await everyPage(viewer, `/hubs/${hub.id}/discussions`)).flat();
  const authors = discussions.map(({ preview }) => preview.author.userId).filter((id) => id !== '');
  return [
    ...compare('members', people, model.ids(isListed)),
    ...compare('messages', said, expected),
    ...compare(
      'authors of discussions',
      authors.filter((id) => model.inHub({ id }) !== 'named'),
      [],
    ),
  ];
}

/** The inbox and the export. */
async function inboxDifferences(
  opine: PushingOpine,
  { model }: HiddenWorld,
  viewer: Person,
): Promise<string[]> {
  const listed = (await everyPage(viewer, '/notifications', { limit: 7 })).flat();
  const exported = await exportOf(viewer);
  const stored = await storedFor(opine, [viewer]);
  const faults: string[] = [];
  for (const row of stored) {
    const look = model.notification(viewer, row.actor_id, row.author_id);
    const [item, kept] = [listed, exported.notifications].map((items) =>
      items.find(({ id }: Json) => id === row.id),
    );
    // What is in a Hub, the viewer may have left.
    const isMissing = look === 'absent' || (item === undefined && row.audience !== 'everybody');
    const actor = isMissing ? undefined : model.actor(look, row.actor_id);
    faults.push(...compare('notification', sorted(item?.actor), sorted(actor)));
    const exportedId = kept && (kept.actorId ?? '');
    faults.push(...compare('notification in the export', exportedId, actor?.id));
  }
  const isNamedIn = (others: (other: Person) => boolean) =>
    model.ids((other) => others(other) && model.isLive(other));
  const lists = {
    followers: isNamedIn((other) => model.follows.has(`${other.id} ${viewer.id}`)),
    following: isNamedIn((other) => model.follows.has(`${viewer.id} ${other.id}`)),
    blocks: isNamedIn((other) => model.blocks.has(`${viewer.id} ${other.id}`)),
  };
  for (const [section, ids] of Object.entries(lists)) {
    const kept = exported[section].map(({ userId }: Json) => userId).sort();
    faults.push(...compare(`${section} in the export`, kept, ids));
  }
  return faults;
}

function sorted(value: Json): unknown {
  return value && Object.fromEntries(Object.entries(value).sort());
}

/** What differs from the model in what devices and streams are told of everything that waits. */
export async function pushDifferences(opine: PushingOpine, world: HiddenWorld): Promise<string[]> {
  const { people, model, devices } = world;
  const viewers = people.filter((person) => model.isLive(person));
  const stored = await storedFor(opine, viewers);
  const streams = new Map(
    await Promise.all(viewers.map(async (viewer) => [viewer.id, await listening(opine, viewer)] as const)),
  );
  const before = opine.fcm.requests.length;
  await opine.deliver();
  const messages = opine.fcm.requests.slice(before).map(({ message }) => message);
  const faults: string[] = [];
  for (const viewer of viewers) {
    for (const { token, data } of messages) {
      if (token !== devices.get(viewer.id)) continue;
      const row = stored.find(({ id }) => id === data.notificationId);
      const heard = await streams.get(viewer.id)?.heard(({ id }) => id === data.notificationId);
      const look = row && model.notification(viewer, row.actor_id, row.author_id);
      const actorId = look === 'named' ? row?.actor_id : undefined;
      const said = [look !== 'absent', data.actorIsAnonymous, data.actorId];
      const what = `${viewer.username} of ${data.type}`;
      faults.push(...compare(`${what}: push`, said, [true, String(look === 'anonymous'), actorId]));
      const streamed = [heard?.data.actorIsAnonymous, heard?.data.actorId];
      faults.push(...compare(`${what}: stream`, streamed, [look === 'anonymous', actorId]));
    }
  }
  for (const stream of streams.values()) stream.leave();
  return faults;
}

async function storedFor({ database }: PushingOpine, viewers: readonly Person[]): Promise<Stored[]> {
  const { rows } = await sql<Stored>`
    select id, recipient_id, actor_id, author_id, audience::text as audience
    from app.notifications where recipient_id = any (${viewers.map(({ id }) => id)}::uuid[]) and actor_id is not null
  `.execute(database.superuser);
  return rows;
}
