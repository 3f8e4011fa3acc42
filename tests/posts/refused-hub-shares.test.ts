import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, expectOk, type Json, MALFORMED_IDS, NONEXISTENT, refusal } from '../support/client.ts';
import { aHubOfTwo, discussionsOf, nonMembersOf } from '../support/discussions.ts';
import { block, listedIds } from '../support/graph.ts';
import { aHub, aHubPost, type Hub, requestLeave } from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aGuest, confirmedPerson, hubReadyPerson, type Person, personOfLevel } from '../support/people.ts';
import { aSlider, aThought, requestShareToHubs } from '../support/posts.ts';

let opine: Opine;
let maya: Person;

beforeAll(async () => {
  opine = await startOpine();
  maya = await confirmedPerson(opine, 'Maya');
});

afterAll(() => opine.stop());

const HIDDEN = refusal(404, 'POST_NOT_FOUND');
const NOT_SHAREABLE = refusal(409, 'POST_NOT_SHAREABLE');

const feedOf = (viewer: Client, { id }: Hub) => listedIds(viewer, `/hubs/${id}/feed`);
const requestHubShare = (sharer: Client, { id }: Json, body: unknown) =>
  sharer.post(`/posts/${id}/share/hubs`, body);

describe('a refused Hub share', () => {
  test('one Hub without membership refuses the share for all its Hubs', async () => {
    const { hub, amara, jonas } = await aHubOfTwo(opine);
    const [foreign, left] = [await aHub(await hubReadyPerson(opine)), await aHub(jonas)];
    await expectOk(requestLeave(jonas, left));
    const post = await aThought(maya);
    for (const other of [foreign, left, NONEXISTENT]) {
      for (const hubs of [[hub, other], [other, hub], [other]]) {
        const { status, error } = await requestShareToHubs(jonas, post, hubs);
        expect([status, error?.code, error?.details]).toEqual([403, 'FORBIDDEN', {}]);
      }
    }
    const nonMembers = await nonMembersOf(opine, amara, hub);
    for (const nonMember of nonMembers.values()) {
      expect(await requestShareToHubs(nonMember, post, [hub])).toMatchObject(refusal(403, 'FORBIDDEN'));
    }
    expect([await feedOf(amara, hub), await discussionsOf(amara, hub)]).toEqual([[], []]);
  });

  test('a share of a locked post answers 409 to members and 404 to non-members', async () => {
    const { hub, amara, jonas } = await aHubOfTwo(opine);
    const other = await aHub(amara);
    const locked = await aHubPost(amara, [hub]);
    for (const into of [other, hub]) {
      expect(await requestShareToHubs(amara, locked, [into])).toMatchObject(NOT_SHAREABLE);
    }
    expect(await requestShareToHubs(jonas, locked, [hub])).toMatchObject(NOT_SHAREABLE);
    expect(await feedOf(amara, other)).toEqual([]);
    const nonMember = await hubReadyPerson(opine);
    expect(await requestShareToHubs(nonMember, locked, [await aHub(nonMember)])).toMatchObject(HIDDEN);
  });

  test('a share of an unknown, malformed or blocked post answers 404', async () => {
    const { hub, jonas } = await aHubOfTwo(opine);
    const blocked = await aSlider(maya);
    for (const id of [NONEXISTENT.id, ...MALFORMED_IDS]) {
      expect(await requestShareToHubs(jonas, { id }, [hub])).toMatchObject(HIDDEN);
    }
    await block(maya, jonas);
    expect(await requestShareToHubs(jonas, blocked, [hub])).toMatchObject(HIDDEN);
  });

  test('a caller below level 4 is refused', async () => {
    const { hub } = await aHubOfTwo(opine);
    const post = await aThought(maya);
    expect(await requestShareToHubs(aGuest(opine), post, [hub])).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    for (const level of [1, 2, 3]) {
      const refused = refusal(403, 'FORBIDDEN', { requiredLevel: 4, level });
      expect(await requestShareToHubs(await personOfLevel(level, opine), post, [hub])).toMatchObject(refused);
    }
  });

  test('a malformed body is refused with 422', async () => {
    const { hub, jonas } = await aHubOfTwo(opine);
    const post = await aThought(maya);
    const [{ id }, many] = [
      hub,
      Array.from({ length: 21 }, (_, index) => NONEXISTENT.id.slice(0, -2) + (index + 10)),
    ];
    const lists = [null, [], id, [null], [7], ['garlic'], [id, id], [id, id.toUpperCase()], many];
    for (const body of [{}, { hubIds: [id], note: 'Look.' }, ...lists.map((hubIds) => ({ hubIds }))]) {
      expect(await requestHubShare(jonas, post, body)).toMatchObject(refusal(422, 'VALIDATION_FAILED'));
    }
    expect(await feedOf(jonas, hub)).toEqual([]);
  });
});
