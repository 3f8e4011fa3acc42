import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { aNumber } from './builders/contacts.ts';
import { untilGone } from './builders/departures.ts';
import { granted, idsOf } from './builders/graph.ts';
import {
  aHub,
  aJoinRequest,
  anInvitation,
  anInviteLink,
  askToAccept,
  askToAppoint,
  askToDecide,
  askToDecline,
  askToDismiss,
  askToInvite,
  askToJoin,
  askToLeave,
  askToRemove,
  hubSeenBy,
  join,
  tokenIn,
} from './builders/hubs.ts';
import {
  atOnce,
  expectSound,
  invitationsOf,
  linksOf,
  lookUp,
  openRequestsOf,
  outcomeOf,
  stateOf,
  typesAbout,
} from './builders/invitations.ts';
import { aHubReady, type Person } from './builders/people.ts';
import type { Client, Json, Reply } from './harness/client.ts';
import { type Opine, startOpine } from './harness/opine.ts';

let opine: Opine;
let amara: Person;
let jonas: Person;
let bo: Person;
let sam: Person;
let crowd: Person[];
let hub: Json;

beforeAll(async () => {
  opine = await startOpine();
  [amara, jonas] = [await aHubReady(opine, 'Amara'), await aHubReady(opine, 'Jonas')];
  [bo, sam] = [await aHubReady(opine, 'Bo'), await aHubReady(opine, 'Sam')];
  crowd = [bo, sam];
  while (crowd.length < 8) crowd.push(await aHubReady(opine));
});

afterAll(() => opine.stop());

const DONE = 200;
const OVER = 'JOIN_REQUEST_NOT_PENDING';
const USED = 'INVITATION_NOT_PENDING';

/** What became of requests; nothing that fails is ever one of it. */
const outcomesOf = (replies: readonly Reply[]) => replies.map(outcomeOf);
const sortedOutcomes = (replies: readonly Reply[]) => outcomesOf(replies).map(String).sort();
const statusOf = async (person: Client) => (await hubSeenBy(person, hub)).viewerStatus;
const countOf = async (person: Person, type: string) =>
  (await typesAbout(opine, hub, person)).filter((each) => each === type).length;

// Each pair of requests meets in four ways: see atOnce.
describe.each([1, 2, 3, 4])('at once, round %i', (round) => {
  async function meet<A extends readonly (() => Promise<Reply>)[]>(...acts: A) {
    // That somebody has used the hub is noted before anything else, unless it was a moment ago.
    for (const person of [amara, jonas, bo, sam]) await person.get(`/hubs/${hub.id}/members`);
    return atOnce(opine, round, ...acts);
  }

  beforeEach(async () => {
    hub = await aHub(amara);
  });

  describe('two admins', () => {
    beforeEach(() => join(amara, hub, [jonas], 'admin'));

    test('decide one request: one verdict stands', async () => {
      const request = await aJoinRequest(amara, hub, bo);
      const outcomes = outcomesOf(
        await meet(
          () => askToDecide(amara, hub, request, 'approve'),
          () => askToDecide(jonas, hub, request, 'reject'),
        ),
      );
      const isApproved = outcomes[0] === DONE;
      expect(outcomes).toEqual(isApproved ? [DONE, OVER] : [OVER, DONE]);
      expect(await statusOf(bo)).toBe(isApproved ? 'member' : 'none');
      const approved = ['hub_join_request_approved', 'hub_join_request_created', 'hub_member_joined'];
      const rejected = ['hub_join_request_created', 'hub_join_request_rejected'];
      expect(await typesAbout(opine, hub, bo)).toEqual(isApproved ? approved : rejected);
      await expectSound(opine, hub, isApproved ? 3 : 2);
    });

    test('approve one request: one of them lets one member in', async () => {
      const request = await aJoinRequest(amara, hub, bo);
      const approve = (admin: Client) => () => askToDecide(admin, hub, request, 'approve');
      expect(sortedOutcomes(await meet(approve(amara), approve(jonas)))).toEqual([String(DONE), OVER]);
      expect(await countOf(bo, 'hub_member_joined')).toBe(1);
      await expectSound(opine, hub, 3);
    });

    test('leave, and others stay: one of them has to stay as well', async () => {
      await join(amara, hub, [bo]);
      const replies = await meet(
        () => askToLeave(amara, hub),
        () => askToLeave(jonas, hub),
      );
      expect(sortedOutcomes(replies)).toEqual([String(DONE), 'LAST_ADMIN']);
      await expectSound(opine, hub, 2);
    });

    test('leave who are all there is: the hub is closed', async () => {
      const replies = await meet(
        () => askToLeave(amara, hub),
        () => askToLeave(jonas, hub),
      );
      expect(outcomesOf(replies)).toEqual([DONE, DONE]);
      await expectSound(opine, hub, 0);
    });

    test('dismiss each other: one is an admin still', async () => {
      const replies = await meet(
        () => askToDismiss(amara, hub, jonas),
        () => askToDismiss(jonas, hub, amara),
      );
      expect(sortedOutcomes(replies)).toEqual([String(DONE), 'FORBIDDEN']);
      await expectSound(opine, hub, 2);
    });

    test('step down: one is an admin still', async () => {
      const replies = await meet(
        () => askToDismiss(amara, hub, amara),
        () => askToAppoint(jonas, hub, jonas, 'manager'),
      );
      expect(sortedOutcomes(replies)).toEqual([String(DONE), 'LAST_ADMIN']);
      await expectSound(opine, hub, 2);
    });

    test('remove each other: one is a member still, and an admin', async () => {
      const replies = await meet(
        () => askToRemove(amara, hub, jonas),
        () => askToRemove(jonas, hub, amara),
      );
      expect(sortedOutcomes(replies)).toEqual([String(DONE), 'MEMBER_NOT_FOUND']);
      await expectSound(opine, hub, 1);
    });

    test('remove one member: one of them does', async () => {
      await join(amara, hub, [bo, sam]);
      const replies = await meet(
        () => askToRemove(amara, hub, bo),
        () => askToRemove(jonas, hub, bo),
      );
      expect(sortedOutcomes(replies)).toEqual([String(DONE), 'MEMBER_NOT_FOUND']);
      expect(await countOf(bo, 'hub_member_removed')).toBe(1);
      await expectSound(opine, hub, 3);
    });

    test('are removed and left alone: one leaves, one removes the other, one of it happens', async () => {
      await join(amara, hub, [bo]);
      const [removing, leaving] = await meet(
        () => askToRemove(amara, hub, jonas),
        () => askToLeave(amara, hub),
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
        () => askToRemove(amara, hub, jonas),
      );
      expect(outcomeOf(removed)).toBe(DONE);
      expect(REMOVED).toContain(outcomeOf(made));
      expect(await linksOf(amara, hub)).toHaveLength(made.status === 201 ? 1 : 0);
    });

    test('invites before that, or not', async () => {
      const [invited, removed] = await meet(
        () => askToInvite(jonas, hub, aNumber()),
        () => askToRemove(amara, hub, jonas),
      );
      expect(outcomeOf(removed)).toBe(DONE);
      expect(REMOVED).toContain(outcomeOf(invited));
      // The other one is that by which Jonas came.
      expect(await invitationsOf(amara, hub)).toHaveLength(invited.status === 201 ? 2 : 1);
    });
  });

  test('one number is invited twice: that is one invitation, of one address', async () => {
    const phoneNumber = aNumber();
    const invite = () => askToInvite(amara, hub, phoneNumber);
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
      const accept = () => askToAccept(bo, invitation);
      expect(sortedOutcomes(await meet(accept, accept))).toEqual([String(DONE), USED]);
      expect(await typesAbout(opine, hub, bo)).toEqual(['hub_member_joined']);
      await expectSound(opine, hub, 2);
    });

    test('and declined: one of the two', async () => {
      const invitation = await anInvitation(amara, hub, bo);
      const outcomes = outcomesOf(
        await meet(
          () => askToAccept(bo, invitation),
          () => askToDecline(bo, invitation),
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
        () => askToAccept(bo, hers),
        () => askToAccept(bo, his),
      );
      expect(sortedOutcomes(replies)).toEqual([String(DONE), USED]);
      expect(await countOf(bo, 'hub_member_joined')).toBe(1);
      await expectSound(opine, hub, 3);
    });

    test('of a member, while asking by a link: one request', async () => {
      await join(amara, hub, [jonas]);
      const [invitation, link] = [await anInvitation(jonas, hub, bo), await anInviteLink(amara, hub)];
      const [accepted, asked] = await meet(
        () => askToAccept(bo, invitation),
        () => askToJoin(bo, link),
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
        () => askToAccept(bo, invitation),
        () => askToRemove(amara, hub, jonas),
      );
      expect(outcomesOf([accepted, removed])).toEqual([DONE, DONE]);
      const { viewerStatus } = accepted.data;
      expect(await statusOf(bo)).toBe(viewerStatus);
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
        () => askToAccept(bo, invitation),
        () => (how === 'removed' ? askToRemove(amara, hub, bo) : askToLeave(bo, hub)),
      );
      expect(outcomeOf(ended)).toBe(DONE);
      expect(['ALREADY_MEMBER', USED]).toContain(outcomeOf(accepted));
      expect(outcomeOf(await askToAccept(bo, invitation))).toBe(USED);
      expect(await statusOf(bo)).toBe('none');
      expect(await stateOf(amara, hub, invitation)).toBe('expired');
      await expectSound(opine, hub, 1);
    });

    test.each(['approve', 'reject'] as const)('of an admin, who %ss: a member, once', async (verdict) => {
      const request = await aJoinRequest(amara, hub, bo);
      const invitation = await anInvitation(amara, hub, bo);
      const [decided, accepted] = await meet(
        () => askToDecide(amara, hub, request, verdict),
        () => askToAccept(bo, invitation),
      );
      const first = [DONE, verdict === 'approve' ? USED : DONE];
      expect([first, [OVER, DONE]]).toContainEqual(outcomesOf([decided, accepted]));
      expect(await statusOf(bo)).toBe('member');
      expect(await countOf(bo, 'hub_member_joined')).toBe(1);
      expect(await openRequestsOf(amara, hub)).toEqual([]);
      expect(outcomeOf(await askToDecide(amara, hub, request, 'approve'))).toBe(OVER);
      await expectSound(opine, hub, 2);
    });
  });

  describe('a link for three', () => {
    test('is used by eight people: by three of them', async () => {
      const link = await anInviteLink(amara, hub, { maxUses: 3 });
      const replies = await meet(...crowd.map((person) => () => askToJoin(person, link)));
      const [asked, refused] = [Array(3).fill('201'), Array(5).fill('INVITE_LINK_NOT_FOUND')];
      expect(sortedOutcomes(replies)).toEqual([...asked, ...refused]);
      expect(await linksOf(amara, hub)).toMatchObject([{ useCount: 3 }]);
      expect(await openRequestsOf(amara, hub)).toHaveLength(3);
      const events = await Promise.all(crowd.map((person) => typesAbout(opine, hub, person)));
      expect(events.flat()).toEqual(Array(3).fill('hub_join_request_created'));
    });

    test('is used by one person five times: once', async () => {
      const link = await anInviteLink(amara, hub, { maxUses: 3 });
      const replies = await meet(...[1, 2, 3, 4, 5].map(() => () => askToJoin(bo, link)));
      expect(sortedOutcomes(replies)).toEqual(['201', ...Array(4).fill('JOIN_REQUEST_PENDING')]);
      expect(await linksOf(amara, hub)).toMatchObject([{ useCount: 1 }]);
      expect(await openRequestsOf(amara, hub)).toHaveLength(1);
    });

    test('is revoked while somebody uses it: before or after', async () => {
      const link = await anInviteLink(amara, hub, { maxUses: 3 });
      const [revoked, asked] = await meet(
        () => amara.delete(`/hubs/${hub.id}/invite-links/${link.id}`),
        () => askToJoin(bo, link),
      );
      expect(outcomeOf(revoked)).toBe(DONE);
      expect([201, 'INVITE_LINK_NOT_FOUND']).toContain(outcomeOf(asked));
      expect(await openRequestsOf(amara, hub)).toHaveLength(asked.status === 201 ? 1 : 0);
    });
  });

  describe('the last member leaves', () => {
    test('while somebody is approved: the hub is closed, or has both', async () => {
      const request = await aJoinRequest(amara, hub, bo);
      const outcomes = outcomesOf(
        await meet(
          () => askToLeave(amara, hub),
          () => askToDecide(amara, hub, request, 'approve'),
        ),
      );
      const isClosed = outcomes[0] === DONE;
      expect(outcomes).toEqual(isClosed ? [DONE, 'HUB_NOT_FOUND'] : ['LAST_ADMIN', DONE]);
      expect(await countOf(bo, 'hub_member_joined')).toBe(isClosed ? 0 : 1);
      await expectSound(opine, hub, isClosed ? 0 : 2);
    });

    test('while somebody accepts: the hub is closed, or has both', async () => {
      const invitation = await anInvitation(amara, hub, bo);
      const outcomes = outcomesOf(
        await meet(
          () => askToLeave(amara, hub),
          () => askToAccept(bo, invitation),
        ),
      );
      const isClosed = outcomes[0] === DONE;
      expect(outcomes).toEqual(isClosed ? [DONE, 'INVITATION_NOT_FOUND'] : ['LAST_ADMIN', DONE]);
      await expectSound(opine, hub, isClosed ? 0 : 2);
    });

    test('but one, and the last one too: the admin stays until the other has left', async () => {
      await join(amara, hub, [bo]);
      const [hers, his] = await meet(
        () => askToLeave(amara, hub),
        () => askToLeave(bo, hub),
      );
      expect(outcomeOf(his)).toBe(DONE);
      expect([DONE, 'LAST_ADMIN']).toContain(outcomeOf(hers));
      await expectSound(opine, hub, hers.status === 200 ? 0 : 1);
    });

    test('while inviting and making a link: neither leads anywhere', async () => {
      const phoneNumber = aNumber();
      const [left, invited, linked] = await meet(
        () => askToLeave(amara, hub),
        () => askToInvite(amara, hub, phoneNumber),
        () => amara.post(`/hubs/${hub.id}/invite-links`, {}),
      );
      expect(outcomeOf(left)).toBe(DONE);
      for (const made of [invited, linked]) expect([201, 'HUB_NOT_FOUND']).toContain(outcomeOf(made));
      if (invited.status === 201) {
        const token = tokenIn(invited.data.items[0].inviteUrl);
        expect(outcomeOf(await lookUp(bo, token))).toBe('INVITATION_NOT_FOUND');
      }
      if (linked.status === 201)
        expect(outcomeOf(await askToJoin(bo, linked.data))).toBe('INVITE_LINK_NOT_FOUND');
      await expectSound(opine, hub, 0);
    });

    test('while somebody asks to join: who asked waits nowhere', async () => {
      const link = await anInviteLink(amara, hub);
      const [left, asked] = await meet(
        () => askToLeave(amara, hub),
        () => askToJoin(bo, link),
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
          how === 'approved' ? askToDecide(amara, hub, request, 'approve') : askToAccept(person, invitation),
      );
      expect(outcomeOf(ended)).toBe(DONE);
      expect([200, 401, 404, 409]).toContain(entered.status);
      await untilGone(opine, person.id);
      expect(await openRequestsOf(amara, hub)).toEqual([]);
      await expectSound(opine, hub, 1);
    },
  );

  test('a member leaves and is removed: one of the two', async () => {
    await join(amara, hub, [bo]);
    const outcomes = outcomesOf(
      await meet(
        () => askToLeave(bo, hub),
        () => askToRemove(amara, hub, bo),
      ),
    );
    const hasLeft = outcomes[0] === DONE;
    expect(outcomes).toEqual(hasLeft ? [DONE, 'MEMBER_NOT_FOUND'] : ['FORBIDDEN', DONE]);
    expect(await countOf(bo, 'hub_member_removed')).toBe(hasLeft ? 0 : 1);
    await expectSound(opine, hub, 1);
  });
});
