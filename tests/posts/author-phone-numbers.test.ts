import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { untilGone } from '../support/account-deletions.ts';
import { type Client, type Json, refusal } from '../support/client.ts';
import { aRepost, place, requestSave, share } from '../support/frames.ts';
import { block, everyPage, follow, granted, unblock } from '../support/graph.ts';
import { aHubWorld, type HubWorld, MEMBERS, NON_MEMBERS } from '../support/hub-worlds.ts';
import { aHub, aHubPost, aMemberOf, join, requestLeave, requestRemove } from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aConfirmed, aGuest, aHubReady, anAnonymous, aRegistered, type Person } from '../support/people.ts';
import { aSlider, aThought, seenBy } from '../support/posts.ts';

let opine: Opine;
let world: HubWorld;
/** Carla, who is a member and publishes. */
let author: Person;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

beforeEach(async () => {
  world = await aHubWorld(opine);
  author = world.member;
});

const HIDDEN = refusal(404, 'POST_NOT_FOUND');
const LOCKED = { visibility: 'private_locked_hub' };
const SLIDER = { sliderText: 'Is it too loud?' };

/** Every list of cards that `post` may be in, by its path. */
const listsOf = ({ id }: Json) => [
  '/posts',
  '/posts?sort=trending',
  `/posts?hubId=${world.hub.id}`,
  `/posts?sort=trending&hubId=${world.hub.id}`,
  `/hubs/${world.hub.id}/feed`,
  `/posts/${id}/frames`,
  `/users/${author.id}/feed`,
  '/users/me/saved-posts',
];

/** Every card of `post` that `member` gets, who sees it. */
async function cardsOf(member: Client, post: Json): Promise<Json[]> {
  await granted(requestSave(member, post));
  const cards = [await seenBy(member, post)];
  for (const path of listsOf(post)) {
    const { items } = await granted(member.get(path));
    const card = items.find(({ id }: Json) => id === post.id);
    expect([path, card?.id]).toEqual([path, post.id]);
    cards.push(card);
  }
  return cards;
}

/** Whether the phone of the author is on every card of `post` that `member` gets, once and in its place. */
async function expectPhone(member: Client, post: Json, { phoneNumber } = author): Promise<void> {
  for (const card of await cardsOf(member, post)) {
    expect(card.authorPhoneNumber).toBe(phoneNumber);
    expect(JSON.stringify(card).split('+1202555')).toHaveLength(2);
  }
}

/** That no phone is on any card of `post` that `member` gets, not even null. */
async function expectNoPhone(member: Client, post: Json): Promise<void> {
  for (const card of await cardsOf(member, post)) {
    expect(card).not.toHaveProperty('authorPhoneNumber');
    expect(JSON.stringify(card)).not.toContain('+1202555');
  }
}

describe('the phone of an author is on a card that is locked in one Hub', () => {
  test('for every member, whatever their role, and for the author', async () => {
    const { hub } = world;
    const post = await aHubPost(author, [hub], SLIDER);
    expect(post.authorPhoneNumber).toBe(author.phoneNumber);
    await share(author, post);
    for (const standing of MEMBERS) await expectPhone(world[standing], post);
  });

  test('that is a repost: that of the reposter, and not of the author of the source', async () => {
    const { hub, admin, manager } = world;
    const source = await aSlider(admin);
    const repost = await aRepost(author, source, { ...LOCKED, hubIds: [hub.id] });
    expect(repost.authorPhoneNumber).toBe(author.phoneNumber);
    await share(author, repost);
    for (const member of [manager, admin, author]) {
      await expectPhone(member, repost);
      const card = await seenBy(member, repost);
      expect(card.sourcePost).not.toHaveProperty('authorPhoneNumber');
      expect(await seenBy(member, source)).not.toHaveProperty('authorPhoneNumber');
    }
  });

  test('for members who come later, or come back', async () => {
    const { hub, admin, former } = world;
    const post = await aHubPost(author, [hub]);
    await share(author, post);
    await join(admin, hub, [former]);
    for (const member of [former, await aMemberOf(opine, admin, hub)]) await expectPhone(member, post);
  });

  test('also of one who was taken off the admins, while they are a member', async () => {
    const { hub, admin, manager } = world;
    const post = await aHubPost(manager, [hub]);
    await granted(admin.delete(`/hubs/${hub.id}/admins/${manager.id}`));
    expect((await seenBy(author, post)).authorPhoneNumber).toBe(manager.phoneNumber);
  });
});

describe('it is on no other card', () => {
  test('of a post in public, in several Hubs, or in public as well', async () => {
    const { hub, admin } = world;
    const other = await aHub(author);
    const source = await aSlider(admin);
    const posts = [
      await aHubPost(author, [hub], { visibility: 'public_hub' }),
      await aHubPost(author, [hub, other]),
      await aRepost(author, source, { visibility: 'public_hub', hubIds: [hub.id] }),
      await aRepost(author, source, { ...LOCKED, hubIds: [hub.id, other.id] }),
    ];
    for (const post of posts) {
      expect(post).not.toHaveProperty('authorPhoneNumber');
      await share(author, post);
      for (const member of [admin, author]) await expectNoPhone(member, post);
    }
  });

  test('of a public post that is shared into one Hub', async () => {
    const { hub, admin, manager } = world;
    const post = await aThought(author);
    await place(manager, post, hub);
    for (const member of [admin, author]) await expectNoPhone(member, post);
  });

  test('of a private one that is shared onward, for those to whom it opens', async () => {
    const { hub, manager, admin } = world;
    const [elsewhere, beside] = [await aHub(author), await aHub(author)];
    await join(author, elsewhere, [manager]);
    const post = await aHubPost(author, [elsewhere, beside]);
    await share(author, post);
    await place(manager, post, hub);
    for (const member of [admin, manager, author]) await expectNoPhone(member, post);
  });
});

describe('it is gone', () => {
  test.each(['leaves', 'is removed'])(
    'from every card when the author %s, until they are back',
    async (how) => {
      const { hub, admin, manager } = world;
      const post = await aHubPost(author, [hub]);
      await share(author, post);
      await granted(how === 'leaves' ? requestLeave(author, hub) : requestRemove(admin, hub, author));
      for (const member of [admin, manager]) await expectNoPhone(member, post);
      expect(await seenBy(author, post)).not.toHaveProperty('authorPhoneNumber');
      await join(admin, hub, [author]);
      for (const member of [admin, manager, author]) await expectPhone(member, post);
    },
  );

  test('with the cards, when the author’s account ends', async () => {
    const { hub, admin } = world;
    const post = await aHubPost(author, [hub]);
    await requestSave(admin, post);
    const expectGone = async () => {
      expect(await admin.get(`/posts/${post.id}`)).toMatchObject(HIDDEN);
      const answers = await Promise.all(listsOf(post).map((path) => admin.get(path)));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(6);
      expect(JSON.stringify(answers)).not.toContain(author.phoneNumber);
    };
    await granted(author.delete('/users/me'));
    await expectGone();
    await untilGone(opine, author.id);
    await expectGone();
  });

  test('with the cards, while there is a block', async () => {
    const { hub, admin } = world;
    const post = await aHubPost(author, [hub]);
    await share(author, post);
    await block(admin, author);
    expect(await admin.get(`/posts/${post.id}`)).toMatchObject(HIDDEN);
    const read = ['/posts', `/hubs/${hub.id}/feed`].map((path) => everyPage(admin, path));
    expect(JSON.stringify(await Promise.all(read))).not.toContain(author.phoneNumber);
    await unblock(admin, author);
    await expectPhone(admin, post);
  });
});

test('nobody but members comes across it, whatever they follow and read', async () => {
  const { hub, invited } = world;
  const neighbours = await aHub(author);
  await join(author, neighbours, [invited]);
  const [post, open] = [await aHubPost(author, [hub]), await aThought(author)];
  for (const shared of [post, open]) await share(author, shared);
  const nonMembers: Client[] = NON_MEMBERS.map((standing) => world[standing]);
  nonMembers.push(await aRegistered(opine), await aConfirmed(opine), await aHubReady(opine));
  for (const nonMember of nonMembers) await follow(nonMember, author);
  const person = `/users/${author.id}`;
  const ofOpen = ['/posts', '/posts?sort=trending', `/posts/${open.id}`, `/posts/${open.id}/frames`];
  const about = [`${person}/profile`, `${person}/feed`, `/users/by-username/${author.username}`];
  for (const viewer of [...nonMembers, await anAnonymous(opine), aGuest(opine)]) {
    expect(await viewer.get(`/posts/${post.id}`)).toMatchObject(HIDDEN);
    const paths = [...ofOpen, ...about, ...listsOf(post), `/search/users?q=${author.username}`];
    const answers = await Promise.all(paths.map((path) => viewer.get(path)));
    expect(JSON.stringify(answers)).toContain(author.username);
    expect(JSON.stringify(answers)).not.toContain(author.phoneNumber);
  }
});

test('members do not come across it beside the cards and the lists of their Hub', async () => {
  const { hub, admin } = world;
  const post = await aHubPost(author, [hub], SLIDER);
  await follow(admin, author);
  const person = `/users/${author.id}`;
  const profile = [`${person}/profile`, `/users/by-username/${author.username}`, `${person}/followers`];
  const lists = [`/search/users?q=${author.username}`, `/users/${admin.id}/following`];
  const about = [`/posts/${post.id}/vote/summary`, `/posts/${post.id}/vote/hubs`, '/users/me/hubs'];
  for (const path of [...profile, ...lists, ...about]) {
    const { status, data } = await admin.get(path);
    expect(status).toBeLessThan(500);
    expect(JSON.stringify(data ?? {})).not.toContain(author.phoneNumber);
  }
});
