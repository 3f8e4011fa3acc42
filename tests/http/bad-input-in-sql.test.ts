import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { ROUTES } from '../../src/domains/all.ts';
import { beyondLimits, mistypedBodies } from '../support/bad-requests.ts';
import { type Json, refusal, withQuery } from '../support/client.ts';
import { aContact, allowContacts } from '../support/contacts.ts';
import { scaled } from '../support/depth.ts';
import { type DirectSql, openDirectSql, type SqlAnswer } from '../support/direct-sql.ts';
import { type ApiDocument, readDocument } from '../support/document.ts';
import { follow } from '../support/graph.ts';
import { aHub, aHubPost, aMemberOf, aMessage, discussionOf } from '../support/hubs.ts';
import { type Opine, startOpine, testEnvironment } from '../support/opine.ts';
import { confirmedPerson, hubReadyPerson, type Person } from '../support/people.ts';
import { aComment, aSlider } from '../support/posts.ts';
import { removeReported } from '../support/staff.ts';

type Route = (typeof ROUTES)[number];

/** The operations that a Data API client can call in SQL with a query or a body. */
const OPERATIONS = ROUTES.filter(
  ({ auth, gateway, query, body }) =>
    auth !== 'staff' && gateway !== 'service' && gateway !== 'none' && (query || body),
);

/** Postgres receives these hashed or sealed, so only the service can check their format. */
const SECRETS = ['token', 'refreshToken', 'notificationDeviceToken'];

/** Parameters that lists take as absent where they are empty. */
const OPTIONAL_TEXTS = ['cursor', 'q'];

/** The SQLSTATEs of refused arguments: our 413 and 422, invalid data, not-null and check violations. */
const REFUSED = /^(PT413|PT422|22...|23502|23514)$/;

const PHOTO_OF_8_KIB_AND_A_BYTE = Buffer.alloc(8193).toString('base64');

let opine: Opine;
let door: DirectSql;
let document: ApiDocument;
/** A person of the highest level, with a Hub of her own. */
let maya: Person;
/** Path parameters for which Maya has permission to call each operation. */
let params: Record<string, string>;
/** Another member of Maya's Hub. */
let member: Person;

beforeAll(async () => {
  opine = await startOpine();
  door = await openDirectSql(opine.database.superuserUrl);
  document = await readDocument(opine.url);
  maya = await hubReadyPerson(opine, 'Maya');
  const author = await confirmedPerson(opine);
  const post = await aSlider(author);
  const hub = await aHub(maya);
  member = await aMemberOf(opine, maya, hub);
  const discussion = await discussionOf(maya, hub, await aHubPost(maya, [hub]));
  await follow(maya, author);
  params = {
    postId: post.id,
    userId: author.id,
    hubId: hub.id,
    discussionId: discussion.id,
    commentId: (await aComment(author, post)).id,
    messageId: (await aMessage(member, discussion)).id,
    decisionId: (await removeReported(opine, author, 'comments', await aComment(maya, post), maya)).id,
    uploadId: (await allowContacts(maya)).data.snapshot.uploadId,
  };
});

afterAll(async () => {
  await door?.close();
  await opine?.stop();
});

const bodySchemaOf = (route: Route) =>
  document.paths[route.path][route.method].requestBody.content['application/json'].schema;

/** Returns the query parameters of an operation as an object schema. */
function querySchemaOf(route: Route): Json {
  const parameters: Json[] = document.paths[route.path][route.method].parameters;
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  return { properties: Object.fromEntries(inQuery.map(({ name, schema }) => [name, schema])) };
}

/** Returns a body that Maya may send. */
function bodyOf(route: Route): Json {
  const bodies: Record<string, Json> = {
    log_out: { refreshToken: maya.session.refreshToken, logoutFromAllDevices: false },
    complete_media: { profileAssetId: null },
    share_to_hubs: { hubIds: [params.hubId] },
    add_admin: { userId: member.id, role: 'manager' },
  };
  return bodies[route.id] ?? route.example.body;
}

/** Returns the path parameters of an operation. */
const inPath = ({ path }: Route) =>
  Object.fromEntries(Object.entries(params).filter(([name]) => path.includes(`{${name}}`)));

const sha256 = (text: unknown) => createHash('sha256').update(`${text}`).digest('hex');

/** Returns the SQL arguments of an operation: those of the request and those that the service adds. */
function argsOf(route: Route, requested: Json): Json {
  const config = readConfig(testEnvironment(opine.database));
  const { token, phoneNumbers, ...args } = { ...requested, ...inPath(route), ...route.fromConfig?.(config) };
  switch (route.id) {
    case 'log_out':
      return { ...args, refreshTokenHash: sha256(args.refreshToken), deviceTokenHash: null };
    case 'register_device_token':
      return { tokenHash: sha256(token), sealedToken: Buffer.alloc(40).toString('base64'), ...args };
    case 'remove_member':
      return { ...args, userId: member.id };
    case 'remove_device_token':
      return { ...args, tokenHash: sha256(token) };
    case 'create_invite_link':
      return { tokenHash: sha256(route.id), sealedToken: '', ...args };
    case 'create_invitations':
      return { invitations: invitationsOf(phoneNumbers), ...args };
    default:
      return args;
  }
}

const invitationsOf = (phoneNumbers: Json) =>
  Array.isArray(phoneNumbers)
    ? phoneNumbers.map((phoneNumber) => ({ phoneNumber, tokenHash: sha256(phoneNumber), sealedToken: '' }))
    : phoneNumbers;

const callInSql = (route: Route, requested: Json): Promise<SqlAnswer> =>
  door.call(maya.session.accessToken, route.id, argsOf(route, requested));

const pathOf = ({ path }: Route) => path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '');

const methodOf = ({ method }: Route) => method.toUpperCase();

const sendByRest = (route: Route, body: Json) =>
  maya.send(methodOf(route), pathOf(route), JSON.stringify(body), {
    headers: { 'content-type': 'application/json' },
  });

describe.for(OPERATIONS.filter(({ body }) => body))('the body of $id', (route) => {
  test('SQL accepts a valid body', async () => {
    expect(await callInSql(route, bodyOf(route))).toEqual({ sqlstate: null, message: '' });
  });

  test('SQL refuses a body with a mistyped or missing field', async () => {
    const { required = [] } = document.resolve(bodySchemaOf(route));
    const property = fc.asyncProperty(
      mistypedBodies(document, bodySchemaOf(route), bodyOf(route)),
      async ({ text, field }) => {
        if (SECRETS.includes(field)) return;
        // In SQL, null equals an absent field.
        if (JSON.parse(text)[field] === null && !required.includes(field)) return;
        expect((await callInSql(route, JSON.parse(text))).sqlstate, text).toMatch(REFUSED);
      },
    );
    await fc.assert(property, { numRuns: scaled(640) });
  });

  // docs/product.md W21, W25
  test('REST and SQL refuse a body with a field beyond its limit', async () => {
    for (const { name, field, args, isHuge } of beyondLimits(document, bodySchemaOf(route), bodyOf(route))) {
      if (SECRETS.includes(field)) continue;
      if (!isHuge) {
        const { status, error } = await sendByRest(route, args);
        expect({ name, status, code: error?.code }).toEqual({ name, status: 422, code: 'VALIDATION_FAILED' });
        expect(error.details.issues[0].path[0], name).toBe(field);
      }
      expect((await callInSql(route, args)).sqlstate, name).toMatch(REFUSED);
    }
  });
});

describe.for(OPERATIONS.filter(({ query }) => query))('the query of $id', (route) => {
  const validArgs = () => ({
    ...(route.body && bodyOf(route)),
    ...('q' in querySchemaOf(route).properties && { q: 'maya' }),
  });

  test('SQL accepts a valid query', async () => {
    expect(await callInSql(route, validArgs())).toEqual({ sqlstate: null, message: '' });
  });

  const mayBeAbsent = OPTIONAL_TEXTS.filter((name) => route.query?.shape[name]?.safeParse(undefined).success);

  // docs/product.md W5
  test.each(mayBeAbsent)('REST and SQL take an empty %s as absent', async (name) => {
    const { [name]: _, ...args } = validArgs();
    expect(await callInSql(route, { ...args, [name]: '' })).toEqual({ sqlstate: null, message: '' });
    const [empty, absent] = [{ ...args, [name]: '' }, args].map((query) => withQuery(pathOf(route), query));
    const { status, data } = await maya.get(empty ?? '');
    expect([status, data]).toEqual([200, (await maya.get(absent ?? '')).data]);
  });

  test('REST and SQL refuse a query with a field beyond its limit', async () => {
    for (const { name, field, value, args, isHuge } of beyondLimits(
      document,
      querySchemaOf(route),
      validArgs(),
    )) {
      const { sqlstate } = await callInSql(route, args);
      if (!isHuge && route.method === 'get') {
        const query = new URLSearchParams({ ...validArgs(), [field]: `${value}` });
        expect([name, (await maya.get(`${pathOf(route)}?${query}`)).status]).toEqual([name, 422]);
      }
      expect(sqlstate, name).toMatch(REFUSED);
    }
  });
});

type InvalidCase = [operation: string, name: string, fields: () => Json];

/** Bodies that violate a rule between fields, or within an array. */
const INVALID_CASES: InvalidCase[] = [
  ['create_post', 'no content', () => ({ sliderText: undefined, slider: undefined })],
  ['create_post', 'a public post in a Hub', () => ({ hubIds: [params.hubId] })],
  ['create_post', 'a Hub post in no Hub', () => ({ visibility: 'public_hub', hubIds: [] })],
  ['create_post', 'a private post without Hubs', () => ({ visibility: 'private_locked_hub' })],
  [
    'create_post',
    'a private post twice in one Hub',
    () => ({ visibility: 'private_locked_hub', hubIds: [params.hubId, params.hubId] }),
  ],
  ['create_post', 'a slider without its text', () => ({ sliderText: undefined, thoughtText: 'So it is.' })],
  ['create_post', 'a slider without a label', () => ({ slider: { leftLabel: 'No' } })],
  ['create_post', 'an empty article', () => ({ article: {} })],
  ['create_post', 'an article URL that is not HTTP', () => ({ article: { url: 'javascript:alert(1)' } })],
  ['create_repost', 'no content', () => ({ thoughtText: undefined })],
  ['create_repost', 'a slider without its text', () => ({ slider: { leftLabel: 'No', rightLabel: 'Yes' } })],
  ['share_to_hubs', 'one Hub twice', () => ({ hubIds: [params.hubId, params.hubId] })],
  ['create_comment', 'no text', () => ({ text: undefined })],
  ['create_message', 'no text', () => ({ text: undefined })],
  ['update_own_profile', 'no change', () => ({ fullName: undefined, bio: undefined })],
  ['update_hub_profile', 'no change', () => ({ displayName: undefined })],
  ['update_hub', 'no change', () => ({ name: undefined })],
  ['mark_notifications_read', 'both an id and all', () => ({ notificationId: params.postId })],
  ['mark_notifications_read', 'neither an id nor all', () => ({ all: undefined })],
  ['save_profile_basics', 'terms not accepted', () => ({ termsAccepted: false })],
  ['save_profile_basics', 'terms of another version', () => ({ termsVersion: '0' })],
  ['store_contacts', 'a thumbnail over 8 KiB', () => withContact({ thumbnail: PHOTO_OF_8_KIB_AND_A_BYTE })],
  ['store_contacts', 'a thumbnail that is not base64', () => withContact({ thumbnail: '%' })],
  ['store_contacts', 'a long name', () => withContact({ name: 'x'.repeat(201) })],
  ['store_contacts', 'a name that is not a string', () => withContact({ name: 1 })],
  ['store_contacts', 'no phone number', () => withContact({ phoneNumbers: ['1'] })],
  ['store_contacts', '51 numbers', () => withContact({ phoneNumbers: Array(51).fill('+493010000000') })],
  [
    'store_contacts',
    '20,001 numbers',
    () => ({ contacts: Array(401).fill(aContact({ phoneNumbers: Array(50).fill('+493010000000') })) }),
  ],
];

const withContact = (fields: Json): Json => ({ contacts: [aContact(fields)] });

const routeOf = (operation: string): Route => {
  const route = ROUTES.find(({ id }) => id === operation);
  if (!route) throw new Error(`There is no operation ${operation}.`);
  return route;
};

// docs/product.md W21, O7
test.each(INVALID_CASES)('REST and SQL refuse %s with %s', async (operation, _, fields) => {
  const route = routeOf(operation);
  const body = { ...bodyOf(route), ...fields() };
  expect(await sendByRest(route, body)).toMatchObject(refusal(422, 'VALIDATION_FAILED'));
  expect((await callInSql(route, body)).sqlstate).toMatch(REFUSED);
});

// docs/product.md W21, O7
test.each<InvalidCase>([
  ['cast_vote', 'no position', () => ({ position: null })],
  ['cast_vote', 'an activity delay in the past', () => ({ activityDelay: { from: -86_400, to: 0 } })],
  ['cast_vote', 'an activity delay of NaN', () => ({ activityDelay: { from: 'NaN', to: 'NaN' } })],
  ['cast_vote', 'thousands of keys', () => ({ pendingVoteKeys: Array(5000).fill('key') })],
  ['share_to_hubs', 'thousands of keys', () => ({ pendingVoteKeys: Array(5000).fill('key') })],
  ['create_invitations', 'no hash', () => ({ invitations: [{ phoneNumber: '+493010000000' }] })],
  [
    'create_invitations',
    'a phone number that is not in E.164',
    () => ({ invitations: invitationsOf(['030 1']) }),
  ],
  ['register_device_token', 'a short hash', () => ({ tokenHash: 'ab' })],
  ['register_device_token', 'a huge token', () => ({ sealedToken: 'A'.repeat(40_000) })],
  ['store_contacts', '9 MiB', () => ({ padding: 'x'.repeat(9 * 1024 * 1024) })],
])('SQL refuses %s with %s', async (operation, _, fields) => {
  const route = routeOf(operation);
  const args = { ...argsOf(route, bodyOf(route)), ...fields() };
  expect((await door.call(maya.session.accessToken, operation, args)).sqlstate).toMatch(REFUSED);
});

test.each([81, 4 * 1024 * 1024])('SQL refuses a guest search for %i characters', async (length) => {
  const q = 'x'.repeat(length);
  expect((await door.call(null, 'search_users', { q })).sqlstate).toBe('PT422');
});
