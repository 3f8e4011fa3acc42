import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Client, Json } from '../support/client.ts';
import { aCircle, type Circle } from '../support/discussions.ts';
import {
  aRepost,
  place,
  requestComment,
  requestPlace,
  requestRepost,
  requestShare,
} from '../support/frames.ts';
import { granted, NOBODY } from '../support/graph.ts';
import { aHub, aHubPost, type Hub, join, requestLeave } from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import {
  aConfirmed,
  aGuest,
  aHubReady,
  anAnonymous,
  aPersonOf,
  aRegistered,
  type Person,
} from '../support/people.ts';
import { aSlider, aThought, seenBy } from '../support/posts.ts';
import { castVote } from '../support/votes.ts';

let opine: Opine;
/** Amara writes; Jonas is in her Hub. */
let circle: Circle;
let other: Json;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

beforeEach(async () => {
  circle = await aCircle(opine);
  other = await aHub(circle.amara);
});

const SLIDER = { sliderText: 'Is the street too loud?' };
const LOCKED = { visibility: 'private_locked_hub' };

/** The posts that Amara makes, by what they are. */
const POSTS = {
  'a thought': () => aThought(circle.amara),
  'a slider': () => aSlider(circle.amara),
  'a slider for everybody and a Hub': () =>
    aHubPost(circle.amara, [circle.hub], { ...SLIDER, visibility: 'public_hub' }),
  'a slider in two Hubs': () => aHubPost(circle.amara, [circle.hub, other], SLIDER),
  'a slider in one Hub': () => aHubPost(circle.amara, [circle.hub], SLIDER),
  'a repost': async () => aRepost(circle.amara, await aSlider(circle.jonas)),
  'a repost with a slider': async () => aRepost(circle.amara, await aSlider(circle.jonas), SLIDER),
  'a repost in two Hubs': async () =>
    aRepost(circle.amara, await aSlider(circle.jonas), { ...LOCKED, hubIds: [circle.hub.id, other.id] }),
  'a repost in one Hub': async () =>
    aRepost(circle.amara, await aSlider(circle.jonas), { ...LOCKED, hubIds: [circle.hub.id] }),
} as const;

/** Those who look, by what they are to Amara's posts. */
const VIEWERS = {
  'a guest': () => aGuest(opine),
  'somebody of level 1': () => anAnonymous(opine),
  'somebody of level 2': () => aRegistered(opine),
  'somebody of level 3': () => aConfirmed(opine),
  'somebody of level 4': () => aHubReady(opine),
  'a member': () => circle.jonas,
  'the author': () => circle.amara,
  'the author, who has left the Hub': async () => {
    const { hub, amara, jonas } = circle;
    await granted(amara.post(`/hubs/${hub.id}/admins`, { userId: jonas.id }));
    await granted(requestLeave(amara, hub));
    return amara;
  },
} as const;

/** What `viewer` may do with `post`, as it is told. */
async function permissionsOf(viewer: Client, post: Json): Promise<string[]> {
  const { permissions } = await seenBy(viewer, post);
  return Object.keys(permissions).filter((name) => permissions[name]);
}

const READING = ['canComment', 'canShareToFeed'];

describe('what one may do grows with the level', () => {
  test.each([
    ['a thought', READING, ['canRepost'], ['canShareToHubs']],
    ['a slider', ['canVote', ...READING], ['canRepost'], ['canShareToHubs']],
    ['a slider for everybody and a Hub', ['canVote', ...READING], ['canRepost'], ['canShareToHubs']],
    ['a repost', READING, [], ['canShareToHubs']],
    ['a repost with a slider', ['canVote', ...READING], [], ['canShareToHubs']],
  ] as const)('with %s', async (kind, registered, confirmed, ready) => {
    const post = await POSTS[kind]();
    const byLevel = [[], [], registered, [...registered, ...confirmed]];
    for (const [level, names] of [...byLevel, [...registered, ...confirmed, ...ready]].entries()) {
      const told = await permissionsOf(await aPersonOf(level, opine), post);
      expect([level, new Set(told)]).toEqual([level, new Set(names)]);
    }
    const everything = [...registered, ...confirmed, ...ready, 'canDelete'];
    expect(new Set(await permissionsOf(circle.amara, post))).toEqual(new Set(everything));
  });

  test.each([
    ['a slider in two Hubs', ['canVote', 'canRepost', 'canShareToFeed', 'canShareToHubs']],
    ['a slider in one Hub', ['canVote', 'canShareToFeed']],
    ['a repost in two Hubs', ['canShareToFeed', 'canShareToHubs']],
    ['a repost in one Hub', ['canShareToFeed']],
  ] as const)('and is that of members with %s', async (kind, names) => {
    const post = await POSTS[kind]();
    expect(new Set(await permissionsOf(circle.jonas, post))).toEqual(new Set(names));
    expect(new Set(await permissionsOf(circle.amara, post))).toEqual(new Set([...names, 'canDelete']));
  });

  test('and is theirs to whom a post was shared onward', async () => {
    const post = await POSTS['a slider in two Hubs']();
    const [lena, next] = [await aHubReady(opine), await aHub(circle.jonas)];
    await join(circle.jonas, next, [lena]);
    await place(circle.jonas, post, next);
    const names = ['canVote', 'canRepost', 'canShareToFeed', 'canShareToHubs'];
    expect(new Set(await permissionsOf(lena, post))).toEqual(new Set(names));
  });
});

/** What comes of each act of `viewer` on `post`; deleting comes last. */
async function done(viewer: Client, post: Json, own: Hub): Promise<string[]> {
  const acts = {
    canVote: () => castVote(viewer, post),
    canComment: () => requestComment(viewer, post, { text: 'Well.' }),
    canRepost: () => requestRepost(viewer, post),
    canShareToFeed: () => requestShare(viewer, post),
    canShareToHubs: () => requestPlace(viewer, post, [own]),
    canDelete: () => viewer.delete(`/posts/${post.id}`),
  };
  const names: string[] = [];
  for (const [name, act] of Object.entries(acts)) {
    if ((await act()).status < 300) names.push(name);
  }
  return names;
}

/** A Hub of `viewer`'s, if they have come to that. */
async function aHubOf(viewer: Client): Promise<Hub> {
  const { status, data } = await viewer.post('/hubs', { name: 'Own Street' });
  return status === 201 ? data : NOBODY;
}

describe.each(Object.keys(VIEWERS) as (keyof typeof VIEWERS)[])('%s can do exactly what is told', (who) => {
  test.each(Object.keys(POSTS) as (keyof typeof POSTS)[])('with %s', async (kind) => {
    const post = await POSTS[kind]();
    const viewer: Client | Person = await VIEWERS[who]();
    const own = await aHubOf(viewer);
    const { status, data } = await viewer.get(`/posts/${post.id}`);
    const told: Json = data?.permissions ?? {};
    expect([200, 404]).toContain(status);
    expect(await done(viewer, post, own)).toEqual(
      ['canVote', 'canComment', 'canRepost', 'canShareToFeed', 'canShareToHubs', 'canDelete'].filter(
        (name) => told[name],
      ),
    );
  });
});

test('whoever has voted is told so, and cannot again', async () => {
  const [post, voter] = [await POSTS['a slider'](), await aRegistered(opine)];
  await granted(castVote(voter, post));
  expect(new Set(await permissionsOf(voter, post))).toEqual(new Set(READING));
  expect((await castVote(voter, post)).status).toBe(409);
});
