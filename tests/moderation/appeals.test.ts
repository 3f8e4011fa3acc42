import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createSecrets } from '../../src/auth/secrets.ts';
import {
  type Client,
  clientOf,
  expectOk,
  type Json,
  MALFORMED_IDS,
  NONEXISTENT,
  refusal,
} from '../support/client.ts';
import {
  aPostInPlaces,
  appeal,
  appealsSeenBy,
  decideAppeal,
  decisionAbout,
  decisionNotificationsOf,
  decisionsOf,
  type OpineWithStaff,
  type Outcome,
  type PostInPlaces,
  remove,
  requestAppeal,
  requestOutcome,
  restore,
  startOpineWithStaff,
  suspend,
  viewOf,
} from '../support/decisions.ts';
import { aHubWithDiscussion, discussionsOf, messagesOf } from '../support/discussions.ts';
import { homeFeed, profileFeedOf } from '../support/feeds.ts';
import { block, follow, followersOf, mergeInto, unblock } from '../support/graph.ts';
import {
  aHubPost,
  aHubWorld,
  aMessage,
  discussionOf,
  type HubWorld,
  hubSeenBy,
  membersOf,
  requestAppoint,
  requestMessageDeletion,
} from '../support/hubs.ts';
import { phoneClaims, signInWithIdToken } from '../support/id-tokens.ts';
import { advanceTime } from '../support/opine.ts';
import {
  aGuest,
  confirmedPerson,
  hubReadyPerson,
  type Person,
  registeredPerson,
  withFreshSession,
} from '../support/people.ts';
import { aPng, type Bytes } from '../support/pictures.ts';
import {
  aComment,
  aReply,
  aSlider,
  aThought,
  commentCountSeenBy,
  commentsOn,
  repliesTo,
  requestCommentDeletion,
} from '../support/posts.ts';
import { enterCode, requestOtp } from '../support/sign-in.ts';
import { aStaffMember } from '../support/staff.ts';
import { anUpload, downloadFile, requestDownload } from '../support/uploads.ts';
import { castVote, countsOf, myVote } from '../support/votes.ts';
import { expectAfterWorker, foldAllVotes, waitUntilDeleted } from '../support/worker.ts';

let opine: OpineWithStaff;
let picture: Bytes;

beforeAll(async () => {
  opine = await startOpineWithStaff();
  picture = await aPng();
});

afterAll(() => opine.stop());

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const APPEAL_EXISTS = refusal(409, 'APPEAL_EXISTS');
const DECISION_NOT_FOUND = refusal(404, 'DECISION_NOT_FOUND');
const APPEAL_NOT_FOUND = refusal(404, 'APPEAL_NOT_FOUND');
const FORBIDDEN = refusal(403, 'FORBIDDEN');
/** What a member of staff might do about their own decision, with the body of the request. */
const OWN_DECISIONS = [
  ['restore', { reason: 'It was an error.' }],
  ['suspend', { reason: 'hate', statement: 'Again.' }],
] as const;
const UNAUTHORIZED = refusal(401, 'UNAUTHORIZED');

const twoPeople = async (on = opine) =>
  [await confirmedPerson(on, 'Maya'), await confirmedPerson(on, 'Jonas')] as const;

/** A post of Maya's that Nina removed for a report of Jonas's. */
async function aRemovedPost(on = opine) {
  const [maya, jonas] = await twoPeople(on);
  const post = await aThought(maya, 'Buy my pills.');
  const reportId = await remove(on.nina, jonas, 'posts', post);
  return { maya, jonas, post, reportId, decision: await decisionAbout(maya, post) };
}

/** A Hub with two admins, which Nina suspended. */
async function aSuspendedHub(): Promise<HubWorld & { readonly decision: Json }> {
  const world = await aHubWorld(opine);
  await expectOk(requestAppoint(world.admin, world.hub, world.manager));
  await suspend(opine.nina, 'hubs', world.hub);
  return { ...world, decision: await decisionAbout(world.admin, world.hub) };
}

/** Signs a phone in with a code, whatever the answer. */
async function signInByCode(phoneNumber: string, on = opine) {
  await requestOtp(aGuest(on), phoneNumber);
  return enterCode(aGuest(on), phoneNumber);
}

/** Suspends a person, who then signs in by code. Returns the details of the refusal. */
async function suspendAndSignIn({ id, phoneNumber }: Person, on = opine): Promise<Json> {
  await suspend(on.nina, 'users', { id });
  const { error } = await signInByCode(phoneNumber, on);
  return error.details;
}

const requestSuspensionAppeal = (appealToken: unknown, text: unknown = 'It was stolen.', on = opine) =>
  aGuest(on).post('/moderation-appeals', { appealToken, text });

/** Signs a restored person in with the code that they have not used. */
async function signedInAgain(person: Person): Promise<Person> {
  const session = await expectOk(enterCode(aGuest(opine), person.phoneNumber));
  return { ...person, ...clientOf(opine.url, session.accessToken), session };
}

describe('POST /moderation-decisions/{decisionId}/appeal', () => {
  // docs/product.md S20
  test('the first appeal is 201 with the decision and the open appeal, and the next is 409', async () => {
    const { maya, post, decision } = await aRemovedPost();
    const { status, data } = await requestAppeal(maya, decision, ' It quotes a law. ');
    const appealed = { ...decision, appeal: { state: 'open', text: 'It quotes a law.', decidedAt: null } };
    expect([status, data]).toEqual([201, appealed]);
    expect(await decisionsOf(maya)).toEqual([appealed]);
    for (const text of ['It quotes a law.', 'Again.'])
      expect(await requestAppeal(maya, decision, text)).toMatchObject(APPEAL_EXISTS);
    expect(await decisionAbout(maya, post)).toEqual(appealed);
    expect(await decisionNotificationsOf(maya)).toHaveLength(1);
  });

  test('an appeal is 409 after it is decided, whatever the outcome', async () => {
    for (const outcome of ['upheld', 'reversed'] as const) {
      const { maya, decision } = await aRemovedPost();
      await appeal(maya, decision);
      await decideAppeal(opine.otto, decision, outcome);
      expect([outcome, await requestAppeal(maya, decision)]).toMatchObject([outcome, APPEAL_EXISTS]);
    }
  });

  // docs/product.md S20
  test('an appeal is accepted for 180 days, and is 409 APPEAL_TOO_LATE afterwards', async () => {
    const later = await startOpineWithStaff();
    onTestFinished(() => later.stop());
    const [early, late] = [await aRemovedPost(later), await aRemovedPost(later)];
    const suspended = await confirmedPerson(later);
    await suspend(later.nina, 'users', suspended);
    // A refresh token lives 60 days.
    let [maya, lena] = [early.maya, late.maya];
    for (const days of [50, 50, 50, 29]) {
      await advanceTime(later, `${days} days`);
      [maya, lena] = [await withFreshSession(later, maya), await withFreshSession(later, lena)];
    }
    expect((await requestAppeal(maya, early.decision)).status).toBe(201);
    await advanceTime(later, '25 hours');
    lena = await withFreshSession(later, lena);
    const TOO_LATE = refusal(409, 'APPEAL_TOO_LATE');
    expect(await requestAppeal(lena, late.decision)).toMatchObject(TOO_LATE);
    expect(await decisionsOf(lena)).toEqual([late.decision]);
    const { error } = await signInByCode(suspended.phoneNumber, later);
    expect(await requestSuspensionAppeal(error.details.appealToken, 'Late.', later)).toMatchObject(TOO_LATE);
  });

  test('a decision about somebody else, an unknown and a malformed id are 404', async () => {
    const { maya, jonas, post, decision } = await aRemovedPost();
    expect(await requestAppeal(jonas, decision)).toMatchObject(DECISION_NOT_FOUND);
    for (const id of [NONEXISTENT.id, post.id, ...MALFORMED_IDS])
      expect(await requestAppeal(maya, { id })).toMatchObject(DECISION_NOT_FOUND);
    expect(await decisionsOf(maya)).toEqual([decision]);
  });

  test('a guest gets 401', async () => {
    const { decision } = await aRemovedPost();
    expect(await requestAppeal(aGuest(opine), decision)).toMatchObject(UNAUTHORIZED);
  });

  test('a text has 1 to 2000 characters', async () => {
    const { maya, decision } = await aRemovedPost();
    const path = `/moderation-decisions/${decision.id}/appeal`;
    for (const text of ['', '  ', '\u200b', '👍'.repeat(2001), null, 7, ['It quotes.']])
      expect([text, await requestAppeal(maya, decision, text)]).toMatchObject([text, { status: 422 }]);
    for (const body of [{}, { text: 'It quotes.', more: 1 }, undefined])
      expect([body, await maya.post(path, body)]).toMatchObject([body, { status: 422 }]);
    expect(await decisionsOf(maya)).toEqual([decision]);
    const text = '👍'.repeat(2000);
    expect((await appeal(maya, decision, text)).appeal.text).toBe(text);
  });

  test('an Idempotency-Key replays the answer', async () => {
    const { maya, decision } = await aRemovedPost();
    const send = () =>
      maya.post(
        `/moderation-decisions/${decision.id}/appeal`,
        { text: 'It quotes.' },
        { headers: { 'idempotency-key': 'a-key' } },
      );
    const [first, again] = [await send(), await send()];
    expect([again.status, again.data]).toEqual([201, first.data]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });

  test('of two concurrent appeals by two admins of a suspended Hub one is 201 and one 409', async () => {
    const { admin, manager, member, decision } = await aSuspendedHub();
    const appeals = [admin, manager].map((person, index) =>
      requestAppeal(person, decision, `Number ${index}.`),
    );
    const replies = await Promise.all(appeals);
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(replies.find(({ status }) => status === 409)).toMatchObject(APPEAL_EXISTS);
    const { data } = replies.find(({ status }) => status === 201) ?? {};
    for (const person of [admin, manager]) expect(await decisionsOf(person)).toEqual([data]);
    expect(await requestAppeal(member, decision)).toMatchObject(DECISION_NOT_FOUND);
  });

  test('of concurrent appeals by one person one is 201', async () => {
    const { maya, decision } = await aRemovedPost();
    const replies = await Promise.all(Array.from({ length: 5 }, () => requestAppeal(maya, decision)));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
  });

  test('a person who merges their anonymous account into another keeps its decisions', async () => {
    const [owner, olaf] = [await confirmedPerson(opine), await registeredPerson(opine, 'Olaf')];
    const comment = await aComment(olaf, await aThought(owner));
    await remove(opine.nina, owner, 'comments', comment);
    const decision = await decisionAbout(olaf, comment);
    const merged = await mergeInto(opine, olaf, owner);
    expect(await decisionsOf(merged)).toEqual([decision]);
    expect((await requestAppeal(merged, decision)).status).toBe(201);
  });
});

describe("staff's queue of appeals", () => {
  test('a moderator reads the decision, its content and the appeal, until it is decided', async () => {
    const { maya, post, reportId, decision } = await aRemovedPost();
    expect(await appealsSeenBy(opine.otto)).not.toHaveProperty(decision.id);
    await appeal(maya, decision, 'It quotes a law.');
    const { id, action, reason, statement, target, decidedAt } = decision;
    expect((await appealsSeenBy(opine.otto))[id]).toEqual({
      decisionId: id,
      action,
      reason,
      statement,
      target,
      content: 'Buy my pills.',
      reportId,
      decidedBy: opine.nina.email,
      decidedAt,
      text: 'It quotes a law.',
      appealedAt: expect.stringMatching(TIME),
    });
    expect(target.id).toBe(post.id);
    await decideAppeal(opine.otto, decision, 'upheld');
    expect(await appealsSeenBy(opine.otto)).not.toHaveProperty(id);
  });

  test('pages list each open appeal once, oldest first', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      const { maya, decision } = await aRemovedPost();
      await appeal(maya, decision);
      ids.push(decision.id);
    }
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const query: string = cursor && `&cursor=${cursor}`;
      const page: Json = await expectOk(opine.otto.get(`/admin/appeals?limit=2${query}`));
      seen.push(...page.items.map(({ decisionId }: Json) => decisionId));
      cursor = page.nextCursor;
    }
    expect(seen.slice(-3)).toEqual(ids);
    expect(new Set(seen).size).toBe(seen.length);
  });

  test('support gets 403, a person and a guest 401', async () => {
    const { maya, decision } = await aRemovedPost();
    await appeal(maya, decision);
    expect(await opine.sam.get('/admin/appeals')).toMatchObject(refusal(403, 'FORBIDDEN'));
    expect(await requestOutcome(opine.sam, decision, 'reversed')).toMatchObject(refusal(403, 'FORBIDDEN'));
    const body = { outcome: 'reversed', statement: 'We looked again.' };
    for (const client of [maya, aGuest(opine)]) {
      expect(await client.get('/admin/appeals')).toMatchObject(UNAUTHORIZED);
      expect(await client.post(`/admin/appeals/${decision.id}/decide`, body)).toMatchObject(UNAUTHORIZED);
    }
    expect((await decisionsOf(maya))[0].appeal.state).toBe('open');
  });
});

describe('POST /admin/appeals/{decisionId}/decide', () => {
  // docs/product.md S21
  test('who took the decision gets 403 for either outcome, and another moderator decides', async () => {
    const { maya, decision } = await aRemovedPost();
    await appeal(maya, decision);
    for (const outcome of ['upheld', 'reversed'])
      expect(await requestOutcome(opine.nina, decision, outcome)).toMatchObject(refusal(403, 'FORBIDDEN'));
    expect((await decisionsOf(maya))[0].appeal.state).toBe('open');
    expect((await requestOutcome(opine.otto, decision, 'upheld')).status).toBe(200);
  });

  // docs/product.md S21
  test.each(['upheld', 'reversed'] as const)(
    'the person is notified again when the appeal is %s, and sees state and time',
    async (outcome) => {
      const { maya, decision } = await aRemovedPost();
      await appeal(maya, decision, 'It quotes a law.');
      await decideAppeal(opine.otto, decision, outcome);
      const closed = { state: outcome, text: 'It quotes a law.', decidedAt: expect.stringMatching(TIME) };
      expect(await decisionsOf(maya)).toEqual([{ ...decision, appeal: closed }]);
      const told = await decisionNotificationsOf(maya);
      expect(told.map(({ decisionId }) => decisionId)).toEqual([decision.id, decision.id]);
      expect(new Set(told.map(({ id }) => id)).size).toBe(2);
      expect(JSON.stringify([told, await decisionsOf(maya)])).not.toMatch(/nina|otto|decidedBy/i);
    },
  );

  test('a second decision about an appeal is 404 and changes nothing', async () => {
    const { maya, post, decision } = await aRemovedPost();
    await appeal(maya, decision);
    await decideAppeal(opine.otto, decision, 'upheld');
    for (const member of [opine.otto, opine.nina])
      expect(await requestOutcome(member, decision, 'reversed')).toMatchObject(APPEAL_NOT_FOUND);
    expect((await decisionsOf(maya))[0].appeal.state).toBe('upheld');
    expect((await maya.get(`/posts/${post.id}`)).status).toBe(404);
    expect(await decisionNotificationsOf(maya)).toHaveLength(2);
  });

  test('a decision without an appeal, an unknown and a malformed id are 404', async () => {
    const { decision } = await aRemovedPost();
    for (const id of [decision.id, NONEXISTENT.id, ...MALFORMED_IDS])
      expect(await requestOutcome(opine.otto, { id }, 'upheld')).toMatchObject(APPEAL_NOT_FOUND);
  });

  test('a wrong outcome and a missing statement are 422 and leave the appeal open', async () => {
    const { maya, decision } = await aRemovedPost();
    await appeal(maya, decision);
    const bodies = [
      {},
      { outcome: 'upheld' },
      { outcome: 'upheld', statement: ' ' },
      { outcome: 'upheld', statement: '\u3164' },
      { outcome: 'upheld', statement: 'x'.repeat(2001) },
      { statement: 'We looked again.' },
      { outcome: 'open', statement: 'We looked again.' },
    ];
    for (const body of bodies) {
      const reply = await opine.otto.post(`/admin/appeals/${decision.id}/decide`, body);
      expect([body, reply]).toMatchObject([body, { status: 422 }]);
    }
    expect((await decisionsOf(maya))[0].appeal.state).toBe('open');
  });

  test('of two members of staff who decide at once one succeeds and the other gets 404', async () => {
    const lea = await aStaffMember(opine, 'moderator', 'lea');
    for (const outcomes of [
      ['upheld', 'reversed'],
      ['reversed', 'reversed'],
    ] as const) {
      const { maya, post, decision } = await aRemovedPost();
      await appeal(maya, decision);
      const replies = await Promise.all(
        [opine.otto, lea].map((member, index) => requestOutcome(member, decision, outcomes[index])),
      );
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 404]);
      const winner = outcomes[replies.findIndex(({ status }) => status === 200)];
      expect((await decisionsOf(maya))[0].appeal.state).toBe(winner);
      expect((await maya.get(`/posts/${post.id}`)).status).toBe(winner === 'reversed' ? 200 : 404);
      expect(await decisionNotificationsOf(maya)).toHaveLength(2);
    }
  });
});

/** Appeals against the newest decision about a target, which Otto then decides. */
async function appealAndDecide(person: Client, target: { id: string }, outcome: Outcome): Promise<Json> {
  const decision = await decisionAbout(person, target);
  await appeal(person, decision);
  await decideAppeal(opine.otto, decision, outcome);
  return decisionAbout(person, target);
}

// docs/product.md S22
describe('a reversed removal of a post', () => {
  const viewsOf = async (world: PostInPlaces): Promise<Json[]> => {
    const views: Json[] = [];
    for (const viewer of [world.maya, world.jonas, world.lena, world.guest])
      views.push(await viewOf(world, viewer));
    return views;
  };

  test('the post returns with its comments, votes, repost, discussion and places, as it was', async () => {
    const world = await aPostInPlaces(opine);
    await foldAllVotes(opine);
    const before = await viewsOf(world);
    await remove(opine.nina, world.lena, 'posts', world.post);
    await foldAllVotes(opine);
    await appealAndDecide(world.maya, world.post, 'reversed');
    expect(await viewsOf(world)).toEqual(before);
  });

  test('its pictures and documents return', async () => {
    const author = await hubReadyPerson(opine, 'Maya');
    const { assetId } = await anUpload(author, picture, 'post_image');
    const post = await expectOk(
      author.post('/posts', { visibility: 'public', article: { title: 'Pills', assetIds: [assetId] } }),
    );
    const jonas = await confirmedPerson(opine);
    await remove(opine.nina, jonas, 'posts', post);
    for (const viewer of [jonas, author])
      expect([viewer === author, (await requestDownload(viewer, assetId)).status]).toEqual([
        viewer === author,
        viewer === author ? 200 : 404,
      ]);
    await appealAndDecide(author, post, 'reversed');
    expect((await downloadFile(jonas, { assetId })).bytes).toEqual(picture);
  });

  test('people comment and vote on it again, and nobody votes twice', async () => {
    const [maya, jonas] = await twoPeople();
    const post = await aSlider(maya);
    await expectOk(castVote(jonas, post, 'right'));
    await remove(opine.nina, jonas, 'posts', post);
    await appealAndDecide(maya, post, 'reversed');
    expect((await myVote(jonas, post)).data).toMatchObject({ hasVoted: true });
    expect(await castVote(jonas, post)).toMatchObject(refusal(409, 'VOTE_ALREADY_CAST'));
    await expectOk(castVote(await confirmedPerson(opine), post, 'left'));
    await foldAllVotes(opine);
    expect(await countsOf(maya, post)).toEqual([0, 1, 0, 1, 0]);
    await aComment(jonas, post);
    expect(await commentCountSeenBy(maya, post)).toBe(1);
  });

  test('the author deletes it for good', async () => {
    const { maya, jonas, post } = await aRemovedPost();
    await appealAndDecide(maya, post, 'reversed');
    await expectOk(maya.delete(`/posts/${post.id}`));
    for (const viewer of [maya, jonas]) expect((await viewer.get(`/posts/${post.id}`)).status).toBe(404);
  });

  test('a second removal is a decision of its own, with an appeal of its own', async () => {
    const { maya, jonas, post } = await aRemovedPost();
    const first = await appealAndDecide(maya, post, 'reversed');
    await remove(opine.nina, jonas, 'posts', post, { reason: 'hate' });
    const second = await decisionAbout(maya, post);
    expect(second).toMatchObject({ reason: 'hate', appeal: null });
    expect(second.id).not.toBe(first.id);
    expect((await maya.get(`/posts/${post.id}`)).status).toBe(404);
    await appealAndDecide(maya, post, 'reversed');
    expect((await jonas.get(`/posts/${post.id}`)).status).toBe(200);
    expect((await decisionsOf(maya)).map(({ id }) => id)).toEqual([second.id, first.id]);
    expect(await decisionNotificationsOf(maya)).toHaveLength(4);
  });

  test('the repost of a removed repost returns, and the original counts it again', async () => {
    const [maya, jonas] = await twoPeople();
    const original = await aSlider(maya);
    const count = async () => (await expectOk(maya.get(`/posts/${original.id}`))).repostCount;
    const repost = await expectOk(
      jonas.post(`/posts/${original.id}/reposts`, { visibility: 'public', thoughtText: 'Buy my pills.' }),
    );
    expect(await count()).toBe(1);
    await remove(opine.nina, maya, 'posts', repost);
    expect(await count()).toBe(0);
    await appealAndDecide(jonas, repost, 'reversed');
    expect(await count()).toBe(1);
    expect((await expectOk(maya.get(`/posts/${repost.id}`))).sourcePost).not.toBeNull();
  });

  test('a private post of a Hub that has closed meanwhile returns to its author alone', async () => {
    const { hub, amara, jonas, post } = await aHubWithDiscussion(opine);
    await remove(opine.nina, jonas, 'posts', post);
    const decision = await decisionAbout(amara, post);
    await appeal(amara, decision);
    await expectOk(amara.delete(`/hubs/${hub.id}`));
    expect((await requestOutcome(opine.otto, decision, 'reversed')).status).toBe(200);
    expect((await amara.get(`/posts/${post.id}`)).status).toBe(200);
    expect((await jonas.get(`/posts/${post.id}`)).status).toBe(404);
  });
});

// docs/product.md S22
describe('a reversed removal of a comment', () => {
  /** A post of Maya's with three comments; the second is Jonas's and has a picture. */
  async function aThread() {
    const [maya, jonas] = await twoPeople();
    const post = await aThought(maya);
    const { assetId } = await anUpload(jonas, picture, 'post_image');
    await aComment(maya, post, 'First.');
    const comment = await aComment(jonas, post, 'Buy my pills.', { assetId, altText: 'A pill' });
    await aComment(maya, post, 'Last.');
    const seen = async (viewer: Client) => ({
      comments: await commentsOn(viewer, post),
      replies: await repliesTo(viewer, post, comment).catch(() => null),
      count: await commentCountSeenBy(viewer, post),
      picture: (await requestDownload(jonas, assetId)).status,
    });
    return { maya, jonas, post, comment, assetId, seen };
  }

  test('a comment without replies returns to its place with its picture, and is counted', async () => {
    const { maya, jonas, comment, assetId, seen } = await aThread();
    const before = await seen(maya);
    await remove(opine.nina, maya, 'comments', comment);
    expect(await requestDownload(maya, assetId)).toMatchObject({ status: 404 });
    await appealAndDecide(jonas, comment, 'reversed');
    for (const viewer of [maya, jonas, aGuest(opine)]) expect(await seen(viewer)).toEqual(before);
    expect((await downloadFile(maya, { assetId })).bytes).toEqual(picture);
    await expectOk(requestCommentDeletion(jonas, comment));
  });

  test('a comment with replies returns above them, and is counted', async () => {
    const { maya, jonas, post, comment, assetId, seen } = await aThread();
    await aReply(maya, post, comment);
    const before = await seen(maya);
    await remove(opine.nina, maya, 'comments', comment);
    await appealAndDecide(jonas, comment, 'reversed');
    for (const viewer of [maya, jonas, aGuest(opine)]) expect(await seen(viewer)).toEqual(before);
    expect((await downloadFile(maya, { assetId })).bytes).toEqual(picture);
  });

  test('a comment whose last reply goes meanwhile returns', async () => {
    const { maya, jonas, post, comment, seen } = await aThread();
    const before = await seen(maya);
    const reply = await aReply(maya, post, comment);
    await remove(opine.nina, maya, 'comments', comment);
    await expectOk(requestCommentDeletion(maya, reply));
    await appealAndDecide(jonas, comment, 'reversed');
    expect(await seen(maya)).toEqual(before);
  });

  test('a reply returns to its thread, also where its root was deleted and has other replies', async () => {
    const { maya, jonas, post, comment } = await aThread();
    const [reply, other] = [await aReply(jonas, post, comment), await aReply(maya, post, comment)];
    await remove(opine.nina, maya, 'comments', reply);
    await expectOk(requestCommentDeletion(jonas, comment));
    await appealAndDecide(jonas, reply, 'reversed');
    expect(await repliesTo(maya, post, comment)).toEqual([reply, other]);
    const root = (await commentsOn(maya, post)).find(({ id }) => id === comment.id);
    expect(root).toMatchObject({ isDeleted: true, replyCount: 2 });
    expect(await commentCountSeenBy(maya, post)).toBe(4);
  });

  test.each(['its root', 'its post'])(
    'a reply does not return where %s is gone, and the appeal is reversed',
    async (gone) => {
      const { maya, jonas, post, comment } = await aThread();
      const reply = await aReply(jonas, post, comment);
      await remove(opine.nina, maya, 'comments', reply);
      await expectOk(
        gone === 'its root' ? requestCommentDeletion(jonas, comment) : maya.delete(`/posts/${post.id}`),
      );
      const { appeal: closed } = await appealAndDecide(jonas, reply, 'reversed');
      expect(closed.state).toBe('reversed');
      expect(await requestCommentDeletion(jonas, reply)).toMatchObject(refusal(404, 'COMMENT_NOT_FOUND'));
      if (gone === 'its root') expect(await commentCountSeenBy(maya, post)).toBe(2);
    },
  );

  test('a comment on a removed post returns together with the post', async () => {
    const { maya, jonas, post, comment, seen } = await aThread();
    const before = await seen(maya);
    await remove(opine.nina, maya, 'comments', comment);
    await remove(opine.nina, jonas, 'posts', post);
    await appealAndDecide(jonas, comment, 'reversed');
    expect(await maya.get(`/posts/${post.id}`)).toMatchObject({ status: 404 });
    await appealAndDecide(maya, post, 'reversed');
    expect(await seen(maya)).toEqual(before);
  });

  test('a comment on the post of somebody who has blocked its author returns', async () => {
    const { maya, jonas, comment, seen } = await aThread();
    const before = await seen(maya);
    await remove(opine.nina, maya, 'comments', comment);
    await block(jonas, maya);
    await appealAndDecide(jonas, comment, 'reversed');
    await unblock(jonas, maya);
    expect(await seen(maya)).toEqual(before);
  });

  test('a comment on the post of a suspended person returns together with the person', async () => {
    const { maya, jonas, comment, seen } = await aThread();
    const before = await seen(jonas);
    await remove(opine.nina, maya, 'comments', comment);
    await suspend(opine.nina, 'users', maya);
    await appealAndDecide(jonas, comment, 'reversed');
    await restore(opine.otto, 'users', maya);
    expect(await seen(jonas)).toEqual(before);
  });

  test('a comment of a person who is suspended meanwhile returns together with the person', async () => {
    const { maya, jonas, comment, seen } = await aThread();
    const before = await seen(maya);
    await remove(opine.nina, maya, 'comments', comment);
    const decision = await decisionAbout(jonas, comment);
    await appeal(jonas, decision);
    await suspend(opine.nina, 'users', jonas);
    await decideAppeal(opine.otto, decision, 'reversed');
    expect((await commentsOn(maya, { id: comment.postId })).map(({ id }) => id)).not.toContain(comment.id);
    await restore(opine.otto, 'users', jonas);
    expect((await seen(maya)).comments).toEqual(before.comments);
  });
});

// docs/product.md S22
describe('a reversed removal of a message', () => {
  test.each([false, true])(
    'a message with a picture returns to its place; with replies: %j',
    async (hasReply) => {
      const { hub, amara, jonas, post, discussion } = await aHubWithDiscussion(opine);
      await aMessage(amara, discussion, 'First.');
      const { assetId } = await anUpload(jonas, picture, 'post_image');
      const message = await aMessage(jonas, discussion, 'Buy my pills.', { assetId, altText: 'A pill' });
      if (hasReply) await aMessage(amara, discussion, 'Please not.', { parentMessageId: message.id });
      await aMessage(amara, discussion, 'Last.');
      const seen = async (viewer: Client) => [
        await messagesOf(viewer, discussion),
        hasReply && (await messagesOf(viewer, discussion, message)),
        await discussionOf(viewer, hub, post),
      ];
      const before = [await seen(amara), await seen(jonas)];
      await remove(opine.nina, amara, 'messages', message);
      expect(await requestDownload(amara, assetId)).toMatchObject({ status: 404 });
      await appealAndDecide(jonas, message, 'reversed');
      expect([await seen(amara), await seen(jonas)]).toEqual(before);
      expect((await downloadFile(amara, { assetId })).bytes).toEqual(picture);
    },
  );

  test('a message whose discussion is gone does not return, and the appeal is reversed', async () => {
    const { hub, amara, jonas, post, discussion } = await aHubWithDiscussion(opine);
    const message = await aMessage(jonas, discussion, 'Buy my pills.');
    await remove(opine.nina, amara, 'messages', message);
    await expectOk(amara.delete(`/hubs/${hub.id}/posts/${post.id}`));
    expect((await appealAndDecide(jonas, message, 'reversed')).appeal.state).toBe('reversed');
    expect(await discussionsOf(amara, hub)).toEqual([]);
  });

  test('a message that its author deletes after its return is gone', async () => {
    const { amara, jonas, discussion } = await aHubWithDiscussion(opine);
    const message = await aMessage(jonas, discussion, 'Buy my pills.');
    await remove(opine.nina, amara, 'messages', message);
    await appealAndDecide(jonas, message, 'reversed');
    await expectOk(requestMessageDeletion(jonas, discussion, message));
    expect(await messagesOf(amara, discussion)).toEqual([]);
  });
});

describe('an upheld appeal', () => {
  // docs/product.md S22
  test('a post, a comment and a message stay removed, also after the worker has run', async () => {
    const { hub, amara, jonas, discussion } = await aHubWithDiscussion(opine);
    const post = await aThought(jonas, 'Buy my pills.');
    const own = await aThought(amara);
    const comment = await aComment(jonas, own, 'Buy my pills.');
    const message = await aMessage(jonas, discussion, 'Buy my pills.');
    const seen = async () => [
      (await jonas.get(`/posts/${post.id}`)).status,
      await commentsOn(jonas, own),
      await messagesOf(jonas, discussion),
      await discussionsOf(jonas, hub),
    ];
    await remove(opine.nina, amara, 'posts', post);
    await remove(opine.nina, amara, 'comments', comment);
    await remove(opine.nina, amara, 'messages', message);
    const before = await seen();
    expect(before.slice(0, 2)).toEqual([404, []]);
    for (const target of [post, comment, message])
      expect((await appealAndDecide(jonas, target, 'upheld')).appeal.state).toBe('upheld');
    await expectAfterWorker(opine, seen).toEqual(before);
    expect(await decisionsOf(jonas)).toHaveLength(3);
  });

  test('a person stays suspended, and a Hub stays hidden', async () => {
    const [maya, jonas] = await twoPeople();
    const post = await aThought(maya);
    const { decisionId, appealToken } = await suspendAndSignIn(maya);
    await expectOk(requestSuspensionAppeal(appealToken));
    await decideAppeal(opine.otto, { id: decisionId }, 'upheld');
    expect(await enterCode(aGuest(opine), maya.phoneNumber)).toMatchObject(refusal(403, 'ACCOUNT_SUSPENDED'));
    expect((await jonas.get(`/posts/${post.id}`)).status).toBe(404);
    const { admin, hub } = await aSuspendedHub();
    await appealAndDecide(admin, hub, 'upheld');
    expect(await admin.get(`/hubs/${hub.id}`)).toMatchObject(refusal(404, 'HUB_NOT_FOUND'));
  });
});

describe('a suspended person', () => {
  // docs/product.md S20
  test('each way to sign in is 403 with the decision, its statement and a token for the appeal', async () => {
    const maya = await confirmedPerson(opine);
    const deviceId = 'a device of somebody who is suspended';
    const { user } = await expectOk(aGuest(opine).post('/auth/anonymous/session', { deviceId }));
    for (const person of [maya, user])
      await suspend(opine.nina, 'users', person, { statement: 'Sold pills.' });
    const idToken = await opine.provider.sign(phoneClaims(maya.phoneNumber));
    const replies = [
      await signInByCode(maya.phoneNumber),
      await signInWithIdToken(aGuest(opine), idToken),
      await aGuest(opine).post('/auth/anonymous/session', { deviceId }),
    ];
    for (const reply of replies) {
      expect(reply).toMatchObject(refusal(403, 'ACCOUNT_SUSPENDED'));
      expect(reply.error.details).toEqual({
        decisionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        statement: 'Sold pills.',
        appealToken: expect.any(String),
      });
    }
    const ids = replies.map(({ error }) => error.details.decisionId);
    expect([ids[0] === ids[1], ids[0] === ids[2]]).toEqual([true, false]);
  });

  // docs/product.md S20
  test('sign-in of a suspended person who has appealed says what came of it', async () => {
    const maya = await confirmedPerson(opine);
    const { decisionId, appealToken } = await suspendAndSignIn(maya);
    await expectOk(requestSuspensionAppeal(appealToken));
    const detailsOfSignIn = async () => {
      const idToken = await opine.provider.sign(phoneClaims(maya.phoneNumber));
      return (await signInWithIdToken(aGuest(opine), idToken)).error.details;
    };
    expect(await detailsOfSignIn()).toMatchObject({ decisionId, appealState: 'open' });
    await decideAppeal(opine.otto, { id: decisionId }, 'upheld');
    expect(await detailsOfSignIn()).toMatchObject({ decisionId, appealState: 'upheld' });
  });

  // docs/product.md S20
  test('the first appeal without a session is 201 with the decision, and the next is 409', async () => {
    const maya = await confirmedPerson(opine, 'Maya');
    const { decisionId, appealToken, statement } = await suspendAndSignIn(maya);
    const { status, data } = await requestSuspensionAppeal(appealToken, ' It was stolen. ');
    expect([status, data]).toEqual([
      201,
      {
        id: decisionId,
        action: 'account_suspended',
        reason: 'spam',
        statement,
        target: { type: 'user', id: maya.id, excerpt: 'Maya' },
        decidedAt: expect.stringMatching(TIME),
        appeal: { state: 'open', text: 'It was stolen.', decidedAt: null },
      },
    ]);
    expect(await requestSuspensionAppeal(appealToken)).toMatchObject(APPEAL_EXISTS);
  });

  test('a suspended anonymous person appeals from their device, and a reversed appeal opens it again', async () => {
    const deviceId = 'a device of somebody who appeals';
    const start = () => aGuest(opine).post('/auth/anonymous/session', { deviceId });
    const { user } = await expectOk(start());
    await suspend(opine.nina, 'users', user);
    const { decisionId, appealToken } = (await start()).error.details;
    await expectOk(requestSuspensionAppeal(appealToken));
    await decideAppeal(opine.otto, { id: decisionId }, 'reversed');
    expect((await expectOk(start())).user.id).toBe(user.id);
  });

  test('each sign-in gives a token of the same decision, and one appeal is possible with them', async () => {
    const maya = await confirmedPerson(opine);
    const first = await suspendAndSignIn(maya);
    const { error } = await enterCode(aGuest(opine), maya.phoneNumber);
    expect(error.details.decisionId).toBe(first.decisionId);
    const tokens = [first.appealToken, error.details.appealToken];
    const replies = await Promise.all(tokens.map((token) => requestSuspensionAppeal(token)));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409]);
  });

  test('a token of something else, cut off, or of another secret is 401', async () => {
    const [maya, jonas] = await twoPeople();
    const { decisionId, appealToken } = await suspendAndSignIn(maya);
    const appellant = { decisionId, userId: maya.id };
    const tokens = [
      'x',
      decisionId,
      maya.session.accessToken,
      maya.session.refreshToken,
      jonas.session.accessToken,
      appealToken.slice(1),
      appealToken.slice(0, -4),
      createSecrets('another secret of tests, long enough').sealAppealToken(appellant),
    ];
    for (const token of tokens)
      expect([token, await requestSuspensionAppeal(token)]).toMatchObject([token, UNAUTHORIZED]);
    expect((await requestSuspensionAppeal(appealToken)).status).toBe(201);
  });

  test('a token with a changed or an added character is 401', async () => {
    const { appealToken } = await suspendAndSignIn(await confirmedPerson(opine));
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/';
    const modified = [...appealToken].flatMap((letter: string, index) => {
      const next = letters[letters.indexOf(letter) + 1];
      const isLetter = letters.includes(letter) && next !== undefined;
      return isLetter ? [`${appealToken.slice(0, index)}${next}${appealToken.slice(index + 1)}`] : [];
    });
    expect(modified.length).toBeGreaterThan(40);
    const added = ['A', 'AAAA', '=', '.', '!'].map((end) => `${appealToken}${end}`);
    for (const token of [...modified, ...added])
      expect([token, await requestSuspensionAppeal(token)]).toMatchObject([token, UNAUTHORIZED]);
    expect((await requestSuspensionAppeal(appealToken)).status).toBe(201);
  });

  test('a text has 1 to 2000 characters, and the token is needed', async () => {
    const { appealToken } = await suspendAndSignIn(await confirmedPerson(opine));
    for (const text of ['', ' ', '\u200b', '👍'.repeat(2001), null])
      expect([text, await requestSuspensionAppeal(appealToken, text)]).toMatchObject([text, { status: 422 }]);
    for (const body of [{}, { appealToken }, { text: 'It was stolen.' }, { appealToken, text: 'x', more: 1 }])
      expect([body, await aGuest(opine).post('/moderation-appeals', body)]).toMatchObject([
        body,
        { status: 422 },
      ]);
    expect((await requestSuspensionAppeal(appealToken, '👍'.repeat(2000))).status).toBe(201);
  });

  test('a token is 401 after the restoration', async () => {
    const maya = await confirmedPerson(opine);
    const { appealToken } = await suspendAndSignIn(maya);
    await restore(opine.otto, 'users', maya);
    expect(await requestSuspensionAppeal(appealToken)).toMatchObject(UNAUTHORIZED);
  });

  test('a token of an earlier suspension is 401 during a later one', async () => {
    const maya = await confirmedPerson(opine);
    const { appealToken } = await suspendAndSignIn(maya);
    await restore(opine.otto, 'users', maya);
    await suspend(opine.nina, 'users', maya);
    expect(await requestSuspensionAppeal(appealToken)).toMatchObject(UNAUTHORIZED);
  });

  // docs/product.md S22
  test('a reversed appeal lets the person sign in, and brings back what they wrote', async () => {
    const [maya, jonas] = await twoPeople();
    const post = await aThought(maya);
    const comment = await aComment(maya, await aThought(jonas));
    await follow(jonas, maya);
    const seen = async () => ({
      post: await jonas.get(`/posts/${post.id}`).then(({ status, data }) => [status, data]),
      feeds: [await homeFeed(jonas), await profileFeedOf(jonas, jonas)],
      followers: await followersOf(maya, maya).catch(() => null),
      profile: await jonas.get(`/users/${maya.id}/profile`).then(({ status, data }) => [status, data]),
      comment: await commentsOn(jonas, { id: comment.postId }),
    });
    const before = await seen();
    const { decisionId, appealToken } = await suspendAndSignIn(maya);
    await expectOk(requestSuspensionAppeal(appealToken, 'It was stolen.'));
    await decideAppeal(opine.otto, { id: decisionId }, 'reversed');
    const again = await signedInAgain(maya);
    expect(again.session.user.id).toBe(maya.id);
    expect({ ...(await seen()), followers: await followersOf(again, again) }).toEqual(before);
    const closed = { state: 'reversed', text: 'It was stolen.', decidedAt: expect.stringMatching(TIME) };
    expect(await decisionsOf(again)).toMatchObject([{ id: decisionId, appeal: closed }]);
    expect((await decisionNotificationsOf(again)).map((item) => item.decisionId)).toEqual([
      decisionId,
      decisionId,
    ]);
    expect(await requestSuspensionAppeal(appealToken)).toMatchObject(UNAUTHORIZED);
  });

  // docs/product.md S21
  test('who took the decision neither restores nor suspends anew while the appeal is open', async () => {
    const maya = await confirmedPerson(opine);
    const { decisionId, appealToken } = await suspendAndSignIn(maya);
    await expectOk(requestSuspensionAppeal(appealToken));
    for (const [act, body] of OWN_DECISIONS)
      expect([act, await opine.nina.post(`/admin/users/${maya.id}/${act}`, body)]).toMatchObject([
        act,
        FORBIDDEN,
      ]);
    expect(await appealsSeenBy(opine.otto)).toHaveProperty(decisionId);
    await decideAppeal(opine.otto, { id: decisionId }, 'upheld');
    await restore(opine.nina, 'users', maya);
    await suspend(opine.nina, 'users', maya);
  });

  // docs/product.md S21
  test('a restoration by another member of staff decides the open appeal as reversed', async () => {
    const maya = await confirmedPerson(opine);
    const { decisionId, appealToken } = await suspendAndSignIn(maya);
    await expectOk(requestSuspensionAppeal(appealToken));
    await restore(opine.otto, 'users', maya);
    expect(await appealsSeenBy(opine.otto)).not.toHaveProperty(decisionId);
    expect(await requestOutcome(opine.otto, { id: decisionId }, 'upheld')).toMatchObject(APPEAL_NOT_FOUND);
    const again = await signedInAgain(maya);
    const closed = { state: 'reversed', decidedAt: expect.stringMatching(TIME) };
    expect(await decisionsOf(again)).toMatchObject([{ id: decisionId, appeal: closed }]);
    expect(await decisionNotificationsOf(again)).toHaveLength(2);
  });

  test('a reversed appeal against an earlier suspension leaves a later one', async () => {
    const maya = await confirmedPerson(opine);
    await suspendAndSignIn(maya);
    await restore(opine.otto, 'users', maya);
    const again = await signedInAgain(maya);
    const first = await decisionAbout(again, maya);
    const { status } = await requestAppeal(again, first);
    await suspend(opine.nina, 'users', maya);
    if (status === 201) await requestOutcome(opine.otto, first, 'reversed');
    await advanceTime(opine, '61 seconds');
    expect(await signInByCode(maya.phoneNumber)).toMatchObject(refusal(403, 'ACCOUNT_SUSPENDED'));
  });

  test('what staff removed before the suspension stays removed after the restoration', async () => {
    const { maya, post } = await aRemovedPost();
    const { decisionId, appealToken } = await suspendAndSignIn(maya);
    await expectOk(requestSuspensionAppeal(appealToken));
    await decideAppeal(opine.otto, { id: decisionId }, 'reversed');
    const again = await signedInAgain(maya);
    expect((await again.get(`/posts/${post.id}`)).status).toBe(404);
    expect(await decisionsOf(again)).toHaveLength(2);
    await appealAndDecide(again, post, 'reversed');
    expect((await again.get(`/posts/${post.id}`)).status).toBe(200);
  });
});

describe('a suspended Hub', () => {
  async function seenIn({ hub, admin, manager, member }: HubWorld, post: Json): Promise<Json> {
    const views: Json[] = [];
    for (const person of [admin, manager, member])
      views.push([
        (await hubSeenBy(person, hub)).viewerRole,
        (await membersOf(person, hub)).map(({ userId, role }) => [userId, role]),
        await discussionsOf(person, hub),
        (await person.get(`/posts/${post.id}`)).data,
        (await expectOk(person.get(`/hubs/${hub.id}/feed`))).items,
        (await expectOk(person.get('/users/me/hubs'))).items.map(({ id }: Json) => id),
      ]);
    return views;
  }

  // docs/product.md S22
  test('a reversed appeal brings back members, roles, posts and discussions, and notifies each admin', async () => {
    const world = await aHubWorld(opine);
    const { hub, admin, manager, member } = world;
    const second = await hubReadyPerson(opine);
    const post = await aHubPost(member, [hub]);
    await aMessage(member, await discussionOf(member, hub, post));
    await expectOk(requestAppoint(admin, hub, manager));
    const before = await seenIn(world, post);
    await suspend(opine.nina, 'hubs', hub);
    const decision = await decisionAbout(manager, hub);
    await appeal(manager, decision, 'We are neighbours.');
    await decideAppeal(opine.otto, decision, 'reversed');
    expect(await seenIn(world, post)).toEqual(before);
    for (const person of [admin, manager]) {
      expect(await decisionNotificationsOf(person)).toHaveLength(2);
      expect(await decisionsOf(person)).toMatchObject([
        { id: decision.id, appeal: { state: 'reversed', text: 'We are neighbours.' } },
      ]);
    }
    for (const person of [member, second]) expect(await decisionNotificationsOf(person)).toEqual([]);
  });

  test('who took the decision neither restores nor suspends anew while the appeal is open', async () => {
    const { hub, admin, decision } = await aSuspendedHub();
    await appeal(admin, decision);
    for (const [act, body] of OWN_DECISIONS)
      expect([act, await opine.nina.post(`/admin/hubs/${hub.id}/${act}`, body)]).toMatchObject([
        act,
        FORBIDDEN,
      ]);
    expect((await decisionsOf(admin))[0].appeal.state).toBe('open');
    await restore(opine.otto, 'hubs', hub);
    await suspend(opine.nina, 'hubs', hub);
  });

  // docs/product.md S21
  test('an appeal stays for the other admins when the account of the appellant ends', async () => {
    const { admin, manager, decision } = await aSuspendedHub();
    await appeal(manager, decision, 'We are neighbours.');
    await expectOk(manager.delete('/users/me'));
    await waitUntilDeleted(opine, manager.id);
    expect((await appealsSeenBy(opine.otto))[decision.id]).toMatchObject({ text: 'We are neighbours.' });
    expect(await requestAppeal(admin, decision)).toMatchObject(APPEAL_EXISTS);
    await decideAppeal(opine.otto, decision, 'reversed');
    expect(await decisionsOf(admin)).toMatchObject([{ id: decision.id, appeal: { state: 'reversed' } }]);
  });

  test('a restoration by another member of staff decides the open appeal as reversed', async () => {
    const { hub, admin, manager, decision } = await aSuspendedHub();
    await appeal(admin, decision);
    await restore(opine.otto, 'hubs', hub);
    expect(await requestOutcome(opine.otto, decision, 'upheld')).toMatchObject(APPEAL_NOT_FOUND);
    for (const person of [admin, manager]) {
      expect(await decisionsOf(person)).toMatchObject([{ appeal: { state: 'reversed' } }]);
      expect(await decisionNotificationsOf(person)).toHaveLength(2);
    }
    expect(await hubSeenBy(manager, hub)).toMatchObject({ viewerRole: 'admin' });
  });

  test('a reversed appeal against an earlier suspension leaves a later one', async () => {
    const { hub, admin, decision } = await aSuspendedHub();
    await restore(opine.otto, 'hubs', hub);
    const { status } = await requestAppeal(admin, decision);
    await suspend(opine.nina, 'hubs', hub);
    if (status === 201) await requestOutcome(opine.otto, decision, 'reversed');
    expect(await admin.get(`/hubs/${hub.id}`)).toMatchObject(refusal(404, 'HUB_NOT_FOUND'));
  });
});

test('a reversed appeal brings back nothing of an account that has ended', async () => {
  const { maya, jonas, post, decision } = await aRemovedPost();
  await appeal(maya, decision);
  await expectOk(maya.delete('/users/me'));
  await waitUntilDeleted(opine, maya.id);
  expect([200, 404]).toContain((await requestOutcome(opine.otto, decision, 'reversed')).status);
  expect((await jonas.get(`/posts/${post.id}`)).status).toBe(404);
});
