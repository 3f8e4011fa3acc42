import { expect } from 'vitest';
import { type Client, expectOk, idsOf, type Json, type Reply } from '../../support/client.ts';
import { follow } from '../../support/graph.ts';
import { aHub, aHubPost, type Hub, join, requestLeave } from '../../support/hubs.ts';
import type { Opine } from '../../support/opine.ts';
import { aGuest, hubReadyPerson, type Person, registeredPerson } from '../../support/people.ts';
import {
  aSlider,
  aThought,
  publish,
  requestCommentDeletion,
  requestShareToFeed,
  requestShareToHubs,
} from '../../support/posts.ts';
import { castVote } from '../../support/votes.ts';
import { chooserOf } from '../random.ts';

const ACTIONS_PER_WRITER = 40;
const LEAVES_PER_WRITER = 6;
/** The outcomes of a write: the post may be gone, the writer may be in no Hub or may have voted. */
const OUTCOMES = [200, 201, 'POST_NOT_FOUND', 'COMMENT_NOT_FOUND', 'FORBIDDEN', 'VOTE_ALREADY_CAST'];

/** A paginated list with the ids of its posts that no writer touches, newest first. */
export interface FeedList {
  readonly name: string;
  readonly viewer: Client;
  readonly path: string;
  readonly query?: object;
  readonly untouched: readonly string[];
  readonly isChronological: boolean;
}

/** The writers and readers, their Hubs and their lists. */
export interface ConcurrentWorld {
  readonly admin: Person;
  readonly hub: Hub;
  /** A Hub of the writers and the observer, without posts. */
  readonly apart: Hub;
  readonly observer: Person;
  /** A follower of the writers, in no Hub. */
  readonly follower: Person;
  readonly writers: readonly Person[];
  /** The posts that the writers act on. */
  readonly targets: Json[];
  readonly lists: readonly FeedList[];
}

/** Creates people whose feeds alternate between posts that writers touch and posts that they do not. */
export async function concurrentWorld(opine: Opine): Promise<ConcurrentWorld> {
  const [admin, quiet, ...writers] = [
    await hubReadyPerson(opine, 'Amara'),
    await hubReadyPerson(opine, 'Quiet'),
    await hubReadyPerson(opine, 'Jonas'),
    await hubReadyPerson(opine, 'Noor'),
    await hubReadyPerson(opine, 'Bo'),
  ];
  const [reader, observer] = [await hubReadyPerson(opine, 'Lena'), await hubReadyPerson(opine, 'Observer')];
  const follower = await registeredPerson(opine, 'Maya');
  const [busy] = writers;
  if (admin === undefined || quiet === undefined || busy === undefined)
    throw new Error('A person is missing.');
  const [hub, apart] = [await aHub(admin), await aHub(observer)];
  await join(admin, hub, [quiet, reader, ...writers]);
  await join(observer, apart, writers);
  await follow(follower, ...writers);
  await follow(reader, busy);
  const [open, inside, own, targets]: [Json[], Json[], Json[], Json[]] = [[], [], [], []];
  for (let index = 0; index < 12; index += 1) {
    open.unshift(await aThought(quiet));
    inside.unshift(await aHubPost(quiet, [hub]));
    own.unshift(await aThought(busy));
    targets.push(await aSlider(writers[index % writers.length] ?? busy));
  }
  const [inFeed, inHub, onProfile] = [idsOf(interleaved(inside, open)), idsOf(inside), idsOf(own)];
  const home = { path: '/posts', isChronological: true };
  // A trending list must not skip posts whose score rises meanwhile.
  const rising = idsOf(targets.filter(({ author }) => author.id === busy.id));
  const trending = { path: '/posts', query: { sort: 'trending' }, isChronological: false };
  return {
    admin,
    hub,
    apart,
    observer,
    follower,
    writers,
    targets,
    lists: [
      { ...home, name: 'the feed of a member', viewer: reader, untouched: inFeed },
      { ...home, name: 'the feed of the admin', viewer: admin, untouched: inFeed },
      { ...home, name: 'the feed of a follower', viewer: follower, untouched: onProfile },
      {
        ...trending,
        name: 'the trending feed',
        viewer: reader,
        untouched: [...inFeed, ...onProfile, ...rising],
      },
      { ...home, name: 'the feed of a Hub', viewer: admin, path: `/hubs/${hub.id}/feed`, untouched: inHub },
      {
        ...home,
        name: 'the feed of a profile',
        viewer: aGuest(opine),
        path: `/users/${busy.id}/feed`,
        untouched: onProfile,
      },
    ],
  };
}

function interleaved(one: readonly Json[], other: readonly Json[]): Json[] {
  return one.flatMap((each, index) => [each, other[index]]);
}

/** Sends random writes one after the other. */
export async function writeRandomly(
  writer: Person,
  { hub, targets }: ConcurrentWorld,
  random: () => number,
): Promise<void> {
  const any = chooserOf(random);
  const comments: Json[] = [];
  const posts: Json[] = [await aThought(writer)];
  const keep = async (list: Json[], reply: Promise<Reply>) => {
    const answer = await reply;
    if (answer.status === 201) list.push(answer.data);
    return answer;
  };
  const drop = async (list: Json[], remove: (item: Json) => Promise<Reply>) => {
    const item = list.pop();
    return item === undefined ? publishOne() : remove(item);
  };
  const publishOne = async () => {
    const answer = await keep(posts, publish(writer, { sliderText: 'Is this so?' }));
    if (answer.status === 201) targets.push(answer.data);
    return answer;
  };
  const target = () => any([...targets, ...targets, ...posts]);
  const writes: readonly (() => Promise<Reply>)[] = [
    publishOne,
    () => keep(posts, writer.post('/posts', inHub(hub))),
    () => keep(comments, writer.post(`/posts/${any(targets).id}/comments`, { text: 'I see.' })),
    () => keep(comments, writer.post(`/posts/${any(targets).id}/comments`, { text: 'Indeed.' })),
    () => drop(comments, (comment) => requestCommentDeletion(writer, comment)),
    () => requestShareToFeed(writer, target()),
    () => requestShareToHubs(writer, any(targets), [hub]),
    () => keep(posts, writer.post(`/posts/${any(targets).id}/reposts`, REPOST)),
    () => drop(posts, ({ id }) => writer.delete(`/posts/${id}`)),
    () => castVote(writer, any(targets)),
  ];
  for (let count = 0; count < ACTIONS_PER_WRITER; count += 1) {
    const { status, error } = await any(writes)();
    expect(OUTCOMES).toContain(error?.code ?? status);
  }
}

/** Leaves both Hubs and rejoins them repeatedly. */
export async function leaveAndRejoin(
  writer: Person,
  { admin, hub, observer, apart }: ConcurrentWorld,
): Promise<void> {
  for (let count = 0; count < LEAVES_PER_WRITER; count += 1) {
    await expectOk(requestLeave(writer, apart));
    await expectOk(requestLeave(writer, hub));
    await join(observer, apart, [writer]);
    await join(admin, hub, [writer]);
  }
}

const REPOST = { visibility: 'public', thoughtText: 'Look here.' };
const inHub = ({ id }: Hub) => ({ visibility: 'private_locked_hub', thoughtText: 'Among us.', hubIds: [id] });
