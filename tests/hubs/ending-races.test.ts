import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { untilGone } from '../support/account-deletions.ts';
import type { Json } from '../support/client.ts';
import { aNumber } from '../support/contacts.ts';
import { granted } from '../support/graph.ts';
import { countOf, DONE, meetIn, outcomesOf, ROUNDS, theRivals } from '../support/hub-races.ts';
import {
  aHub,
  aJoinRequest,
  anInvitation,
  anInviteLink,
  join,
  requestAccept,
  requestDecide,
  requestInvite,
  requestJoin,
  requestLeave,
  tokenIn,
} from '../support/hubs.ts';
import { type Acts, expectSound, lookUp, openRequestsOf, outcomeOf } from '../support/invitations.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aHubReady, type Person } from '../support/people.ts';

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

describe.each(ROUNDS)('concurrent requests, round %i', (round) => {
  const race = <A extends Acts>(...requests: A) =>
    meetIn(opine, round, hub, [amara, jonas, bo, sam], ...requests);

  beforeEach(async () => {
    hub = await aHub(amara);
  });

  describe('the last member who leaves', () => {
    test('the Hub closes or keeps both members if an applicant is approved', async () => {
      const request = await aJoinRequest(amara, hub, bo);
      const outcomes = outcomesOf(
        await race(
          () => requestLeave(amara, hub),
          () => requestDecide(amara, hub, request, 'approve'),
        ),
      );
      const isClosed = outcomes[0] === DONE;
      expect(outcomes).toEqual(isClosed ? [DONE, 'HUB_NOT_FOUND'] : ['LAST_ADMIN', DONE]);
      expect(await countOf(opine, hub, bo, 'hub_member_joined')).toBe(isClosed ? 0 : 1);
      await expectSound(opine, hub, isClosed ? 0 : 2);
    });

    test('the Hub closes or keeps both members if an invitation is accepted', async () => {
      const invitation = await anInvitation(amara, hub, bo);
      const outcomes = outcomesOf(
        await race(
          () => requestLeave(amara, hub),
          () => requestAccept(bo, invitation),
        ),
      );
      const isClosed = outcomes[0] === DONE;
      expect(outcomes).toEqual(isClosed ? [DONE, 'INVITATION_NOT_FOUND'] : ['LAST_ADMIN', DONE]);
      await expectSound(opine, hub, isClosed ? 0 : 2);
    });

    test('the admin leaves only after the other member if both leave', async () => {
      await join(amara, hub, [bo]);
      const [hers, his] = await race(
        () => requestLeave(amara, hub),
        () => requestLeave(bo, hub),
      );
      expect(outcomeOf(his)).toBe(DONE);
      expect([DONE, 'LAST_ADMIN']).toContain(outcomeOf(hers));
      await expectSound(opine, hub, hers.status === 200 ? 0 : 1);
    });

    test('a concurrently created invitation and invite link lead nowhere', async () => {
      const phoneNumber = aNumber();
      const [left, invited, linked] = await race(
        () => requestLeave(amara, hub),
        () => requestInvite(amara, hub, phoneNumber),
        () => amara.post(`/hubs/${hub.id}/invite-links`, {}),
      );
      expect(outcomeOf(left)).toBe(DONE);
      for (const reply of [invited, linked]) expect([201, 'HUB_NOT_FOUND']).toContain(outcomeOf(reply));
      if (invited.status === 201) {
        const token = tokenIn(invited.data.items[0].inviteUrl);
        expect(outcomeOf(await lookUp(bo, token))).toBe('INVITATION_NOT_FOUND');
      }
      if (linked.status === 201)
        expect(outcomeOf(await requestJoin(bo, linked.data))).toBe('INVITE_LINK_NOT_FOUND');
      await expectSound(opine, hub, 0);
    });

    test('a concurrent applicant has no open join request', async () => {
      const link = await anInviteLink(amara, hub);
      const [left, requested] = await race(
        () => requestLeave(amara, hub),
        () => requestJoin(bo, link),
      );
      expect(outcomeOf(left)).toBe(DONE);
      expect([201, 'INVITE_LINK_NOT_FOUND']).toContain(outcomeOf(requested));
      const { items } = await granted(bo.get('/users/me/hubs?limit=100'));
      expect(items.filter(({ id }: Json) => id === hub.id)).toEqual([]);
      await expectSound(opine, hub, 0);
    });
  });

  test.each(['the approval of a join request', 'the acceptance of an invitation'])(
    'an account deletion concurrent with %s leaves no membership',
    async (how) => {
      const person = await aHubReady(opine);
      const request = await aJoinRequest(amara, hub, person);
      const invitation = await anInvitation(amara, hub, person);
      const [ended, entered] = await race(
        () => person.delete('/users/me'),
        () =>
          how === 'the approval of a join request'
            ? requestDecide(amara, hub, request, 'approve')
            : requestAccept(person, invitation),
      );
      expect(outcomeOf(ended)).toBe(DONE);
      expect([200, 401, 404, 409]).toContain(entered.status);
      await untilGone(opine, person.id);
      expect(await openRequestsOf(amara, hub)).toEqual([]);
      await expectSound(opine, hub, 1);
    },
  );
});
