import { afterAll, beforeAll, expect, test } from 'vitest';
import { aTown, OPEN, SLIDER } from '../simulations/votes/fixtures.ts';
import {
  type Client,
  clientOf,
  expectOk,
  type Json,
  NONEXISTENT,
  refusal,
  withQuery,
} from '../support/client.ts';
import { aHubOfTwo } from '../support/discussions.ts';
import { aHubPost, aHubWorld, type Hub, invalid, join, NON_MEMBERS, requestLeave } from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aGuest, anonymousPerson, confirmedPerson, registeredPerson } from '../support/people.ts';
import { hubVotesOf, myVote } from '../support/votes.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

const FORBIDDEN = refusal(403, 'FORBIDDEN');

/** Returns the paths that show the votes of a post in the requested Hub. */
const readsOf = ({ id }: Json, hubId: string) =>
  ['', '/frames', '/vote/summary', '/vote/distribution'].map((rest) =>
    withQuery(`/posts/${id}${rest}`, { hubId }),
  );

const voteIn = (voter: Client, { id }: Json, hubId: string) =>
  voter.post(withQuery(`/posts/${id}/vote`, { hubId }), { position: 'left' });

test('a non-member gets 403 for reads and votes with ?hubId= of the Hub', async () => {
  const world = await aHubWorld(opine);
  const post = await aHubPost(world.admin, [world.hub], OPEN);
  const voters = [
    await registeredPerson(opine),
    await confirmedPerson(opine),
    ...NON_MEMBERS.map((status) => world[status]),
  ];
  const viewers = [
    aGuest(opine),
    clientOf(opine.url, 'no.good.token'),
    await anonymousPerson(opine),
    ...voters,
  ];
  for (const hubId of [world.hub.id, NONEXISTENT.id]) {
    for (const viewer of viewers) {
      for (const path of readsOf(post, hubId)) expect(await viewer.get(path)).toMatchObject(FORBIDDEN);
    }
    for (const voter of voters) {
      expect(await voteIn(voter, post, hubId)).toMatchObject(FORBIDDEN);
      expect((await myVote(voter, post)).data.hasVoted).toBe(false);
    }
  }
  for (const path of readsOf(post, world.hub.id)) expect((await world.member.get(path)).status).toBe(200);
});

test('a member of one Hub of a post gets 403 for its other Hub, even as a former member', async () => {
  const { amara, jonas, lena, noor, hub, other } = await aTown(opine);
  const post = await aHubPost(amara, [hub, other], SLIDER);
  await expectOk(requestLeave(jonas, hub));
  const theirs: [Client, Hub, Hub][] = [
    [lena, other, hub],
    [jonas, other, hub],
    [noor, hub, other],
  ];
  for (const [member, own, foreign] of theirs) {
    for (const path of readsOf(post, own.id)) expect((await member.get(path)).status).toBe(200);
    for (const path of readsOf(post, foreign.id)) expect(await member.get(path)).toMatchObject(FORBIDDEN);
    expect(await voteIn(member, post, foreign.id)).toMatchObject(FORBIDDEN);
    expect((await myVote(member, post)).data.hasVoted).toBe(false);
  }
  await join(amara, other, [noor]);
  for (const path of readsOf(post, other.id)) expect((await noor.get(path)).status).toBe(200);
});

test('?hubId= is 422 unless it is a UUID', async () => {
  const { amara, hub } = await aHubOfTwo(opine);
  const post = await aHubPost(amara, [hub], SLIDER);
  for (const hubId of ['', 'garlic', `${NONEXISTENT.id}0`]) {
    for (const path of readsOf(post, hubId)) expect(await amara.get(path)).toMatchObject(invalid('hubId'));
    expect(await voteIn(amara, post, hubId)).toMatchObject(invalid('hubId'));
  }
  expect((await myVote(amara, post)).data.hasVoted).toBe(false);
});

test('a vote with hubId in its body is 422', async () => {
  const { amara, jonas, hub } = await aHubOfTwo(opine);
  const post = await aHubPost(amara, [hub], SLIDER);
  const reply = await jonas.post(`/posts/${post.id}/vote`, { position: 'left', hubId: hub.id });
  expect(reply).toMatchObject(refusal(422, 'VALIDATION_FAILED'));
  expect((await myVote(jonas, post)).data.hasVoted).toBe(false);
  expect((await hubVotesOf(amara, post)).data.items).toMatchObject([{ summary: { totalVotes: 0 } }]);
});
