import { sql } from 'kysely';
import { allPages, type Json } from '../../support/client.ts';
import { pathOf } from '../../support/discussions.ts';
import { followedBy, followersOf, listedIds, searchUsers } from '../../support/graph.ts';
import { type Hub, memberIds } from '../../support/hubs.ts';
import { exportOf } from '../../support/own-data.ts';
import { aGuest, type Person } from '../../support/people.ts';
import type { OpineWithPush } from '../../support/pushes.ts';
import { requestReport } from '../../support/reports.ts';
import { type EventStream, eventually, openReadyStream, type StreamEvent } from '../../support/streams.ts';
import { type Appearance, idsSorted, type NotifiedPeople, type VisibilityModel } from './model.ts';

/** A comment or a message. */
interface Entry {
  readonly id: string;
  readonly author: Pick<Person, 'id'>;
  readonly rootId: string | null;
}

/** People, the Hub of the first of them, and their content. */
export interface VisibilityWorld {
  readonly people: Person[];
  readonly host: Person;
  readonly hub: Hub;
  readonly discussion: Json;
  readonly model: VisibilityModel;
  /** Device tokens by user id. */
  readonly devices: Map<string, string>;
  readonly posts: Json[];
  readonly comments: (Entry & { readonly postId: string })[];
  readonly messages: Entry[];
  /** The posts placed in the Hub, and who placed them. */
  placements: Placement[];
}

export interface Placement {
  readonly postId: string;
  readonly author: Pick<Person, 'id'>;
  readonly placedBy: Pick<Person, 'id'>;
}

/** A stored notification, before visibility rules. Its actor is null for a decision of staff. */
interface StoredNotification extends NotifiedPeople {
  readonly id: string;
  readonly recipient_id: string;
  readonly audience: string;
}

/** Returns the differences from the model in every place that shows people, for every viewer. */
export async function differencesIn(opine: OpineWithPush, world: VisibilityWorld): Promise<string[]> {
  const { people, model } = world;
  const viewers = people.filter((person) => model.isLive(person));
  const pushed = await pushDifferences(opine, world);
  const seen = await Promise.all([
    publicDifferences(opine, world),
    ...viewers.map((viewer) => differencesFor(opine, world, viewer)),
  ]);
  return [...pushed, ...seen.flat()];
}

function compare(what: string, actual: unknown, expected: unknown): string[] {
  const [one, other] = [JSON.stringify(actual), JSON.stringify(expected)];
  return one === other ? [] : [`${what}: ${one} instead of ${other}`];
}

async function differencesFor(
  opine: OpineWithPush,
  world: VisibilityWorld,
  viewer: Person,
): Promise<string[]> {
  const who = viewer.username;
  const faults = (
    await Promise.all([
      peopleDifferences(world, viewer),
      contentDifferences(world, viewer),
      hubDifferences(world, viewer),
      reportDifferences(world, viewer),
      inboxDifferences(opine, world, viewer),
    ])
  ).flat();
  return faults.map((fault) => `${who}: ${fault}`);
}

/** Compares what a guest sees. */
async function publicDifferences(
  opine: OpineWithPush,
  { people, model }: VisibilityWorld,
): Promise<string[]> {
  const guest = aGuest(opine);
  const faults: string[] = [];
  for (const person of people) {
    const ids = await searchUsers(guest, person.username);
    const isNamed = model.inPublic(null, person) === 'named';
    faults.push(...compare(`guest: search for ${person.username}`, ids.includes(person.id), isNamed));
    const { status } = await guest.get(`/users/${person.id}/profile`);
    faults.push(...compare(`guest: profile of ${person.username}`, status, isNamed ? 200 : 404));
  }
  return faults;
}

/** Compares lists of people. */
async function peopleDifferences({ people, model }: VisibilityWorld, viewer: Person): Promise<string[]> {
  const faults: string[] = [];
  const blocked = (await listedIds(viewer, '/users/me/blocks')).sort();
  const isBlocked = (other: Person) =>
    model.blocks.has(`${viewer.id} ${other.id}`) && model.profile(viewer, other) === 'named';
  faults.push(...compare('blocks', blocked, model.ids(isBlocked)));
  for (const person of people) {
    const name = person.username;
    const isFound = (await searchUsers(viewer, name)).includes(person.id);
    faults.push(...compare(`search for ${name}`, isFound, model.inPublic(viewer, person) === 'named'));
    const { status } = await viewer.get(`/users/${person.id}/profile`);
    faults.push(...compare(`profile of ${name}`, status === 200, model.profile(viewer, person) === 'named'));
    for (const [side, list] of [
      ['followers', followersOf],
      ['following', followedBy],
    ] as const) {
      const ids = await list(viewer, person, { limit: 2 }).then(
        (found) => found.sort(),
        () => null,
      );
      faults.push(...compare(`${side} of ${name}`, ids, model.followsOf(viewer, person, side)));
    }
  }
  return faults;
}

/** Compares posts, feeds and comments. */
async function contentDifferences(
  { posts, comments, people, model }: VisibilityWorld,
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
      (query) => allPages(viewer, path, { limit: 2, ...query }),
      'parentCommentId',
    );
    const entries = comments.filter(({ postId }) => postId === post.id);
    const isHidden = (author: Pick<Person, 'id'>) => model.isHiddenComment(author, post.author);
    const isOpen = (root: Entry) =>
      isHidden(root.author) ||
      !model.isBlockedPair(viewer, root.author) ||
      entries.some((reply) => reply.rootId === root.id && reply.author.id === viewer.id);
    const appearanceOf = (author: Pick<Person, 'id'>) =>
      isHidden(author) ? 'absent' : model.inPublic(viewer, author);
    // The worker deletes comments of ended accounts some time later. A deleted root stays above replies that the viewer does not see.
    const isLeft = ([[id], replies]: Thread) =>
      replies.length === 0 && entries.some((root) => root.id === id && model.ended.has(root.author.id));
    const shown = threads.filter((thread) => !isLeft(thread));
    faults.push(...compare('comments', shown, expectedThreads(entries, appearanceOf, isOpen)));
    if (entries.every(({ author }) => !model.ended.has(author.id))) {
      const count = entries.filter(({ author }) => !isHidden(author)).length;
      faults.push(...compare('comment count', data.commentCount, count));
    }
  }
  const hidden = people.filter((person) => person.id !== viewer.id && !sees(person));
  for (const path of ['/posts', '/posts?sort=trending', `/users/${viewer.id}/feed`]) {
    const text = JSON.stringify((await viewer.get(path)).data);
    const shown = hidden.filter(({ id, username }) => text.includes(id) || text.includes(username));
    faults.push(...compare(`hidden people in ${path}`, idsSorted(shown), []));
  }
  return faults;
}

/** The ids of a root and its author, and those of its replies. */
type Thread = readonly [root: readonly [id: string, author: string], replies: readonly Thread[0][]];

/** Reads a list with its replies: ids and authors of each thread. */
async function threadsOf(
  pages: (query: object) => Promise<Json[][]>,
  parameter: 'parentCommentId' | 'parentMessageId',
): Promise<Thread[]> {
  const idAndAuthor = ({ id, author }: Json): Thread[0] => [id, author.id ?? author.userId];
  const roots = (await pages({})).flat();
  return Promise.all(
    roots.map(
      async (root): Promise<Thread> => [
        idAndAuthor(root),
        (await pages({ [parameter]: root.id })).flat().map(idAndAuthor),
      ],
    ),
  );
}

/** Returns the expected threads; a hidden root stays without its author while a reply is visible. */
function expectedThreads(
  entries: readonly Entry[],
  appearanceOf: (author: Pick<Person, 'id'>) => Appearance,
  isOpen: (root: Entry) => boolean,
): unknown[] {
  const shown = ({ id, author }: Entry) => [id, appearanceOf(author) === 'named' ? author.id : ''];
  const isSeen = ({ author }: Entry) => appearanceOf(author) !== 'absent';
  return entries
    .filter((root) => root.rootId === null && isOpen(root))
    .map((root) => ({ root, replies: entries.filter((reply) => reply.rootId === root.id && isSeen(reply)) }))
    .filter(({ root, replies }) => isSeen(root) || replies.length > 0)
    .map(({ root, replies }) => [shown(root), replies.map(shown)]);
}

/** Compares the lists and messages of the Hub for its members. */
async function hubDifferences(
  { hub, host, discussion, messages, model, placements }: VisibilityWorld,
  viewer: Person,
): Promise<string[]> {
  if (!model.members.has(viewer.id)) return [];
  const isListed = (person: Person) => model.members.has(person.id) && model.inHub(person) === 'named';
  const people = (await memberIds(viewer, hub, { limit: 2 })).sort();
  const entries = await threadsOf(
    (query) => allPages(viewer, pathOf(discussion, 'messages'), { limit: 2, ...query }),
    'parentMessageId',
  );
  const expected = expectedThreads(
    messages,
    (author) => model.message(author),
    () => true,
  );
  const discussions = (await allPages(viewer, `/hubs/${hub.id}/discussions`)).flat();
  const authors = discussions.map(({ preview }) => preview.author.userId).filter((id) => id !== '');
  // The worker removes posts of ended accounts some time later.
  const isLasting = ({ author }: Placement) => !model.ended.has(author.id);
  const isShown = ({ author }: Placement) => viewer.id === host.id || !model.isBlockedPair(viewer, author);
  const lasting = new Set(placements.filter(isLasting).map(({ postId }) => postId));
  const listed = discussions.map(({ postId }) => postId).filter((id) => lasting.has(id));
  const shown = placements.filter((one) => isLasting(one) && isShown(one)).map(({ postId }) => postId);
  const gone = discussions.filter(({ postId }) => !placements.some((one) => one.postId === postId));
  return [
    ...compare('discussions', listed.sort(), shown.sort()),
    ...compare('discussions of posts that were taken out', gone, []),
    ...compare('members', people, model.ids(isListed)),
    ...compare('messages', entries, expected),
    ...compare(
      'authors of discussions',
      authors.filter((id) => model.inHub({ id }) !== 'named'),
      [],
    ),
  ];
}

/** Compares what the viewer may report, which blocks do not change. */
async function reportDifferences(
  { people, posts, comments, messages, model }: VisibilityWorld,
  viewer: Person,
): Promise<string[]> {
  const isLive = (author: Pick<Person, 'id'>) => model.isLive(author);
  const authorOf = (postId: string) => posts.find(({ id }) => id === postId)?.author;
  const targets = [
    ...people.map((person) => ['users', person.id, person, isLive(person)] as const),
    ...posts.slice(-4).map((post) => ['posts', post.id, post.author, isLive(post.author)] as const),
    // The worker removes posts of ended accounts some time later, and the comments on them.
    ...comments
      .filter(({ postId }) => !model.ended.has(authorOf(postId)?.id))
      .slice(-4)
      .map(
        ({ id, author, postId }) =>
          ['comments', id, author, isLive(author) && isLive(authorOf(postId))] as const,
      ),
    ...messages
      .slice(-4)
      .map(
        ({ id, author }) =>
          [
            'messages',
            id,
            author,
            model.members.has(viewer.id) && model.message(author) !== 'absent',
          ] as const,
      ),
  ];
  const faults: string[] = [];
  for (const [things, id, author, isSeen] of targets) {
    const { status } = await requestReport(viewer, things, { id });
    faults.push(...compare(`report of ${things}`, status, model.report(viewer, author, isSeen)));
  }
  return faults;
}

/** Compares the inbox and the data export. */
async function inboxDifferences(
  opine: OpineWithPush,
  { model }: VisibilityWorld,
  viewer: Person,
): Promise<string[]> {
  const listed = (await allPages(viewer, '/notifications', { limit: 7 })).flat();
  const exported = await exportOf(viewer);
  const stored = await storedFor(opine, [viewer]);
  const faults: string[] = [];
  for (const row of stored) {
    const appearance = model.notification(viewer, row);
    const [item, kept] = [listed, exported.notifications].map((items) =>
      items.find(({ id }: Json) => id === row.id),
    );
    // The viewer may have left the Hub of the notification.
    const isMissing = appearance === 'absent' || (item === undefined && row.audience !== 'everybody');
    const actor = isMissing ? undefined : model.actor(appearance, row.actor_id);
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

/** Sends all pending pushes and returns the differences of pushes and stream events. */
export async function pushDifferences(opine: OpineWithPush, world: VisibilityWorld): Promise<string[]> {
  const { people, model, devices } = world;
  const viewers = people.filter((person) => model.isLive(person));
  const stored = await storedFor(opine, viewers);
  const streams = new Map(
    await Promise.all(
      viewers.map(async (viewer) => [viewer.id, await openReadyStream(opine, viewer)] as const),
    ),
  );
  const before = opine.fcm.requests.length;
  await opine.deliver();
  const messages = opine.fcm.requests.slice(before).map(({ message }) => message);
  const faults: string[] = [];
  for (const viewer of viewers) {
    for (const { token, data } of messages) {
      if (token !== devices.get(viewer.id)) continue;
      const row = stored.find(({ id }) => id === data.notificationId);
      const event = await streamedOrErased(opine, streams.get(viewer.id), data.notificationId);
      const appearance = row && model.notification(viewer, row);
      const actorId = appearance === 'named' ? row?.actor_id : undefined;
      const entries = [appearance !== 'absent', data.actorIsAnonymous, data.actorId];
      const what = `${viewer.username} of ${data.type}`;
      faults.push(...compare(`${what}: push`, entries, [true, String(appearance === 'anonymous'), actorId]));
      if (event === undefined) continue;
      const streamed = [event.data.actorIsAnonymous, event.data.actorId];
      faults.push(...compare(`${what}: stream`, streamed, [appearance === 'anonymous', actorId]));
    }
  }
  for (const stream of streams.values()) stream.leave();
  return faults;
}

/** Returns the event of a notification; undefined if its actor's account was erased, and the notification with it, after the push. */
async function streamedOrErased(
  { database }: OpineWithPush,
  stream: EventStream | undefined,
  notificationId: string,
): Promise<StreamEvent | undefined> {
  let event: StreamEvent | undefined;
  await eventually(async () => {
    event = stream?.events.find(({ id }) => id === notificationId);
    if (event !== undefined) return true;
    const { rows } = await sql`select from app.notifications where id = ${notificationId}`.execute(
      database.superuser,
    );
    return rows.length === 0;
  }).toBe(true);
  return event;
}

async function storedFor(
  { database }: OpineWithPush,
  viewers: readonly Person[],
): Promise<StoredNotification[]> {
  const { rows } = await sql<StoredNotification>`
    select
      n.id, n.recipient_id, n.actor_id, n.author_id, root.author_id as thread_author_id, c.author_id as comment_author_id,
      p.author_id as post_author_id, n.audience::text as audience
    from app.notifications as n
    join app.events as e on e.id = n.event_id
    left join app.comments as c on c.id = e.comment_id
    left join app.comments as root on root.id = c.parent_id
    left join app.posts as p on p.id = c.post_id
    where n.recipient_id = any (${viewers.map(({ id }) => id)}::uuid[])
  `.execute(database.superuser);
  return rows;
}
