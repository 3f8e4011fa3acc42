import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Client, expectOk, type Json, refusal } from '../support/client.ts';
import { follow } from '../support/graph.ts';
import {
  aHub,
  aHubPost,
  aHubWorld,
  type HubWorld,
  join,
  MEMBERS,
  NON_MEMBERS,
  requestLeave,
  requestRemove,
} from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import {
  aGuest,
  anonymousPerson,
  confirmedPerson,
  hubReadyPerson,
  type Person,
  registeredPerson,
} from '../support/people.ts';
import {
  aRepost,
  aSlider,
  aThought,
  requestSavePost,
  seenBy,
  shareToFeed,
  shareToHubs,
} from '../support/posts.ts';
import { waitUntilDeleted } from '../support/worker.ts';

let opine: Opine;
let world: HubWorld;
/** Carla, a member of the Hub. */
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

/** Returns the path of every list of cards that can contain the post and show phone numbers. */
const listsOf = ({ id }: Json) => [
  '/posts',
  '/posts?sort=trending',
  `/posts?hubId=${world.hub.id}`,
  `/posts?sort=trending&hubId=${world.hub.id}`,
  `/hubs/${world.hub.id}/feed`,
  `/posts/${id}/frames`,
  '/users/me/saved-posts',
];

/** Returns the path of every list of cards that can contain the post and never shows phone numbers. */
const listsWithoutPhones = () => [
  `/users/${author.id}/feed`,
  '/search/posts?q=word',
  `/search/posts?q=word&hubId=${world.hub.id}`,
];

/** Returns the cards of `post` that `member` gets in these lists; each must contain one. */
async function cardsIn(paths: readonly string[], member: Client, post: Json): Promise<Json[]> {
  const cards: Json[] = [];
  for (const path of paths) {
    const { items } = await expectOk(member.get(path));
    const card = items.find(({ id }: Json) => id === post.id);
    expect([path, card?.id]).toEqual([path, post.id]);
    cards.push(card);
  }
  return cards;
}

/** Returns the detail of `post` and its card in every list that shows phone numbers. */
async function cardsOf(member: Client, post: Json): Promise<Json[]> {
  await expectOk(requestSavePost(member, post));
  return [await seenBy(member, post), ...(await cardsIn(listsOf(post), member, post))];
}

/** Expects the phone number of the author once, in its field, on every card of `post` that may show it to `member`. */
async function expectPhone(member: Client, post: Json, { phoneNumber } = author): Promise<void> {
  for (const card of await cardsOf(member, post)) {
    expect(card.authorPhoneNumber).toBe(phoneNumber);
    expect(JSON.stringify(card).split('+1202555')).toHaveLength(2);
  }
}

/** Expects no phone number, and no field for it, on any card of `post` that `member` gets. */
async function expectNoPhone(member: Client, post: Json): Promise<void> {
  for (const card of await cardsOf(member, post)) {
    expect(card).not.toHaveProperty('authorPhoneNumber');
    expect(JSON.stringify(card)).not.toContain('+1202555');
  }
}

// docs/product.md PO17
describe('authorPhoneNumber of a locked post', () => {
  test('members of every role and the author see the phone number', async () => {
    const { hub } = world;
    const post = await aHubPost(author, [hub], SLIDER);
    expect(post.authorPhoneNumber).toBe(author.phoneNumber);
    await shareToFeed(author, post);
    for (const status of MEMBERS) await expectPhone(world[status], post);
  });

  test('a profile feed and a search show the phone number to no member, nor to the author', async () => {
    const post = await aHubPost(author, [world.hub], { thoughtText: 'A word among us.' });
    await shareToFeed(author, post);
    for (const status of MEMBERS) {
      for (const card of await cardsIn(listsWithoutPhones(), world[status], post)) {
        expect(card).not.toHaveProperty('authorPhoneNumber');
        expect(JSON.stringify(card)).not.toContain('+1202555');
      }
    }
  });

  test('a locked repost shows the phone number of the reposter and not of the source author', async () => {
    const { hub, admin, manager } = world;
    const source = await aSlider(admin);
    const repost = await aRepost(author, source, { ...LOCKED, hubIds: [hub.id] });
    expect(repost.authorPhoneNumber).toBe(author.phoneNumber);
    await shareToFeed(author, repost);
    for (const member of [manager, admin, author]) {
      await expectPhone(member, repost);
      const card = await seenBy(member, repost);
      expect(card.sourcePost).not.toHaveProperty('authorPhoneNumber');
      expect(await seenBy(member, source)).not.toHaveProperty('authorPhoneNumber');
    }
  });
});

// docs/product.md PO17
describe('authorPhoneNumber of any other post', () => {
  test('public_hub posts and private posts in two Hubs show no phone number', async () => {
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
      await shareToFeed(author, post);
      for (const member of [admin, author]) await expectNoPhone(member, post);
    }
  });

  test('a public post shared into one Hub shows no phone number', async () => {
    const { hub, admin, manager } = world;
    const post = await aThought(author);
    await shareToHubs(manager, post, hub);
    for (const member of [admin, author]) await expectNoPhone(member, post);
  });

  test('a private post shared onward shows no phone number in the new Hub', async () => {
    const { hub, manager, admin } = world;
    const [elsewhere, beside] = [await aHub(author), await aHub(author)];
    await join(author, elsewhere, [manager]);
    const post = await aHubPost(author, [elsewhere, beside]);
    await shareToFeed(author, post);
    await shareToHubs(manager, post, hub);
    for (const member of [admin, manager, author]) await expectNoPhone(member, post);
  });
});

describe('removal of authorPhoneNumber', () => {
  // docs/product.md PO17
  test.each(['leaves', 'is removed'])(
    'the phone number is on no card after the author %s, until they rejoin',
    async (how) => {
      const { hub, admin, manager } = world;
      const post = await aHubPost(author, [hub]);
      await shareToFeed(author, post);
      await expectOk(how === 'leaves' ? requestLeave(author, hub) : requestRemove(admin, hub, author));
      for (const member of [admin, manager]) await expectNoPhone(member, post);
      expect(await seenBy(author, post)).not.toHaveProperty('authorPhoneNumber');
      await join(admin, hub, [author]);
      for (const member of [admin, manager, author]) await expectPhone(member, post);
    },
  );

  test('the post and the phone number disappear once the author deletes their account', async () => {
    const { hub, admin } = world;
    const post = await aHubPost(author, [hub]);
    await requestSavePost(admin, post);
    const expectHidden = async () => {
      expect(await admin.get(`/posts/${post.id}`)).toMatchObject(HIDDEN);
      const answers = await Promise.all(listsOf(post).map((path) => admin.get(path)));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(6);
      expect(JSON.stringify(answers)).not.toContain(author.phoneNumber);
    };
    await expectOk(author.delete('/users/me'));
    await expectHidden();
    await waitUntilDeleted(opine, author.id);
    await expectHidden();
  });
});

// docs/product.md PO17, P11
test('no non-member reads the phone number of an author in any post, feed, profile or search', async () => {
  const { hub, invited } = world;
  const neighbours = await aHub(author);
  await join(author, neighbours, [invited]);
  const [post, open] = [await aHubPost(author, [hub]), await aThought(author)];
  for (const shared of [post, open]) await shareToFeed(author, shared);
  const nonMembers: Client[] = NON_MEMBERS.map((status) => world[status]);
  nonMembers.push(await registeredPerson(opine), await confirmedPerson(opine), await hubReadyPerson(opine));
  for (const nonMember of nonMembers) await follow(nonMember, author);
  const person = `/users/${author.id}`;
  const ofOpen = ['/posts', '/posts?sort=trending', `/posts/${open.id}`, `/posts/${open.id}/frames`];
  const about = [`${person}/profile`, `${person}/feed`, `/users/by-username/${author.username}`];
  for (const viewer of [...nonMembers, await anonymousPerson(opine), aGuest(opine)]) {
    expect(await viewer.get(`/posts/${post.id}`)).toMatchObject(HIDDEN);
    const lists = [...listsOf(post), ...listsWithoutPhones()];
    const paths = [...ofOpen, ...about, ...lists, `/search/users?q=${author.username}`];
    const answers = await Promise.all(paths.map((path) => viewer.get(path)));
    expect(JSON.stringify(answers)).toContain(author.username);
    expect(JSON.stringify(answers)).not.toContain(author.phoneNumber);
  }
});

test('profiles, searches, follow lists and vote results show members no phone number of an author', async () => {
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
