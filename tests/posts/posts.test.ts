import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Json, refusal } from '../support/client.ts';
import { currentTime, type Opine, startOpine } from '../support/opine.ts';
import {
  aGuest,
  anonymousPerson,
  confirmedPerson,
  type Person,
  registeredPerson,
} from '../support/people.ts';
import { aSlider, aThought, publish, seenBy } from '../support/posts.ts';
import { castVote } from '../support/votes.ts';

const NOWHERE = '01990000-0000-7000-8000-000000000009';

let opine: Opine;
let amara: Person;

beforeAll(async () => {
  opine = await startOpine();
  amara = await confirmedPerson(opine, 'Amara');
});

afterAll(() => opine.stop());

const article = { url: 'https://news.example/garlic?first=1#why', title: 'On garlic', text: 'Fry it first.' };
const thoughtText = 'I would not.';
const sliderText = 'Does garlic go in first?';
const slider = { leftLabel: 'Never', rightLabel: 'Always' };
const defaultLabels = { leftLabel: 'Disagree', rightLabel: 'Agree' };

function manyIds(count: number): string[] {
  return Array.from({ length: count }, (_, index) => NOWHERE.slice(0, -2) + String(index).padStart(2, '0'));
}

describe('POST /posts', () => {
  test.each([
    [{ article }],
    [{ thoughtText }],
    [{ sliderText, slider }],
    [{ article, thoughtText, sliderText, slider }],
  ])('a post of %j is published with all its fields', async (fields: Json) => {
    const before = await currentTime(opine);
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
  ])('an article of %s alone is published', async (_, given, shown) => {
    expect((await publish(amara, { article: given })).data.article).toEqual({
      ...shown,
      id: expect.any(String),
      media: [],
    });
  });

  test('a field that is null counts as absent, and a slider without labels gets the default labels', async () => {
    const nothing = { article: null, thoughtText: null, slider: null, hubIds: null };
    expect((await publish(amara, { ...nothing, sliderText })).data.slider).toEqual(defaultLabels);
  });
});

describe('an invalid POST /posts', () => {
  const one = NOWHERE;
  test.each([
    ['a body without content', {}],
    ['null content', { article: null, thoughtText: null, sliderText: null }],
    ['an empty article', { article: {} }],
    ['an article of nulls', { article: { url: null, title: null, text: null } }],
    ['labels as the only content', { slider }],
    ['labels without a slider text', { thoughtText, slider }],
    ['a single label', { sliderText, slider: { leftLabel: 'Never' } }],
    ['a third label', { sliderText, slider: { ...slider, middleLabel: 'Maybe' } }],
    ['a javascript: URL', { article: { url: 'javascript:alert(1)' } }],
    ['a malformed URL', { article: { url: 'garlic' } }],
    ['an unknown field', { thoughtText, sliderTitle: 'Garlic' }],
    ['an authorId', { thoughtText, authorId: NOWHERE }],
    ['a sourcePostId', { thoughtText, sourcePostId: NOWHERE }],
    ['a missing visibility', { thoughtText, visibility: undefined }],
    ['an unknown visibility', { thoughtText, visibility: 'friends' }],
    ['a public post with a Hub', { thoughtText, hubIds: [one] }],
    ['a public_hub post without hubIds', { thoughtText, visibility: 'public_hub' }],
    ['a private post with empty hubIds', { thoughtText, visibility: 'private_locked_hub', hubIds: [] }],
    ['a repeated Hub', { thoughtText, visibility: 'public_hub', hubIds: [one, one] }],
    [
      'a repeated Hub in upper case',
      { thoughtText, visibility: 'public_hub', hubIds: [one, one.toUpperCase()] },
    ],
    ['a malformed Hub id', { thoughtText, visibility: 'public_hub', hubIds: ['garlic'] }],
    ['a list of 21 Hubs', { thoughtText, visibility: 'public_hub', hubIds: manyIds(21) }],
  ])('%s is refused with 422', async (_, fields) => {
    expect(await publish(amara, fields)).toMatchObject(refusal(422, 'VALIDATION_FAILED'));
  });
});

describe('GET /posts/{postId}', () => {
  test('every viewer gets the same card of a public post', async () => {
    const post = await aSlider(amara);
    for (const viewer of [aGuest(opine), await anonymousPerson(opine), await confirmedPerson(opine)]) {
      const { permissions: _, ...card } = await seenBy(viewer, post);
      expect({ ...card, permissions: post.permissions }).toEqual(post);
    }
  });

  test.each([NOWHERE, 'garlic', '1', '00000000-0000-0000-0000-00000000000g', `${NOWHERE}0`, '%20', "'"])(
    'an unknown or malformed id answers 404 to GET and DELETE: "%s"',
    async (id) => {
      expect(await aGuest(opine).get(`/posts/${id}`)).toMatchObject(refusal(404, 'POST_NOT_FOUND'));
      expect(await amara.delete(`/posts/${id}`)).toMatchObject(refusal(404, 'POST_NOT_FOUND'));
    },
  );

  test('an upper-case id finds the post', async () => {
    const post = await aThought(amara);
    expect((await aGuest(opine).get(`/posts/${post.id.toUpperCase()}`)).data.id).toBe(post.id);
  });
});

describe('DELETE /posts/{postId}', () => {
  test('a post deleted by its author answers 404 to everybody', async () => {
    const post = await aSlider(amara);
    const { status, data } = await amara.delete(`/posts/${post.id}`);
    expect([status, data]).toEqual([200, {}]);
    for (const viewer of [aGuest(opine), amara]) {
      expect(await viewer.get(`/posts/${post.id}`)).toMatchObject(refusal(404, 'POST_NOT_FOUND'));
    }
    expect(await amara.delete(`/posts/${post.id}`)).toMatchObject(refusal(404, 'POST_NOT_FOUND'));
    const voter = await registeredPerson(opine);
    expect(await castVote(voter, post)).toMatchObject(refusal(404, 'POST_NOT_FOUND'));
  });

  test('a person other than the author cannot delete the post', async () => {
    const post = await aSlider(amara);
    for (const other of [await anonymousPerson(opine), await confirmedPerson(opine)]) {
      expect(await other.delete(`/posts/${post.id}`)).toMatchObject(refusal(403, 'FORBIDDEN'));
    }
    expect(await aGuest(opine).delete(`/posts/${post.id}`)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    expect((await aGuest(opine).get(`/posts/${post.id}`)).status).toBe(200);
  });

  test('one of ten concurrent deletions succeeds and nine answer 404', async () => {
    const post = await aSlider(amara);
    const replies = await Promise.all(Array.from({ length: 10 }, () => amara.delete(`/posts/${post.id}`)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(404)]);
  });
});
