import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { untilGone } from '../support/account-deletions.ts';
import { type Client, clientOf, type Json, refusal } from '../support/client.ts';
import { listDiscussions } from '../support/discussions.ts';
import { aRepost, place, requestRepost, requestSave, share } from '../support/frames.ts';
import { block, everyPage, follow, granted, unblock } from '../support/graph.ts';
import { aHubWorld, type HubWorld, MEMBERS, NON_MEMBERS } from '../support/hub-worlds.ts';
import { aHub, aHubPost, aMemberOf, join, requestLeave, requestRemove } from '../support/hubs.ts';
import { aConfirmed, aGuest, aHubReady, anAnonymous, aRegistered, type Person } from '../support/people.ts';
import { aPng } from '../support/pictures.ts';
import { aSlider, publish, seenBy } from '../support/posts.ts';
import { type StoringOpine, startStoringOpine } from '../support/storage.ts';
import { anUpload, requestDownload } from '../support/uploads.ts';

let opine: StoringOpine;

beforeAll(async () => {
  opine = await startStoringOpine();
});

afterAll(() => opine.stop());

const HIDDEN = refusal(404, 'POST_NOT_FOUND');
const NO_ASSET = refusal(404, 'ASSET_NOT_FOUND');

/** Words that are nowhere but in a source. */
const WORDS = {
  thoughtText: 'The wisteria grows.',
  sliderText: 'Is the wisteria too high?',
  slider: { leftLabel: 'Low wisteria', rightLabel: 'High wisteria' },
};
const ARTICLE = { url: 'https://news.example/wisteria', title: 'On wisteria', text: 'It is a wisteria.' };

const anImage = async (owner: Person) => anUpload(owner, await aPng(), 'post_image');
const articleWith = ({ assetId }: Json) => ({ article: { ...ARTICLE, assetIds: [assetId] } });
/** What a repost shows of its source to `viewer`. */
const sourceSeenBy = async (viewer: Client, repost: Json): Promise<Json> => {
  const { sourcePostId, sourcePost } = await seenBy(viewer, repost);
  expect(sourcePostId).toBe(repost.sourcePostId);
  return sourcePost;
};
/** What of `source` travels: nothing of its author, its Hubs or its votes. */
const contentOf = ({ article, thoughtText, sliderText, slider }: Json) => ({
  article,
  thoughtText,
  sliderText,
  slider,
  isShareable: true,
});

describe('a repost shows of a public source', () => {
  test('its content to everybody, and nothing else of it', async () => {
    const maya = await aConfirmed(opine);
    const { data: source } = await publish(maya, { ...WORDS, ...articleWith(await anImage(maya)) });
    const repost = await aRepost(await aConfirmed(opine), source);
    expect(repost.article).toBeNull();
    expect(repost.sourcePost).toEqual(contentOf(source));
    expect(repost.sourcePost.article.media).toHaveLength(1);
    const strangers = [aGuest(opine), clientOf(opine.url, 'no.good.token'), await anAnonymous(opine)];
    for (const viewer of [maya, ...strangers, await aRegistered(opine), await aHubReady(opine)]) {
      expect(await sourceSeenBy(viewer, repost)).toEqual(contentOf(source));
    }
  });

  test('what it has', async () => {
    const maya = await aConfirmed(opine);
    const { data: source } = await publish(maya, { thoughtText: 'Alone.' });
    const content = { article: null, thoughtText: 'Alone.', sliderText: null, slider: null };
    const { sourcePost } = await aRepost(maya, source, { sliderText: 'Is she?' });
    expect(sourcePost).toEqual({ ...content, isShareable: true });
  });

  test('nothing once it is deleted, while its id and the repost stay', async () => {
    const maya = await aConfirmed(opine);
    const image = await anImage(maya);
    const { data: source } = await publish(maya, { ...WORDS, ...articleWith(image) });
    const jonas = await aConfirmed(opine);
    const repost = await aRepost(jonas, source);
    await granted(maya.delete(`/posts/${source.id}`));
    for (const viewer of [maya, jonas, aGuest(opine)]) {
      expect(await sourceSeenBy(viewer, repost)).toBeNull();
      expect(await viewer.get(`/posts/${source.id}`)).toMatchObject(HIDDEN);
    }
    expect(await requestDownload(jonas, image.assetId)).toMatchObject(NO_ASSET);
    expect(await requestRepost(jonas, source)).toMatchObject(HIDDEN);
  });

  test('nothing once its author’s account has ended', async () => {
    const maya = await aConfirmed(opine);
    const source = await aSlider(maya);
    const repost = await aRepost(await aConfirmed(opine), source);
    await granted(maya.delete('/users/me'));
    expect(await sourceSeenBy(aGuest(opine), repost)).toBeNull();
    await untilGone(opine, maya.id);
    expect(await sourceSeenBy(aGuest(opine), repost)).toBeNull();
  });

  test.each(['the author', 'the viewer'])(
    'nothing where %s blocks the other, as long as that is',
    async (who) => {
      const [maya, viewer] = [await aConfirmed(opine), await aRegistered(opine)];
      const source = await aSlider(maya, WORDS);
      const repost = await aRepost(await aConfirmed(opine), source);
      const [blocker, blocked] = who === 'the author' ? [maya, viewer] : [viewer, maya];
      await block(blocker, blocked);
      expect(await sourceSeenBy(viewer, repost)).toBeNull();
      expect(await sourceSeenBy(aGuest(opine), repost)).toEqual(contentOf(source));
      await unblock(blocker, blocked);
      expect(await sourceSeenBy(viewer, repost)).toEqual(contentOf(source));
    },
  );
});

describe('a public repost of a private post', () => {
  let world: HubWorld;
  let other: Json;
  let image: Json;
  let source: Json;
  let repost: Json;

  beforeEach(async () => {
    world = await aHubWorld(opine);
    const { hub, member, manager } = world;
    other = await aHub(member);
    image = await anImage(member);
    source = await aHubPost(member, [hub, other], { ...WORDS, ...articleWith(image) });
    repost = await aRepost(manager, source);
  });

  test('shows it to the members of its Hubs', async () => {
    const beside = await aMemberOf(opine, world.member, other);
    for (const viewer of [...MEMBERS.map((standing) => world[standing]), beside]) {
      expect(await sourceSeenBy(viewer, repost)).toEqual(contentOf(source));
      expect((await requestDownload(viewer, image.assetId)).status).toBe(200);
    }
  });

  test('shows it to nobody else', async () => {
    const nonMembers = NON_MEMBERS.map((standing) => world[standing]);
    const others = [await anAnonymous(opine), await aRegistered(opine), await aConfirmed(opine)];
    for (const viewer of [...nonMembers, ...others]) {
      expect(await sourceSeenBy(viewer, repost)).toBeNull();
      expect(await viewer.get(`/posts/${source.id}`)).toMatchObject(HIDDEN);
      expect(await requestDownload(viewer, image.assetId)).toMatchObject(NO_ASSET);
    }
    expect(await sourceSeenBy(aGuest(opine), repost)).toBeNull();
  });

  test('shows it by membership: not to a reposter who left, and again to one who is back', async () => {
    const { hub, admin, manager, former } = world;
    await granted(requestRemove(admin, hub, manager));
    expect(await sourceSeenBy(manager, repost)).toBeNull();
    await join(admin, hub, [manager, former]);
    for (const member of [manager, former]) {
      expect(await sourceSeenBy(member, repost)).toEqual(contentOf(source));
    }
  });

  test('shows it to its author, who left, and not to members whom they block', async () => {
    const { hub, admin, member } = world;
    await granted(requestLeave(member, hub));
    expect(await sourceSeenBy(member, repost)).toEqual(contentOf(source));
    await block(member, admin);
    expect(await sourceSeenBy(admin, repost)).toBeNull();
  });

  test('shows it to the members of a Hub into which it is shared onward', async () => {
    const { manager } = world;
    const third = await aHub(manager);
    const beyond = await aMemberOf(opine, manager, third);
    expect(await sourceSeenBy(beyond, repost)).toBeNull();
    await place(manager, source, third);
    expect(await sourceSeenBy(beyond, repost)).toEqual(contentOf(source));
    await granted(requestLeave(beyond, third));
    expect(await sourceSeenBy(beyond, repost)).toBeNull();
  });

  test('carries no word of it to where the repost goes', async () => {
    const { hub, admin, manager, stranger, former } = world;
    const theirs = await aHub(manager);
    await join(manager, theirs, [stranger, former]);
    await place(manager, repost, theirs);
    await share(manager, repost);
    await share(manager, source);
    const paths = [`/posts/${repost.id}`, `/posts/${repost.id}/frames`, `/posts/${repost.id}/comments`];
    const feeds = ['/posts', '/posts?sort=trending', `/users/${manager.id}/feed`];
    const ofTheirs = [`/posts?hubId=${theirs.id}`, `/hubs/${theirs.id}/feed`];
    for (const reader of [stranger, former]) {
      await follow(reader, manager);
      await granted(requestSave(reader, repost));
      const read = [...paths, ...feeds, ...ofTheirs, '/users/me/saved-posts'];
      const answers = await Promise.all(read.map(async (path) => granted(reader.get(path))));
      const discussions = await granted(listDiscussions(reader, theirs));
      expect(JSON.stringify([answers, discussions])).not.toMatch(/wisteria/i);
      expect(discussions.items).toHaveLength(1);
      const found = answers.filter((answer) => JSON.stringify(answer).includes(repost.id));
      // It is in all of them but its own comments.
      expect(found).toHaveLength(read.length - 1);
    }
    const answers = paths.slice(0, 2).map(async (path) => granted(aGuest(opine).get(path)));
    expect(JSON.stringify(await Promise.all(answers))).not.toMatch(/wisteria/i);
    expect(JSON.stringify(await everyPage(admin, `/hubs/${hub.id}/feed`))).toMatch(/wisteria/i);
  });
});
