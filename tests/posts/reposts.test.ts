import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectOk, type Json, refusal } from '../support/client.ts';
import { aHubOfTwo, discussionsOf } from '../support/discussions.ts';
import { listedIds } from '../support/graph.ts';
import { aHub } from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aGuest, confirmedPerson, type Person, registeredPerson } from '../support/people.ts';
import { aRepost, aSlider, aThought, framesOf, requestRepost, seenBy } from '../support/posts.ts';
import { castVote, countsOf, myVote } from '../support/votes.ts';
import { waitUntilDeleted } from '../support/worker.ts';

let opine: Opine;
let maya: Person;
let jonas: Person;
/** A public post of Maya's with a slider. */
let source: Json;

beforeAll(async () => {
  opine = await startOpine();
  [maya, jonas] = [await confirmedPerson(opine, 'Maya'), await confirmedPerson(opine, 'Jonas')];
});

afterAll(() => opine.stop());

beforeEach(async () => {
  source = await aSlider(maya, { thoughtText: 'I wonder.' });
});

const HIDDEN = refusal(404, 'POST_NOT_FOUND');

const hubSummary = ({ id, name }: Json) => ({ id, name });
const repostCountOf = async (post: Json): Promise<number> => (await seenBy(aGuest(opine), post)).repostCount;

describe('a repost', () => {
  const slider = { leftLabel: 'Never', rightLabel: 'Always' };
  const defaultLabels = { leftLabel: 'Disagree', rightLabel: 'Agree' };

  test.each([
    [{ thoughtText: 'Look here.' }],
    [{ sliderText: 'Is she right?' }],
    [{ sliderText: 'Is she right?', slider }],
    [{ thoughtText: 'Look here.', sliderText: 'Is she right?', slider }],
    [{ thoughtText: 'Look here.', sliderText: null, slider: null, hubIds: null }],
  ])('a repost with %j is a new frame', async (fields: Json) => {
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
      slider: hasSlider ? (fields.slider ?? defaultLabels) : null,
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

  test('an author can repost their own post more than once', async () => {
    const reposts = [await aRepost(maya, source), await aRepost(maya, source)];
    expect(reposts[0]?.id).not.toBe(reposts[1]?.id);
    expect(await repostCountOf(source)).toBe(2);
  });

  test('a repost into Hubs appears in their feeds and discussions and is shareable like an original', async () => {
    const { hub, amara } = await aHubOfTwo(opine);
    const other = await aHub(amara);
    for (const [visibility, hubs, isShareable] of [
      ['public_hub', [hub], true],
      ['private_locked_hub', [hub], false],
      ['private_locked_hub', [hub, other], true],
    ] as const) {
      const hubIds = hubs.map(({ id }) => id);
      const { status, data } = await requestRepost(amara, source, { visibility, hubIds });
      expect([status, data.visibility, data.isShareable]).toEqual([201, visibility, isShareable]);
      expect(new Set(data.hubs)).toEqual(new Set(hubs.map(hubSummary)));
      for (const { id } of hubs) expect(await listedIds(amara, `/hubs/${id}/feed`)).toContain(data.id);
      const discussed = (await discussionsOf(amara, hub)).map(({ postId }) => postId);
      expect(discussed).toContain(data.id);
    }
    expect(await listedIds(amara, `/hubs/${other.id}/feed`)).toHaveLength(1);
  });

  test('a private repost is hidden from non-members, including the author of the source', async () => {
    const { hub, amara, jonas: member } = await aHubOfTwo(opine);
    const repost = await aRepost(amara, source, { visibility: 'private_locked_hub', hubIds: [hub.id] });
    expect((await seenBy(member, repost)).sourcePostId).toBe(source.id);
    for (const viewer of [maya, aGuest(opine)]) {
      expect(await viewer.get(`/posts/${repost.id}`)).toMatchObject(HIDDEN);
    }
  });
});

describe('the slider of a repost', () => {
  test('votes on a repost and on its source are counted separately', async () => {
    const repost = await aRepost(jonas, source, { sliderText: 'Is she right?' });
    const voter = await registeredPerson(opine);
    expect((await castVote(voter, source, 'left')).status).toBe(201);
    expect((await myVote(voter, repost)).data.hasVoted).toBe(false);
    expect(await countsOf(voter, repost)).toEqual([]);
    expect((await castVote(voter, repost, 'strong_right')).status).toBe(201);
    expect((await castVote(maya, repost, 'strong_right')).status).toBe(201);
    expect(await countsOf(voter, source)).toEqual([0, 1, 0, 0, 0]);
    expect(await countsOf(voter, repost)).toEqual([0, 0, 0, 0, 2]);
    expect((await seenBy(maya, source)).viewerVote.hasVoted).toBe(false);
  });

  test('a repost without a slider is not votable although its source is', async () => {
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

describe('repostCount', () => {
  test('every viewer gets the same count, hidden reposts included', async () => {
    const { hub, amara } = await aHubOfTwo(opine);
    await aRepost(amara, source, { visibility: 'private_locked_hub', hubIds: [hub.id] });
    await aRepost(jonas, source);
    for (const viewer of [maya, jonas, amara, aGuest(opine)]) {
      expect((await seenBy(viewer, source)).repostCount).toBe(2);
    }
  });

  test('deleted reposts are not counted', async () => {
    const [one, other] = [await aRepost(jonas, source), await aRepost(maya, source)];
    await expectOk(jonas.delete(`/posts/${one.id}`));
    expect(await repostCountOf(source)).toBe(1);
    expect(await jonas.delete(`/posts/${one.id}`)).toMatchObject(HIDDEN);
    expect(await repostCountOf(source)).toBe(1);
    await expectOk(maya.delete(`/posts/${other.id}`));
    expect(await repostCountOf(source)).toBe(0);
  });

  test('reposts of a deleted account are not counted', async () => {
    const leaver = await confirmedPerson(opine);
    const [gone] = [await aRepost(leaver, source), await aRepost(jonas, source)];
    await expectOk(leaver.delete('/users/me'));
    expect(await maya.get(`/posts/${gone.id}`)).toMatchObject(HIDDEN);
    await waitUntilDeleted(opine, leaver.id);
    expect(await repostCountOf(source)).toBe(1);
  });

  test('ten concurrent reposts are all counted', async () => {
    await Promise.all(Array.from({ length: 10 }, () => aRepost(jonas, source)));
    expect(await repostCountOf(source)).toBe(10);
  });
});

describe('a repost with an Idempotency-Key', () => {
  const send = (text = 'Once.') =>
    jonas.post(
      `/posts/${source.id}/reposts`,
      { visibility: 'public', thoughtText: text },
      { headers: { 'idempotency-key': source.id } },
    );

  test('the same key replays the repost, and the same key with another body answers 409', async () => {
    const [first, again] = [await send(), await send()];
    const replayed = again.headers.get('idempotency-replayed');
    expect([again.status, again.data, replayed]).toEqual([201, first.data, 'true']);
    expect(await framesOf(jonas, source)).toEqual([source.id, first.data.id]);
    expect(await send('Twice.')).toMatchObject(refusal(409, 'IDEMPOTENCY_KEY_CONFLICT'));
    expect(await repostCountOf(source)).toBe(1);
  });

  test('the same key for another post does not replay the repost', async () => {
    const other = await aThought(maya);
    const key = { headers: { 'idempotency-key': source.id } };
    const body = { visibility: 'public', thoughtText: 'Once.' };
    const first = await jonas.post(`/posts/${source.id}/reposts`, body, key);
    const second = await jonas.post(`/posts/${other.id}/reposts`, body, key);
    expect(first.status).toBe(201);
    expect(second.data?.sourcePostId).not.toBe(source.id);
  });
});
