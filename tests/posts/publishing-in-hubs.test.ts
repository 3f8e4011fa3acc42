import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, expectOk, type Json, MALFORMED_IDS, NONEXISTENT, refusal } from '../support/client.ts';
import { aHubOfTwo, discussionsOf, nonMembersOf } from '../support/discussions.ts';
import { listedIds } from '../support/graph.ts';
import { aHub, requestLeave } from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aGuest, confirmedPerson, hubReadyPerson, personOfLevel } from '../support/people.ts';
import { publish, seenBy } from '../support/posts.ts';

const SLIDER = { sliderText: 'Is the street too loud?' };
const VISIBILITIES = ['public_hub', 'private_locked_hub'] as const;

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

const hubSummary = ({ id, name }: Json) => ({ id, name });
const requestPublishIn = (author: Client, hubIds: unknown, fields: object = {}) =>
  publish(author, { visibility: 'private_locked_hub', thoughtText: 'Among us.', hubIds, ...fields });

describe.each(VISIBILITIES)('POST /posts with visibility %s', (visibility) => {
  test('a member publishes into one Hub, and the card names the Hub', async () => {
    const { hub, jonas } = await aHubOfTwo(opine);
    const { status, data } = await requestPublishIn(jonas, [hub.id], { visibility, ...SLIDER });
    expect(status).toBe(201);
    expect(data).toMatchObject({
      author: { id: jonas.id, username: jonas.username },
      ...SLIDER,
      visibility,
      hubs: [hubSummary(hub)],
      isShareable: visibility === 'public_hub',
      viewerVote: { hasVoted: false, votedAt: null },
      permissions: { canVote: true, canDelete: true },
    });
    expect(await seenBy(jonas, data)).toEqual(data);
  });

  test('a member publishes into twenty Hubs', async () => {
    const amara = await hubReadyPerson(opine);
    const hubs = await Promise.all(Array.from({ length: 20 }, () => aHub(amara)));
    const { data } = await requestPublishIn(
      amara,
      hubs.map(({ id }) => id.toUpperCase()),
      { visibility },
    );
    expect(new Set(data.hubs.map(({ id }: Json) => id))).toEqual(new Set(hubs.map(({ id }) => id)));
    expect(data.isShareable).toBe(true);
    for (const hub of hubs) expect(await listedIds(amara, `/hubs/${hub.id}/feed`)).toEqual([data.id]);
  });

  test('a caller below level 4 is refused', async () => {
    const { hub } = await aHubOfTwo(opine);
    for (const level of [1, 2, 3]) {
      const refused = await requestPublishIn(await personOfLevel(level, opine), [hub.id], { visibility });
      expect(refused).toMatchObject(refusal(403, 'FORBIDDEN', { level }));
    }
    const confirmed = await requestPublishIn(await confirmedPerson(opine), [hub.id], { visibility });
    expect(confirmed.error.details).toEqual({ requiredLevel: 4, level: 3, nextStep: 'contacts' });
    expect((await requestPublishIn(aGuest(opine), [hub.id], { visibility })).status).toBe(401);
  });

  test('a non-member is refused with 403', async () => {
    const { hub, amara } = await aHubOfTwo(opine);
    const nonMembers = await nonMembersOf(opine, amara, hub);
    for (const nonMember of nonMembers.values()) {
      const refused = await requestPublishIn(nonMember, [hub.id], { visibility });
      expect(refused).toMatchObject(refusal(403, 'FORBIDDEN'));
      expect(refused.error.details).toEqual({});
    }
    expect(await listedIds(amara, `/hubs/${hub.id}/feed`)).toEqual([]);
  });

  test('one Hub without membership refuses the post for all its Hubs', async () => {
    const { hub, jonas } = await aHubOfTwo(opine);
    const [others, closed] = [await aHub(await hubReadyPerson(opine)), await aHub(jonas)];
    await expectOk(requestLeave(jonas, closed));
    for (const { id } of [others, closed, NONEXISTENT]) {
      const refused = await requestPublishIn(jonas, [hub.id, id], { visibility });
      expect(refused).toMatchObject(refusal(403, 'FORBIDDEN'));
    }
    expect(await listedIds(jonas, `/hubs/${hub.id}/feed`)).toEqual([]);
    expect(await discussionsOf(jonas, hub)).toEqual([]);
  });

  test('a malformed hubIds is refused with 422', async () => {
    const amara = await hubReadyPerson(opine);
    const { id } = await aHub(amara);
    const none = [undefined, null, [], id, { id }, [null], [7], [[id]], [{ id }], ['']];
    for (const hubIds of [
      ...none,
      ...MALFORMED_IDS.map((noId) => [id, noId]),
      [id, id],
      [id, id.toUpperCase()],
    ]) {
      const refused = await requestPublishIn(amara, hubIds, { visibility });
      expect(refused).toMatchObject(refusal(422, 'VALIDATION_FAILED'));
    }
    expect(await listedIds(amara, `/hubs/${id}/feed`)).toEqual([]);
  });
});

test('a public post with a Hub of its author is refused with 422', async () => {
  const amara = await hubReadyPerson(opine);
  const refused = await requestPublishIn(amara, [(await aHub(amara)).id], { visibility: 'public' });
  expect(refused).toMatchObject(refusal(422, 'VALIDATION_FAILED'));
});
