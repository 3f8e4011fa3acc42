import { expectOk, type Json } from '../../support/client.ts';
import { aHubPost, type Hub } from '../../support/hubs.ts';
import {
  aComment,
  aRepost,
  aThought,
  requestSavePost,
  shareToFeed,
  shareToHubs,
} from '../../support/posts.ts';
import { requestReport } from '../../support/reports.ts';
import { anAsset, type People } from './people.ts';

/** The Hub, and two other Hubs that share members with it. */
export interface Hubs {
  readonly hub: Hub;
  readonly choir: Hub;
  readonly realm: Hub;
}

export type Posts = Awaited<ReturnType<typeof createPosts>>;

/** Creates the posts of the Hub, published or shared there, with the activity of its members. */
export async function createPosts(people: People, { hub, choir, realm }: Hubs) {
  const { words, amara, bela, chidi, dara, former, requester } = people;
  const picture = await anAsset(dara.person, 'post_image');
  const locked = await aHubPost(dara.person, [hub], {
    thoughtText: words.lockedThought,
    sliderText: words.lockedSlider,
    article: { title: words.lockedTitle, text: words.lockedText, assetIds: [picture] },
  });
  const shared = await aHubPost(chidi.person, [hub, choir, realm], { thoughtText: words.sharedThought });
  const open = await aHubPost(amara.person, [hub], { visibility: 'public_hub', sliderText: 'Do we sing?' });
  const ofFormer = await aHubPost(former.person, [hub], { thoughtText: words.formerThought });
  // Non-members know both posts, but not that the Hub has them.
  const onward = await aHubPost(chidi.person, [choir, realm], { thoughtText: words.onwardThought });
  await shareToHubs(chidi.person, onward, hub);
  const outdoors = await aThought(amara.person);
  await shareToHubs(dara.person, outdoors, hub);
  const repost = await aRepost(dara.person, shared, {
    visibility: 'private_locked_hub',
    hubIds: [hub.id],
    thoughtText: words.repostThought,
  });
  // A public post of a non-member, which connects to the Hub only by the comment of Bela.
  const mentioned = await aThought(requester);
  const comment = await aComment(bela.person, mentioned);
  for (const post of [locked, ofFormer]) await leaveTraces(people, post);
  return { picture, locked, shared, open, ofFormer, onward, outdoors, repost, mentioned, comment };
}

/** Saves, shares and reports a private post as present and former members. */
async function leaveTraces({ words, dara, removed, former }: People, post: Json): Promise<void> {
  for (const { person } of [dara, removed, former]) {
    await expectOk(requestSavePost(person, post));
    await shareToFeed(person, post);
    if (post.author.id !== person.id)
      await expectOk(requestReport(person, 'posts', post, { details: words.reported }));
  }
}
