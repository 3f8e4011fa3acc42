import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countIn, untilGone } from '../support/account-deletions.ts';
import { type Client, clientOf, type Json, refusal } from '../support/client.ts';
import { timePasses } from '../support/clock.ts';
import { chooseForDefaultFeed, homeFeed } from '../support/feeds.ts';
import { aConfirmed, aGuest, aHubReady, anAnonymous, aRegistered, signIn } from '../support/people.ts';
import { aSlider, aThought, publish } from '../support/posts.ts';
import { type StoringOpine, startStoringOpine } from '../support/storage.ts';
import { castVote, countsOf, myVote } from '../support/votes.ts';

let opine: StoringOpine;

beforeAll(async () => {
  opine = await startStoringOpine();
});

afterAll(() => opine.stop());

const end = (person: Client) => person.delete('/users/me');
const unauthorized = refusal(401, 'UNAUTHORIZED');

async function expectEnded({ accessToken, refreshToken }: Json): Promise<void> {
  expect((await clientOf(opine.url, accessToken).get('/users/me/onboarding/status')).status).toBe(401);
  expect((await aGuest(opine).post('/auth/session/refresh', { refreshToken })).status).toBe(401);
}

describe('an account ends', () => {
  test('of somebody of any level', async () => {
    const people = [];
    for (const somebody of [anAnonymous, aRegistered, aConfirmed, aHubReady]) {
      const person = await somebody(opine);
      people.push(person);
      const { status, data } = await end(person);
      expect([status, data]).toEqual([200, {}]);
      await expectEnded(person.session);
      expect(await end(person)).toMatchObject(unauthorized);
    }
    for (const { id } of people) await untilGone(opine, id);
  });

  test('with every session of it, and no other', async () => {
    const [amara, jonas] = [await aConfirmed(opine), await aConfirmed(opine)];
    await timePasses(opine, '1 minute');
    const other = await signIn(opine, amara.phoneNumber);
    await end(clientOf(opine.url, other.accessToken));
    await expectEnded(amara.session);
    await expectEnded(other);
    expect((await jonas.get('/users/me/onboarding/status')).status).toBe(200);
  });

  test('once, however often it is said at once', async () => {
    const amara = await aConfirmed(opine);
    const post = await aSlider(amara);
    const statuses = (await Promise.all(Array.from({ length: 6 }, () => end(amara)))).map(
      ({ status }) => status,
    );
    expect(statuses).toContain(200);
    for (const status of statuses) expect([200, 401]).toContain(status);
    await expectEnded(amara.session);
    expect((await aGuest(opine).get(`/posts/${post.id}`)).status).toBe(404);
  });

  test('while its owner posts: nothing of it stays', async () => {
    const amara = await aConfirmed(opine);
    const [ended, ...replies] = await Promise.all([
      end(amara),
      ...Array.from({ length: 10 }, () => publish(amara, { thoughtText: 'And another one.' })),
    ]);
    expect(ended.status).toBe(200);
    for (const { status, data } of replies) {
      expect([201, 401]).toContain(status);
      if (status === 201) expect((await aGuest(opine).get(`/posts/${data.id}`)).status).toBe(404);
    }
    await untilGone(opine, amara.id);
  });

  test('of nobody without a bearer', async () => {
    expect(await end(aGuest(opine))).toMatchObject(unauthorized);
    expect(await end(clientOf(opine.url, 'no.good.token'))).toMatchObject(unauthorized);
  });
});

describe('at once', () => {
  test('the handle is free', async () => {
    const [amara, next] = [await aRegistered(opine), await anAnonymous(opine)];
    await end(amara);
    const basics = { fullName: 'Next', username: amara.username, termsAccepted: true };
    expect((await next.put('/users/me/onboarding/profile-basics', basics)).status).toBe(200);
  });

  test('the phone signs up somebody new', async () => {
    const amara = await aHubReady(opine);
    await end(amara);
    await timePasses(opine, '1 minute');
    const session = await signIn(opine, amara.phoneNumber);
    expect(session).toMatchObject({ isNewUser: true, merged: false, user: { username: null, level: 1 } });
    expect(session.user.id).not.toBe(amara.id);
  });

  test('the install opens a new account', async () => {
    const openApp = async () =>
      (await aGuest(opine).post('/auth/anonymous/session', { deviceId: 'install of who leaves' })).data;
    const session = await openApp();
    await end(clientOf(opine.url, session.accessToken));
    const again = await openApp();
    expect(again.user).toMatchObject({ isAnonymous: true, level: 1 });
    expect(again.user.id).not.toBe(session.user.id);
  });

  test('the posts are nowhere to be seen, and those of others are', async () => {
    const [amara, jonas] = [await aConfirmed(opine), await aConfirmed(opine)];
    await chooseForDefaultFeed(opine, amara);
    await chooseForDefaultFeed(opine, jonas);
    const hers = [await aSlider(amara), await aThought(amara)];
    const his = await aSlider(jonas);
    const viewer = await aRegistered(opine);
    await castVote(viewer, hers[0]);
    expect(await homeFeed(viewer)).toEqual([his.id, hers[1].id, hers[0].id]);

    await end(amara);
    for (const somebody of [aGuest(opine), viewer, jonas]) {
      for (const { id } of hers) {
        expect(await somebody.get(`/posts/${id}`)).toMatchObject(refusal(404, 'POST_NOT_FOUND'));
      }
    }
    expect(await homeFeed(viewer)).toEqual([his.id]);
    expect(await homeFeed(aGuest(opine))).toEqual([his.id]);
    expect((await castVote(await aRegistered(opine), hers[0])).status).toBe(404);
    expect((await viewer.get(`/posts/${hers[0].id}/vote/summary`)).status).toBe(404);
    expect((await aGuest(opine).get(`/posts/${his.id}`)).data.author.id).toBe(jonas.id);
  });
});

describe('of votes', () => {
  test('those on posts of others stay counted', async () => {
    const author = await aConfirmed(opine);
    const post = await aSlider(author);
    const [amara, jonas] = [await aRegistered(opine), await aRegistered(opine)];
    await castVote(amara, post, 'strong_left');
    await castVote(jonas, post, 'right');
    await end(amara);
    expect(await countsOf(author, post)).toEqual([1, 0, 0, 1, 0]);
    await untilGone(opine, amara.id);
    expect(await countsOf(author, post)).toEqual([1, 0, 0, 1, 0]);
    expect((await myVote(jonas, post)).data.hasVoted).toBe(true);
  });

  test('those on their posts go with the posts', async () => {
    const [amara, voter] = [await aConfirmed(opine), await aRegistered(opine)];
    const post = await aSlider(amara);
    await castVote(voter, post);
    await castVote(amara, post);
    await end(amara);
    expect((await myVote(voter, post)).status).toBe(404);
    await untilGone(opine, amara.id);
    expect(await countIn(opine, 'app.vote_receipts', 'post_id', post.id)).toBe(0);
    expect(await countIn(opine, 'app.vote_pools', 'post_id', post.id)).toBe(0);
  });
});
