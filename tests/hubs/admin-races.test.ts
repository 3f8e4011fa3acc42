import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Client, Json } from '../support/client.ts';
import { aNumber } from '../support/contacts.ts';
import {
  countOf,
  DONE,
  meetIn,
  outcomesOf,
  ROUNDS,
  sortedOutcomes,
  theRivals,
} from '../support/hub-races.ts';
import {
  aHub,
  aJoinRequest,
  join,
  requestAppoint,
  requestDecide,
  requestDismiss,
  requestInvite,
  requestLeave,
  requestRemove,
} from '../support/hubs.ts';
import {
  type Acts,
  expectSound,
  invitationsOf,
  linksOf,
  outcomeOf,
  statusOf,
  typesAbout,
} from '../support/invitations.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import type { Person } from '../support/people.ts';

let opine: Opine;
let amara: Person;
let jonas: Person;
let bo: Person;
let sam: Person;
let hub: Json;

beforeAll(async () => {
  opine = await startOpine();
  ({ amara, jonas, bo, sam } = await theRivals(opine));
});

afterAll(() => opine.stop());

const NOT_PENDING = 'JOIN_REQUEST_NOT_PENDING';

describe.each(ROUNDS)('concurrent requests, round %i', (round) => {
  const race = <A extends Acts>(...requests: A) =>
    meetIn(opine, round, hub, [amara, jonas, bo, sam], ...requests);

  beforeEach(async () => {
    hub = await aHub(amara);
  });

  describe('two admins', () => {
    beforeEach(() => join(amara, hub, [jonas], 'admin'));

    test('one decision stands if two admins approve and reject one join request', async () => {
      const request = await aJoinRequest(amara, hub, bo);
      const outcomes = outcomesOf(
        await race(
          () => requestDecide(amara, hub, request, 'approve'),
          () => requestDecide(jonas, hub, request, 'reject'),
        ),
      );
      const isApproved = outcomes[0] === DONE;
      expect(outcomes).toEqual(isApproved ? [DONE, NOT_PENDING] : [NOT_PENDING, DONE]);
      expect(await statusOf(bo, hub)).toBe(isApproved ? 'member' : 'none');
      const approved = ['hub_join_request_approved', 'hub_join_request_created', 'hub_member_joined'];
      const rejected = ['hub_join_request_created', 'hub_join_request_rejected'];
      expect(await typesAbout(opine, hub, bo)).toEqual(isApproved ? approved : rejected);
      await expectSound(opine, hub, isApproved ? 3 : 2);
    });

    test('one approval succeeds if two admins approve one join request', async () => {
      const request = await aJoinRequest(amara, hub, bo);
      const approve = (admin: Client) => () => requestDecide(admin, hub, request, 'approve');
      expect(sortedOutcomes(await race(approve(amara), approve(jonas)))).toEqual([String(DONE), NOT_PENDING]);
      expect(await countOf(opine, hub, bo, 'hub_member_joined')).toBe(1);
      await expectSound(opine, hub, 3);
    });

    test('one of two leaving admins stays if other members remain', async () => {
      await join(amara, hub, [bo]);
      const replies = await race(
        () => requestLeave(amara, hub),
        () => requestLeave(jonas, hub),
      );
      expect(sortedOutcomes(replies)).toEqual([String(DONE), 'LAST_ADMIN']);
      await expectSound(opine, hub, 2);
    });

    test('the Hub closes if its only two members leave', async () => {
      const replies = await race(
        () => requestLeave(amara, hub),
        () => requestLeave(jonas, hub),
      );
      expect(outcomesOf(replies)).toEqual([DONE, DONE]);
      await expectSound(opine, hub, 0);
    });

    test('one stays admin if two admins dismiss each other', async () => {
      const replies = await race(
        () => requestDismiss(amara, hub, jonas),
        () => requestDismiss(jonas, hub, amara),
      );
      expect(sortedOutcomes(replies)).toEqual([String(DONE), 'FORBIDDEN']);
      await expectSound(opine, hub, 2);
    });

    test('one stays admin if two admins step down', async () => {
      const replies = await race(
        () => requestDismiss(amara, hub, amara),
        () => requestAppoint(jonas, hub, jonas, 'manager'),
      );
      expect(sortedOutcomes(replies)).toEqual([String(DONE), 'LAST_ADMIN']);
      await expectSound(opine, hub, 2);
    });

    test('one stays member and admin if two admins remove each other', async () => {
      const replies = await race(
        () => requestRemove(amara, hub, jonas),
        () => requestRemove(jonas, hub, amara),
      );
      expect(sortedOutcomes(replies)).toEqual([String(DONE), 'MEMBER_NOT_FOUND']);
      await expectSound(opine, hub, 1);
    });

    test('one removal succeeds if two admins remove one member', async () => {
      await join(amara, hub, [bo, sam]);
      const replies = await race(
        () => requestRemove(amara, hub, bo),
        () => requestRemove(jonas, hub, bo),
      );
      expect(sortedOutcomes(replies)).toEqual([String(DONE), 'MEMBER_NOT_FOUND']);
      expect(await countOf(opine, hub, bo, 'hub_member_removed')).toBe(1);
      await expectSound(opine, hub, 3);
    });

    test('one request succeeds if an admin leaves and removes the other admin', async () => {
      await join(amara, hub, [bo]);
      const [removing, leaving] = await race(
        () => requestRemove(amara, hub, jonas),
        () => requestLeave(amara, hub),
      );
      const outcomes = outcomesOf([removing, leaving]);
      expect([
        [DONE, 'LAST_ADMIN'],
        ['MEMBER_NOT_FOUND', DONE],
      ]).toContainEqual(outcomes);
      await expectSound(opine, hub, 2);
    });
  });

  describe('a manager under removal', () => {
    const REMOVED = [201, 'FORBIDDEN'];

    beforeEach(() => join(amara, hub, [jonas], 'manager'));

    test('an invite link is created before the removal or not at all', async () => {
      const [created, removed] = await race(
        () => jonas.post(`/hubs/${hub.id}/invite-links`, {}),
        () => requestRemove(amara, hub, jonas),
      );
      expect(outcomeOf(removed)).toBe(DONE);
      expect(REMOVED).toContain(outcomeOf(created));
      expect(await linksOf(amara, hub)).toHaveLength(created.status === 201 ? 1 : 0);
    });

    test('an invitation is created before the removal or not at all', async () => {
      const [invited, removed] = await race(
        () => requestInvite(jonas, hub, aNumber()),
        () => requestRemove(amara, hub, jonas),
      );
      expect(outcomeOf(removed)).toBe(DONE);
      expect(REMOVED).toContain(outcomeOf(invited));
      // The list also has the invitation by which Jonas joined.
      expect(await invitationsOf(amara, hub)).toHaveLength(invited.status === 201 ? 2 : 1);
    });
  });

  test('one request succeeds if a member leaves and an admin removes them', async () => {
    await join(amara, hub, [bo]);
    const outcomes = outcomesOf(
      await race(
        () => requestLeave(bo, hub),
        () => requestRemove(amara, hub, bo),
      ),
    );
    const hasLeft = outcomes[0] === DONE;
    expect(outcomes).toEqual(hasLeft ? [DONE, 'MEMBER_NOT_FOUND'] : ['FORBIDDEN', DONE]);
    expect(await countOf(opine, hub, bo, 'hub_member_removed')).toBe(hasLeft ? 0 : 1);
    await expectSound(opine, hub, 1);
  });
});
