import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, expectOk, type Json, type Reply, refusalOf } from '../support/client.ts';
import { messagesOf } from '../support/discussions.ts';
import {
  aHub,
  aHubPost,
  aJoinRequest,
  aMemberOf,
  aMessage,
  discussionOf,
  FORBIDDEN,
  hubSeenBy,
  join,
  MEMBER_NOT_FOUND,
  requestAppoint,
  requestChange,
  requestClose,
  requestDecide,
  requestDismiss,
  requestMessageDeletion,
  requestPostRemoval,
  requestRelink,
  requestRemove,
  rolesIn,
} from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { hubReadyPeople, hubReadyPerson, type Person } from '../support/people.ts';

/** A Hub with something for each power of its admin, Amara. */
interface World {
  readonly hub: Json;
  readonly member: Person;
  readonly joinRequest: Json;
  readonly post: Json;
  readonly discussion: Json;
  readonly message: Json;
}

let opine: Opine;
let amara: Person;
let world: World;
/** People without the powers of an admin of the Hub, those in it and those outside. */
let inside: Record<string, Person>;
let outside: Record<string, Person>;

beforeAll(async () => {
  opine = await startOpine();
  amara = await hubReadyPerson(opine, 'Amara');
  world = await aWorld();
  const { hub } = world;
  const manager = await aMemberOf(opine, amara, hub, 'Manager', 'manager');
  const formerAdmin = await aMemberOf(opine, amara, hub, 'Former admin', 'admin');
  await expectOk(requestDismiss(amara, hub, formerAdmin));
  inside = { 'a manager': manager, 'a member': world.member, 'a member who was an admin': formerAdmin };

  const [nonMember, removed, elsewhere, founder] = await hubReadyPeople(opine, 'No', 'Ex', 'Else', 'Founder');
  await join(amara, hub, [removed], 'manager');
  await expectOk(requestRemove(amara, hub, removed));
  await join(founder, await aHub(founder), [elsewhere], 'manager');
  outside = {
    'a non-member': nonMember,
    'a removed manager': removed,
    'a manager of another Hub': elsewhere,
    'an admin of another Hub': founder,
  };
});

afterAll(() => opine.stop());

async function aWorld(): Promise<World> {
  const hub = await aHub(amara);
  const member = await aMemberOf(opine, amara, hub, 'Member');
  const post = await aHubPost(amara, [hub]);
  const discussion = await discussionOf(amara, hub, post);
  return {
    hub,
    member,
    post,
    discussion,
    joinRequest: await aJoinRequest(amara, hub, await hubReadyPerson(opine, 'Applicant')),
    message: await aMessage(amara, discussion, 'Well said.'),
  };
}

/** Returns what the powers below could have changed, as the admin sees it. */
async function stateOf({ hub, discussion }: World): Promise<unknown> {
  const requests = await expectOk(amara.get(`/hubs/${hub.id}/join-requests`));
  const { activeUsers24h: _, ...card } = await hubSeenBy(amara, hub);
  return [card, await rolesIn(amara, hub), requests.items, await messagesOf(amara, discussion)];
}

type Power = [
  power: string,
  refusalOutside: unknown[],
  use: (person: Client, world: World) => Promise<Reply>,
];

const POWERS: Power[] = [
  ['changes the Hub', FORBIDDEN, (person, { hub }) => requestChange(person, hub, { name: 'Oak Street' })],
  ['changes its link', FORBIDDEN, (person, { hub }) => requestRelink(person, hub, 'oak-street')],
  ['sets a role', FORBIDDEN, (person, { hub, member }) => requestAppoint(person, hub, member, 'manager')],
  ['takes a role', MEMBER_NOT_FOUND, (person, { hub, member }) => requestDismiss(person, hub, member)],
  [
    'approves a join request',
    [404, 'JOIN_REQUEST_NOT_FOUND', {}],
    (person, { hub, joinRequest }) => requestDecide(person, hub, joinRequest, 'approve'),
  ],
  [
    'rejects a join request',
    [404, 'JOIN_REQUEST_NOT_FOUND', {}],
    (person, { hub, joinRequest }) => requestDecide(person, hub, joinRequest, 'reject'),
  ],
  [
    'deletes the message of another',
    [404, 'DISCUSSION_NOT_FOUND', {}],
    (person, { discussion, message }) => requestMessageDeletion(person, discussion, message),
  ],
  ['removes a member', MEMBER_NOT_FOUND, (person, { hub, member }) => requestRemove(person, hub, member)],
  [
    'takes out a post',
    [404, 'POST_NOT_FOUND', {}],
    (person, { hub, post }) => requestPostRemoval(person, hub, post),
  ],
  ['closes the Hub', FORBIDDEN, (person, { hub }) => requestClose(person, hub)],
];

// docs/product.md H7, H8
describe.each(POWERS)('nobody but an admin %s', (_, refusalOutside, use) => {
  test('a manager, a member and a former admin get 403, and nothing changes', async () => {
    const before = await stateOf(world);
    for (const [who, person] of Object.entries(inside))
      expect([who, refusalOf(await use(person, world))]).toEqual([who, FORBIDDEN]);
    expect(await stateOf(world)).toEqual(before);
  });

  test('non-members get 403, for an item inside 404, whatever they are elsewhere', async () => {
    const before = await stateOf(world);
    for (const [who, person] of Object.entries(outside))
      expect([who, refusalOf(await use(person, world))]).toEqual([who, refusalOutside]);
    expect(await stateOf(world)).toEqual(before);
  });

  test('an admin does', async () => {
    expect((await use(amara, await aWorld())).status).toBe(200);
  });
});

// docs/product.md H7
test.each(POWERS.filter(([, refusal]) => refusal !== FORBIDDEN))(
  'an admin who names an item of another Hub at the address of their own gets 404: one who %s',
  async (_, refusal, use) => {
    const own = await aHub(amara);
    const { discussion, ...others } = world;
    const before = await stateOf(world);
    const mixed = { ...others, hub: own, discussion: { ...discussion, hubId: own.id } };
    // The member of the other Hub is a non-member of this one.
    expect(refusalOf(await use(amara, mixed))).toEqual(refusal);
    expect(await stateOf(world)).toEqual(before);
  },
);
