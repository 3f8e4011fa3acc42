import { expectOk, type Json, type Reply } from './client.ts';
import { aContact, personWithContacts } from './contacts.ts';
import { requestSaveDiscussion } from './discussions.ts';
import { addToDefaultFeed } from './feeds.ts';
import { block, follow, requestMute } from './graph.ts';
import {
  aHub,
  aHubPost,
  aJoinRequest,
  aMessage,
  anInvitation,
  discussionOf,
  join,
  markDiscussionRead,
} from './hubs.ts';
import type { Opine } from './opine.ts';
import { confirmedPerson, hubReadyPerson, newPhoneNumber, type Person, registeredPerson } from './people.ts';
import { aPng } from './pictures.ts';
import { aComment, aRepost, aSlider, publish, requestSavePost, shareToFeed } from './posts.ts';
import { changePreferences } from './preferences.ts';
import { newDeviceToken, registerDevice } from './pushes.ts';
import { requestReport } from './reports.ts';
import { removeReported } from './staff.ts';
import { anUpload } from './uploads.ts';
import { castVote } from './votes.ts';

export function requestExport(person: Pick<Person, 'get'>): Promise<Reply> {
  return person.get('/users/me/export');
}

export function exportOf(person: Pick<Person, 'get'>): Promise<Json> {
  return expectOk(requestExport(person));
}

/** A person with data in every table, and the related objects. */
export interface AccountWithData {
  readonly maya: Person;
  /** Follows and is followed, founded the Hubs and wrote the post Maya acted on. */
  readonly amara: Person;
  readonly hub: Json;
  readonly discussion: Json;
  readonly liked: Json;
  readonly deviceToken: string;
}

/** Creates the account; `opine` needs storage. */
export async function anAccountWithData(opine: Opine): Promise<AccountWithData> {
  const maya = await personWithContacts(opine, [aContact({ name: 'Her Sister' })], 'Maya Lindqvist');
  const amara = await hubReadyPerson(opine, 'Amara Okafor');
  const liked = await aSlider(amara, { thoughtText: 'What Amara thinks.' });
  await amongPeople(opine, maya, amara);
  const picture = await anUpload(maya, await aPng(), 'post_image');
  const article = { title: 'What Maya read', assetIds: [picture.assetId] };
  await expectOk(publish(maya, { thoughtText: 'What Maya thinks.', article }));
  await aRepost(maya, liked, { thoughtText: 'Maya on Amara.' });
  await aComment(maya, liked, 'Maya says so.');
  await Promise.all([castVote(maya, liked), shareToFeed(maya, liked), requestSavePost(maya, liked)]);
  await expectOk(requestReport(maya, 'posts', liked, { details: 'Maya minds.' }));
  await removeComment(opine, maya, amara, liked);
  const within = await inHubs(maya, amara);
  await addToDefaultFeed(opine, maya);
  const deviceToken = newDeviceToken();
  await expectOk(registerDevice(maya, deviceToken));
  return { maya, amara, liked, deviceToken, ...within };
}

/** Removes a comment by Maya as staff; she appeals. */
async function removeComment(opine: Opine, maya: Person, amara: Person, post: Json): Promise<void> {
  const comment = await aComment(maya, post, 'Maya sells pills.');
  const decision = await removeReported(opine, amara, 'comments', comment, maya);
  await expectOk(maya.post(`/moderation-decisions/${decision.id}/appeal`, { text: 'Maya does not.' }));
}

async function amongPeople(opine: Opine, maya: Person, amara: Person): Promise<void> {
  await follow(maya, amara);
  await expectOk(requestMute(maya, amara));
  // Maya gets a notification.
  await follow(await confirmedPerson(opine), maya);
  await block(maya, await registeredPerson(opine));
}

async function inHubs(maya: Person, amara: Person): Promise<Pick<AccountWithData, 'hub' | 'discussion'>> {
  const [hub, other] = [await aHub(amara), await aHub(amara, { name: 'Ash Lane' })];
  await join(amara, hub, [maya]);
  await expectOk(maya.patch(`/hubs/${hub.id}/notification-settings`, { contentMuted: true }));
  await changePreferences(maya, { push: { hub_member_joined: false } });
  await expectOk(maya.patch('/users/me/hub-profile', { displayName: 'Maya L.' }));
  await anInvitation(maya, hub, { phoneNumber: newPhoneNumber() });
  await aJoinRequest(amara, other, maya);
  await aHubPost(maya, [hub], { thoughtText: 'Maya among us.' });
  const discussion = await discussionOf(
    amara,
    hub,
    await aHubPost(amara, [hub], { thoughtText: 'Amara among us.' }),
  );
  await aMessage(amara, discussion, 'Amara talks.');
  await aMessage(maya, discussion, 'Maya answers.');
  await expectOk(requestSaveDiscussion(maya, discussion));
  await markDiscussionRead(maya, discussion);
  return { hub, discussion };
}
