import { randomBytes } from 'node:crypto';
import type { Json } from '../harness/client.ts';
import { chooseForDefaultFeed } from './feeds.ts';
import { follow, granted, NOBODY } from './graph.ts';
import {
  aHub,
  aHubPost,
  aJoinRequest,
  aMessage,
  anInvitation,
  anInviteLink,
  askToDecide,
  askToLeave,
  askToRemove,
  discussionOf,
  type Hub,
  join,
  tokenIn,
} from './hubs.ts';
import { aConfirmed, aHubReady, anAnonymous, aPhone, aRegistered, type Person } from './people.ts';
import { aPng } from './pictures.ts';
import type { StoringOpine } from './storage.ts';
import { anUpload, aPresigned, type Purpose } from './uploads.ts';

/** The outsiders who try what they can, in the order of how much they have to do with the Hub. */
export const CALLERS = [
  'a guest',
  'an anonymous',
  'a registered',
  'a confirmed',
  'a stranger',
  'an invited',
  'a pending',
  'a rejected',
  'a removed',
  'a former',
  'a member elsewhere',
  'an admin elsewhere',
] as const;

const ELSEWHERE = ['a member elsewhere', 'an admin elsewhere'];

/** Somebody who calls: an outsider of the Hub or, to compare, its admin. */
export interface Caller {
  readonly name: string;
  readonly level: number;
  readonly accessToken?: string;
  readonly id?: string;
  /** Another Hub, and whether they are in it. */
  readonly elsewhere: Hub;
  readonly isElsewhere: boolean;
  /** Whether they are invited, or ask to be let in. */
  readonly isAwaited: boolean;
}

/** What sort of thing a secret is, for the table of who may see it where. */
export type Kind =
  | 'the Hub'
  | 'quiet person'
  | 'mate'
  | 'phone'
  | 'asked number'
  | 'invitation'
  | 'content'
  | 'never shown';

/** A text that nobody comes across who is not told. */
export interface Secret {
  readonly kind: Kind;
  readonly what: string;
  readonly text: string;
  /** Outsiders whose own it is. */
  readonly of: readonly string[];
}

/** Something that can stand where an id is asked for. */
export interface Candidate {
  readonly what: string;
  readonly value: string | readonly string[];
  /** To whom it is nothing else than an id of nobody: outsiders, within Hubs or anywhere; or it is public. */
  readonly hidden: 'no' | 'in hubs' | 'yes';
  readonly of: readonly string[];
  /** Whether members of the other Hub know it there. */
  readonly isElsewhere: boolean;
}

/** What can stand for a parameter or a field, by its name. */
export type Slots = Readonly<Record<string, (caller: Caller) => Candidate[]>>;

/** A Hub full of secrets, with those who try to learn them. */
export interface SecretHub {
  readonly hub: Hub;
  readonly callers: ReadonlyMap<string, Caller>;
  /** Amara, to whom nothing of it is hidden. */
  readonly admin: Caller;
  readonly secrets: readonly Secret[];
  /** What can stand for each parameter of a path, each field of a query or a body that holds ids. */
  readonly candidates: Slots;
  /** The Hub as its members see it, without what outsiders may change by what is theirs. */
  snapshot(): Promise<Snapshot>;
}

export interface Snapshot {
  readonly seen: Json;
  /** Who asks to be let in. */
  readonly requesters: readonly string[];
  readonly linkUses: number;
}

/** A word that occurs nowhere else, of letters, so that it can be a name. */
function aWord(): string {
  return randomBytes(10)
    .toString('hex')
    .replaceAll(/\d/g, (digit) => 'ghijklmnop'.charAt(Number(digit)));
}

/** What is called like this is nobody's. */
export const NOBODYS = 'what is nobody’s';
export const THE_HUB = 'the Hub';
export const ELSEWHERE_HUB = 'the other Hub';

const HUB_NAME = 'Harbour Choir';

/** The words that lead to this Hub and nowhere else. */
function theWords() {
  return {
    link: aWord(),
    quiet: aWord(),
    requester: aWord(),
    lockedThought: aWord(),
    lockedSlider: aWord(),
    lockedTitle: aWord(),
    lockedText: aWord(),
    sharedThought: aWord(),
    formerThought: aWord(),
    root: aWord(),
    reply: aWord(),
    saidByFormer: aWord(),
    saidByRemoved: aWord(),
    aside: aWord(),
  };
}

/** Somebody in Hubs under a name and a photo that they have nowhere else. */
interface Masked {
  readonly person: Person;
  readonly hubName: string;
  readonly photo: string;
}

type People = Awaited<ReturnType<typeof thePeople>>;
type Things = Awaited<ReturnType<typeof theThings>>;

/** Builds the Hub, its neighbours and everybody who calls. */
export async function aSecretHub(opine: StoringOpine): Promise<SecretHub> {
  const people = await thePeople(opine);
  const things = await theThings(people);
  await part(people, things);
  for (const person of [people.registered, people.confirmed, ...Object.values(people.ready)]) {
    await follow(person, people.amara.person, people.chidi.person);
  }
  const callers = callersOf(people, things);
  return {
    hub: things.hub,
    callers: new Map(callers.map((caller) => [caller.name, caller])),
    admin: callerOf('an admin', 4, people.amara.person, things.choir),
    secrets: secretsOf(people, things),
    candidates: await candidatesOf(people, things),
    snapshot: () => snapshotOf(people, things),
  };
}

async function thePeople(opine: StoringOpine) {
  const words = theWords();
  const masked = async (name: string): Promise<Masked> => {
    const person = await aHubReady(opine, name);
    const [displayName, profileAssetId] = [aWord(), await anAsset(person, 'profile_photo')];
    await granted(person.patch('/users/me/hub-profile', { displayName, profileAssetId }));
    return { person, hubName: displayName, photo: profileAssetId };
  };
  const [removed, former] = [await masked('Removed'), await masked('Former')];
  const amara = await masked('Amara');
  await chooseForDefaultFeed(opine, amara.person);
  return {
    words,
    amara,
    bela: await masked('Bela'),
    chidi: await masked('Chidi'),
    /** Of whom nobody outside hears but by her address. */
    dara: await masked(words.quiet),
    host: await aHubReady(opine, 'Host'),
    requester: await aHubReady(opine, words.requester),
    removed,
    former,
    anonymous: await anAnonymous(opine),
    registered: await aRegistered(opine),
    confirmed: await aConfirmed(opine),
    ready: {
      'a stranger': await aHubReady(opine, 'Stranger'),
      'an invited': await aHubReady(opine, 'Invited'),
      'a pending': await aHubReady(opine, 'Pending'),
      'a rejected': await aHubReady(opine, 'Rejected'),
      'a removed': removed.person,
      'a former': former.person,
      'a member elsewhere': await aHubReady(opine, 'Neighbour'),
      'an admin elsewhere': await aHubReady(opine, 'Ruler'),
    },
  };
}

async function anAsset(person: Person, purpose: Purpose): Promise<string> {
  return (await anUpload(person, await aPng(), purpose)).assetId;
}

/** What there is in the Hub and beside it, while everybody who was ever in it still is. */
async function theThings(people: People) {
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
  return { ...hubs, ...posts, ...talk, ...(await theDoors(people, hub)) };
}

interface Hubs {
  readonly hub: Hub;
  readonly choir: Hub;
  readonly realm: Hub;
}

async function thePosts({ words, amara, chidi, dara, former }: People, { hub, choir, realm }: Hubs) {
  const picture = await anAsset(dara.person, 'post_image');
  const locked = await aHubPost(dara.person, [hub], {
    thoughtText: words.lockedThought,
    sliderText: words.lockedSlider,
    article: { title: words.lockedTitle, text: words.lockedText, assetIds: [picture] },
  });
  return {
    picture,
    locked,
    shared: await aHubPost(chidi.person, [hub, choir, realm], { thoughtText: words.sharedThought }),
    open: await aHubPost(amara.person, [hub], { visibility: 'public_hub', sliderText: 'Do we sing well?' }),
    ofFormer: await aHubPost(former.person, [hub], { thoughtText: words.formerThought }),
  };
}

type Posts = Awaited<ReturnType<typeof thePosts>>;

async function theTalk(
  people: People,
  { hub, choir, realm }: Hubs,
  { locked, shared, open, ofFormer }: Posts,
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
    otherDiscussions: [await about(shared), await about(open), await about(ofFormer)],
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
  await granted(askToDecide(amara.person, hub, rejected, 'reject'));
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
async function part({ amara, removed, former }: People, { hub }: Things): Promise<void> {
  await granted(askToRemove(amara.person, hub, removed.person));
  await granted(askToLeave(former.person, hub));
}

function callerOf(name: string, level: number, { id, session }: Person, elsewhere: Hub): Caller {
  const isElsewhere = ELSEWHERE.includes(name);
  const isAwaited = name === 'an invited' || name === 'a pending';
  return { name, level, id, accessToken: session.accessToken, elsewhere, isElsewhere, isAwaited };
}

function callersOf({ anonymous, registered, confirmed, ready }: People, { choir, realm }: Things): Caller[] {
  return [
    { name: 'a guest', level: 0, elsewhere: choir, isElsewhere: false, isAwaited: false },
    callerOf('an anonymous', 1, anonymous, choir),
    callerOf('a registered', 2, registered, choir),
    callerOf('a confirmed', 3, confirmed, choir),
    ...Object.entries(ready).map(([name, person]) =>
      callerOf(name, 4, person, name === 'an admin elsewhere' ? realm : choir),
    ),
  ];
}

function secretsOf(people: People, things: Things): Secret[] {
  const { words, amara, bela, chidi, dara, host, requester, removed, former, confirmed, ready } = people;
  const secret = (kind: Kind, what: string, text: string, ...of: string[]): Secret => ({
    kind,
    what,
    text,
    of,
  });
  const phone = (what: string, { phoneNumber }: Pick<Person, 'phoneNumber'>, ...of: string[]) =>
    secret('phone', `the phone of ${what}`, phoneNumber.slice(1), ...of);
  const identity = (kind: Kind, what: string, { hubName, photo }: Masked, ...of: string[]) => [
    secret(kind, `the Hub name of ${what}`, hubName, ...of),
    secret(kind, `the Hub photo of ${what}`, photo, ...of),
  ];
  const { discussion, otherDiscussions, root, reply, aside, locked, shared, ofFormer } = things;
  return [
    secret('the Hub', 'the id of the Hub', things.hub.id),
    secret('the Hub', 'the name of the Hub', HUB_NAME),
    secret('content', 'the custom link', words.link),
    secret('quiet person', 'who Dara is', words.quiet),
    secret('quiet person', 'the id of Dara', dara.person.id),
    secret('content', 'who else asks to be let in', words.requester),
    secret('content', 'the id of who else asks to be let in', requester.id),
    ...identity('content', 'Amara', amara),
    ...identity('content', 'Bela', bela),
    ...identity('mate', 'Chidi', chidi),
    ...identity('content', 'Dara', dara),
    ...identity('content', 'the removed', removed, 'a removed'),
    ...identity('content', 'the former', former, 'a former'),
    phone('Amara', amara.person),
    phone('Bela', bela.person),
    { ...phone('Chidi', chidi.person), kind: 'mate' },
    { ...phone('Dara', dara.person), kind: 'asked number' },
    { ...phone('the requester', requester), kind: 'never shown' },
    { ...phone('the host', host, ...ELSEWHERE), kind: 'never shown' },
    phone('an invited number', { phoneNumber: things.number }),
    phone('a confirmed', confirmed, 'a confirmed'),
    ...Object.entries(ready).map(([name, person]) =>
      phone(name, person, name, ...(ELSEWHERE.includes(name) ? ELSEWHERE : [])),
    ),
    secret('content', 'the locked post', locked.id),
    secret('content', 'the thought of the locked post', words.lockedThought),
    secret('content', 'the slider of the locked post', words.lockedSlider),
    secret('content', 'the title of the locked post', words.lockedTitle),
    secret('content', 'the text of the locked post', words.lockedText),
    secret('content', 'the picture of the locked post', things.picture),
    secret('content', 'the shared post', shared.id, ...ELSEWHERE),
    secret('content', 'the thought of the shared post', words.sharedThought, ...ELSEWHERE),
    secret('content', 'the post of the former', ofFormer.id, 'a former'),
    secret('content', 'the thought of the former', words.formerThought, 'a former'),
    ...[discussion, ...otherDiscussions].map(({ id }) => secret('content', 'a discussion', id)),
    ...[root, reply, aside].map(({ id }) => secret('content', 'a message', id)),
    secret('content', 'what a message says', words.root),
    secret('content', 'what a reply says', words.reply),
    secret('content', 'what a message about the shared post says', words.aside),
    secret('content', 'what the former said', words.saidByFormer, 'a former'),
    secret('content', 'what the removed said', words.saidByRemoved, 'a removed'),
    secret('content', 'the picture of a message', things.messagePicture),
    secret('invitation', 'the invitation of the invited', things.invitation.id, 'an invited'),
    secret('invitation', 'the invitation of somebody else', things.otherInvitation.id),
    secret('content', 'the link', things.link.id),
    secret('content', 'the join request of the pending', things.pending.id, 'a pending'),
    secret('content', 'the join request of somebody else', things.request.id),
    secret('never shown', 'the join request of the rejected', things.rejected.id, 'a rejected'),
    secret('never shown', 'the token of the link', things.link.token),
    secret('never shown', 'the token of an invitation', tokenIn(things.invitation.inviteUrl)),
    secret('never shown', 'the token of the other invitation', tokenIn(things.otherInvitation.inviteUrl)),
  ];
}

const nobodys: Candidate = { what: NOBODYS, value: NOBODY.id, hidden: 'no', of: [], isElsewhere: false };

async function candidatesOf(people: People, things: Things): Promise<Slots> {
  const { words, amara, chidi, dara } = people;
  const candidate =
    (hidden: Candidate['hidden']) =>
    (what: string, value: Candidate['value'], ...of: string[]): Candidate => ({
      what,
      value,
      hidden,
      of,
      isElsewhere: false,
    });
  const [open, within, hidden] = [candidate('no'), candidate('in hubs'), candidate('yes')];
  const list = (candidates: readonly Candidate[]): Candidate[] =>
    candidates.map((one) => ({ ...one, value: [one.value].flat() }));
  const hubs = ({ elsewhere }: Caller) => [open(THE_HUB, things.hub.id), open(ELSEWHERE_HUB, elsewhere.id)];
  const users = ({ id }: Caller) => [
    within('Amara', amara.person.id),
    { ...within('Chidi', chidi.person.id), isElsewhere: true },
    within('Dara', dara.person.id),
    ...(id === undefined ? [] : [{ ...within('themself', id), isElsewhere: true }]),
    nobodys,
  ];
  const discussions = ({ elsewhere }: Caller) => [
    hidden('the discussion', things.discussion.id),
    ...things.otherDiscussions.slice(0, 1).map(({ id }) => hidden('the discussion of the shared post', id)),
    ...things.nextDoor
      .filter(({ hubId }) => hubId === elsewhere.id)
      .map(({ id }) => ({ ...hidden('a discussion elsewhere', id), isElsewhere: true })),
    nobodys,
  ];
  const messages = [hidden('a message', things.root.id), hidden('a reply', things.reply.id), nobodys];
  const assets = [
    hidden('the picture of the locked post', things.picture),
    hidden('the picture of a message', things.messagePicture),
    hidden('the Hub photo of Dara', dara.photo),
    nobodys,
  ];
  const uploads = [
    hidden('the contacts of Amara', await contactsOf(amara.person)),
    hidden('an upload of Dara', (await aPresigned(dara.person, await aPng())).uploadId),
    nobodys,
  ];
  const always = (candidates: Candidate[]) => () => candidates;
  return {
    hubId: (caller) => [...hubs(caller), nobodys],
    hubIds: (caller) => list([...hubs(caller), nobodys]),
    userId: users,
    username: always([open('Amara', amara.person.username), open('Dara', dara.person.username)]),
    postId: always([
      hidden('the locked post', things.locked.id),
      hidden('the shared post', things.shared.id, ...ELSEWHERE),
      hidden('the post of the former', things.ofFormer.id, 'a former'),
      open('the open post', things.open.id),
      nobodys,
    ]),
    discussionId: discussions,
    parentMessageId: always(messages),
    assetId: always(assets),
    assetIds: always(list(assets)),
    profileAssetId: always(assets),
    uploadId: always(uploads),
    invitationId: always([
      hidden('the invitation of the invited', things.invitation.id, 'an invited'),
      hidden('an invitation', things.otherInvitation.id),
      nobodys,
    ]),
    inviteLinkId: always([hidden('the link', things.link.id), nobodys]),
    requestId: always([
      hidden('the join request of the pending', things.pending.id),
      hidden('the join request of the rejected', things.rejected.id),
      hidden('a join request', things.request.id),
      nobodys,
    ]),
    token: always([
      open('the token of the link', things.link.token),
      open('the token of the invitation', tokenIn(things.invitation.inviteUrl)),
      open('the token of the other invitation', tokenIn(things.otherInvitation.inviteUrl)),
      open('no token', 'x'.repeat(43)),
    ]),
    customLink: always([open('the custom link', words.link)]),
    phoneNumbers: always(list([open('the phone of Dara', dara.person.phoneNumber)])),
    q: always([
      open('a word of names', 'Harbour'),
      open('the custom link', words.link),
      hidden('the Hub name of Dara', dara.hubName),
      hidden('the phone of Dara', dara.person.phoneNumber),
      { ...nobodys, value: aWord() },
    ]),
  };
}

/** The upload of the contacts of `person`, which is still to come. */
async function contactsOf(person: Person): Promise<string> {
  const data = await granted(person.put('/users/me/onboarding/contacts', { permission: 'granted' }));
  return data.snapshot.uploadId;
}

async function snapshotOf({ amara, bela, chidi, dara }: People, { hub }: Things): Promise<Snapshot> {
  const read = (person: Person, path: string) => granted(person.get(path));
  const inHub = (path: string, { person } = amara) => read(person, `/hubs/${hub.id}${path}`);
  const itemsOf = async (path: string): Promise<Json[]> => (await inHub(`${path}?limit=50`)).items;
  const { activeUsers24h, ...profile } = await inHub('');
  const links = await itemsOf('/invite-links');
  const discussions = await itemsOf('/discussions');
  const requests = await itemsOf('/join-requests');
  return {
    seen: {
      profile,
      members: await itemsOf('/members'),
      admins: await itemsOf('/admins'),
      invitations: await itemsOf('/invitations'),
      links: links.map(({ useCount, ...link }) => link),
      feed: (await itemsOf('/feed')).map(({ id, hubs, article, thoughtText }) => ({
        id,
        hubs,
        article,
        thoughtText,
      })),
      discussions: discussions.map(withoutNames),
      messages: withoutNames(await forEach(discussions, ({ id }) => itemsOf(`/discussions/${id}/messages`))),
      settings: await forEach([amara, bela, chidi, dara], (one) => inHub('/notification-settings', one)),
      saved: withoutNames(await read(dara.person, '/users/me/saved-discussions')),
    },
    requesters: requests.map(({ user }) => user.userId).sort(),
    linkUses: links.reduce((sum, { useCount }) => sum + useCount, 0),
  };
}

/** What is read for each of `all`. */
function forEach<One>(all: readonly One[], read: (one: One) => Promise<Json>): Promise<Json[]> {
  return Promise.all(all.map(read));
}

/** The same without the names of those who left, which these may change. */
function withoutNames(value: Json): Json {
  return JSON.parse(JSON.stringify(value), (_, inner) =>
    inner?.isFormerMember ? { userId: inner.userId } : inner,
  );
}
