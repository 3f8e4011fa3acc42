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

describe.each(ROUNDS)('at once, round %i', (round) => {
  const meet = <A extends Acts>(...acts: A) => meetIn(opine, round, hub, [amara, jonas, bo, sam], ...acts);

  beforeEach(async () => {
    hub = await aHub(amara);
  });

  describe('the last member leaves', () => {
    test('while somebody is approved: the hub is closed, or has both', async () => {
      const request = await aJoinRequest(amara, hub, bo);
      const outcomes = outcomesOf(
        await meet(
          () => requestLeave(amara, hub),
          () => requestDecide(amara, hub, request, 'approve'),
        ),
      );
      const isClosed = outcomes[0] === DONE;
      expect(outcomes).toEqual(isClosed ? [DONE, 'HUB_NOT_FOUND'] : ['LAST_ADMIN', DONE]);
      expect(await countOf(opine, hub, bo, 'hub_member_joined')).toBe(isClosed ? 0 : 1);
      await expectSound(opine, hub, isClosed ? 0 : 2);
    });

    test('while somebody accepts: the hub is closed, or has both', async () => {
      const invitation = await anInvitation(amara, hub, bo);
      const outcomes = outcomesOf(
        await meet(
          () => requestLeave(amara, hub),
          () => requestAccept(bo, invitation),
        ),
      );
      const isClosed = outcomes[0] === DONE;
      expect(outcomes).toEqual(isClosed ? [DONE, 'INVITATION_NOT_FOUND'] : ['LAST_ADMIN', DONE]);
      await expectSound(opine, hub, isClosed ? 0 : 2);
    });

    test('but one, and the last one too: the admin stays until the other has left', async () => {
      await join(amara, hub, [bo]);
      const [hers, his] = await meet(
        () => requestLeave(amara, hub),
        () => requestLeave(bo, hub),
      );
      expect(outcomeOf(his)).toBe(DONE);
      expect([DONE, 'LAST_ADMIN']).toContain(outcomeOf(hers));
      await expectSound(opine, hub, hers.status === 200 ? 0 : 1);
    });

    test('while inviting and making a link: neither leads anywhere', async () => {
      const phoneNumber = aNumber();
      const [left, invited, linked] = await meet(
        () => requestLeave(amara, hub),
        () => requestInvite(amara, hub, phoneNumber),
        () => amara.post(`/hubs/${hub.id}/invite-links`, {}),
      );
      expect(outcomeOf(left)).toBe(DONE);
      for (const made of [invited, linked]) expect([201, 'HUB_NOT_FOUND']).toContain(outcomeOf(made));
      if (invited.status === 201) {
        const token = tokenIn(invited.data.items[0].inviteUrl);
        expect(outcomeOf(await lookUp(bo, token))).toBe('INVITATION_NOT_FOUND');
      }
      if (linked.status === 201)
        expect(outcomeOf(await requestJoin(bo, linked.data))).toBe('INVITE_LINK_NOT_FOUND');
      await expectSound(opine, hub, 0);
    });

    test('while somebody asks to join: who asked waits nowhere', async () => {
      const link = await anInviteLink(amara, hub);
      const [left, asked] = await meet(
        () => requestLeave(amara, hub),
        () => requestJoin(bo, link),
      );
      expect(outcomeOf(left)).toBe(DONE);
      expect([201, 'INVITE_LINK_NOT_FOUND']).toContain(outcomeOf(asked));
      const { items } = await granted(bo.get('/users/me/hubs?limit=100'));
      expect(items.filter(({ id }: Json) => id === hub.id)).toEqual([]);
      await expectSound(opine, hub, 0);
    });
  });

  test.each(['approved', 'invited'])(
    'an account ends whose owner is %s: it is a member of nothing',
    async (how) => {
      const person = await aHubReady(opine);
      const request = await aJoinRequest(amara, hub, person);
      const invitation = await anInvitation(amara, hub, person);
      const [ended, entered] = await meet(
        () => person.delete('/users/me'),
        () =>
          how === 'approved'
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
