import type { Json } from '../../support/client.ts';
import { granted } from '../../support/graph.ts';
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
import { aPhone } from '../../support/people.ts';
import { anAsset, type People } from './secret-hub-people.ts';
import { type Hubs, type Posts, thePosts } from './secret-hub-posts.ts';

export const HUB_NAME = 'Harbour Choir';

export type Things = Awaited<ReturnType<typeof theThings>>;

/** What there is in the Hub and beside it, while everybody who was ever in it still is. */
export async function theThings(people: People) {
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
  const posts = await thePosts(people, hubs);
  const talk = await theTalk(people, hubs, posts);
  const doors = await theDoors(people, hub);
  const [notification] = await notificationsOf(amara.person);
  return { ...hubs, ...posts, ...talk, ...doors, notification };
}

async function theTalk(
  people: People,
  { hub, choir, realm }: Hubs,
  { locked, shared, open, ofFormer, onward, outdoors, repost }: Posts,
) {
  const { words, amara, bela, chidi, dara, host, removed, former } = people;
  const about = (post: Json) => discussionOf(amara.person, hub, post);
  const discussion = await about(locked);
  const messagePicture = await anAsset(chidi.person, 'post_image');
  const root = await aMessage(chidi.person, discussion, words.root, { assetId: messagePicture });
  const reply = await aMessage(dara.person, discussion, words.reply, { parentMessageId: root.id });
  const aside = await aMessage(bela.person, await about(shared), words.aside);
  await aMessage(former.person, discussion, words.saidByFormer);
  await aMessage(removed.person, discussion, words.saidByRemoved);
  await granted(dara.person.post(`/hubs/${hub.id}/discussions/${discussion.id}/save`));
  await granted(dara.person.patch(`/hubs/${hub.id}/notification-settings`, { contentMuted: true }));
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
    nextDoor: [await discussionOf(host, choir, shared), await discussionOf(host, realm, shared)],
    root,
    reply,
    aside,
    messagePicture,
  };
}

/** The ways in: invitations, links and what was asked through them. */
async function theDoors({ amara, bela, dara, requester, ready }: People, hub: Hub) {
  const rejected = await aJoinRequest(bela.person, hub, ready['a rejected']);
  await granted(requestDecide(amara.person, hub, rejected, 'reject'));
  const number = aPhone();
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

/** Those who were members are so no longer. */
export async function part({ amara, removed, former }: People, { hub }: Things): Promise<void> {
  await granted(requestRemove(amara.person, hub, removed.person));
  await granted(requestLeave(former.person, hub));
}
