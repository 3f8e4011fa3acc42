import { aContact, aPersonWhoKnows } from './contacts.ts';
import { aDeviceToken, register } from './devices.ts';
import { requestSave as requestSaveDiscussion } from './discussions.ts';
import { chooseForDefaultFeed } from './feeds.ts';
import { aComment, aRepost, requestReport, requestSave, share } from './frames.ts';
import { block, follow, granted, requestMute } from './graph.ts';
import { aHub, aHubPost, aJoinRequest, aMessage, anInvitation, discussionOf, join } from './hubs.ts';
import type { Opine } from './opine.ts';
import { aConfirmed, aHubReady, aPhone, aRegistered, type Person } from './people.ts';
import { aPng } from './pictures.ts';
import { aSlider, publish } from './posts.ts';
import type { Json, Reply } from './reply.ts';
import { anUpload } from './uploads.ts';
import { castVote } from './votes.ts';

/** `person` asks for all that is kept about them. */
export function requestExport(person: Pick<Person, 'get'>): Promise<Reply> {
  return person.get('/users/me/export');
}

/** All that is kept about `person`. */
export function exportOf(person: Pick<Person, 'get'>): Promise<Json> {
  return granted(requestExport(person));
}

/** Somebody who has done everything that leaves a trace, and what it was done with. */
export interface FullLife {
  readonly maya: Person;
  /** Who follows and is followed, founded the Hubs, and wrote what was voted on, shared and saved. */
  readonly amara: Person;
  readonly hub: Json;
  readonly discussion: Json;
  readonly liked: Json;
  readonly deviceToken: string;
}

/** A full life in `opine`, which has storage. */
export async function aFullLife(opine: Opine): Promise<FullLife> {
  const maya = await aPersonWhoKnows(opine, [aContact({ name: 'Her Sister' })], 'Maya Lindqvist');
  const amara = await aHubReady(opine, 'Amara Okafor');
  const liked = await aSlider(amara, { thoughtText: 'What Amara thinks.' });
  await amongPeople(opine, maya, amara);
  const picture = await anUpload(maya, await aPng(), 'post_image');
  const post = await publish(maya, {
    thoughtText: 'What Maya thinks.',
    article: { title: 'What Maya read', assetIds: [picture.assetId] },
  });
  if (post.status !== 201) throw new Error('Nothing was published.');
  await aRepost(maya, liked, { thoughtText: 'Maya on Amara.' });
  await aComment(maya, liked, 'Maya says so.');
  for (const act of [castVote(maya, liked), share(maya, liked), requestSave(maya, liked)]) await act;
  await granted(requestReport(maya, 'posts', liked, { details: 'Maya minds.' }));
  const within = await inHubs(maya, amara);
  await chooseForDefaultFeed(opine, maya);
  const deviceToken = aDeviceToken();
  await granted(register(maya, deviceToken));
  return { maya, amara, liked, deviceToken, ...within };
}

async function amongPeople(opine: Opine, maya: Person, amara: Person): Promise<void> {
  await follow(maya, amara);
  await granted(requestMute(maya, amara));
  // Of which she is told.
  await follow(await aConfirmed(opine), maya);
  await block(maya, await aRegistered(opine));
}

async function inHubs(maya: Person, amara: Person): Promise<Pick<FullLife, 'hub' | 'discussion'>> {
  const [hub, other] = [await aHub(amara), await aHub(amara, { name: 'Ash Lane' })];
  await join(amara, hub, [maya]);
  await granted(maya.patch(`/hubs/${hub.id}/notification-settings`, { contentMuted: true }));
  await granted(maya.patch('/users/me/hub-profile', { displayName: 'Maya L.' }));
  await anInvitation(maya, hub, { phoneNumber: aPhone() });
  await aJoinRequest(amara, other, maya);
  await aHubPost(maya, [hub], { thoughtText: 'Maya among us.' });
  const discussion = await discussionOf(
    amara,
    hub,
    await aHubPost(amara, [hub], { thoughtText: 'Amara among us.' }),
  );
  await aMessage(amara, discussion, 'Amara talks.');
  await aMessage(maya, discussion, 'Maya answers.');
  await granted(requestSaveDiscussion(maya, discussion));
  return { hub, discussion };
}
