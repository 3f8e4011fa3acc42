import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { expectOk, type Json, refusal } from '../support/client.ts';
import { contactNumber } from '../support/contacts.ts';
import { block } from '../support/graph.ts';
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
import {
  hubsOf,
  invitationsOf,
  previewOf,
  requestInvitationByToken,
  signUp,
  stateOf,
} from '../support/invitations.ts';
import { advanceTime, type Opine, startOpine } from '../support/opine.ts';
import { confirmedPerson, hubReadyPerson, newPhoneNumber, type Person, signIn } from '../support/people.ts';

let opine: Opine;
let amara: Person;
let hub: Json;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

beforeEach(async () => {
  amara = await hubReadyPerson(opine, 'Amara Okafor');
  hub = await aHub(amara);
});

const NOT_FOUND = refusal(404, 'INVITATION_NOT_FOUND');

/** Returns numbers without account, at each level, of members, of blocked pairs, of a deleted account and of `inviter`. */
async function numbersOfEveryKind(inviter: Person): Promise<string[]> {
  const signedIn = newPhoneNumber();
  await signIn(opine, signedIn);
  const [blocker, blocked, deleted] = [
    await hubReadyPerson(opine),
    await hubReadyPerson(opine),
    await hubReadyPerson(opine),
  ];
  await block(blocker, inviter);
  await block(inviter, blocked);
  await expectOk(deleted.delete('/users/me'));
  const member = await aMemberOf(opine, amara, hub);
  const people = [
    await confirmedPerson(opine),
    await hubReadyPerson(opine),
    member,
    blocker,
    blocked,
    deleted,
    inviter,
  ];
  return [contactNumber(), newPhoneNumber(), signedIn, ...people.map(({ phoneNumber }) => phoneNumber)];
}

/** Returns an invitation without its id, number, address and token. */
function withoutIdentity({ id, phoneNumber, inviteUrl, shareText, ...rest }: Json): Json {
  return { ...rest, inviteUrl: inviteUrl?.length, shareText: shareText?.replace(inviteUrl, '') };
}

test.each<Role>(['member', 'admin'])(
  'answer, list, Hub and event of the invitations of a %s are the same for every kind of number',
  async (role) => {
    const inviter = await aMemberOf(opine, amara, hub, 'Jonas', role);
    const numbers = await numbersOfEveryKind(inviter);
    const before = await hubSeenBy(inviter, hub);
    const { status, data } = await requestInvite(inviter, hub, ...numbers);
    expect(status).toBe(201);
    expect(data.items.map(({ phoneNumber }: Json) => phoneNumber)).toEqual(numbers);
    const own = (await invitationsOf(inviter, hub)).filter(
      ({ invitedBy, state }) => invitedBy.userId === inviter.id && state === 'pending',
    );
    expect(own).toHaveLength(numbers.length);
    for (const items of [data.items, own])
      for (const item of items) expect(withoutIdentity(item)).toEqual(withoutIdentity(items[0]));
    expect(await hubSeenBy(inviter, hub)).toEqual(before);
    for (const { id } of data.items) {
      const { rows } = await sql<Json>`
        select type::text as type, actor_id, subject_id from app.events where invitation_id = ${id}
      `.execute(opine.database.superuser);
      expect(rows).toEqual([{ type: 'hub_invite_received', actor_id: inviter.id, subject_id: null }]);
    }
  },
);

// docs/product.md H12, I18
test('the invitation list does not change when the invited person signs up, looks or deletes their account', async () => {
  const phoneNumber = newPhoneNumber();
  const { inviteUrl } = await anInvitation(amara, hub, { phoneNumber });
  await expectOk(requestInvite(amara, hub, contactNumber()));
  const before = await invitationsOf(amara, hub);
  const newcomer = await signUp(opine, phoneNumber);
  expect((await hubSeenBy(newcomer, hub)).viewerStatus).toBe('invited');
  expect(await hubsOf(newcomer)).toHaveLength(1);
  await expectOk(requestInvitationByToken(newcomer, tokenIn(inviteUrl)));
  expect(await invitationsOf(amara, hub)).toEqual(before);
  await expectOk(newcomer.delete('/users/me'));
  expect(await invitationsOf(amara, hub)).toEqual(before);
});

// docs/product.md H13
test('a new owner of the phone accepts an invitation made for the previous owner', async () => {
  const before = await hubReadyPerson(opine);
  const invitation = await anInvitation(amara, hub, before);
  await expectOk(before.delete('/users/me'));
  await advanceTime(opine, '2 minutes');
  const after = await signUp(opine, before.phoneNumber);
  expect((await requestAccept(after, invitation)).data).toMatchObject({ viewerStatus: 'member' });
  expect(await stateOf(amara, hub, invitation)).toBe('accepted');
});

test.each(['the invited person', 'the inviter'])(
  'an invitation is 404 for the invited person and unchanged for the inviter if %s blocks the other',
  async (blockingSide) => {
    const bo = await hubReadyPerson(opine, 'Bo');
    const [blocker, blocked] = blockingSide === 'the inviter' ? [amara, bo] : [bo, amara];
    const invitation = await anInvitation(amara, hub, bo);
    const before = await invitationsOf(amara, hub);
    await block(blocker, blocked);
    expect(await hubSeenBy(bo, hub)).toEqual(previewOf(hub));
    expect(await hubsOf(bo)).toEqual([]);
    const lookUp = await requestInvitationByToken(bo, tokenIn(invitation.inviteUrl));
    expect(lookUp.data?.hub.viewerStatus).not.toBe('invited');
    expect(await requestAccept(bo, invitation)).toMatchObject(NOT_FOUND);
    expect(await requestDecline(bo, invitation)).toMatchObject(NOT_FOUND);
    expect(await invitationsOf(amara, hub)).toEqual(before);
  },
);
