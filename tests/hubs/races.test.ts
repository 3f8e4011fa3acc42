import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Client, expectOk, idsOf, type Json } from '../support/client.ts';
import { contactNumber } from '../support/contacts.ts';
import {
  aHub,
  aHubPost,
  aJoinRequest,
  anInvitation,
  anInviteLink,
  discussionOf,
  join,
  requestAccept,
  requestAppoint,
  requestClose,
  requestDecide,
  requestDecline,
  requestDismiss,
  requestInvite,
  requestJoin,
  requestLeave,
  requestMessage,
  requestRemove,
  requestWithdraw,
  tokenIn,
} from '../support/hubs.ts';
import {
  expectConsistentHub,
  invitationsOf,
  linksOf,
  openRequestsOf,
  requestInvitationByToken,
  stateOf,
  statusOf,
  typesAbout,
} from '../support/invitations.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { hubReadyPerson, type Person } from '../support/people.ts';
import { publish, requestShareToHubs } from '../support/posts.ts';
import {
  countEvents,
  fourPeople,
  OK,
  outcomeOf,
  outcomesOf,
  type Requests,
  ROUNDS,
  raceInHub,
  sortedOutcomes,
} from '../support/races.ts';
import { waitUntilDeleted } from '../support/worker.ts';

let opine: Opine;
let amara: Person;
let jonas: Person;
let bo: Person;
let sam: Person;
let audience: Person[];
let hub: Json;

beforeAll(async () => {
  opine = await startOpine();
  ({ amara, jonas, bo, sam } = await fourPeople(opine));
  audience = [bo, sam];
  while (audience.length < 8) audience.push(await hubReadyPerson(opine));
});

afterAll(() => opine.stop());

const REQUEST_NOT_PENDING = 'JOIN_REQUEST_NOT_PENDING';
const INVITATION_NOT_PENDING = 'INVITATION_NOT_PENDING';

describe.each(ROUNDS)('concurrent requests, round %i', (round) => {
  const race = <A extends Requests>(...requests: A) =>
    raceInHub(opine, round, hub, [amara, jonas, bo, sam], ...requests);

  beforeEach(async () => {
    hub = await aHub(amara);
  });

  test('two invitations of one number make one invitation with one valid token', async () => {
    const phoneNumber = contactNumber();
    const invite = () => requestInvite(amara, hub, phoneNumber);
    const replies = await race(invite, invite);
    expect(outcomesOf(replies)).toEqual([201, 201]);
    const invitations: Json[] = replies.map(({ data }) => data.items[0]);
    expect(new Set(idsOf(invitations)).size).toBe(1);
    const tokens = invitations.map(({ inviteUrl }) => tokenIn(inviteUrl));
    const lookUps = await Promise.all(tokens.map((token) => requestInvitationByToken(bo, token)));
    expect(sortedOutcomes(lookUps)).toEqual([String(OK), 'INVITATION_NOT_FOUND']);
  });

  describe('the acceptance of an invitation', () => {
    test('one of two acceptances succeeds', async () => {
      const invitation = await anInvitation(amara, hub, bo);
      const accept = () => requestAccept(bo, invitation);
      expect(sortedOutcomes(await race(accept, accept))).toEqual([String(OK), INVITATION_NOT_PENDING]);
      expect(await typesAbout(opine, hub, bo)).toEqual(['hub_member_joined']);
      await expectConsistentHub(opine, hub, 2);
    });

    test('either the acceptance or the decline succeeds', async () => {
      const invitation = await anInvitation(amara, hub, bo);
      const outcomes = outcomesOf(
        await race(
          () => requestAccept(bo, invitation),
          () => requestDecline(bo, invitation),
        ),
      );
      const isAccepted = outcomes[0] === OK;
      expect(outcomes).toEqual(isAccepted ? [OK, INVITATION_NOT_PENDING] : [INVITATION_NOT_PENDING, OK]);
      expect(await stateOf(amara, hub, invitation)).toBe(isAccepted ? 'accepted' : 'declined');
      await expectConsistentHub(opine, hub, isAccepted ? 2 : 1);
    });

    test('one of two invitations of two admins makes the member', async () => {
      await join(amara, hub, [jonas], 'admin');
      const [hers, his] = [await anInvitation(amara, hub, bo), await anInvitation(jonas, hub, bo)];
      const replies = await race(
        () => requestAccept(bo, hers),
        () => requestAccept(bo, his),
      );
      expect(sortedOutcomes(replies)).toEqual([String(OK), INVITATION_NOT_PENDING]);
      expect(await countEvents(opine, hub, bo, 'hub_member_joined')).toBe(1);
      await expectConsistentHub(opine, hub, 3);
    });

    test('the invitation of a member and an invite link make one join request', async () => {
      await join(amara, hub, [jonas]);
      const [invitation, link] = [await anInvitation(jonas, hub, bo), await anInviteLink(amara, hub)];
      const [accepted, requested] = await race(
        () => requestAccept(bo, invitation),
        () => requestJoin(bo, link),
      );
      const isAccepted = accepted.status === 200;
      expect(outcomesOf([accepted, requested])).toEqual(
        isAccepted ? [OK, 'JOIN_REQUEST_PENDING'] : ['JOIN_REQUEST_PENDING', 201],
      );
      expect(await openRequestsOf(amara, hub)).toHaveLength(1);
      expect(await linksOf(amara, hub)).toMatchObject([{ useCount: isAccepted ? 0 : 1 }]);
      expect(await typesAbout(opine, hub, bo)).toEqual(['hub_join_request_created']);
    });

    test('the invitation of an admin under removal makes a member or an applicant', async () => {
      await join(amara, hub, [jonas], 'admin');
      const invitation = await anInvitation(jonas, hub, bo);
      const [accepted, removed] = await race(
        () => requestAccept(bo, invitation),
        () => requestRemove(amara, hub, jonas),
      );
      expect(outcomesOf([accepted, removed])).toEqual([OK, OK]);
      const { viewerStatus } = accepted.data;
      expect(await statusOf(bo, hub)).toBe(viewerStatus);
      const isMember = viewerStatus === 'member';
      const type = isMember ? 'hub_member_joined' : 'hub_join_request_created';
      expect(await typesAbout(opine, hub, bo)).toEqual([type]);
      expect(await openRequestsOf(amara, hub)).toHaveLength(isMember ? 0 : 1);
      await expectConsistentHub(opine, hub, isMember ? 2 : 1);
    });

    test.each(['is removed', 'leaves'])('a member who %s does not rejoin by the invitation', async (how) => {
      await join(amara, hub, [bo]);
      const invitation = await anInvitation(amara, hub, bo);
      const [accepted, ended] = await race(
        () => requestAccept(bo, invitation),
        () => (how === 'is removed' ? requestRemove(amara, hub, bo) : requestLeave(bo, hub)),
      );
      expect(outcomeOf(ended)).toBe(OK);
      expect(['ALREADY_MEMBER', INVITATION_NOT_PENDING]).toContain(outcomeOf(accepted));
      expect(outcomeOf(await requestAccept(bo, invitation))).toBe(INVITATION_NOT_PENDING);
      expect(await statusOf(bo, hub)).toBe('none');
      expect(await stateOf(amara, hub, invitation)).toBe('expired');
      await expectConsistentHub(opine, hub, 1);
    });

    test.each(['approve', 'reject'] as const)(
      'the acceptance makes one member if an admin %ss the join request',
      async (decision) => {
        const request = await aJoinRequest(amara, hub, bo);
        const invitation = await anInvitation(amara, hub, bo);
        const [decided, accepted] = await race(
          () => requestDecide(amara, hub, request, decision),
          () => requestAccept(bo, invitation),
        );
        const first = [OK, decision === 'approve' ? INVITATION_NOT_PENDING : OK];
        expect([first, [REQUEST_NOT_PENDING, OK]]).toContainEqual(outcomesOf([decided, accepted]));
        expect(await statusOf(bo, hub)).toBe('member');
        expect(await countEvents(opine, hub, bo, 'hub_member_joined')).toBe(1);
        expect(await openRequestsOf(amara, hub)).toEqual([]);
        expect(outcomeOf(await requestDecide(amara, hub, request, 'approve'))).toBe(REQUEST_NOT_PENDING);
        await expectConsistentHub(opine, hub, 2);
      },
    );
  });

  test.each(['approve', 'reject'] as const)(
    'either the withdrawal or the decision succeeds if an admin %ss the join request',
    async (decision) => {
      const request = await aJoinRequest(amara, hub, bo);
      const outcomes = outcomesOf(
        await race(
          () => requestWithdraw(bo, hub, request),
          () => requestDecide(amara, hub, request, decision),
        ),
      );
      const isWithdrawn = outcomes[0] === OK;
      expect(outcomes).toEqual(isWithdrawn ? [OK, 'JOIN_REQUEST_NOT_FOUND'] : [REQUEST_NOT_PENDING, OK]);
      const isMember = !isWithdrawn && decision === 'approve';
      expect(await statusOf(bo, hub)).toBe(isMember ? 'member' : 'none');
      expect(await openRequestsOf(amara, hub)).toEqual([]);
      if (isWithdrawn) {
        const { items } = await expectOk(amara.get('/notifications'));
        expect(items.filter(({ hubId }: Json) => hubId === hub.id)).toEqual([]);
      }
      await expectConsistentHub(opine, hub, isMember ? 2 : 1);
    },
  );

  test('one of two withdrawals succeeds', async () => {
    const request = await aJoinRequest(amara, hub, bo);
    const withdraw = () => requestWithdraw(bo, hub, request);
    expect(sortedOutcomes(await race(withdraw, withdraw))).toEqual([String(OK), 'JOIN_REQUEST_NOT_FOUND']);
    expect(await statusOf(bo, hub)).toBe('none');
  });

  describe('an invite link with three uses', () => {
    test('three of eight people make a join request', async () => {
      const link = await anInviteLink(amara, hub, { maxUses: 3 });
      const replies = await race(...audience.map((person) => () => requestJoin(person, link)));
      const [requested, refused] = [Array(3).fill('201'), Array(5).fill('INVITE_LINK_NOT_FOUND')];
      expect(sortedOutcomes(replies)).toEqual([...requested, ...refused]);
      expect(await linksOf(amara, hub)).toMatchObject([{ useCount: 3 }]);
      expect(await openRequestsOf(amara, hub)).toHaveLength(3);
      const events = await Promise.all(audience.map((person) => typesAbout(opine, hub, person)));
      expect(events.flat()).toEqual(Array(3).fill('hub_join_request_created'));
    });

    test('five requests of one person use it once', async () => {
      const link = await anInviteLink(amara, hub, { maxUses: 3 });
      const replies = await race(...[1, 2, 3, 4, 5].map(() => () => requestJoin(bo, link)));
      expect(sortedOutcomes(replies)).toEqual(['201', ...Array(4).fill('JOIN_REQUEST_PENDING')]);
      expect(await linksOf(amara, hub)).toMatchObject([{ useCount: 1 }]);
      expect(await openRequestsOf(amara, hub)).toHaveLength(1);
    });

    test('a join request comes before the revocation or is 404', async () => {
      const link = await anInviteLink(amara, hub, { maxUses: 3 });
      const [revoked, requested] = await race(
        () => amara.delete(`/hubs/${hub.id}/invite-links/${link.id}`),
        () => requestJoin(bo, link),
      );
      expect(outcomeOf(revoked)).toBe(OK);
      expect([201, 'INVITE_LINK_NOT_FOUND']).toContain(outcomeOf(requested));
      expect(await openRequestsOf(amara, hub)).toHaveLength(requested.status === 201 ? 1 : 0);
    });
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
      const isApproved = outcomes[0] === OK;
      expect(outcomes).toEqual(isApproved ? [OK, REQUEST_NOT_PENDING] : [REQUEST_NOT_PENDING, OK]);
      expect(await statusOf(bo, hub)).toBe(isApproved ? 'member' : 'none');
      const approved = ['hub_join_request_approved', 'hub_join_request_created', 'hub_member_joined'];
      const rejected = ['hub_join_request_created', 'hub_join_request_rejected'];
      expect(await typesAbout(opine, hub, bo)).toEqual(isApproved ? approved : rejected);
      await expectConsistentHub(opine, hub, isApproved ? 3 : 2);
    });

    test('one approval succeeds if two admins approve one join request', async () => {
      const request = await aJoinRequest(amara, hub, bo);
      const approve = (admin: Client) => () => requestDecide(admin, hub, request, 'approve');
      expect(sortedOutcomes(await race(approve(amara), approve(jonas)))).toEqual([
        String(OK),
        REQUEST_NOT_PENDING,
      ]);
      expect(await countEvents(opine, hub, bo, 'hub_member_joined')).toBe(1);
      await expectConsistentHub(opine, hub, 3);
    });

    test('one of two leaving admins stays if other members remain', async () => {
      await join(amara, hub, [bo]);
      const replies = await race(
        () => requestLeave(amara, hub),
        () => requestLeave(jonas, hub),
      );
      expect(sortedOutcomes(replies)).toEqual([String(OK), 'LAST_ADMIN']);
      await expectConsistentHub(opine, hub, 2);
    });

    test('the Hub closes if its only two members leave', async () => {
      const replies = await race(
        () => requestLeave(amara, hub),
        () => requestLeave(jonas, hub),
      );
      expect(outcomesOf(replies)).toEqual([OK, OK]);
      await expectConsistentHub(opine, hub, 0);
    });

    test('one stays admin if two admins dismiss each other', async () => {
      const replies = await race(
        () => requestDismiss(amara, hub, jonas),
        () => requestDismiss(jonas, hub, amara),
      );
      expect(sortedOutcomes(replies)).toEqual([String(OK), 'FORBIDDEN']);
      await expectConsistentHub(opine, hub, 2);
    });

    test('one stays admin if two admins step down', async () => {
      const replies = await race(
        () => requestDismiss(amara, hub, amara),
        () => requestAppoint(jonas, hub, jonas, 'manager'),
      );
      expect(sortedOutcomes(replies)).toEqual([String(OK), 'LAST_ADMIN']);
      await expectConsistentHub(opine, hub, 2);
    });

    test('one stays member and admin if two admins remove each other', async () => {
      const replies = await race(
        () => requestRemove(amara, hub, jonas),
        () => requestRemove(jonas, hub, amara),
      );
      expect(sortedOutcomes(replies)).toEqual([String(OK), 'MEMBER_NOT_FOUND']);
      await expectConsistentHub(opine, hub, 1);
    });

    test('one removal succeeds if two admins remove one member', async () => {
      await join(amara, hub, [bo, sam]);
      const replies = await race(
        () => requestRemove(amara, hub, bo),
        () => requestRemove(jonas, hub, bo),
      );
      expect(sortedOutcomes(replies)).toEqual([String(OK), 'MEMBER_NOT_FOUND']);
      expect(await countEvents(opine, hub, bo, 'hub_member_removed')).toBe(1);
      await expectConsistentHub(opine, hub, 3);
    });

    test('one request succeeds if an admin leaves and removes the other admin', async () => {
      await join(amara, hub, [bo]);
      const [removing, leaving] = await race(
        () => requestRemove(amara, hub, jonas),
        () => requestLeave(amara, hub),
      );
      const outcomes = outcomesOf([removing, leaving]);
      expect([
        [OK, 'LAST_ADMIN'],
        ['MEMBER_NOT_FOUND', OK],
      ]).toContainEqual(outcomes);
      await expectConsistentHub(opine, hub, 2);
    });
  });

  describe('a manager under removal', () => {
    const REMOVED = [201, 'FORBIDDEN'];

    beforeEach(() => join(amara, hub, [jonas], 'manager'));

    test('an invite link is created before the removal or not at all, and goes with its creator', async () => {
      const [created, removed] = await race(
        () => jonas.post(`/hubs/${hub.id}/invite-links`, {}),
        () => requestRemove(amara, hub, jonas),
      );
      expect(outcomeOf(removed)).toBe(OK);
      expect(REMOVED).toContain(outcomeOf(created));
      expect(await linksOf(amara, hub)).toEqual([]);
    });

    test('an invitation is created before the removal or not at all', async () => {
      const [invited, removed] = await race(
        () => requestInvite(jonas, hub, contactNumber()),
        () => requestRemove(amara, hub, jonas),
      );
      expect(outcomeOf(removed)).toBe(OK);
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
    const hasLeft = outcomes[0] === OK;
    expect(outcomes).toEqual(hasLeft ? [OK, 'MEMBER_NOT_FOUND'] : ['FORBIDDEN', OK]);
    expect(await countEvents(opine, hub, bo, 'hub_member_removed')).toBe(hasLeft ? 0 : 1);
    await expectConsistentHub(opine, hub, 1);
  });

  describe('an admin who closes the Hub', () => {
    test('one of two closings succeeds', async () => {
      await join(amara, hub, [jonas], 'admin');
      const replies = await race(
        () => requestClose(amara, hub),
        () => requestClose(jonas, hub),
      );
      expect(sortedOutcomes(replies)).toEqual([String(OK), 'HUB_NOT_FOUND']);
      await expectConsistentHub(opine, hub, 0);
    });

    test('nobody becomes a member of the closed Hub', async () => {
      await join(amara, hub, [jonas], 'admin');
      const invitation = await anInvitation(amara, hub, bo);
      const request = await aJoinRequest(amara, hub, sam);
      const link = await anInviteLink(amara, hub);
      const [last] = audience.slice(2);
      if (last === undefined) throw new Error('Nobody came.');
      const [closed, accepted, approved, requested] = await race(
        () => requestClose(amara, hub),
        () => requestAccept(bo, invitation),
        () => requestDecide(jonas, hub, request, 'approve'),
        () => requestJoin(last, link),
      );
      expect(outcomeOf(closed)).toBe(OK);
      expect([OK, 'INVITATION_NOT_FOUND']).toContain(outcomeOf(accepted));
      expect([OK, 'HUB_NOT_FOUND']).toContain(outcomeOf(approved));
      expect([201, 'INVITE_LINK_NOT_FOUND']).toContain(outcomeOf(requested));
      await expectConsistentHub(opine, hub, 0);
    });

    test('a post, a share, a message and a leave come before the end or are refused', async () => {
      await join(amara, hub, [jonas, bo, sam]);
      const post = await aHubPost(amara, [hub], { visibility: 'public_hub' });
      const discussion = await discussionOf(amara, hub, post);
      const replies = await race(
        () => requestClose(amara, hub),
        () => publish(jonas, { visibility: 'private_locked_hub', thoughtText: 'Me too.', hubIds: [hub.id] }),
        () => requestShareToHubs(bo, post, [hub]),
        () => requestMessage(sam, discussion, { text: 'Well said.' }),
        () => requestLeave(jonas, hub),
      );
      const [closed, ...others] = outcomesOf(replies);
      expect(closed).toBe(OK);
      const refusals = [
        'FORBIDDEN',
        'HUB_NOT_FOUND',
        'DISCUSSION_NOT_FOUND',
        'POST_NOT_SHAREABLE',
        'POST_NOT_FOUND',
      ];
      const expected = [OK, 201, ...refusals];
      for (const outcome of others) expect(expected).toContain(outcome);
      await expectConsistentHub(opine, hub, 0);
    });
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
      const isClosed = outcomes[0] === OK;
      expect(outcomes).toEqual(isClosed ? [OK, 'HUB_NOT_FOUND'] : ['LAST_ADMIN', OK]);
      expect(await countEvents(opine, hub, bo, 'hub_member_joined')).toBe(isClosed ? 0 : 1);
      await expectConsistentHub(opine, hub, isClosed ? 0 : 2);
    });

    test('the Hub closes or keeps both members if an invitation is accepted', async () => {
      const invitation = await anInvitation(amara, hub, bo);
      const outcomes = outcomesOf(
        await race(
          () => requestLeave(amara, hub),
          () => requestAccept(bo, invitation),
        ),
      );
      const isClosed = outcomes[0] === OK;
      expect(outcomes).toEqual(isClosed ? [OK, 'INVITATION_NOT_FOUND'] : ['LAST_ADMIN', OK]);
      await expectConsistentHub(opine, hub, isClosed ? 0 : 2);
    });

    test('the admin leaves only after the other member if both leave', async () => {
      await join(amara, hub, [bo]);
      const [hers, his] = await race(
        () => requestLeave(amara, hub),
        () => requestLeave(bo, hub),
      );
      expect(outcomeOf(his)).toBe(OK);
      expect([OK, 'LAST_ADMIN']).toContain(outcomeOf(hers));
      await expectConsistentHub(opine, hub, hers.status === 200 ? 0 : 1);
    });

    test('a concurrently created invitation and invite link lead nowhere', async () => {
      const phoneNumber = contactNumber();
      const [left, invited, linked] = await race(
        () => requestLeave(amara, hub),
        () => requestInvite(amara, hub, phoneNumber),
        () => amara.post(`/hubs/${hub.id}/invite-links`, {}),
      );
      expect(outcomeOf(left)).toBe(OK);
      for (const reply of [invited, linked]) expect([201, 'HUB_NOT_FOUND']).toContain(outcomeOf(reply));
      if (invited.status === 201) {
        const token = tokenIn(invited.data.items[0].inviteUrl);
        expect(outcomeOf(await requestInvitationByToken(bo, token))).toBe('INVITATION_NOT_FOUND');
      }
      if (linked.status === 201)
        expect(outcomeOf(await requestJoin(bo, linked.data))).toBe('INVITE_LINK_NOT_FOUND');
      await expectConsistentHub(opine, hub, 0);
    });

    test('a concurrent applicant has no open join request', async () => {
      const link = await anInviteLink(amara, hub);
      const [left, requested] = await race(
        () => requestLeave(amara, hub),
        () => requestJoin(bo, link),
      );
      expect(outcomeOf(left)).toBe(OK);
      expect([201, 'INVITE_LINK_NOT_FOUND']).toContain(outcomeOf(requested));
      const { items } = await expectOk(bo.get('/users/me/hubs?limit=100'));
      expect(items.filter(({ id }: Json) => id === hub.id)).toEqual([]);
      await expectConsistentHub(opine, hub, 0);
    });
  });

  test.each(['the approval of a join request', 'the acceptance of an invitation'])(
    'an account deletion concurrent with %s leaves no membership',
    async (how) => {
      const person = await hubReadyPerson(opine);
      const request = await aJoinRequest(amara, hub, person);
      const invitation = await anInvitation(amara, hub, person);
      const [ended, entered] = await race(
        () => person.delete('/users/me'),
        () =>
          how === 'the approval of a join request'
            ? requestDecide(amara, hub, request, 'approve')
            : requestAccept(person, invitation),
      );
      expect(outcomeOf(ended)).toBe(OK);
      expect([200, 401, 404, 409]).toContain(entered.status);
      await waitUntilDeleted(opine, person.id);
      expect(await openRequestsOf(amara, hub)).toEqual([]);
      await expectConsistentHub(opine, hub, 1);
    },
  );
});
