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

const OVER = 'JOIN_REQUEST_NOT_PENDING';
const USED = 'INVITATION_NOT_PENDING';

describe.each(ROUNDS)('at once, round %i', (round) => {
  const meet = <A extends Acts>(...acts: A) => meetIn(opine, round, hub, [amara, jonas, bo, sam], ...acts);

  beforeEach(async () => {
    hub = await aHub(amara);
  });

  test('one number is invited twice: that is one invitation, of one address', async () => {
    const phoneNumber = aNumber();
    const invite = () => requestInvite(amara, hub, phoneNumber);
    const replies = await meet(invite, invite);
    expect(outcomesOf(replies)).toEqual([201, 201]);
    const invitations: Json[] = replies.map(({ data }) => data.items[0]);
    expect(new Set(idsOf(invitations)).size).toBe(1);
    const tokens = invitations.map(({ inviteUrl }) => tokenIn(inviteUrl));
    const looks = await Promise.all(tokens.map((token) => lookUp(bo, token)));
    expect(sortedOutcomes(looks)).toEqual([String(DONE), 'INVITATION_NOT_FOUND']);
  });

  describe('an invitation is accepted', () => {
    test('twice: once', async () => {
      const invitation = await anInvitation(amara, hub, bo);
      const accept = () => requestAccept(bo, invitation);
      expect(sortedOutcomes(await meet(accept, accept))).toEqual([String(DONE), USED]);
      expect(await typesAbout(opine, hub, bo)).toEqual(['hub_member_joined']);
      await expectSound(opine, hub, 2);
    });

    test('and declined: one of the two', async () => {
      const invitation = await anInvitation(amara, hub, bo);
      const outcomes = outcomesOf(
        await meet(
          () => requestAccept(bo, invitation),
          () => requestDecline(bo, invitation),
        ),
      );
      const isAccepted = outcomes[0] === DONE;
      expect(outcomes).toEqual(isAccepted ? [DONE, USED] : [USED, DONE]);
      expect(await stateOf(amara, hub, invitation)).toBe(isAccepted ? 'accepted' : 'declined');
      await expectSound(opine, hub, isAccepted ? 2 : 1);
    });

    test('with another one of another admin: one member', async () => {
      await join(amara, hub, [jonas], 'admin');
      const [hers, his] = [await anInvitation(amara, hub, bo), await anInvitation(jonas, hub, bo)];
      const replies = await meet(
        () => requestAccept(bo, hers),
        () => requestAccept(bo, his),
      );
      expect(sortedOutcomes(replies)).toEqual([String(DONE), USED]);
      expect(await countOf(opine, hub, bo, 'hub_member_joined')).toBe(1);
      await expectSound(opine, hub, 3);
    });

    test('of a member, while asking by a link: one request', async () => {
      await join(amara, hub, [jonas]);
      const [invitation, link] = [await anInvitation(jonas, hub, bo), await anInviteLink(amara, hub)];
      const [accepted, asked] = await meet(
        () => requestAccept(bo, invitation),
        () => requestJoin(bo, link),
      );
      const isAccepted = accepted.status === 200;
      expect(outcomesOf([accepted, asked])).toEqual(
        isAccepted ? [DONE, 'JOIN_REQUEST_PENDING'] : ['JOIN_REQUEST_PENDING', 201],
      );
      expect(await openRequestsOf(amara, hub)).toHaveLength(1);
      expect(await linksOf(amara, hub)).toMatchObject([{ useCount: isAccepted ? 0 : 1 }]);
      expect(await typesAbout(opine, hub, bo)).toEqual(['hub_join_request_created']);
    });

    test('of an admin, who is removed: a member, or one who waits', async () => {
      await join(amara, hub, [jonas], 'admin');
      const invitation = await anInvitation(jonas, hub, bo);
      const [accepted, removed] = await meet(
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

    test.each(['removed', 'gone'])('by a member who is %s: it brings nobody back', async (how) => {
      await join(amara, hub, [bo]);
      const invitation = await anInvitation(amara, hub, bo);
      const [accepted, ended] = await meet(
        () => requestAccept(bo, invitation),
        () => (how === 'removed' ? requestRemove(amara, hub, bo) : requestLeave(bo, hub)),
      );
      expect(outcomeOf(ended)).toBe(DONE);
      expect(['ALREADY_MEMBER', USED]).toContain(outcomeOf(accepted));
      expect(outcomeOf(await requestAccept(bo, invitation))).toBe(USED);
      expect(await statusOf(bo, hub)).toBe('none');
      expect(await stateOf(amara, hub, invitation)).toBe('expired');
      await expectSound(opine, hub, 1);
    });

    test.each(['approve', 'reject'] as const)('of an admin, who %ss: a member, once', async (verdict) => {
      const request = await aJoinRequest(amara, hub, bo);
      const invitation = await anInvitation(amara, hub, bo);
      const [decided, accepted] = await meet(
        () => requestDecide(amara, hub, request, verdict),
        () => requestAccept(bo, invitation),
      );
      const first = [DONE, verdict === 'approve' ? USED : DONE];
      expect([first, [OVER, DONE]]).toContainEqual(outcomesOf([decided, accepted]));
      expect(await statusOf(bo, hub)).toBe('member');
      expect(await countOf(opine, hub, bo, 'hub_member_joined')).toBe(1);
      expect(await openRequestsOf(amara, hub)).toEqual([]);
      expect(outcomeOf(await requestDecide(amara, hub, request, 'approve'))).toBe(OVER);
      await expectSound(opine, hub, 2);
    });
  });

  describe('a link for three', () => {
    test('is used by eight people: by three of them', async () => {
      const link = await anInviteLink(amara, hub, { maxUses: 3 });
      const replies = await meet(...audience.map((person) => () => requestJoin(person, link)));
      const [asked, refused] = [Array(3).fill('201'), Array(5).fill('INVITE_LINK_NOT_FOUND')];
      expect(sortedOutcomes(replies)).toEqual([...asked, ...refused]);
      expect(await linksOf(amara, hub)).toMatchObject([{ useCount: 3 }]);
      expect(await openRequestsOf(amara, hub)).toHaveLength(3);
      const events = await Promise.all(audience.map((person) => typesAbout(opine, hub, person)));
      expect(events.flat()).toEqual(Array(3).fill('hub_join_request_created'));
    });

    test('is used by one person five times: once', async () => {
      const link = await anInviteLink(amara, hub, { maxUses: 3 });
      const replies = await meet(...[1, 2, 3, 4, 5].map(() => () => requestJoin(bo, link)));
      expect(sortedOutcomes(replies)).toEqual(['201', ...Array(4).fill('JOIN_REQUEST_PENDING')]);
      expect(await linksOf(amara, hub)).toMatchObject([{ useCount: 1 }]);
      expect(await openRequestsOf(amara, hub)).toHaveLength(1);
    });

    test('is revoked while somebody uses it: before or after', async () => {
      const link = await anInviteLink(amara, hub, { maxUses: 3 });
      const [revoked, asked] = await meet(
        () => amara.delete(`/hubs/${hub.id}/invite-links/${link.id}`),
        () => requestJoin(bo, link),
      );
      expect(outcomeOf(revoked)).toBe(DONE);
      expect([201, 'INVITE_LINK_NOT_FOUND']).toContain(outcomeOf(asked));
      expect(await openRequestsOf(amara, hub)).toHaveLength(asked.status === 201 ? 1 : 0);
    });
  });
});
