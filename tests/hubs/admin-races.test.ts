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

const OVER = 'JOIN_REQUEST_NOT_PENDING';

describe.each(ROUNDS)('at once, round %i', (round) => {
  const meet = <A extends Acts>(...acts: A) => meetIn(opine, round, hub, [amara, jonas, bo, sam], ...acts);

  beforeEach(async () => {
    hub = await aHub(amara);
  });

  describe('two admins', () => {
    beforeEach(() => join(amara, hub, [jonas], 'admin'));

    test('decide one request: one verdict stands', async () => {
      const request = await aJoinRequest(amara, hub, bo);
      const outcomes = outcomesOf(
        await meet(
          () => requestDecide(amara, hub, request, 'approve'),
          () => requestDecide(jonas, hub, request, 'reject'),
        ),
      );
      const isApproved = outcomes[0] === DONE;
      expect(outcomes).toEqual(isApproved ? [DONE, OVER] : [OVER, DONE]);
      expect(await statusOf(bo, hub)).toBe(isApproved ? 'member' : 'none');
      const approved = ['hub_join_request_approved', 'hub_join_request_created', 'hub_member_joined'];
      const rejected = ['hub_join_request_created', 'hub_join_request_rejected'];
      expect(await typesAbout(opine, hub, bo)).toEqual(isApproved ? approved : rejected);
      await expectSound(opine, hub, isApproved ? 3 : 2);
    });

    test('approve one request: one of them lets one member in', async () => {
      const request = await aJoinRequest(amara, hub, bo);
      const approve = (admin: Client) => () => requestDecide(admin, hub, request, 'approve');
      expect(sortedOutcomes(await meet(approve(amara), approve(jonas)))).toEqual([String(DONE), OVER]);
      expect(await countOf(opine, hub, bo, 'hub_member_joined')).toBe(1);
      await expectSound(opine, hub, 3);
    });

    test('leave, and others stay: one of them has to stay as well', async () => {
      await join(amara, hub, [bo]);
      const replies = await meet(
        () => requestLeave(amara, hub),
        () => requestLeave(jonas, hub),
      );
      expect(sortedOutcomes(replies)).toEqual([String(DONE), 'LAST_ADMIN']);
      await expectSound(opine, hub, 2);
    });

    test('leave who are all there is: the hub is closed', async () => {
      const replies = await meet(
        () => requestLeave(amara, hub),
        () => requestLeave(jonas, hub),
      );
      expect(outcomesOf(replies)).toEqual([DONE, DONE]);
      await expectSound(opine, hub, 0);
    });

    test('dismiss each other: one is an admin still', async () => {
      const replies = await meet(
        () => requestDismiss(amara, hub, jonas),
        () => requestDismiss(jonas, hub, amara),
      );
      expect(sortedOutcomes(replies)).toEqual([String(DONE), 'FORBIDDEN']);
      await expectSound(opine, hub, 2);
    });

    test('step down: one is an admin still', async () => {
      const replies = await meet(
        () => requestDismiss(amara, hub, amara),
        () => requestAppoint(jonas, hub, jonas, 'manager'),
      );
      expect(sortedOutcomes(replies)).toEqual([String(DONE), 'LAST_ADMIN']);
      await expectSound(opine, hub, 2);
    });

    test('remove each other: one is a member still, and an admin', async () => {
      const replies = await meet(
        () => requestRemove(amara, hub, jonas),
        () => requestRemove(jonas, hub, amara),
      );
      expect(sortedOutcomes(replies)).toEqual([String(DONE), 'MEMBER_NOT_FOUND']);
      await expectSound(opine, hub, 1);
    });

    test('remove one member: one of them does', async () => {
      await join(amara, hub, [bo, sam]);
      const replies = await meet(
        () => requestRemove(amara, hub, bo),
        () => requestRemove(jonas, hub, bo),
      );
      expect(sortedOutcomes(replies)).toEqual([String(DONE), 'MEMBER_NOT_FOUND']);
      expect(await countOf(opine, hub, bo, 'hub_member_removed')).toBe(1);
      await expectSound(opine, hub, 3);
    });

    test('are removed and left alone: one leaves, one removes the other, one of it happens', async () => {
      await join(amara, hub, [bo]);
      const [removing, leaving] = await meet(
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

  describe('a manager who is removed', () => {
    const REMOVED = [201, 'FORBIDDEN'];

    beforeEach(() => join(amara, hub, [jonas], 'manager'));

    test('makes a link before that, or none', async () => {
      const [made, removed] = await meet(
        () => jonas.post(`/hubs/${hub.id}/invite-links`, {}),
        () => requestRemove(amara, hub, jonas),
      );
      expect(outcomeOf(removed)).toBe(DONE);
      expect(REMOVED).toContain(outcomeOf(made));
      expect(await linksOf(amara, hub)).toHaveLength(made.status === 201 ? 1 : 0);
    });

    test('invites before that, or not', async () => {
      const [invited, removed] = await meet(
        () => requestInvite(jonas, hub, aNumber()),
        () => requestRemove(amara, hub, jonas),
      );
      expect(outcomeOf(removed)).toBe(DONE);
      expect(REMOVED).toContain(outcomeOf(invited));
      // The other one is that by which Jonas came.
      expect(await invitationsOf(amara, hub)).toHaveLength(invited.status === 201 ? 2 : 1);
    });
  });

  test('a member leaves and is removed: one of the two', async () => {
    await join(amara, hub, [bo]);
    const outcomes = outcomesOf(
      await meet(
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
