import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Json, refusal } from '../support/client.ts';
import { timePasses } from '../support/clock.ts';
import { aNumber } from '../support/contacts.ts';
import { block, granted, unblock } from '../support/graph.ts';
import {
  aHub,
  aMemberOf,
  anInvitation,
  hubSeenBy,
  type Role,
  requestAccept,
  requestDecline,
  requestInvite,
  tokenIn,
} from '../support/hubs.ts';
import { hubsOf, invitationsOf, lookUp, previewOf, signUp, stateOf } from '../support/invitations.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aConfirmed, aHubReady, aPhone, type Person, signIn } from '../support/people.ts';

let opine: Opine;
let amara: Person;
let hub: Json;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

beforeEach(async () => {
  amara = await aHubReady(opine, 'Amara Okafor');
  hub = await aHub(amara);
});

const NOT_FOUND = refusal(404, 'INVITATION_NOT_FOUND');

/** A number of each kind: of nobody, of somebody on each step of the way, of members, of who does not want to. */
async function everyKindOfNumber(inviter: Person): Promise<string[]> {
  const signedIn = aPhone();
  await signIn(opine, signedIn);
  const [blocker, blocked, gone] = [await aHubReady(opine), await aHubReady(opine), await aHubReady(opine)];
  await block(blocker, inviter);
  await block(inviter, blocked);
  await granted(gone.delete('/users/me'));
  const member = await aMemberOf(opine, amara, hub);
  const people = [await aConfirmed(opine), await aHubReady(opine), member, blocker, blocked, gone, inviter];
  return [aNumber(), aPhone(), signedIn, ...people.map(({ phoneNumber }) => phoneNumber)];
}

/** An invitation without what is of its own. */
function alike({ id, phoneNumber, inviteUrl, shareText, ...rest }: Json): Json {
  return { ...rest, inviteUrl: inviteUrl?.length, shareText: shareText?.replace(inviteUrl, '') };
}

describe.each<Role>(['member', 'admin'])('a %s who invites', (role) => {
  let inviter: Person;
  let numbers: string[];

  beforeEach(async () => {
    inviter = await aMemberOf(opine, amara, hub, 'Jonas', role);
    numbers = await everyKindOfNumber(inviter);
  });

  test('is answered the same for every number', async () => {
    const { status, data } = await requestInvite(inviter, hub, ...numbers);
    expect(status).toBe(201);
    expect(data.items.map(({ phoneNumber }: Json) => phoneNumber)).toEqual(numbers);
    for (const item of data.items) expect(alike(item)).toEqual(alike(data.items[0]));
  });

  test('finds the same in the list for every number', async () => {
    await granted(requestInvite(inviter, hub, ...numbers));
    const own = (await invitationsOf(inviter, hub)).filter(
      ({ invitedBy, state }) => invitedBy.userId === inviter.id && state === 'pending',
    );
    expect(own).toHaveLength(numbers.length);
    for (const item of own) expect(alike(item)).toEqual(alike(own[0]));
  });

  test('leaves the same behind for every number', async () => {
    const before = await hubSeenBy(inviter, hub);
    const { items } = await granted(requestInvite(inviter, hub, ...numbers));
    expect(await hubSeenBy(inviter, hub)).toEqual(before);
    for (const { id } of items) {
      const { rows } = await sql<Json>`
        select type::text as type, actor_id, subject_id from app.events where invitation_id = ${id}
      `.execute(opine.database.superuser);
      expect(rows).toEqual([{ type: 'hub_invite_received', actor_id: inviter.id, subject_id: null }]);
    }
  });
});

test('the list does not show that somebody signs up, looks, and stays silent', async () => {
  const phoneNumber = aPhone();
  const { inviteUrl } = await anInvitation(amara, hub, { phoneNumber });
  await granted(requestInvite(amara, hub, aNumber()));
  const before = await invitationsOf(amara, hub);
  const newcomer = await signUp(opine, phoneNumber);
  expect((await hubSeenBy(newcomer, hub)).viewerStatus).toBe('invited');
  expect(await hubsOf(newcomer)).toHaveLength(1);
  await granted(lookUp(newcomer, tokenIn(inviteUrl)));
  expect(await invitationsOf(amara, hub)).toEqual(before);
  await granted(newcomer.delete('/users/me'));
  expect(await invitationsOf(amara, hub)).toEqual(before);
});

describe('an invitation is answered by the owner of its phone', () => {
  test('and by nobody else, even with its address', async () => {
    const invitation = await anInvitation(amara, hub, await aHubReady(opine));
    const others = [amara, await aMemberOf(opine, amara, hub), await aHubReady(opine)];
    for (const other of others) {
      await granted(lookUp(other, tokenIn(invitation.inviteUrl)));
      expect(await requestAccept(other, invitation)).toMatchObject(NOT_FOUND);
      expect(await requestDecline(other, invitation)).toMatchObject(NOT_FOUND);
    }
    expect(await stateOf(amara, hub, invitation)).toBe('pending');
  });

  test('whoever that is by then', async () => {
    const before = await aHubReady(opine);
    const invitation = await anInvitation(amara, hub, before);
    await granted(before.delete('/users/me'));
    await timePasses(opine, '2 minutes');
    const after = await signUp(opine, before.phoneNumber);
    expect((await requestAccept(after, invitation)).data).toMatchObject({ viewerStatus: 'member' });
    expect(await stateOf(amara, hub, invitation)).toBe('accepted');
  });

  test('who does not see it where another phone of the hub is invited', async () => {
    await anInvitation(amara, hub, { phoneNumber: aNumber() });
    const bo = await aHubReady(opine);
    expect(await hubSeenBy(bo, hub)).toEqual(previewOf(hub));
    expect(await hubsOf(bo)).toEqual([]);
  });
});

describe.each(['the invited', 'the inviter'])('where %s blocks the other', (who) => {
  let bo: Person;
  let blocker: Person;
  let blocked: Person;

  beforeEach(async () => {
    bo = await aHubReady(opine, 'Bo');
    [blocker, blocked] = who === 'the inviter' ? [amara, bo] : [bo, amara];
  });

  test('the invited has no invitation, and the inviter sees none of it', async () => {
    const invitation = await anInvitation(amara, hub, bo);
    const before = await invitationsOf(amara, hub);
    await block(blocker, blocked);
    expect(await hubSeenBy(bo, hub)).toEqual(previewOf(hub));
    expect(await hubsOf(bo)).toEqual([]);
    expect((await lookUp(bo, tokenIn(invitation.inviteUrl))).data?.hub.viewerStatus).not.toBe('invited');
    expect(await requestAccept(bo, invitation)).toMatchObject(NOT_FOUND);
    expect(await requestDecline(bo, invitation)).toMatchObject(NOT_FOUND);
    expect(await invitationsOf(amara, hub)).toEqual(before);
  });

  test('one who is invited after that has none either', async () => {
    await block(blocker, blocked);
    const invitation = await anInvitation(amara, hub, bo);
    expect((await hubSeenBy(bo, hub)).viewerStatus).toBe('none');
    expect(await requestAccept(bo, invitation)).toMatchObject(NOT_FOUND);
  });

  test('the invitation of somebody else still counts', async () => {
    const jonas = await aMemberOf(opine, amara, hub, 'Jonas', 'admin');
    await block(blocker, blocked);
    await anInvitation(amara, hub, bo);
    const his = await anInvitation(jonas, hub, bo);
    expect(await hubSeenBy(bo, hub)).toMatchObject({ viewerStatus: 'invited', invitationId: his.id });
    expect((await requestAccept(bo, his)).status).toBe(200);
  });

  test('it is there again when the block ends', async () => {
    const invitation = await anInvitation(amara, hub, bo);
    await block(blocker, blocked);
    await unblock(blocker, blocked);
    expect(await hubSeenBy(bo, hub)).toMatchObject({ viewerStatus: 'invited', invitationId: invitation.id });
    expect((await requestAccept(bo, invitation)).status).toBe(200);
  });
});
