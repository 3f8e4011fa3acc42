import type { Json } from '../../support/client.ts';
import { aComment, aRepost, place, requestReport, requestSave, share } from '../../support/frames.ts';
import { granted } from '../../support/graph.ts';
import { aHubPost, type Hub } from '../../support/hubs.ts';
import { aThought } from '../../support/posts.ts';
import { anAsset, type People } from './secret-hub-people.ts';

/** The Hub, and the two others in which somebody of it is. */
export interface Hubs {
  readonly hub: Hub;
  readonly choir: Hub;
  readonly realm: Hub;
}

export type Posts = Awaited<ReturnType<typeof thePosts>>;

/** What is placed in the Hub, from the beginning or shared onward, and what its members did with it. */
export async function thePosts(people: People, { hub, choir, realm }: Hubs) {
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
  // Both are known elsewhere; that they are in the Hub as well is not.
  const onward = await aHubPost(chidi.person, [choir, realm], { thoughtText: words.onwardThought });
  await place(chidi.person, onward, hub);
  const outdoors = await aThought(amara.person);
  await place(dara.person, outdoors, hub);
  const repost = await aRepost(dara.person, shared, {
    visibility: 'private_locked_hub',
    hubIds: [hub.id],
    thoughtText: words.repostThought,
  });
  // Everybody may read it, but only members come across it: by what Bela said.
  const mentioned = await aThought(requester);
  const comment = await aComment(bela.person, mentioned);
  for (const post of [locked, ofFormer]) await theTraces(people, post);
  return { picture, locked, shared, open, ofFormer, onward, outdoors, repost, mentioned, comment };
}

/** What is left of a private post with those who see it, and with those who did. */
async function theTraces({ words, dara, removed, former }: People, post: Json): Promise<void> {
  for (const { person } of [dara, removed, former]) {
    await granted(requestSave(person, post));
    await share(person, post);
    await granted(requestReport(person, 'posts', post, { details: words.reported }));
  }
}
