import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Client, expectOk, type Json, NONEXISTENT } from '../support/client.ts';
import { aHubOfTwo, type HubOfTwo } from '../support/discussions.ts';
import { aHub, aHubPost, type Hub, join, requestLeave } from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import {
  aGuest,
  anonymousPerson,
  confirmedPerson,
  hubReadyPerson,
  type Person,
  registeredPerson,
} from '../support/people.ts';
import {
  aRepost,
  aSlider,
  aThought,
  requestComment,
  requestRepost,
  requestShareToFeed,
  requestShareToHubs,
  seenBy,
  shareToHubs,
} from '../support/posts.ts';
import { castVote } from '../support/votes.ts';

let opine: Opine;
/** Amara writes; Jonas is in her Hub. */
let circle: HubOfTwo;
let other: Json;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

beforeEach(async () => {
  circle = await aHubOfTwo(opine);
  other = await aHub(circle.amara);
});

const SLIDER = { sliderText: 'Is the street too loud?' };
const LOCKED = { visibility: 'private_locked_hub' };

/** Creates a post of Amara's, by kind. */
const POSTS = {
  'a thought': () => aThought(circle.amara),
  'a slider': () => aSlider(circle.amara),
  'a public slider in a Hub': () =>
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

/** Creates a viewer, by level and relation to Amara's posts. */
const VIEWERS = {
  'a guest': () => aGuest(opine),
  'a viewer of level 1': () => anonymousPerson(opine),
  'a viewer of level 2': () => registeredPerson(opine),
  'a viewer of level 3': () => confirmedPerson(opine),
  'a viewer of level 4': () => hubReadyPerson(opine),
  'a Hub member': () => circle.jonas,
  'the author': () => circle.amara,
  'an author who left the Hub': async () => {
    const { hub, amara, jonas } = circle;
    await expectOk(amara.post(`/hubs/${hub.id}/admins`, { userId: jonas.id }));
    await expectOk(requestLeave(amara, hub));
    return amara;
  },
} as const;

/** Tries each operation of `viewer` on `post`, deletion last, and returns the names of those that succeed. */
async function successfulOperations(viewer: Client, post: Json, own: Hub): Promise<string[]> {
  const operations = {
    canVote: () => castVote(viewer, post),
    canComment: () => requestComment(viewer, post, { text: 'Well.' }),
    canRepost: () => requestRepost(viewer, post),
    canShareToFeed: () => requestShareToFeed(viewer, post),
    canShareToHubs: () => requestShareToHubs(viewer, post, [own]),
    canDelete: () => viewer.delete(`/posts/${post.id}`),
  };
  const names: string[] = [];
  for (const [name, operation] of Object.entries(operations)) {
    if ((await operation()).status < 300) names.push(name);
  }
  return names;
}

/** Creates a Hub of `viewer`, or returns an unknown id below level 4. */
async function createOwnHub(viewer: Client): Promise<Hub> {
  const { status, data } = await viewer.post('/hubs', { name: 'Own Street' });
  return status === 201 ? data : NONEXISTENT;
}

test('a post shared onward grants its permissions to members of the new Hub', async () => {
  const post = await POSTS['a slider in two Hubs']();
  const [lena, next] = [await hubReadyPerson(opine), await aHub(circle.jonas)];
  await join(circle.jonas, next, [lena]);
  await shareToHubs(circle.jonas, post, next);
  const names = ['canVote', 'canRepost', 'canShareToFeed', 'canShareToHubs'];
  const { permissions } = await seenBy(lena, post);
  expect(new Set(Object.keys(permissions).filter((name) => permissions[name]))).toEqual(new Set(names));
});

describe.each(Object.keys(VIEWERS) as (keyof typeof VIEWERS)[])('%s', (who) => {
  test.each(Object.keys(POSTS) as (keyof typeof POSTS)[])(
    'permissions on %s match the operations that succeed',
    async (kind) => {
      const post = await POSTS[kind]();
      const viewer: Client | Person = await VIEWERS[who]();
      const own = await createOwnHub(viewer);
      const { status, data } = await viewer.get(`/posts/${post.id}`);
      const permissions: Json = data?.permissions ?? {};
      expect([200, 404]).toContain(status);
      expect(await successfulOperations(viewer, post, own)).toEqual(
        ['canVote', 'canComment', 'canRepost', 'canShareToFeed', 'canShareToHubs', 'canDelete'].filter(
          (name) => permissions[name],
        ),
      );
    },
  );
});
