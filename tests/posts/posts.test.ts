import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, type Json, refusal } from '../support/client.ts';
import { timeIn } from '../support/clock.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aConfirmed, aGuest, anAnonymous, aRegistered, type Person } from '../support/people.ts';
import { aSlider, aThought, publish, seenBy } from '../support/posts.ts';
import { castVote } from '../support/votes.ts';

const NOWHERE = '01990000-0000-7000-8000-000000000009';

let opine: Opine;
let amara: Person;

beforeAll(async () => {
  opine = await startOpine();
  amara = await aConfirmed(opine, 'Amara');
});

afterAll(() => opine.stop());

const article = { url: 'https://news.example/garlic?first=1#why', title: 'On garlic', text: 'Fry it first.' };
const thoughtText = 'I would not.';
const sliderText = 'Does garlic go in first?';
const slider = { leftLabel: 'Never', rightLabel: 'Always' };
const byDefault = { leftLabel: 'Disagree', rightLabel: 'Agree' };

describe('a post is published', () => {
  test.each([
    [{ article }],
    [{ thoughtText }],
    [{ sliderText, slider }],
    [{ article, thoughtText }],
    [{ article, sliderText, slider }],
    [{ thoughtText, sliderText, slider }],
    [{ article, thoughtText, sliderText, slider }],
  ])('of %j', async (fields: Json) => {
    const before = await timeIn(opine);
    const { status, data } = await publish(amara, fields);
    expect(status).toBe(201);
    const hasSlider = fields.sliderText !== undefined;
    expect(data).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      author: {
        id: amara.id,
        username: amara.username,
        name: 'Amara',
        profilePhotoUrl: null,
        isAnonymous: false,
      },
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      article: fields.article ? { ...article, id: expect.any(String), media: [] } : null,
      thoughtText: fields.thoughtText ?? null,
      sliderText: fields.sliderText ?? null,
      slider: fields.slider ?? null,
      visibility: 'public',
      hubs: [],
      sourcePostId: null,
      sourcePost: null,
      isShareable: true,
      viewerVote: hasSlider ? { hasVoted: false, votedAt: null } : null,
      voteScope: hasSlider ? { type: 'global', hubId: null } : null,
      voteSummary: hasSlider
        ? { totalVotes: 0, resultsVisible: false, leftCount: null, neutralCount: null, rightCount: null }
        : null,
      commentCount: 0,
      repostCount: 0,
      viewerSaved: false,
      permissions: {
        canVote: hasSlider,
        canComment: true,
        canRepost: true,
        canShareToFeed: true,
        canShareToHubs: false,
        canDelete: true,
      },
    });
    expect(Date.parse(data.createdAt)).toBeGreaterThanOrEqual(before.getTime() - 1);
    expect(await seenBy(amara, data)).toEqual(data);
  });

  test.each([
    ['a url', { url: article.url }, { url: article.url, title: null, text: null }],
    ['a title', { title: 'On garlic', text: null }, { url: null, title: 'On garlic', text: null }],
    ['a text', { text: 'Fry it.' }, { url: null, title: null, text: 'Fry it.' }],
  ])('of an article that is %s alone', async (_, given, shown) => {
    expect((await publish(amara, { article: given })).data.article).toEqual({
      ...shown,
      id: expect.any(String),
      media: [],
    });
  });

  test.each([[{}], [{ slider: null }]])('with the usual labels where it names none: %j', async (fields) => {
    expect((await publish(amara, { sliderText, ...fields })).data.slider).toEqual(byDefault);
  });

  test('with null for what it has not', async () => {
    const nothing = { article: null, thoughtText: null, slider: null, hubIds: null };
    expect((await publish(amara, { ...nothing, sliderText })).status).toBe(201);
  });
});

describe('no post is published', () => {
  const one = NOWHERE;
  test.each([
    ['of nothing', {}],
    ['of nulls', { article: null, thoughtText: null, sliderText: null }],
    ['of an empty article', { article: {} }],
    ['of an article of nulls', { article: { url: null, title: null, text: null } }],
    ['of labels alone', { slider }],
    ['of labels without a question', { thoughtText, slider }],
    ['with one label', { sliderText, slider: { leftLabel: 'Never' } }],
    ['with a label too many', { sliderText, slider: { ...slider, middleLabel: 'Maybe' } }],
    ['with an address that is no web address', { article: { url: 'javascript:alert(1)' } }],
    ['with an address that is none', { article: { url: 'garlic' } }],
    ['with a field that nobody knows', { thoughtText, sliderTitle: 'Garlic' }],
    ['for an author who is told', { thoughtText, authorId: NOWHERE }],
    ['for nobody', { thoughtText, visibility: undefined }],
    ['for an unknown circle', { thoughtText, visibility: 'friends' }],
    ['for everybody in a hub', { thoughtText, hubIds: [one] }],
    ['for a hub that is not told', { thoughtText, visibility: 'public_hub' }],
    ['for no hub', { thoughtText, visibility: 'private_locked_hub', hubIds: [] }],
    ['for a hub twice', { thoughtText, visibility: 'public_hub', hubIds: [one, one] }],
    [
      'for a hub twice, in capitals',
      { thoughtText, visibility: 'public_hub', hubIds: [one, one.toUpperCase()] },
    ],
    ['for a hub that is no id', { thoughtText, visibility: 'public_hub', hubIds: ['garlic'] }],
    ['for 21 hubs', { thoughtText, visibility: 'public_hub', hubIds: manyIds(21) }],
  ])('%s', async (_, fields) => {
    expect(await publish(amara, fields)).toMatchObject(refusal(422, 'VALIDATION_FAILED'));
  });
});

describe('what one may do with a post', () => {
  const none = {
    canVote: false,
    canComment: false,
    canRepost: false,
    canShareToFeed: false,
    canShareToHubs: false,
    canDelete: false,
  };
  const registered = { ...none, canVote: true, canComment: true, canShareToFeed: true };
  const confirmed = { ...registered, canRepost: true };

  test('grows with the level', async () => {
    const post = await aSlider(amara);
    const permissionsOf = async (viewer: Client) => (await seenBy(viewer, post)).permissions;
    expect(await permissionsOf(aGuest(opine))).toEqual(none);
    expect(await permissionsOf(await anAnonymous(opine))).toEqual(none);
    expect(await permissionsOf(await aRegistered(opine))).toEqual(registered);
    expect(await permissionsOf(await aConfirmed(opine))).toEqual(confirmed);
    expect(await permissionsOf(amara)).toEqual({ ...confirmed, canDelete: true });
  });

  test('is not to vote where there is no slider', async () => {
    const post = await aThought(amara);
    expect((await seenBy(await aConfirmed(opine), post)).permissions).toEqual({
      ...confirmed,
      canVote: false,
    });
    expect((await seenBy(aGuest(opine), post)).permissions).toEqual(none);
  });

  test('is not to vote again', async () => {
    const post = await aSlider(amara);
    const voter = await aRegistered(opine);
    await castVote(voter, post);
    expect((await seenBy(voter, post)).permissions).toEqual({ ...registered, canVote: false });
  });
});

describe('a post is seen', () => {
  test('by everybody', async () => {
    const post = await aSlider(amara);
    for (const viewer of [aGuest(opine), await anAnonymous(opine), await aConfirmed(opine)]) {
      const { permissions: _, ...card } = await seenBy(viewer, post);
      expect({ ...card, permissions: post.permissions }).toEqual(post);
    }
  });

  test.each([NOWHERE, 'garlic', '1', '00000000-0000-0000-0000-00000000000g', `${NOWHERE}0`, '%20', "'"])(
    'but not where there is none: "%s"',
    async (id) => {
      expect(await aGuest(opine).get(`/posts/${id}`)).toMatchObject(refusal(404, 'POST_NOT_FOUND'));
      expect(await amara.delete(`/posts/${id}`)).toMatchObject(refusal(404, 'POST_NOT_FOUND'));
    },
  );

  test('also under its id in capitals', async () => {
    const post = await aThought(amara);
    expect((await aGuest(opine).get(`/posts/${post.id.toUpperCase()}`)).data.id).toBe(post.id);
  });
});

describe('a post is deleted', () => {
  test('by its author, and gone for everybody', async () => {
    const post = await aSlider(amara);
    const { status, data } = await amara.delete(`/posts/${post.id}`);
    expect([status, data]).toEqual([200, {}]);
    for (const viewer of [aGuest(opine), amara]) {
      expect(await viewer.get(`/posts/${post.id}`)).toMatchObject(refusal(404, 'POST_NOT_FOUND'));
    }
    expect(await amara.delete(`/posts/${post.id}`)).toMatchObject(refusal(404, 'POST_NOT_FOUND'));
    const voter = await aRegistered(opine);
    expect(await castVote(voter, post)).toMatchObject(refusal(404, 'POST_NOT_FOUND'));
  });

  test('not by anybody else', async () => {
    const post = await aSlider(amara);
    for (const other of [await anAnonymous(opine), await aConfirmed(opine)]) {
      expect(await other.delete(`/posts/${post.id}`)).toMatchObject(refusal(403, 'FORBIDDEN'));
    }
    expect(await aGuest(opine).delete(`/posts/${post.id}`)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    expect((await aGuest(opine).get(`/posts/${post.id}`)).status).toBe(200);
  });

  test('once, by ten at once', async () => {
    const post = await aSlider(amara);
    const replies = await Promise.all(Array.from({ length: 10 }, () => amara.delete(`/posts/${post.id}`)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(404)]);
  });
});

function manyIds(count: number): string[] {
  return Array.from({ length: count }, (_, index) => NOWHERE.slice(0, -2) + String(index).padStart(2, '0'));
}
