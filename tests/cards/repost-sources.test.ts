import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { allPages, type Client, clientOf, expectOk, type Json, refusal } from '../support/client.ts';
import { listDiscussions } from '../support/discussions.ts';
import { follow } from '../support/graph.ts';
import {
  aHub,
  aHubPost,
  aHubWorld,
  aMemberOf,
  type HubWorld,
  join,
  MEMBERS,
  NON_MEMBERS,
} from '../support/hubs.ts';
import {
  aGuest,
  anonymousPerson,
  confirmedPerson,
  hubReadyPerson,
  type Person,
  registeredPerson,
} from '../support/people.ts';
import { aPng } from '../support/pictures.ts';
import { aRepost, publish, requestSavePost, seenBy, shareToFeed, shareToHubs } from '../support/posts.ts';
import { type OpineWithStorage, startOpineWithStorage } from '../support/storage.ts';
import { anUpload, requestDownload } from '../support/uploads.ts';

let opine: OpineWithStorage;

beforeAll(async () => {
  opine = await startOpineWithStorage();
});

afterAll(() => opine.stop());

const HIDDEN = refusal(404, 'POST_NOT_FOUND');
const NO_ASSET = refusal(404, 'ASSET_NOT_FOUND');

/** Content that only a source has, for searches for leaks. */
const WORDS = {
  thoughtText: 'The wisteria grows.',
  sliderText: 'Is the wisteria too high?',
  slider: { leftLabel: 'Low wisteria', rightLabel: 'High wisteria' },
};
const ARTICLE = { url: 'https://news.example/wisteria', title: 'On wisteria', text: 'It is a wisteria.' };

const anImage = async (owner: Person) => anUpload(owner, await aPng(), 'post_image');
const articleWith = ({ assetId }: Json) => ({ article: { ...ARTICLE, assetIds: [assetId] } });
/** Returns the `sourcePost` of `repost` that `viewer` gets. */
const sourceSeenBy = async (viewer: Client, repost: Json): Promise<Json> => {
  const { sourcePostId, sourcePost } = await seenBy(viewer, repost);
  expect(sourcePostId).toBe(repost.sourcePostId);
  return sourcePost;
};
/** Returns the `sourcePost` of a visible `source`: nothing of its author, its Hubs or its votes. */
const contentOf = ({ article, thoughtText, sliderText, slider }: Json) => ({
  article,
  thoughtText,
  sliderText,
  slider,
  isShareable: true,
});

describe('a repost of a public post', () => {
  // docs/product.md PO6
  test('every viewer sees the content of the source and nothing else of it', async () => {
    const maya = await confirmedPerson(opine);
    const { data: source } = await publish(maya, { ...WORDS, ...articleWith(await anImage(maya)) });
    const repost = await aRepost(await confirmedPerson(opine), source);
    expect(repost.article).toBeNull();
    expect(repost.sourcePost).toEqual(contentOf(source));
    expect(repost.sourcePost.article.media).toHaveLength(1);
    const unregistered = [aGuest(opine), clientOf(opine.url, 'no.good.token'), await anonymousPerson(opine)];
    for (const viewer of [
      maya,
      ...unregistered,
      await registeredPerson(opine),
      await hubReadyPerson(opine),
    ]) {
      expect(await sourceSeenBy(viewer, repost)).toEqual(contentOf(source));
    }
  });
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

  test('members of the Hubs of the source see the source and its image', async () => {
    const memberOfOther = await aMemberOf(opine, world.member, other);
    for (const viewer of [...MEMBERS.map((status) => world[status]), memberOfOther]) {
      expect(await sourceSeenBy(viewer, repost)).toEqual(contentOf(source));
      expect((await requestDownload(viewer, image.assetId)).status).toBe(200);
    }
  });

  // docs/product.md PO6, PO7
  test('non-members see neither the source nor its image', async () => {
    const nonMembers = NON_MEMBERS.map((status) => world[status]);
    const others = [
      await anonymousPerson(opine),
      await registeredPerson(opine),
      await confirmedPerson(opine),
    ];
    for (const viewer of [...nonMembers, ...others]) {
      expect(await sourceSeenBy(viewer, repost)).toBeNull();
      expect(await viewer.get(`/posts/${source.id}`)).toMatchObject(HIDDEN);
      expect(await requestDownload(viewer, image.assetId)).toMatchObject(NO_ASSET);
    }
    expect(await sourceSeenBy(aGuest(opine), repost)).toBeNull();
  });

  test('no card, feed, comment list or discussion leaks the source to non-members', async () => {
    const { hub, admin, manager, uninvited, former } = world;
    const hubOfManager = await aHub(manager);
    await join(manager, hubOfManager, [uninvited, former]);
    await shareToHubs(manager, repost, hubOfManager);
    await shareToFeed(manager, repost);
    await shareToFeed(manager, source);
    const paths = [`/posts/${repost.id}`, `/posts/${repost.id}/frames`, `/posts/${repost.id}/comments`];
    const feeds = ['/posts', '/posts?sort=trending', `/users/${manager.id}/feed`];
    const hubFeeds = [`/posts?hubId=${hubOfManager.id}`, `/hubs/${hubOfManager.id}/feed`];
    for (const reader of [uninvited, former]) {
      await follow(reader, manager);
      await expectOk(requestSavePost(reader, repost));
      const read = [...paths, ...feeds, ...hubFeeds, '/users/me/saved-posts'];
      const answers = await Promise.all(read.map(async (path) => expectOk(reader.get(path))));
      const discussions = await expectOk(listDiscussions(reader, hubOfManager));
      expect(JSON.stringify([answers, discussions])).not.toMatch(/wisteria/i);
      expect(discussions.items).toHaveLength(1);
      const found = answers.filter((answer) => JSON.stringify(answer).includes(repost.id));
      // All answers but the comments contain the repost.
      expect(found).toHaveLength(read.length - 1);
    }
    const answers = paths.slice(0, 2).map(async (path) => expectOk(aGuest(opine).get(path)));
    expect(JSON.stringify(await Promise.all(answers))).not.toMatch(/wisteria/i);
    expect(JSON.stringify(await allPages(admin, `/hubs/${hub.id}/feed`))).toMatch(/wisteria/i);
  });
});
