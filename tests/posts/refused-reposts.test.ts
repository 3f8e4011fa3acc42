import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectOk, type Json, MALFORMED_IDS, NONEXISTENT, refusal } from '../support/client.ts';
import { aHubOfTwo } from '../support/discussions.ts';
import { block, listedIds, unblock } from '../support/graph.ts';
import { aHub, aHubPost, requestLeave } from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import {
  aGuest,
  anonymousPerson,
  confirmedPerson,
  hubReadyPerson,
  type Person,
  registeredPerson,
} from '../support/people.ts';
import { aRepost, aSlider, publish, requestRepost, seenBy } from '../support/posts.ts';

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
  source = await aSlider(maya);
});

const HIDDEN = refusal(404, 'POST_NOT_FOUND');
const NOT_ALLOWED = refusal(409, 'REPOST_NOT_ALLOWED');

const repostCountOf = async (post: Json): Promise<number> => (await seenBy(aGuest(opine), post)).repostCount;

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

  test('a repost of a locked post answers 409 to members and 404 to non-members', async () => {
    const { hub, amara, jonas: member } = await aHubOfTwo(opine);
    const other = await aHub(amara);
    const locked = await aHubPost(amara, [hub]);
    const ways = [{}, ...[hub, other].map(({ id }) => ({ visibility: 'public_hub', hubIds: [id] }))];
    for (const fields of ways) expect(await requestRepost(amara, locked, fields)).toMatchObject(NOT_ALLOWED);
    expect(await requestRepost(member, locked)).toMatchObject(NOT_ALLOWED);
    const nonMembers = [jonas, await hubReadyPerson(opine)];
    for (const nonMember of nonMembers) expect(await requestRepost(nonMember, locked)).toMatchObject(HIDDEN);
  });

  test('a repost of a hidden, deleted or unknown post answers 404', async () => {
    const { hub, amara, jonas: member } = await aHubOfTwo(opine);
    const shareable = await aHubPost(amara, [hub, await aHub(amara)]);
    for (const nonMember of [jonas, await hubReadyPerson(opine)]) {
      expect(await requestRepost(nonMember, shareable)).toMatchObject(HIDDEN);
    }
    await expectOk(requestLeave(member, hub));
    expect(await requestRepost(member, shareable)).toMatchObject(HIDDEN);
    await expectOk(maya.delete(`/posts/${source.id}`));
    for (const id of [source.id, NONEXISTENT.id, ...MALFORMED_IDS]) {
      expect(await requestRepost(maya, { id })).toMatchObject(HIDDEN);
    }
  });

  test.each(['the author', 'the reposter'])(
    'a repost answers 404 while %s blocks the other person',
    async (who) => {
      const reader = await confirmedPerson(opine);
      const [blocker, blocked] = who === 'the author' ? [maya, reader] : [reader, maya];
      await block(blocker, blocked);
      expect(await requestRepost(reader, source)).toMatchObject(HIDDEN);
      await unblock(blocker, blocked);
      expect((await requestRepost(reader, source)).status).toBe(201);
    },
  );
});

describe('the level and membership for a repost', () => {
  test('a public repost needs level 3', async () => {
    expect(await requestRepost(aGuest(opine), source)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    for (const [level, reader] of [
      [1, await anonymousPerson(opine)],
      [2, await registeredPerson(opine)],
    ] as const) {
      const refused = refusal(403, 'FORBIDDEN', { requiredLevel: 3, level });
      expect(await requestRepost(reader, source)).toMatchObject(refused);
    }
    expect((await requestRepost(await confirmedPerson(opine), source)).status).toBe(201);
    expect(await repostCountOf(source)).toBe(1);
  });

  test.each(['public_hub', 'private_locked_hub'])('a %s repost needs level 4', async (visibility) => {
    const { hub } = await aHubOfTwo(opine);
    const refused = await requestRepost(jonas, source, { visibility, hubIds: [hub.id] });
    const details = { requiredLevel: 4, level: 3, nextStep: 'contacts' };
    expect([refused.status, refused.error.details]).toEqual([403, details]);
    expect(await repostCountOf(source)).toBe(0);
  });

  test.each(['public_hub', 'private_locked_hub'])(
    'a %s repost needs membership in each of its Hubs',
    async (visibility) => {
      const { hub, amara, jonas: member } = await aHubOfTwo(opine);
      const [foreign, left] = [await aHub(await hubReadyPerson(opine)), await aHub(amara)];
      await expectOk(requestLeave(amara, left));
      for (const { id } of [foreign, left, NONEXISTENT]) {
        const refused = await requestRepost(amara, source, { visibility, hubIds: [hub.id, id] });
        expect([refused.status, refused.error.code, refused.error.details]).toEqual([403, 'FORBIDDEN', {}]);
      }
      expect(await listedIds(member, `/hubs/${hub.id}/feed`)).toEqual([]);
      expect(await repostCountOf(source)).toBe(0);
    },
  );

  test('a member of one Hub of a private post in two Hubs can repost it, publicly too', async () => {
    const { hub, amara, jonas: member } = await aHubOfTwo(opine);
    const shareable = await aHubPost(amara, [hub, await aHub(amara)]);
    expect(await aRepost(member, shareable)).toMatchObject({ visibility: 'public', isShareable: true });
    await aRepost(member, shareable, { visibility: 'private_locked_hub', hubIds: [hub.id] });
    expect((await seenBy(amara, shareable)).repostCount).toBe(2);
  });
});

test('POST /posts refuses a sourcePostId', async () => {
  const refused = await publish(maya, { thoughtText: 'Mine.', sourcePostId: source.id });
  expect(refused).toMatchObject(refusal(422, 'VALIDATION_FAILED'));
  expect(source).toMatchObject({ sourcePostId: null, sourcePost: null });
});
