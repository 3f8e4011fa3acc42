import { expect } from 'vitest';
import type { Client, Json, Reply } from '../../support/client.ts';
import { requestCommentDeletion, requestPlace, requestShare } from '../../support/frames.ts';
import { follow, granted, idsOf } from '../../support/graph.ts';
import { aHub, aHubPost, type Hub, join, requestLeave } from '../../support/hubs.ts';
import type { Opine } from '../../support/opine.ts';
import { aGuest, aHubReady, aRegistered, type Person } from '../../support/people.ts';
import { aSlider, aThought, publish } from '../../support/posts.ts';
import { castVote } from '../../support/votes.ts';

const ACTS_OF_EACH = 40;
const LEAVES_OF_EACH = 6;
/** What an act may meet whose post is deleted meanwhile, whose actor is in no Hub at that moment, or has voted. */
const ANSWERS = [200, 201, 'POST_NOT_FOUND', 'COMMENT_NOT_FOUND', 'FORBIDDEN', 'VOTE_ALREADY_CAST'];

/** The same numbers from 0 to below 1 for the same seed. */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A list that somebody walks through, and what is in it that nobody touches, the newest first. */
export interface Walk {
  readonly name: string;
  readonly viewer: Client;
  readonly path: string;
  readonly query?: object;
  readonly still: readonly string[];
  readonly isByTime: boolean;
}

/** Those who write and those who read, and what there is for them. */
export interface World {
  readonly admin: Person;
  readonly hub: Hub;
  /** Where the writers are with one observer, and nothing is placed. */
  readonly apart: Hub;
  readonly observer: Person;
  /** Who follows the writers, and is in no Hub. */
  readonly follower: Person;
  readonly writers: readonly Person[];
  /** What everybody acts on; more of it comes, and some goes. */
  readonly lively: Json[];
  readonly walks: readonly Walk[];
}

/** People with feeds in which every other post is one that nobody touches, the oldest among them. */
export async function aLivelyWorld(opine: Opine): Promise<World> {
  const [admin, quiet, ...writers] = [
    await aHubReady(opine, 'Amara'),
    await aHubReady(opine, 'Quiet'),
    await aHubReady(opine, 'Jonas'),
    await aHubReady(opine, 'Noor'),
    await aHubReady(opine, 'Bo'),
  ];
  const [reader, observer] = [await aHubReady(opine, 'Lena'), await aHubReady(opine, 'Observer')];
  const follower = await aRegistered(opine, 'Maya');
  const [busy] = writers;
  if (admin === undefined || quiet === undefined || busy === undefined) throw new Error('Nobody is here.');
  const [hub, apart] = [await aHub(admin), await aHub(observer)];
  await join(admin, hub, [quiet, reader, ...writers]);
  await join(observer, apart, writers);
  await follow(follower, ...writers);
  await follow(reader, busy);
  const [open, inside, own, lively]: [Json[], Json[], Json[], Json[]] = [[], [], [], []];
  for (let index = 0; index < 12; index += 1) {
    open.unshift(await aThought(quiet));
    inside.unshift(await aHubPost(quiet, [hub]));
    own.unshift(await aThought(busy));
    lively.push(await aSlider(writers[index % writers.length] ?? busy));
  }
  const [inFeed, inHub, onProfile] = [idsOf(interleaved(inside, open)), idsOf(inside), idsOf(own)];
  const home = { path: '/posts', isByTime: true };
  // By heat nothing is skipped either that people warm meanwhile.
  const warmed = idsOf(lively.filter(({ author }) => author.id === busy.id));
  const heat = { path: '/posts', query: { sort: 'trending' }, isByTime: false };
  return {
    admin,
    hub,
    apart,
    observer,
    follower,
    writers,
    lively,
    walks: [
      { ...home, name: 'of a member', viewer: reader, still: inFeed },
      { ...home, name: 'of the admin', viewer: admin, still: inFeed },
      { ...home, name: 'of a follower', viewer: follower, still: onProfile },
      { ...heat, name: 'by heat', viewer: reader, still: [...inFeed, ...onProfile, ...warmed] },
      { ...home, name: 'of a Hub', viewer: admin, path: `/hubs/${hub.id}/feed`, still: inHub },
      {
        ...home,
        name: 'of a profile',
        viewer: aGuest(opine),
        path: `/users/${busy.id}/feed`,
        still: onProfile,
      },
    ],
  };
}

function interleaved(one: readonly Json[], other: readonly Json[]): Json[] {
  return one.flatMap((each, index) => [each, other[index]]);
}

/** `writer` does one thing after the other, as chance has it. */
export async function write(writer: Person, { hub, lively }: World, random: () => number): Promise<void> {
  const any = <Item>(items: readonly Item[]): Item => {
    const item = items[Math.floor(random() * items.length)];
    if (item === undefined) throw new Error('There is none.');
    return item;
  };
  const comments: Json[] = [];
  const posts: Json[] = [await aThought(writer)];
  const keep = async (list: Json[], reply: Promise<Reply>) => {
    const answer = await reply;
    if (answer.status === 201) list.push(answer.data);
    return answer;
  };
  const drop = async (list: Json[], ask: (item: Json) => Promise<Reply>) => {
    const item = list.pop();
    return item === undefined ? publishOne() : ask(item);
  };
  const publishOne = async () => {
    const answer = await keep(posts, publish(writer, { sliderText: 'Is this so?' }));
    if (answer.status === 201) lively.push(answer.data);
    return answer;
  };
  const target = () => any([...lively, ...lively, ...posts]);
  const acts: readonly (() => Promise<Reply>)[] = [
    publishOne,
    () => keep(posts, writer.post('/posts', inHub(hub))),
    () => keep(comments, writer.post(`/posts/${any(lively).id}/comments`, { text: 'I see.' })),
    () => keep(comments, writer.post(`/posts/${any(lively).id}/comments`, { text: 'Indeed.' })),
    () => drop(comments, (comment) => requestCommentDeletion(writer, comment)),
    () => requestShare(writer, target()),
    () => requestPlace(writer, any(lively), [hub]),
    () => keep(posts, writer.post(`/posts/${any(lively).id}/reposts`, REPOST)),
    () => drop(posts, ({ id }) => writer.delete(`/posts/${id}`)),
    () => castVote(writer, any(lively)),
  ];
  for (let count = 0; count < ACTS_OF_EACH; count += 1) {
    const { status, error } = await any(acts)();
    expect(ANSWERS).toContain(error?.code ?? status);
  }
}

/** `writer` leaves the Hubs again and again, and comes back. */
export async function comeAndGo(writer: Person, { admin, hub, observer, apart }: World): Promise<void> {
  for (let count = 0; count < LEAVES_OF_EACH; count += 1) {
    await granted(requestLeave(writer, apart));
    await granted(requestLeave(writer, hub));
    await join(observer, apart, [writer]);
    await join(admin, hub, [writer]);
  }
}

const REPOST = { visibility: 'public', thoughtText: 'Look here.' };
const inHub = ({ id }: Hub) => ({ visibility: 'private_locked_hub', thoughtText: 'Among us.', hubIds: [id] });
