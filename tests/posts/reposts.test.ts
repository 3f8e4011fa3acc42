import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectOk, type Json, MALFORMED_IDS, NONEXISTENT, refusal } from '../support/client.ts';
import { aHubOfTwo } from '../support/discussions.ts';
import { block } from '../support/graph.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aGuest, confirmedPerson, type Person, registeredPerson } from '../support/people.ts';
import { aRepost, aSlider, aThought, framesOf, requestRepost, seenBy } from '../support/posts.ts';
import { castVote, countsOf, myVote } from '../support/votes.ts';

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
const NOT_ALLOWED = refusal(409, 'REPOST_NOT_ALLOWED');

const repostCountOf = async (post: Json): Promise<number> => (await seenBy(aGuest(opine), post)).repostCount;

describe('a repost', () => {
  const slider = { leftLabel: 'Never', rightLabel: 'Always' };
  const defaultLabels = { leftLabel: 'Disagree', rightLabel: 'Agree' };

  test.each([
    [{ thoughtText: 'Look here.' }],
    [{ sliderText: 'Is she right?' }],
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

  test('a private repost is hidden from non-members, including the author of the source', async () => {
    const { hub, amara, jonas: member } = await aHubOfTwo(opine);
    const repost = await aRepost(amara, source, { visibility: 'private_locked_hub', hubIds: [hub.id] });
    expect((await seenBy(member, repost)).sourcePostId).toBe(source.id);
    for (const viewer of [maya, aGuest(opine)]) {
      expect(await viewer.get(`/posts/${repost.id}`)).toMatchObject(HIDDEN);
    }
  });
});

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

test('ten concurrent reposts are all counted', async () => {
  await Promise.all(Array.from({ length: 10 }, () => aRepost(jonas, source)));
  expect(await repostCountOf(source)).toBe(10);
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

describe('a refused repost', () => {
  const thoughtText = 'Look here.';
  const visibility = 'public';
  const hubIds = [NONEXISTENT.id];

  test.each([
    ['an empty body', {}],
    ['a body without content', { visibility }],
    ['null content', { visibility, thoughtText: null, sliderText: null, slider: null }],
    ['a blank thought', { visibility, thoughtText: ' \n ' }],
    ['an article beside a thought', { visibility, thoughtText, article: { title: 'On garlic' } }],
    ['an article alone', { visibility, article: { title: 'On garlic' } }],
    ['an article of null', { visibility, thoughtText, article: null }],
    [
      'labels without a slider text',
      { visibility, thoughtText, slider: { leftLabel: 'a', rightLabel: 'b' } },
    ],
    ['a slider text of 261 characters', { visibility, sliderText: 'x'.repeat(261) }],
    ['a thought of 2001 characters', { visibility, thoughtText: 'x'.repeat(2001) }],
    ['a sourcePostId', { visibility, thoughtText, sourcePostId: NONEXISTENT.id }],
    ['a missing visibility', { thoughtText }],
    ['an unknown visibility', { thoughtText, visibility: 'friends' }],
    ['a public repost with a Hub', { visibility, thoughtText, hubIds }],
    ['a private repost without hubIds', { visibility: 'private_locked_hub', thoughtText }],
    ['a public_hub repost with empty hubIds', { visibility: 'public_hub', thoughtText, hubIds: [] }],
    ['a repeated Hub', { visibility: 'public_hub', thoughtText, hubIds: [...hubIds, ...hubIds] }],
    ['a malformed Hub id', { visibility: 'public_hub', thoughtText, hubIds: ['garlic'] }],
  ])('%s answers 422', async (_, body) => {
    const refused = await jonas.post(`/posts/${source.id}/reposts`, body);
    expect(refused).toMatchObject(refusal(422, 'VALIDATION_FAILED'));
    expect(await repostCountOf(source)).toBe(0);
  });

  test('a repost of a repost answers 409, also to its author', async () => {
    const repost = await aRepost(jonas, source);
    for (const author of [jonas, maya])
      expect(await requestRepost(author, repost)).toMatchObject(NOT_ALLOWED);
    expect([await repostCountOf(source), await repostCountOf(repost)]).toEqual([1, 0]);
  });

  test('a repost of a deleted, unknown, malformed or blocked post answers 404', async () => {
    const [blocker, gone] = [await confirmedPerson(opine), source];
    const blocked = await aSlider(blocker);
    await block(blocker, maya);
    await expectOk(maya.delete(`/posts/${gone.id}`));
    for (const id of [gone.id, NONEXISTENT.id, ...MALFORMED_IDS, blocked.id]) {
      expect(await requestRepost(maya, { id })).toMatchObject(HIDDEN);
    }
  });

  test('a public repost needs level 3, and a repost into a Hub needs level 4', async () => {
    expect(await requestRepost(aGuest(opine), source)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    const low = await requestRepost(await registeredPerson(opine), source);
    expect(low).toMatchObject(refusal(403, 'FORBIDDEN', { requiredLevel: 3, level: 2 }));
    const intoHub = await requestRepost(jonas, source, {
      visibility: 'public_hub',
      hubIds: [NONEXISTENT.id],
    });
    const details = { requiredLevel: 4, level: 3, nextStep: 'contacts' };
    expect([intoHub.status, intoHub.error.details]).toEqual([403, details]);
    expect(await repostCountOf(source)).toBe(0);
  });
});
