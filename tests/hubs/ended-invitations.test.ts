import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Client, type Json, refusal } from '../support/client.ts';
import { granted, NO_IDS, NOBODY } from '../support/graph.ts';
import {
  aHub,
  aJoinRequest,
  aMemberOf,
  anInvitation,
  hubSeenBy,
  type Role,
  requestAccept,
  requestDecide,
  requestDecline,
  requestLeave,
  requestRemove,
} from '../support/hubs.ts';
import {
  expectSound,
  hubsOf,
  later,
  previewOf,
  stateOf,
  statusOf,
  typesAbout,
} from '../support/invitations.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aHubReady, type Person } from '../support/people.ts';

let opine: Opine;
let amara: Person;
let bo: Person;
let hub: Json;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

beforeEach(async () => {
  [amara, bo] = [await aHubReady(opine, 'Amara'), await aHubReady(opine, 'Bo')];
  hub = await aHub(amara);
});

const NOT_FOUND = refusal(404, 'INVITATION_NOT_FOUND');
const NOT_PENDING = refusal(409, 'INVITATION_NOT_PENDING');

const addMember = (role: Role, name = 'Jonas') => aMemberOf(opine, amara, hub, name, role);
const accept = (invitation: Json, person: Client = bo) => granted(requestAccept(person, invitation));
const JOINED = ['hub_member_joined'];

describe('an ended invitation', () => {
  const expectNotPending = async (invitation: Json, person: Client = bo) => {
    const before = await statusOf(person, hub);
    expect(await requestAccept(person, invitation)).toMatchObject(NOT_PENDING);
    expect(await requestDecline(person, invitation)).toMatchObject(NOT_PENDING);
    expect(await statusOf(person, hub)).toBe(before);
  };

  test('an accepted invitation can be neither accepted nor declined', async () => {
    const invitation = await anInvitation(amara, hub, bo);
    await accept(invitation);
    await expectNotPending(invitation);
    expect(await typesAbout(opine, hub, bo)).toEqual(JOINED);
  });

  test('an invitation that led to a join request can be neither accepted nor declined', async () => {
    const invitation = await anInvitation(await addMember('member'), hub, bo);
    const { joinRequestId } = await accept(invitation);
    await expectNotPending(invitation);
    await granted(requestDecide(amara, hub, { id: joinRequestId }, 'reject'));
    await expectNotPending(invitation);
  });

  test('a declined invitation can be neither accepted nor declined, and nobody is notified', async () => {
    const invitation = await anInvitation(amara, hub, bo);
    const { status, data } = await requestDecline(bo, invitation);
    expect([status, data]).toEqual([200, { id: invitation.id, state: 'declined' }]);
    expect(await hubSeenBy(bo, hub)).toEqual(previewOf(hub));
    expect(await hubsOf(bo)).toEqual([]);
    await expectNotPending(invitation);
    expect(await stateOf(amara, hub, invitation)).toBe('declined');
    expect(await typesAbout(opine, hub, bo)).toEqual([]);
  });

  test('an invitation expires after seven days and is valid until then', async () => {
    const jonas = await aHubReady(opine);
    const [hers, his] = [await anInvitation(amara, hub, bo), await anInvitation(amara, hub, jonas)];
    const [boThen, jonasThen] = await later(opine, '6 days 23 hours 55 minutes', bo, jonas);
    expect((await accept(hers, boThen)).viewerStatus).toBe('member');
    expect(await statusOf(jonasThen, hub)).toBe('invited');
    const [jonasLater] = await later(opine, '5 minutes 1 second', jonasThen);
    expect(await statusOf(jonasLater, hub)).toBe('none');
    expect(await hubsOf(jonasLater)).toEqual([]);
    await expectNotPending(his, jonasLater);
    await expectSound(opine, hub, 2);
  });

  test('an invitation to a closed Hub is 404', async () => {
    const invitation = await anInvitation(amara, hub, bo);
    await granted(requestLeave(amara, hub));
    expect(await requestAccept(bo, invitation)).toMatchObject(NOT_FOUND);
    expect(await requestDecline(bo, invitation)).toMatchObject(NOT_FOUND);
    await expectSound(opine, hub, 0);
  });

  test.each([...NO_IDS, NOBODY.id])('the unknown invitation id "%s" is 404', async (id) => {
    expect(await requestAccept(bo, { id })).toMatchObject(NOT_FOUND);
    expect(await requestDecline(bo, { id })).toMatchObject(NOT_FOUND);
  });
});

describe('invitations at the start and end of a membership', () => {
  let jonas: Person;
  let his: Json;
  let hers: Json;

  beforeEach(async () => {
    jonas = await addMember('member');
    [his, hers] = [await anInvitation(jonas, hub, bo), await anInvitation(amara, hub, bo)];
  });

  test('accepting one invitation settles the others to the same Hub', async () => {
    await accept(hers);
    for (const invitation of [his, hers]) {
      expect(await stateOf(amara, hub, invitation)).toBe('accepted');
      expect(await requestAccept(bo, invitation)).toMatchObject(NOT_PENDING);
    }
  });

  test('the approval of a join request settles the invitations to the Hub', async () => {
    await granted(requestDecide(amara, hub, await aJoinRequest(amara, hub, bo), 'approve'));
    for (const invitation of [his, hers]) expect(await stateOf(amara, hub, invitation)).toBe('accepted');
  });

  test('invitations of other people and to other Hubs stay pending', async () => {
    const [sam, other] = [await aHubReady(opine), await aHub(amara)];
    const [theirs, elsewhere] = [await anInvitation(amara, hub, sam), await anInvitation(amara, other, bo)];
    await accept(hers);
    expect(await stateOf(amara, hub, theirs)).toBe('pending');
    expect(await stateOf(amara, other, elsewhere)).toBe('pending');
    await granted(requestLeave(bo, hub));
    expect(await stateOf(amara, hub, theirs)).toBe('pending');
    expect((await accept(elsewhere)).viewerStatus).toBe('member');
  });

  test('a member who accepts a new invitation gets 409 ALREADY_MEMBER', async () => {
    await accept(hers);
    const again = await anInvitation(jonas, hub, bo);
    expect(await hubSeenBy(bo, hub)).toMatchObject({ viewerStatus: 'member' });
    expect(await requestAccept(bo, again)).toMatchObject(refusal(409, 'ALREADY_MEMBER'));
    expect(await stateOf(amara, hub, again)).toBe('pending');
  });

  test.each(['was removed', 'left'])(
    'a former member who %s cannot rejoin by an old invitation',
    async (how) => {
      await accept(hers);
      const asMember = [await anInvitation(jonas, hub, bo), await anInvitation(amara, hub, bo)];
      await granted(how === 'was removed' ? requestRemove(amara, hub, bo) : requestLeave(bo, hub));
      expect(await statusOf(bo, hub)).toBe('none');
      for (const old of asMember) expect(await stateOf(amara, hub, old)).toBe('expired');
      for (const old of [his, hers, ...asMember])
        expect(await requestAccept(bo, old)).toMatchObject(NOT_PENDING);
      await expectSound(opine, hub, 2);
    },
  );

  test('a removed member rejoins by a new invitation', async () => {
    await accept(hers);
    await granted(requestRemove(amara, hub, bo));
    expect((await accept(await anInvitation(amara, hub, bo))).viewerStatus).toBe('member');
    await expectSound(opine, hub, 3);
  });
});
