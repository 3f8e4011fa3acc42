import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROUTES } from '../../src/domains/all.ts';
import { listErrors } from '../../src/http/operation.ts';
import {
  type Client,
  clientOf,
  expectOk,
  type Json,
  NONEXISTENT,
  type Reply,
  refusalOf,
} from '../support/client.ts';
import {
  aHub,
  aHubPost,
  aMemberOf,
  FORBIDDEN,
  HUB_NOT_FOUND,
  invalid,
  requestClose,
} from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aGuest, hubReadyPerson, type Person, personOfLevel } from '../support/people.ts';
import { runStaffAction } from '../support/staff.ts';

type Route = (typeof ROUTES)[number];

/** The operations that take a Hub in their query. */
const OPERATIONS = ROUTES.filter(({ query }) => query?.shape.hubId !== undefined);
const LOW_LEVELS = [
  [1, 'profile_basics'],
  [2, 'media'],
  [3, 'contacts'],
] as const;

let opine: Opine;
let amara: Person;
let hub: Json;
/** A post in another Hub of Amara's, so that nobody else may see it. */
let hidden: Json;

beforeAll(async () => {
  opine = await startOpine();
  amara = await hubReadyPerson(opine, 'Amara');
  hub = await aHub(amara);
  hidden = await aHubPost(amara, [await aHub(amara)], { sliderText: 'Is it too loud?' });
});

afterAll(() => opine.stop());

function call(caller: Client, { method, path, example }: Route, hubId: string): Promise<Reply> {
  const query = new URLSearchParams({ hubId, ...(path.startsWith('/search/') && { q: 'loud' }) });
  const address = `${path.replace('{postId}', hidden.id)}?${query}`;
  return method === 'post' ? caller.post(address, example.body) : caller.get(address);
}

/** Returns the distinct refusals of every operation with `?hubId=`, and of a route of the Hub itself. */
async function refusalsOf(caller: Client, hubId: string): Promise<unknown[]> {
  const replies = [await caller.get(`/hubs/${hubId}/feed`)];
  for (const operation of OPERATIONS) replies.push(await call(caller, operation, hubId));
  return [...new Map(replies.map(refusalOf).map((refusal) => [JSON.stringify(refusal), refusal])).values()];
}

test('the operations with hubId in the query are feeds, posts, search and votes, and document its errors', () => {
  expect(OPERATIONS.map(({ id }) => id).toSorted()).toEqual(
    'cast_vote get_home_feed get_post get_vote_distribution get_vote_summary list_frames search_posts'.split(
      ' ',
    ),
  );
  for (const operation of OPERATIONS) {
    expect(listErrors(operation)).toEqual(
      expect.arrayContaining(['UNAUTHORIZED', 'FORBIDDEN', 'HUB_NOT_FOUND']),
    );
  }
});

// docs/product.md H7
test('a malformed hubId is 422 for a guest and a member', async () => {
  for (const hubId of ['', 'garlic', `${NONEXISTENT.id}0`]) {
    for (const operation of OPERATIONS) {
      expect(await call(amara, operation, hubId)).toMatchObject(invalid('hubId'));
      if (operation.auth === 'optional')
        expect(await call(aGuest(opine), operation, hubId)).toMatchObject(invalid('hubId'));
    }
  }
});

// docs/product.md H7
test('a guest, an invalid bearer and an ended session get 401 with any hubId', async () => {
  const ended = await hubReadyPerson(opine, 'Ended');
  await expectOk(
    ended.post('/auth/logout', { refreshToken: ended.session.refreshToken, logoutFromAllDevices: false }),
  );
  for (const caller of [aGuest(opine), clientOf(opine.url, 'no-token'), ended]) {
    for (const { id } of [hub, NONEXISTENT])
      expect(await refusalsOf(caller, id)).toEqual([[401, 'UNAUTHORIZED', {}]]);
  }
});

// docs/product.md H7
test.each(LOW_LEVELS)(
  'a caller of level %i gets 403 with the level and the next step',
  async (level, nextStep) => {
    const caller = await personOfLevel(level, opine);
    for (const { id } of [hub, NONEXISTENT])
      expect(await refusalsOf(caller, id)).toEqual([
        [403, 'FORBIDDEN', { requiredLevel: 4, level, nextStep }],
      ]);
  },
);

// docs/product.md H7
test('a non-member gets 403, for a post that they may not see too', async () => {
  expect(await refusalsOf(await hubReadyPerson(opine, 'Nora'), hub.id)).toEqual([FORBIDDEN]);
});

// docs/product.md H7
test('an unknown, a closed and a suspended Hub are 404 HUB_NOT_FOUND, for their members too', async () => {
  const [closed, suspended] = [await aHub(amara), await aHub(amara)];
  await expectOk(requestClose(amara, closed));
  await runStaffAction(opine, 'suspend_hub', suspended);
  const nonMember = await hubReadyPerson(opine, 'Nora');
  for (const { id } of [NONEXISTENT, closed, suspended]) {
    for (const caller of [amara, nonMember]) expect(await refusalsOf(caller, id)).toEqual([HUB_NOT_FOUND]);
  }
});

test('a member gets what the operation has, and 404 for a post that they may not see', async () => {
  const jonas = await aMemberOf(opine, amara, hub, 'Jonas');
  for (const operation of OPERATIONS) {
    const { status, error } = await call(jonas, operation, hub.id);
    const names = operation.path.includes('{postId}');
    expect([operation.id, status, error?.code]).toEqual([
      operation.id,
      ...(names ? [404, 'POST_NOT_FOUND'] : [200, undefined]),
    ]);
  }
});
