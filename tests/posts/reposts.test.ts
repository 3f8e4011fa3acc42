import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { untilGone } from '../support/account-deletions.ts';
import { type Json, refusal } from '../support/client.ts';
import { aCircle, discussionsOf } from '../support/discussions.ts';
import { aRepost, framesOf, requestRepost } from '../support/frames.ts';
import { everybodyIn, granted } from '../support/graph.ts';
import { aHub } from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aConfirmed, aGuest, aRegistered, type Person } from '../support/people.ts';
import { aSlider, aThought, seenBy } from '../support/posts.ts';
import { castVote, countsOf, myVote } from '../support/votes.ts';

let opine: Opine;
let maya: Person;
let jonas: Person;
/** What Maya has published, with a slider. */
let source: Json;

beforeAll(async () => {
  opine = await startOpine();
  [maya, jonas] = [await aConfirmed(opine, 'Maya'), await aConfirmed(opine, 'Jonas')];
});

afterAll(() => opine.stop());

beforeEach(async () => {
  source = await aSlider(maya, { thoughtText: 'I wonder.' });
});

const HIDDEN = refusal(404, 'POST_NOT_FOUND');

const inHub = ({ id, name }: Json) => ({ id, name });
const repostCountOf = async (post: Json): Promise<number> => (await seenBy(aGuest(opine), post)).repostCount;

describe('a repost', () => {
  const slider = { leftLabel: 'Never', rightLabel: 'Always' };
  const byDefault = { leftLabel: 'Disagree', rightLabel: 'Agree' };

  test.each([
    [{ thoughtText: 'Look here.' }],
    [{ sliderText: 'Is she right?' }],
    [{ sliderText: 'Is she right?', slider }],
    [{ thoughtText: 'Look here.', sliderText: 'Is she right?', slider }],
    [{ thoughtText: 'Look here.', sliderText: null, slider: null, hubIds: null }],
  ])('is a frame of its own, of %j', async (fields: Json) => {
    const { status, data } = await jonas.post(`/posts/${source.id}/reposts`, {
      visibility: 'public',
      ...fields,
    });
    expect(status).toBe(201);
    const hasSlider = typeof fields.sliderText === 'string';
    expect(data).toMatchObject({
      author: { id: jonas.id, username: jonas.username },
      article: null,
      thoughtText: fields.thoughtText ?? null,
      sliderText: fields.sliderText ?? null,
      slider: hasSlider ? (fields.slider ?? byDefault) : null,
      visibility: 'public',
      hubs: [],
      sourcePostId: source.id,
      isShareable: true,
      viewerVote: hasSlider ? { hasVoted: false, votedAt: null } : null,
      commentCount: 0,
      repostCount: 0,
      viewerSaved: false,
      permissions: { canVote: hasSlider, canRepost: false, canDelete: true },
    });
    expect(data.id).not.toBe(source.id);
    expect(await seenBy(jonas, data)).toEqual(data);
    expect(await seenBy(maya, source)).toEqual({ ...source, repostCount: 1 });
  });

  test('may be of what is one’s own, and be made again', async () => {
    const reposts = [await aRepost(maya, source), await aRepost(maya, source)];
    expect(reposts[0]?.id).not.toBe(reposts[1]?.id);
    expect(await repostCountOf(source)).toBe(2);
  });

  test('may be in public and in Hubs, and is shareable as any frame of its kind', async () => {
    const { hub, amara } = await aCircle(opine);
    const other = await aHub(amara);
    for (const [visibility, hubs, isShareable] of [
      ['public_hub', [hub], true],
      ['private_locked_hub', [hub], false],
      ['private_locked_hub', [hub, other], true],
    ] as const) {
      const hubIds = hubs.map(({ id }) => id);
      const { status, data } = await requestRepost(amara, source, { visibility, hubIds });
      expect([status, data.visibility, data.isShareable]).toEqual([201, visibility, isShareable]);
      expect(new Set(data.hubs)).toEqual(new Set(hubs.map(inHub)));
      for (const { id } of hubs) expect(await everybodyIn(amara, `/hubs/${id}/feed`)).toContain(data.id);
      const discussed = (await discussionsOf(amara, hub)).map(({ postId }) => postId);
      expect(discussed).toContain(data.id);
    }
    expect(await everybodyIn(amara, `/hubs/${other.id}/feed`)).toHaveLength(1);
  });

  test('in private is hidden from others', async () => {
    const { hub, amara, jonas: member } = await aCircle(opine);
    const repost = await aRepost(amara, source, { visibility: 'private_locked_hub', hubIds: [hub.id] });
    expect((await seenBy(member, repost)).sourcePostId).toBe(source.id);
    for (const viewer of [maya, aGuest(opine)]) {
      expect(await viewer.get(`/posts/${repost.id}`)).toMatchObject(HIDDEN);
    }
  });
});

describe('a slider of a repost', () => {
  test('has votes of its own', async () => {
    const repost = await aRepost(jonas, source, { sliderText: 'Is she right?' });
    const voter = await aRegistered(opine);
    expect((await castVote(voter, source, 'left')).status).toBe(201);
    expect((await myVote(voter, repost)).data.hasVoted).toBe(false);
    expect(await countsOf(voter, repost)).toEqual([]);
    expect((await castVote(voter, repost, 'strong_right')).status).toBe(201);
    expect((await castVote(maya, repost, 'strong_right')).status).toBe(201);
    expect(await countsOf(voter, source)).toEqual([0, 1, 0, 0, 0]);
    expect(await countsOf(voter, repost)).toEqual([0, 0, 0, 0, 2]);
    expect((await seenBy(maya, source)).viewerVote.hasVoted).toBe(false);
  });

  test('is not that of its source: without one there is nothing to vote on', async () => {
    const repost = await aRepost(jonas, source);
    const refused = refusal(409, 'POST_NOT_VOTABLE');
    expect(repost).toMatchObject({ viewerVote: null, voteScope: null, voteSummary: null });
    expect(await castVote(maya, repost)).toMatchObject(refused);
    for (const rest of ['summary', 'distribution']) {
      expect(await maya.get(`/posts/${repost.id}/vote/${rest}`)).toMatchObject(refused);
    }
    expect(await countsOf(maya, source)).toEqual([]);
  });
});

describe('the reposts of a post are counted', () => {
  test('for everybody alike, also those that one does not see', async () => {
    const { hub, amara } = await aCircle(opine);
    await aRepost(amara, source, { visibility: 'private_locked_hub', hubIds: [hub.id] });
    await aRepost(jonas, source);
    for (const viewer of [maya, jonas, amara, aGuest(opine)]) {
      expect((await seenBy(viewer, source)).repostCount).toBe(2);
    }
  });

  test('while they are there', async () => {
    const [one, other] = [await aRepost(jonas, source), await aRepost(maya, source)];
    await granted(jonas.delete(`/posts/${one.id}`));
    expect(await repostCountOf(source)).toBe(1);
    expect(await jonas.delete(`/posts/${one.id}`)).toMatchObject(HIDDEN);
    expect(await repostCountOf(source)).toBe(1);
    await granted(maya.delete(`/posts/${other.id}`));
    expect(await repostCountOf(source)).toBe(0);
  });

  test('until their author’s account has ended', async () => {
    const leaver = await aConfirmed(opine);
    const [gone] = [await aRepost(leaver, source), await aRepost(jonas, source)];
    await granted(leaver.delete('/users/me'));
    expect(await maya.get(`/posts/${gone.id}`)).toMatchObject(HIDDEN);
    await untilGone(opine, leaver.id);
    expect(await repostCountOf(source)).toBe(1);
  });

  test('each, when ten come at once', async () => {
    await Promise.all(Array.from({ length: 10 }, () => aRepost(jonas, source)));
    expect(await repostCountOf(source)).toBe(10);
  });
});

describe('a repost with a key', () => {
  const send = (text = 'Once.') =>
    jonas.post(
      `/posts/${source.id}/reposts`,
      { visibility: 'public', thoughtText: text },
      { headers: { 'idempotency-key': source.id } },
    );

  test('that is sent again is the same repost', async () => {
    const [first, again] = [await send(), await send()];
    const replayed = again.headers.get('idempotency-replayed');
    expect([again.status, again.data, replayed]).toEqual([201, first.data, 'true']);
    expect(await framesOf(jonas, source)).toEqual([source.id, first.data.id]);
    expect(await send('Twice.')).toMatchObject(refusal(409, 'IDEMPOTENCY_KEY_CONFLICT'));
    expect(await repostCountOf(source)).toBe(1);
  });

  test('is another one where another post is reposted', async () => {
    const other = await aThought(maya);
    const key = { headers: { 'idempotency-key': source.id } };
    const body = { visibility: 'public', thoughtText: 'Once.' };
    const first = await jonas.post(`/posts/${source.id}/reposts`, body, key);
    const second = await jonas.post(`/posts/${other.id}/reposts`, body, key);
    expect(first.status).toBe(201);
    expect(second.data?.sourcePostId).not.toBe(source.id);
  });
});
