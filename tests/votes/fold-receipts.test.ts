import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectOk, refusal } from '../support/client.ts';
import { homeFeed, reasonFor } from '../support/feeds.ts';
import { follow, mergeInto, profileSeenBy } from '../support/graph.ts';
import { aHub, aHubPost, aMemberOf, join, requestLeave } from '../support/hubs.ts';
import { anOpine, type Opine, startOpine } from '../support/opine.ts';
import {
  confirmedPerson,
  hubReadyPerson,
  type Person,
  registeredPerson,
  signedInAfter,
} from '../support/people.ts';
import { aSlider, aThought, type Post, shareToHubs } from '../support/posts.ts';
import { castVote, countsOf, myVote } from '../support/votes.ts';
import { foldAllVotes } from '../support/worker.ts';

const TEN_MINUTES = { VOTE_ACTIVITY_DELAY_SECONDS: '600-600' };

/** A stored receipt without its baseline. */
interface Receipt {
  readonly user: string;
  readonly minute: string;
  readonly hubs: string[];
}

async function receiptsOf({ database }: Opine, { id }: Post): Promise<Receipt[]> {
  const { rows } = await sql<Receipt>`
    select user_id::text as user, voted_at::text as minute,
      array(select hub::text from unnest(hub_ids) as hub order by hub) as hubs
    from app.vote_receipts where post_id = ${id} order by voted_at, user_id`.execute(database.superuser);
  return rows;
}

describe('a fold', () => {
  let opine: Opine;
  let maya: Person;

  beforeAll(async () => {
    opine = await startOpine();
  });

  afterAll(() => opine.stop());

  beforeEach(async () => {
    maya = await confirmedPerson(opine, 'Maya');
  });

  test('receipts keep their voter, minute and Hubs', async () => {
    const amara = await hubReadyPerson(opine, 'Amara');
    const [hub, oak] = [await aHub(amara), await aHub(amara)];
    const jonas = await aMemberOf(opine, amara, hub, 'Jonas');
    const fields = { visibility: 'public_hub', sliderText: 'Is it loud?' };
    const post = await aHubPost(amara, [hub, oak], fields);
    await expectOk(castVote(amara, post));
    const [again, noor] = await signedInAfter(
      opine,
      '3 minutes',
      jonas,
      await registeredPerson(opine, 'Noor'),
    );
    await expectOk(castVote(again, post));
    await expectOk(castVote(noor, post));

    const before = await receiptsOf(opine, post);
    expect(Object.fromEntries(before.map(({ user, hubs }) => [user, hubs]))).toEqual({
      [amara.id]: [hub.id, oak.id].sort(),
      [jonas.id]: [hub.id],
      [noor.id]: [],
    });
    const [first, ...others] = before.map(({ minute }) => Date.parse(minute));
    for (const minute of others) expect(minute - (first ?? 0)).toBeGreaterThanOrEqual(180_000);
    for (const { minute } of before) expect(minute).toMatch(/:00(\.0+)?[+Z]/);

    await foldAllVotes(opine);
    expect(await receiptsOf(opine, post)).toEqual(before);
    await foldAllVotes(opine);
    expect(await receiptsOf(opine, post)).toEqual(before);
  });

  test('a receipt keeps the Hubs of its voter at the time of the vote', async () => {
    const amara = await hubReadyPerson(opine, 'Amara');
    const [hub, oak] = [await aHub(amara), await aHub(amara)];
    const jonas = await aMemberOf(opine, amara, hub, 'Jonas');
    await join(amara, oak, [jonas]);
    const post = await aHubPost(amara, [hub], { visibility: 'public_hub', sliderText: 'Is it loud?' });
    await expectOk(castVote(jonas, post));
    await expectOk(requestLeave(jonas, hub));
    await shareToHubs(amara, post, oak);
    await foldAllVotes(opine);
    expect(await receiptsOf(opine, post)).toMatchObject([{ user: jonas.id, hubs: [hub.id] }]);
  });

  test('votes, counts and profiles read the same before and after a fold', async () => {
    let [jonas, lena] = [await registeredPerson(opine, 'Jonas'), await registeredPerson(opine, 'Lena')];
    const posts = [await aSlider(maya), await aSlider(maya), await aSlider(maya)];
    for (const post of posts) await expectOk(castVote(jonas, post));
    for (const post of posts.slice(1)) await expectOk(castVote(lena, post, 'right'));
    const readAll = async () => ({
      votes: await Promise.all(
        [jonas, lena].map(async (voter) => (await profileSeenBy(voter, voter)).activity.votes),
      ),
      own: await Promise.all(
        posts.flatMap((post) => [jonas, lena].map(async (voter) => (await myVote(voter, post)).data)),
      ),
      counts: await Promise.all(posts.map((post) => countsOf(jonas, post))),
    });
    const before = await readAll();
    expect(before.votes).toEqual([3, 2]);
    expect(before.own.map(({ hasVoted }) => hasVoted)).toEqual([true, false, true, true, true, true]);
    expect(before.counts).toEqual([
      [0, 1, 0, 0, 0],
      [0, 1, 0, 1, 0],
      [0, 1, 0, 1, 0],
    ]);
    await foldAllVotes(opine);
    expect(await readAll()).toEqual(before);
    for (const post of posts) {
      expect(await castVote(jonas, post)).toMatchObject(refusal(409, 'VOTE_ALREADY_CAST'));
    }
    expect((await profileSeenBy(lena, jonas)).activity.votes).toBe(0);
    [jonas, lena] = await signedInAfter(opine, '61 minutes', jonas, lena);
    await foldAllVotes(opine);
    expect((await profileSeenBy(lena, jonas)).activity.votes).toBe(3);
    expect(await readAll()).toEqual(before);
  });

  test('votes of a deleted account stay counted, and a deleted post stays 404', async () => {
    const [jonas, lena] = [await registeredPerson(opine, 'Jonas'), await registeredPerson(opine, 'Lena')];
    const [post, deleted] = [await aSlider(maya), await aSlider(maya)];
    for (const each of [post, deleted]) {
      for (const voter of [jonas, lena]) await expectOk(castVote(voter, each));
    }
    await expectOk(jonas.delete('/users/me'));
    await expectOk(maya.delete(`/posts/${deleted.id}`));
    await foldAllVotes(opine);
    expect((await myVote(lena, post)).data.hasVoted).toBe(true);
    expect(await countsOf(lena, post)).toEqual([0, 2, 0, 0, 0]);
    expect(await myVote(lena, deleted)).toMatchObject(refusal(404, 'POST_NOT_FOUND'));
  });
});

describe('a vote in the feeds of friends', () => {
  test('a folded vote moves its post up ten minutes later with a delay of ten minutes', async () => {
    const opine = await anOpine(TEN_MINUTES);
    const people = {
      lena: await registeredPerson(opine, 'Lena'),
      jonas: await confirmedPerson(opine, 'Jonas'),
    };
    await follow(people.lena, people.jonas);
    const post = await aSlider(await confirmedPerson(opine));
    await expectOk(castVote(people.jonas, post));
    expect(await homeFeed(people.lena)).not.toContain(post.id);
    await foldAllVotes(opine);
    expect(await homeFeed(people.lena)).not.toContain(post.id);
    let [lena, jonas] = await signedInAfter(opine, '500 seconds', people.lena, people.jonas);
    const between = await aThought(jonas);
    expect(await homeFeed(lena)).toEqual([between.id]);
    [lena, jonas] = await signedInAfter(opine, '101 seconds', lena, jonas);
    expect(await homeFeed(lena)).toEqual([post.id, between.id]);
    expect(await reasonFor(lena, post)).toBe('friend_interaction');
    await foldAllVotes(opine);
    const after = await aThought(jonas);
    expect(await homeFeed(lena)).toEqual([after.id, post.id, between.id]);
  });

  test('a late fold dates the activity like a fold in time', async () => {
    const opine = await anOpine(TEN_MINUTES);
    const people = {
      amara: await hubReadyPerson(opine, 'Amara'),
      lena: await registeredPerson(opine, 'Lena'),
    };
    const hub = await aHub(people.amara);
    const member = await aMemberOf(opine, people.amara, hub, 'Jonas');
    await follow(people.lena, member);
    const post = await aSlider(await confirmedPerson(opine));
    await expectOk(castVote(member, post));
    const [amara, lena, jonas] = await signedInAfter(opine, '601 seconds', people.amara, people.lena, member);
    const newer = await aThought(jonas);
    await foldAllVotes(opine);
    for (const friend of [amara, lena]) expect(await homeFeed(friend)).toEqual([newer.id, post.id]);
  });

  test('a vote moves its post up at once without a delay, and a fold does not move it again', async () => {
    const opine = await anOpine();
    const [lena, jonas] = [await registeredPerson(opine, 'Lena'), await confirmedPerson(opine, 'Jonas')];
    await follow(lena, jonas);
    const post = await aSlider(await confirmedPerson(opine));
    await expectOk(castVote(jonas, post));
    expect(await homeFeed(lena)).toEqual([post.id]);
    const newer = await aThought(jonas);
    await foldAllVotes(opine);
    expect(await homeFeed(lena)).toEqual([newer.id, post.id]);
  });

  test('a vote on a private post reaches no feed of a non-member', async () => {
    const opine = await anOpine(TEN_MINUTES);
    const people = { lena: await hubReadyPerson(opine, 'Lena'), amara: await hubReadyPerson(opine, 'Amara') };
    const hub = await aHub(people.amara);
    const jonas = await aMemberOf(opine, people.amara, hub, 'Jonas');
    await follow(people.lena, jonas);
    const post = await aHubPost(people.amara, [hub], { sliderText: 'Is it loud?' });
    await expectOk(castVote(jonas, post));
    await foldAllVotes(opine);
    const [lena] = await signedInAfter(opine, '601 seconds', people.lena);
    expect(await homeFeed(lena)).not.toContain(post.id);
  });

  test('a vote reaches co-members of the Hubs that the voter is in after the delay', async () => {
    const opine = await anOpine(TEN_MINUTES);
    const people = { amara: await hubReadyPerson(opine, 'Amara'), lena: await hubReadyPerson(opine, 'Lena') };
    const [hub, oak] = [await aHub(people.amara), await aHub(people.lena)];
    const jonas = await aMemberOf(opine, people.lena, oak, 'Jonas');
    const post = await aSlider(await confirmedPerson(opine));
    await expectOk(castVote(jonas, post));
    await join(people.amara, hub, [jonas]);
    await expectOk(requestLeave(jonas, oak));
    await foldAllVotes(opine);
    const [amara, lena] = await signedInAfter(opine, '601 seconds', people.amara, people.lena);
    expect(await homeFeed(amara)).toContain(post.id);
    expect(await reasonFor(amara, post)).toBe('friend_interaction');
    expect(await homeFeed(lena)).not.toContain(post.id);
  });

  test('a vote of a merged user reaches the followers of the user who remains', async () => {
    const opine = await anOpine(TEN_MINUTES);
    const [jonas, known] = [await registeredPerson(opine, 'Jonas'), await confirmedPerson(opine, 'Known')];
    const friend = await registeredPerson(opine, 'Lena');
    await follow(friend, known);
    const post = await aSlider(await confirmedPerson(opine));
    await expectOk(castVote(jonas, post));
    const merged = await mergeInto(opine, jonas, known);
    await foldAllVotes(opine);
    expect(await homeFeed(friend)).not.toContain(post.id);
    const [lena] = await signedInAfter(opine, '601 seconds', friend);
    expect(await homeFeed(lena)).toEqual([post.id]);
    expect((await profileSeenBy(merged, merged)).activity.votes).toBe(1);
  });

  test('a vote of a deleted account reaches no feed', async () => {
    const opine = await anOpine(TEN_MINUTES);
    const [friend, jonas] = [await registeredPerson(opine, 'Lena'), await registeredPerson(opine, 'Jonas')];
    await follow(friend, jonas);
    const other = await registeredPerson(opine, 'Noor');
    await follow(friend, other);
    const [post, seen] = [
      await aSlider(await confirmedPerson(opine)),
      await aSlider(await confirmedPerson(opine)),
    ];
    await expectOk(castVote(jonas, post));
    await expectOk(castVote(other, seen));
    await expectOk(jonas.delete('/users/me'));
    await foldAllVotes(opine);
    const [lena] = await signedInAfter(opine, '601 seconds', friend);
    expect(await homeFeed(lena)).toEqual([seen.id]);
  });
});
