import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aCircle, type Circle } from './builders/discussions.ts';
import { askToSave, place, profileFeedOf, savedBy, share } from './builders/frames.ts';
import { granted, NOBODY, withQuery } from './builders/graph.ts';
import { aHubWorld, OUTSIDERS } from './builders/hub-worlds.ts';
import { aHub, aHubPost, aMemberOf, askToLeave, type Hub, join } from './builders/hubs.ts';
import { aConfirmed, aGuest, anAnonymous, aRegistered, type Person } from './builders/people.ts';
import { aSlider, seenBy } from './builders/posts.ts';
import { castVote, distributionOf, myVote, POSITIONS, type Position, summaryOf } from './builders/votes.ts';
import { type Client, clientOf, type Json, refusal } from './harness/client.ts';
import { type Opine, startOpine } from './harness/opine.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

const SLIDER = { sliderText: 'Is the street too loud?' };
const GLOBAL = { type: 'global', hubId: null };
const FORBIDDEN = refusal(403, 'FORBIDDEN');

/** A circle with a second Hub: Amara and Jonas are in both, Lena in that one; Maya is in none. */
type Town = Circle & { readonly other: Json; readonly lena: Person; readonly maya: Person };

async function aTown(): Promise<Town> {
  const circle = await aCircle(opine);
  const other = await aHub(circle.amara, { name: 'Oak Street' });
  await join(circle.amara, other, [circle.jonas]);
  const lena = await aMemberOf(opine, circle.amara, other, 'Lena');
  return { ...circle, other, lena, maya: await aRegistered(opine, 'Maya') };
}

const scopeOf = ({ id }: Hub) => ({ type: 'hub', hubId: id });
const vote = (voter: Client, post: Json, position: Position) => granted(castVote(voter, post, position));

/** `counts` of the five positions, none for no votes, in three buckets. */
function bucketsOf([strongLeft, left = 0, neutral = 0, right = 0, strongRight = 0]: number[]): Json {
  if (strongLeft === undefined)
    return { totalVotes: 0, resultsVisible: false, leftCount: null, neutralCount: null, rightCount: null };
  const [leftCount, rightCount] = [strongLeft + left, right + strongRight];
  const totalVotes = leftCount + neutral + rightCount;
  return { totalVotes, resultsVisible: true, leftCount, neutralCount: neutral, rightCount };
}

/** That `post` shows `viewer` these counts of that scope at each address of `paths`, and as summary and distribution. */
async function expectShown(
  viewer: Client,
  post: Json,
  { hub, scope, counts, lists }: { hub?: Hub; scope: Json; counts: number[]; lists: string[] },
): Promise<void> {
  const query = hub === undefined ? {} : { hubId: hub.id };
  const cards: [string, Json][] = [['', await granted(viewer.get(withQuery(`/posts/${post.id}`, query)))]];
  for (const path of [`/posts/${post.id}/frames`, ...lists]) {
    const { items } = await granted(viewer.get(withQuery(path, path.startsWith('/posts') ? query : {})));
    cards.push([path, items.find(({ id }: Json) => id === post.id)]);
  }
  const distribution = counts.map((count, index) => ({ position: POSITIONS[index], count }));
  for (const [path, card] of cards) {
    const told = [path, card?.voteScope, card?.voteSummary, card?.voteDistribution];
    const hasVoted = card?.viewerVote.hasVoted === true;
    expect(told).toEqual([path, scope, bucketsOf(counts), hasVoted ? distribution : undefined]);
    if (!hasVoted) expect(card).not.toHaveProperty('voteDistribution');
  }
  const summary = await granted(summaryOf(viewer, post, hub));
  expect(summary).toEqual({ postId: post.id, scope, summary: bucketsOf(counts) });
  const { totalVotes } = bucketsOf(counts);
  const whole = { postId: post.id, scope, totalVotes, distribution };
  expect(await granted(distributionOf(viewer, post, hub))).toEqual(whole);
}

describe('a post that is for everybody as well', () => {
  test.each(['shared into a Hub', 'meant for it'])(
    '%s shows the votes of all, and in the Hub its own',
    async (way) => {
      const { amara, jonas, maya, hub, other } = await aTown();
      const fields = { ...SLIDER, visibility: 'public_hub' };
      const post = await (way === 'meant for it' ? aHubPost(amara, [hub], fields) : aSlider(amara));
      if (way === 'shared into a Hub') await place(jonas, post, hub);
      await vote(jonas, post, 'strong_left');
      await vote(maya, post, 'right');
      const everybody = { scope: GLOBAL, counts: [1, 0, 0, 1, 0] };
      // Who voted and who did not, who is in the Hub and who is not.
      for (const viewer of [amara, jonas]) {
        await expectShown(viewer, post, { ...everybody, lists: ['/posts'] });
        const lists = ['/posts', `/hubs/${hub.id}/feed`];
        await expectShown(viewer, post, { hub, scope: scopeOf(hub), counts: [1, 0, 0, 0, 0], lists });
        // There may be a Hub of theirs where the post is not.
        await expectShown(viewer, post, { hub: other, scope: scopeOf(other), counts: [], lists: [] });
      }
      for (const viewer of [aGuest(opine), await anAnonymous(opine), maya]) {
        await expectShown(viewer, post, { ...everybody, lists: [] });
      }
    },
  );
});

describe('a private post shows', () => {
  test('the Hub of the viewer into which it came first', async () => {
    const { amara, jonas, lena, hub, other } = await aTown();
    const post = await aHubPost(amara, [other, await aHub(amara)], SLIDER);
    // The Hub that was founded first is the second one here.
    await place(amara, post, hub);
    const noor = await aMemberOf(opine, amara, hub, 'Noor');
    await vote(jonas, post, 'left');
    await vote(lena, post, 'neutral');
    await vote(noor, post, 'strong_right');
    const [inHub, inOther] = [
      { scope: scopeOf(hub), counts: [0, 1, 0, 0, 1], lists: ['/posts', `/hubs/${hub.id}/feed`] },
      { scope: scopeOf(other), counts: [0, 1, 1, 0, 0], lists: ['/posts', `/hubs/${other.id}/feed`] },
    ];
    for (const viewer of [jonas, lena, amara]) await expectShown(viewer, post, inOther);
    await expectShown(noor, post, inHub);
    await expectShown(jonas, post, { ...inHub, hub });
    await expectShown(jonas, post, { ...inOther, hub: other });
    await granted(askToLeave(jonas, other));
    await expectShown(jonas, post, inHub);
    await join(amara, other, [jonas]);
    await expectShown(jonas, post, inOther);
  });

  test('of those for which it was meant the one with the lower id', async () => {
    const { amara, jonas, hub, other } = await aTown();
    const [first = hub, second = other] = [hub, other].toSorted((a, b) => (a.id < b.id ? -1 : 1));
    for (const hubs of [
      [first, second],
      [second, first],
    ]) {
      const post = await aHubPost(amara, hubs, SLIDER);
      expect([post.voteScope, post.voteSummary]).toEqual([scopeOf(first), bucketsOf([])]);
      await vote(jonas, post, 'left');
      await expectShown(jonas, post, { scope: scopeOf(first), counts: [0, 1, 0, 0, 0], lists: ['/posts'] });
    }
  });

  test('that Hub also where it is saved, or shared to a feed', async () => {
    const { amara, jonas, lena, hub, other } = await aTown();
    const post = await aHubPost(amara, [other, hub], SLIDER);
    await vote(lena, post, 'right');
    await share(jonas, post);
    await granted(askToSave(lena, post));
    expect([await savedBy(lena), await profileFeedOf(lena, jonas)]).toEqual([[post.id], [post.id]]);
    const lists = ['/users/me/saved-posts', `/users/${jonas.id}/feed`];
    await expectShown(lena, post, { scope: scopeOf(other), counts: [0, 0, 0, 1, 0], lists });
  });

  test('nothing to its author who has left, of what they gave neither', async () => {
    const { amara, jonas, hub } = await aTown();
    const [voted, post] = [await aHubPost(jonas, [hub], SLIDER), await aHubPost(jonas, [hub], SLIDER)];
    await vote(jonas, voted, 'left');
    for (const each of [voted, post]) await vote(amara, each, 'right');
    await granted(askToLeave(jonas, hub));
    for (const each of [voted, post]) {
      await expectShown(jonas, each, { scope: GLOBAL, counts: [], lists: [] });
    }
    expect((await seenBy(jonas, voted)).voteDistribution).toEqual([]);
    await expectShown(amara, voted, { scope: scopeOf(hub), counts: [0, 1, 0, 1, 0], lists: ['/posts'] });
  });
});

test('a vote is answered with what is displayed: all, the earliest Hub, or the one asked for', async () => {
  const { amara, jonas, lena, maya, hub, other } = await aTown();
  const open = await aHubPost(amara, [hub], { ...SLIDER, visibility: 'public_hub' });
  const answerIn = async (voter: Client, post: Json, place?: Hub) => {
    const path = withQuery(`/posts/${post.id}/vote`, place === undefined ? {} : { hubId: place.id });
    const { status, data } = await voter.post(path, { position: 'left' });
    return [status, data];
  };
  const answer = (post: Json, counts: number[]) => [201, { postId: post.id, summary: bucketsOf(counts) }];
  expect(await answerIn(maya, open)).toEqual(answer(open, [0, 1, 0, 0, 0]));
  expect(await answerIn(jonas, open)).toEqual(answer(open, [0, 2, 0, 0, 0]));
  expect(await answerIn(amara, open, hub)).toEqual(answer(open, [0, 2, 0, 0, 0]));
  expect(await answerIn(lena, open, other)).toEqual(answer(open, []));
  const locked = await aHubPost(amara, [other, await aHub(amara)], SLIDER);
  await place(amara, locked, hub);
  expect(await answerIn(lena, locked)).toEqual(answer(locked, [0, 1, 0, 0, 0]));
  expect(await answerIn(jonas, locked)).toEqual(answer(locked, [0, 2, 0, 0, 0]));
  expect(await answerIn(amara, locked, hub)).toEqual(answer(locked, [0, 2, 0, 0, 0]));
});

const readsOf = ({ id }: Json) =>
  ['', '/frames', '/vote/summary', '/vote/distribution'].map((rest) => `/posts/${id}${rest}`);

test('what a Hub displays is refused to everybody who is no member, and their vote with it', async () => {
  const world = await aHubWorld(opine);
  const post = await aHubPost(world.admin, [world.hub], { ...SLIDER, visibility: 'public_hub' });
  const low = [await anAnonymous(opine), await aRegistered(opine), await aConfirmed(opine)];
  const outsiders = OUTSIDERS.map((standing) => world[standing]);
  for (const hubId of [world.hub.id, NOBODY.id]) {
    for (const viewer of [aGuest(opine), clientOf(opine.url, 'no.good.token'), ...low, ...outsiders]) {
      for (const path of readsOf(post))
        expect(await viewer.get(withQuery(path, { hubId }))).toMatchObject(FORBIDDEN);
    }
    for (const voter of [...outsiders, ...low.slice(1)]) {
      const path = withQuery(`/posts/${post.id}/vote`, { hubId });
      expect(await voter.post(path, { position: 'left' })).toMatchObject(FORBIDDEN);
      expect((await myVote(voter, post)).data.hasVoted).toBe(false);
    }
  }
  for (const path of readsOf(post)) {
    expect((await world.member.get(withQuery(path, { hubId: world.hub.id }))).status).toBe(200);
  }
});

test('a Hub is asked for by an id', async () => {
  const { amara, hub } = await aCircle(opine);
  const post = await aHubPost(amara, [hub], SLIDER);
  const refused = refusal(422, 'VALIDATION_FAILED', { issues: [{ path: ['hubId'] }] });
  for (const hubId of ['', 'garlic', `${NOBODY.id}0`]) {
    for (const path of readsOf(post))
      expect(await amara.get(withQuery(path, { hubId }))).toMatchObject(refused);
    const path = withQuery(`/posts/${post.id}/vote`, { hubId });
    expect(await amara.post(path, { position: 'left' })).toMatchObject(refused);
  }
  expect((await myVote(amara, post)).data.hasVoted).toBe(false);
});

test('who can vote is told to everybody', async () => {
  const { amara, jonas, lena, maya, hub, other } = await aTown();
  const noor = await aMemberOf(opine, amara, await aHub(amara), 'Noor');
  const posts = [
    await aHubPost(jonas, [hub, other], { ...SLIDER, visibility: 'public_hub' }),
    await aHubPost(jonas, [hub, other], SLIDER),
    await aHubPost(jonas, [hub, other]),
  ];
  const told = async (viewer: Client) => {
    const answers = [];
    for (const post of posts) answers.push((await seenBy(viewer, post))?.permissions.canVote);
    return answers;
  };
  for (const viewer of [aGuest(opine), await anAnonymous(opine)]) {
    expect(await told(viewer)).toEqual([false, undefined, undefined]);
  }
  for (const viewer of [maya, noor]) expect(await told(viewer)).toEqual([true, undefined, undefined]);
  for (const viewer of [amara, jonas, lena]) expect(await told(viewer)).toEqual([true, true, false]);
  for (const post of posts.slice(0, 2)) await vote(lena, post, 'left');
  await granted(askToLeave(jonas, hub));
  expect([await told(lena), await told(jonas)]).toEqual([Array(3).fill(false), [true, true, false]]);
  await granted(askToLeave(jonas, other));
  expect([await told(amara), await told(jonas)]).toEqual([
    [true, true, false],
    [true, false, false],
  ]);
});
