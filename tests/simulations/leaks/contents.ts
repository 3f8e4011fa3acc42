import { type Client, expectOk, findReplicated, type Json } from '../../support/client.ts';
import {
  aHub,
  aJoinRequest,
  aMessage,
  anInvitation,
  anInviteLink,
  discussionOf,
  type Hub,
  join,
  requestDecide,
  requestLeave,
  requestRemove,
} from '../../support/hubs.ts';
import { notificationsOf } from '../../support/inbox.ts';
import type { WithDatabase } from '../../support/opine.ts';
import { newPhoneNumber } from '../../support/people.ts';
import { removeReported } from '../../support/staff.ts';
import { anAsset, type People } from './people.ts';
import { createPosts, type Hubs, type Posts } from './posts.ts';

export const HUB_NAME = 'Harbour Choir';

export type Contents = Awaited<ReturnType<typeof createContents>>;

/** Creates the Hubs with their posts, messages and invitations while former members are still members. */
export async function createContents(people: People, opine: WithDatabase) {
  const { words, amara, bela, chidi, dara, host, removed, former, ready } = people;
  const hub: Hub = await aHub(amara.person, {
    name: HUB_NAME,
    description: 'We sing.',
    customLink: words.link,
    profileAssetId: await anAsset(amara.person, 'hub_photo'),
  });
  await join(amara.person, hub, [bela.person], 'manager');
  await join(amara.person, hub, [chidi.person, dara.person, removed.person, former.person]);
  const choir: Hub = await aHub(host, { name: 'Night Runners' });
  await join(host, choir, [ready['a member elsewhere'], chidi.person]);
  const realm: Hub = await aHub(ready['an admin elsewhere'], { name: 'Salt Works' });
  await join(ready['an admin elsewhere'], realm, [chidi.person, host]);
  const hubs = { hub, choir, realm };
  const posts = await createPosts(people, hubs);
  const talk = await createDiscussions(people, hubs, posts);
  const doors = await createInvitations(people, hub);
  const notification = await findReplicated(async () => (await notificationsOf(amara.person))[0]);
  const decision = await createDecision(people, talk, opine);
  return { ...hubs, ...posts, ...talk, ...doors, notification, decision };
}

/** Removes a message by Amara as staff. Returns the decision. */
async function createDecision(
  { words, amara, bela }: People,
  { discussion }: { readonly discussion: Json },
  opine: WithDatabase,
): Promise<Json> {
  const message = await aMessage(amara.person, discussion, words.removed);
  return removeReported(opine, bela.person, 'messages', message, amara.person, words.statement);
}

async function createDiscussions(
  people: People,
  { hub, choir, realm }: Hubs,
  { locked, shared, open, ofFormer, onward, outdoors, repost }: Posts,
) {
  const { words, amara, bela, chidi, dara, host, removed, former } = people;
  const find = (member: Client, of: Hub, post: Json) => findReplicated(() => discussionOf(member, of, post));
  const about = (post: Json) => find(amara.person, hub, post);
  const discussion = await about(locked);
  const messagePicture = await anAsset(chidi.person, 'post_image');
  const root = await aMessage(chidi.person, discussion, words.root, { assetId: messagePicture });
  const reply = await aMessage(dara.person, discussion, words.reply, { parentMessageId: root.id });
  const aside = await aMessage(bela.person, await about(shared), words.aside);
  await aMessage(former.person, discussion, words.saidByFormer);
  await aMessage(removed.person, discussion, words.saidByRemoved);
  await expectOk(dara.person.post(`/hubs/${hub.id}/discussions/${discussion.id}/save`));
  await expectOk(dara.person.patch(`/hubs/${hub.id}/notification-settings`, { contentMuted: true }));
  return {
    discussion,
    otherDiscussions: [
      await about(shared),
      await about(open),
      await about(ofFormer),
      await about(onward),
      await about(outdoors),
      await about(repost),
    ],
    nextDoor: [await find(host, choir, shared), await find(host, realm, shared)],
    root,
    reply,
    aside,
    messagePicture,
  };
}

/** Creates the invitations, the link and the join requests. */
async function createInvitations({ amara, bela, dara, requester, ready }: People, hub: Hub) {
  const rejected = await aJoinRequest(bela.person, hub, ready['a rejected']);
  await expectOk(requestDecide(amara.person, hub, rejected, 'reject'));
  const number = newPhoneNumber();
  return {
    rejected,
    pending: await aJoinRequest(bela.person, hub, ready['a pending']),
    request: await aJoinRequest(bela.person, hub, requester),
    link: await anInviteLink(amara.person, hub),
    invitation: await anInvitation(amara.person, hub, ready['an invited']),
    number,
    otherInvitation: await anInvitation(dara.person, hub, { phoneNumber: number }),
  };
}

/** Ends the memberships of the former members. */
export async function endMemberships({ amara, removed, former }: People, { hub }: Contents): Promise<void> {
  await expectOk(requestRemove(amara.person, hub, removed.person));
  await expectOk(requestLeave(former.person, hub));
}
