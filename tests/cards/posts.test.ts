import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Json, NONEXISTENT, refusal } from '../support/client.ts';
import { currentTime, type Opine, startOpine } from '../support/opine.ts';
import {
  aGuest,
  anonymousPerson,
  confirmedPerson,
  type Person,
  registeredPerson,
} from '../support/people.ts';
import { aSlider, publish, seenBy } from '../support/posts.ts';
import { castVote } from '../support/votes.ts';

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

describe('POST /posts', () => {
  // docs/product.md PO1, PO2
  test.each([[{ article }], [{ sliderText, slider }], [{ article, thoughtText, sliderText, slider }]])(
    'a post of %j is published with all its fields',
    async (fields: Json) => {
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
    },
  );

  // docs/product.md PO1, PO2
  test.each([
    ['labels as the only content', { slider }],
    ['a third label', { sliderText, slider: { ...slider, middleLabel: 'Maybe' } }],
    ['a malformed URL', { article: { url: 'garlic' } }],
    ['a sourcePostId', { thoughtText, sourcePostId: NONEXISTENT.id }],
    [
      'a repeated Hub in upper case',
      { thoughtText, visibility: 'public_hub', hubIds: [NONEXISTENT.id, NONEXISTENT.id.toUpperCase()] },
    ],
  ])('%s is refused with 422', async (_, fields) => {
    expect(await publish(amara, fields)).toMatchObject(refusal(422, 'VALIDATION_FAILED'));
  });

  // docs/product.md PO2
  test('a field that is null counts as absent, and a slider without labels gets the default labels', async () => {
    const nothing = { article: null, thoughtText: null, slider: null, hubIds: null };
    expect((await publish(amara, { ...nothing, sliderText })).data.slider).toEqual(defaultLabels);
  });
});

describe('GET /posts/{postId}', () => {
  test('every viewer gets the same card of a public post, by its id in any case', async () => {
    const post = await aSlider(amara);
    for (const viewer of [aGuest(opine), await anonymousPerson(opine), await confirmedPerson(opine)]) {
      for (const id of [post.id, post.id.toUpperCase()]) {
        const { permissions: _, ...card } = await seenBy(viewer, { id });
        expect({ ...card, permissions: post.permissions }).toEqual(post);
      }
    }
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

  test('one of ten concurrent deletions succeeds and nine answer 404', async () => {
    const post = await aSlider(amara);
    const replies = await Promise.all(Array.from({ length: 10 }, () => amara.delete(`/posts/${post.id}`)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(404)]);
  });
});
