import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countIn, untilGone } from '../support/account-deletions.ts';
import { type Client, clientOf, type Json, refusal } from '../support/client.ts';
import { timePasses } from '../support/clock.ts';
import {
  aCircle,
  aDiscussingCircle,
  discussionsOf,
  messagesOf,
  NOBODY_ANY_MORE,
  requestSave,
  savedBy,
} from '../support/discussions.ts';
import { everybodyIn, everyPage, granted } from '../support/graph.ts';
import {
  aHub,
  aHubPost,
  aJoinRequest,
  aMemberOf,
  aMessage,
  anInvitation,
  discussionOf,
  type Hub,
  hubSeenBy,
  join,
  requestAccept,
  requestAppoint,
  requestDecline,
} from '../support/hubs.ts';
import { aHubReady, type Person, signIn } from '../support/people.ts';
import { aPng } from '../support/pictures.ts';
import { type StoringOpine, startStoringOpine } from '../support/storage.ts';
import { anUpload, everythingIn } from '../support/uploads.ts';
import { expectOnceWorked } from '../support/worker.ts';

let opine: StoringOpine;

beforeAll(async () => {
  opine = await startStoringOpine();
});

afterAll(() => opine.stop());

/** The account of `person` ends, and the worker has done its part. */
async function end(person: Person): Promise<void> {
  await granted(person.delete('/users/me'));
  await untilGone(opine, person.id);
}

const itemsOf = async (viewer: Client, { id }: Hub, list: string): Promise<Json[]> =>
  (await everyPage(viewer, `/hubs/${id}/${list}`)).flat();

/** The members of `hub` with their roles, as `member` sees them. */
const rolesIn = async (member: Client, hub: Hub): Promise<Record<string, string>> =>
  Object.fromEntries((await itemsOf(member, hub, 'members')).map(({ userId, role }) => [userId, role]));

/** Somebody new, Hub-ready, whose phone was somebody else's. */
async function whoGets(phoneNumber: string): Promise<Client> {
  await timePasses(opine, '1 minute');
  const next = clientOf(opine.url, (await signIn(opine, phoneNumber)).accessToken);
  const username = `next_${phoneNumber.slice(1)}`;
  await granted(
    next.put('/users/me/onboarding/profile-basics', { fullName: 'Next', username, termsAccepted: true }),
  );
  await granted(next.put('/users/me/onboarding/media', {}));
  await granted(next.put('/users/me/onboarding/contacts', { permission: 'granted' }));
  return next;
}

describe('whose account ends', () => {
  test('leaves their Hubs, and nothing of them is stored there', async () => {
    const { hub, amara, jonas, discussion } = await aDiscussingCircle(opine);
    const applied = await aHub(amara);
    await aJoinRequest(amara, applied, jonas);
    await granted(requestSave(jonas, discussion));
    await granted(jonas.patch(`/hubs/${hub.id}/notification-settings`, { contentMuted: true }));
    await end(jonas);
    expect((await hubSeenBy(amara, hub)).memberCount).toBe(1);
    expect(await rolesIn(amara, hub)).toEqual({ [amara.id]: 'admin' });
    expect(await itemsOf(amara, applied, 'join-requests')).toEqual([]);
    const tables = ['memberships', 'join_requests', 'saved_discussions', 'hub_mutes', 'member_names'];
    for (const table of tables) expect(await countIn(opine, `app.${table}`, 'user_id', jonas.id)).toBe(0);
  });

  test('takes their posts along, with what others said below them', async () => {
    const { hub, amara, jonas, discussion } = await aDiscussingCircle(opine);
    const theirs = await aHubPost(jonas, [hub]);
    const below = await discussionOf(amara, hub, theirs);
    await aMessage(amara, below);
    await granted(requestSave(amara, below));
    await end(jonas);
    expect(await everybodyIn(amara, `/hubs/${hub.id}/feed`)).toEqual([discussion.postId]);
    expect((await discussionsOf(amara, hub)).map(({ id }) => id)).toEqual([discussion.id]);
    expect(await savedBy(amara)).toEqual([]);
    expect(await countIn(opine, 'app.messages', 'discussion_id', below.id)).toBe(0);
  });

  test('leaves what they said to others, by nobody', async () => {
    const { amara, jonas, discussion } = await aDiscussingCircle(opine);
    await aMessage(jonas, discussion, 'I was here.');
    await end(jonas);
    expect(await messagesOf(amara, discussion)).toMatchObject([
      { text: 'I was here.', author: NOBODY_ANY_MORE },
    ]);
  });

  test('takes the photo along that they uploaded for a Hub', async () => {
    const { hub, amara, jonas } = await aCircle(opine);
    await granted(requestAppoint(amara, hub, jonas));
    const { assetId } = await anUpload(jonas, await aPng(), 'hub_photo');
    const shown = await granted(jonas.patch(`/hubs/${hub.id}`, { profileAssetId: assetId }));
    expect(shown.profilePhotoUrl).toContain(assetId);
    await end(jonas);
    expect((await hubSeenBy(amara, hub)).profilePhotoUrl).toBeNull();
    const lies = async () => (await everythingIn(opine.storage)).includes(`photos/${assetId}`);
    await expectOnceWorked(opine, lies).toBe(false);
  });

  test('takes no photo along that somebody else uploaded', async () => {
    const { hub, amara, jonas } = await aCircle(opine);
    const { assetId } = await anUpload(amara, await aPng(), 'hub_photo');
    await granted(amara.patch(`/hubs/${hub.id}`, { profileAssetId: assetId }));
    await end(jonas);
    expect((await hubSeenBy(amara, hub)).profilePhotoUrl).toContain(assetId);
    expect(await everythingIn(opine.storage)).toContain(`photos/${assetId}`);
  });
});

describe('a Hub whose only admin ends their account', () => {
  test('goes to the manager who has been there longest', async () => {
    const { hub, amara, jonas } = await aCircle(opine);
    const [lena, noor] = [
      await aMemberOf(opine, amara, hub, 'Lena'),
      await aMemberOf(opine, amara, hub, 'Noor'),
    ];
    await granted(requestAppoint(amara, hub, noor, 'manager'));
    await granted(requestAppoint(amara, hub, lena, 'manager'));
    await end(amara);
    expect(await rolesIn(jonas, hub)).toEqual({
      [jonas.id]: 'member',
      [lena.id]: 'admin',
      [noor.id]: 'manager',
    });
    expect((await hubSeenBy(lena, hub)).viewerRole).toBe('admin');
  });

  test('goes to the member who has been there longest, where there is no manager', async () => {
    const { hub, amara, jonas } = await aCircle(opine);
    const lena = await aMemberOf(opine, amara, hub, 'Lena');
    await end(amara);
    expect(await rolesIn(lena, hub)).toEqual({ [jonas.id]: 'admin', [lena.id]: 'member' });
  });

  test('stays with the other admins, where there are some', async () => {
    const { hub, amara, jonas } = await aCircle(opine);
    const lena = await aMemberOf(opine, amara, hub, 'Lena', 'admin');
    await end(amara);
    expect(await rolesIn(lena, hub)).toEqual({ [jonas.id]: 'member', [lena.id]: 'admin' });
  });

  test('closes where nobody else is there, and its link is free', async () => {
    const [amara, jonas] = [await aHubReady(opine), await aHubReady(opine)];
    const customLink = 'elm-street-ends';
    const hub = await aHub(amara, { customLink });
    const invitation = await anInvitation(amara, hub, jonas);
    await end(amara);
    expect(await jonas.get(`/hubs/${hub.id}`)).toMatchObject(refusal(404, 'HUB_NOT_FOUND'));
    expect(await requestAccept(jonas, invitation)).toMatchObject(refusal(404, 'INVITATION_NOT_FOUND'));
    const next = await aHub(jonas, { customLink });
    expect(next).toMatchObject({ customLink, memberCount: 1 });
  });
});

describe('invitations', () => {
  test('that named their phone and are decided are gone; open ones wait for the phone', async () => {
    const [amara, jonas] = [await aHubReady(opine), await aHubReady(opine)];
    const [accepted, declined, open] = [await aHub(amara), await aHub(amara), await aHub(amara)];
    await join(amara, accepted, [jonas]);
    await granted(requestDecline(jonas, await anInvitation(amara, declined, jonas)));
    const invitation = await anInvitation(amara, open, jonas);
    await end(jonas);
    for (const hub of [accepted, declined]) expect(await itemsOf(amara, hub, 'invitations')).toEqual([]);
    expect(await itemsOf(amara, open, 'invitations')).toMatchObject([
      { id: invitation.id, phoneNumber: jonas.phoneNumber, state: 'pending' },
    ]);
    const next = await whoGets(jonas.phoneNumber);
    expect(await granted(requestAccept(next, invitation))).toMatchObject({ viewerStatus: 'member' });
  });
});
