import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Json } from '../support/client.ts';
import { aNumber } from '../support/contacts.ts';
import { idsOf } from '../support/graph.ts';
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
  anInvitation,
  anInviteLink,
  join,
  requestAccept,
  requestDecide,
  requestDecline,
  requestInvite,
  requestJoin,
  requestLeave,
  requestRemove,
  tokenIn,
} from '../support/hubs.ts';
import {
  type Acts,
  expectSound,
  linksOf,
  lookUp,
  openRequestsOf,
  outcomeOf,
  stateOf,
  statusOf,
  typesAbout,
} from '../support/invitations.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aHubReady, type Person } from '../support/people.ts';

let opine: Opine;
let amara: Person;
let jonas: Person;
let bo: Person;
let sam: Person;
let audience: Person[];
let hub: Json;

beforeAll(async () => {
  opine = await startOpine();
  ({ amara, jonas, bo, sam } = await theRivals(opine));
  audience = [bo, sam];
  while (audience.length < 8) audience.push(await aHubReady(opine));
});

afterAll(() => opine.stop());

const REQUEST_NOT_PENDING = 'JOIN_REQUEST_NOT_PENDING';
const INVITATION_NOT_PENDING = 'INVITATION_NOT_PENDING';

describe.each(ROUNDS)('concurrent requests, round %i', (round) => {
  const race = <A extends Acts>(...requests: A) =>
    meetIn(opine, round, hub, [amara, jonas, bo, sam], ...requests);

  beforeEach(async () => {
    hub = await aHub(amara);
  });

  test('two invitations of one number make one invitation with one valid token', async () => {
    const phoneNumber = aNumber();
    const invite = () => requestInvite(amara, hub, phoneNumber);
    const replies = await race(invite, invite);
    expect(outcomesOf(replies)).toEqual([201, 201]);
    const invitations: Json[] = replies.map(({ data }) => data.items[0]);
    expect(new Set(idsOf(invitations)).size).toBe(1);
    const tokens = invitations.map(({ inviteUrl }) => tokenIn(inviteUrl));
    const lookUps = await Promise.all(tokens.map((token) => lookUp(bo, token)));
    expect(sortedOutcomes(lookUps)).toEqual([String(DONE), 'INVITATION_NOT_FOUND']);
  });

  describe('the acceptance of an invitation', () => {
    test('one of two acceptances succeeds', async () => {
      const invitation = await anInvitation(amara, hub, bo);
      const accept = () => requestAccept(bo, invitation);
      expect(sortedOutcomes(await race(accept, accept))).toEqual([String(DONE), INVITATION_NOT_PENDING]);
      expect(await typesAbout(opine, hub, bo)).toEqual(['hub_member_joined']);
      await expectSound(opine, hub, 2);
    });

    test('either the acceptance or the decline succeeds', async () => {
      const invitation = await anInvitation(amara, hub, bo);
      const outcomes = outcomesOf(
        await race(
          () => requestAccept(bo, invitation),
          () => requestDecline(bo, invitation),
        ),
      );
      const isAccepted = outcomes[0] === DONE;
      expect(outcomes).toEqual(isAccepted ? [DONE, INVITATION_NOT_PENDING] : [INVITATION_NOT_PENDING, DONE]);
      expect(await stateOf(amara, hub, invitation)).toBe(isAccepted ? 'accepted' : 'declined');
      await expectSound(opine, hub, isAccepted ? 2 : 1);
    });

    test('one of two invitations of two admins makes the member', async () => {
      await join(amara, hub, [jonas], 'admin');
      const [hers, his] = [await anInvitation(amara, hub, bo), await anInvitation(jonas, hub, bo)];
      const replies = await race(
        () => requestAccept(bo, hers),
        () => requestAccept(bo, his),
      );
      expect(sortedOutcomes(replies)).toEqual([String(DONE), INVITATION_NOT_PENDING]);
      expect(await countOf(opine, hub, bo, 'hub_member_joined')).toBe(1);
      await expectSound(opine, hub, 3);
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
        isAccepted ? [DONE, 'JOIN_REQUEST_PENDING'] : ['JOIN_REQUEST_PENDING', 201],
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
      expect(outcomesOf([accepted, removed])).toEqual([DONE, DONE]);
      const { viewerStatus } = accepted.data;
      expect(await statusOf(bo, hub)).toBe(viewerStatus);
      const isMember = viewerStatus === 'member';
      const type = isMember ? 'hub_member_joined' : 'hub_join_request_created';
      expect(await typesAbout(opine, hub, bo)).toEqual([type]);
      expect(await openRequestsOf(amara, hub)).toHaveLength(isMember ? 0 : 1);
      await expectSound(opine, hub, isMember ? 2 : 1);
    });

    test.each(['is removed', 'leaves'])('a member who %s does not rejoin by the invitation', async (how) => {
      await join(amara, hub, [bo]);
      const invitation = await anInvitation(amara, hub, bo);
      const [accepted, ended] = await race(
        () => requestAccept(bo, invitation),
        () => (how === 'is removed' ? requestRemove(amara, hub, bo) : requestLeave(bo, hub)),
      );
      expect(outcomeOf(ended)).toBe(DONE);
      expect(['ALREADY_MEMBER', INVITATION_NOT_PENDING]).toContain(outcomeOf(accepted));
      expect(outcomeOf(await requestAccept(bo, invitation))).toBe(INVITATION_NOT_PENDING);
      expect(await statusOf(bo, hub)).toBe('none');
      expect(await stateOf(amara, hub, invitation)).toBe('expired');
      await expectSound(opine, hub, 1);
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
        const first = [DONE, decision === 'approve' ? INVITATION_NOT_PENDING : DONE];
        expect([first, [REQUEST_NOT_PENDING, DONE]]).toContainEqual(outcomesOf([decided, accepted]));
        expect(await statusOf(bo, hub)).toBe('member');
        expect(await countOf(opine, hub, bo, 'hub_member_joined')).toBe(1);
        expect(await openRequestsOf(amara, hub)).toEqual([]);
        expect(outcomeOf(await requestDecide(amara, hub, request, 'approve'))).toBe(REQUEST_NOT_PENDING);
        await expectSound(opine, hub, 2);
      },
    );
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
      expect(outcomeOf(revoked)).toBe(DONE);
      expect([201, 'INVITE_LINK_NOT_FOUND']).toContain(outcomeOf(requested));
      expect(await openRequestsOf(amara, hub)).toHaveLength(requested.status === 201 ? 1 : 0);
    });
  });
});
