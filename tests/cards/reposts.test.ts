import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Json, refusal } from '../support/client.ts';
import { listedIds } from '../support/graph.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aGuest, confirmedPerson, type Person, registeredPerson } from '../support/people.ts';
import { aRepost, aSlider, aThought, framesOf, seenBy } from '../support/posts.ts';
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

const repostCountOf = async (post: Json): Promise<number> => (await seenBy(aGuest(opine), post)).repostCount;

describe('a repost', () => {
  const slider = { leftLabel: 'Never', rightLabel: 'Always' };
  const defaultLabels = { leftLabel: 'Disagree', rightLabel: 'Agree' };

  // docs/product.md PO3
  test.each([
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
});

// docs/product.md PO3
test.each([
  [{}],
  [{ thoughtText: null, sliderText: null }],
  [{ slider: { leftLabel: 'Never', rightLabel: 'Always' } }],
  [{ thoughtText: 'Look here.', slider: { leftLabel: 'Never', rightLabel: 'Always' } }],
  [{ thoughtText: 'Look here.', article: { title: 'On it' } }],
])('a repost with %j is refused with 422 and is no share', async (fields) => {
  const refused = await jonas.post(`/posts/${source.id}/reposts`, { visibility: 'public', ...fields });
  expect(refused).toMatchObject(refusal(422, 'VALIDATION_FAILED'));
  expect(await repostCountOf(source)).toBe(0);
  expect(await listedIds(maya, `/users/${jonas.id}/feed`)).not.toContain(source.id);
});

// docs/product.md V10
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

// docs/product.md PO5
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
    expect(again.headers.get('cache-control')).toBe('private, no-cache, no-store');
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
