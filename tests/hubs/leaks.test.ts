import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { CALLERS, type Caller } from '../simulations/leaks/callers.ts';
import { ELSEWHERE_HUB, THE_HUB } from '../simulations/leaks/candidates.ts';
import type { Kind, Secret } from '../simulations/leaks/secrets.ts';
import {
  type Answer,
  type Call,
  callsOf,
  describeCall,
  differingAnswers,
  OPERATIONS,
  operationOf,
  secretsIn,
  sendAll,
} from '../simulations/leaks/simulation.ts';
import { createSecretHub, type SecretHub } from '../simulations/leaks/world.ts';
import { startLateReplicas } from '../simulations/replicas.ts';
import type { Json } from '../support/client.ts';
import { type ApiDocument, readDocument } from '../support/document.ts';
import { type OpineWithStorage, startOpineWithStorage, withStorage } from '../support/storage.ts';

type Operation = (typeof OPERATIONS)[number];
type AppliesTo = (caller: Caller, call: Call) => boolean;

const everybody: AppliesTo = () => true;
const hasHub = (call: Call, hub: string) => call.slots.some(([, { what }]) => what === hub);
const isIn =
  (...operations: string[]): AppliesTo =>
  (_, { operation }) =>
    operations.includes(operation);

const PROFILES = ['GET /users/{userId}/profile', 'GET /users/by-username/{username}'];
const INVITATION_LOOK_UP = 'GET /hub-invitations/by-token/{token}';
const INBOX = 'GET /notifications';
const EXPORT = 'GET /users/me/export';
const OWN_REPORTS = 'GET /users/me/reports';
const NOTIFIED = ['an invited', 'a rejected', 'a removed', 'a former'];
const FORMER_MEMBERS = ['a removed', 'a former'];
const THROUGH_LINKS = ['GET /hub-invite-links/{token}', 'POST /hub-invite-links/{token}/join-requests'];

/** Secrets of a Hub that a caller may see in some operation although they are not the caller's own. */
const MAY_SEE: readonly { readonly what: readonly Kind[]; readonly who: AppliesTo }[] = [
  // Previews, and public profiles with the Hubs that a person is admin of.
  { what: ['the Hub'], who: isIn('GET /hubs/{hubId}', 'GET /search/hubs', INVITATION_LOOK_UP) },
  { what: ['the Hub'], who: isIn(...PROFILES, ...THROUGH_LINKS) },
  {
    what: ['the Hub'],
    who: (caller, call) => caller.isAwaited && isIn('GET /users/me/hubs', EXPORT)(caller, call),
  },
  // The invited, rejected and removed person was notified, with the actor.
  {
    what: ['the Hub'],
    who: (caller, call) => NOTIFIED.includes(caller.name) && isIn(INBOX, EXPORT)(caller, call),
  },
  // The author of a shared post is notified of the sharer (docs/product.md N3).
  {
    what: ['hidden member'],
    who: (caller, call) => caller.name === 'a former' && isIn(INBOX, EXPORT)(caller, call),
  },
  // The holder of a token sees the inviter's public name; profiles are public.
  { what: ['invitation'], who: isIn(INVITATION_LOOK_UP) },
  { what: ['hidden member'], who: isIn(INVITATION_LOOK_UP, ...PROFILES) },
  // Members of the other Hub see its members, some of whom are also in this Hub.
  { what: ['member of both Hubs'], who: (caller, call) => caller.isElsewhere && hasHub(call, ELSEWHERE_HUB) },
  {
    what: ['member of both Hubs'],
    who: ({ isElsewhere }, { operation }) => isElsewhere && operation === 'GET /users/me/saved-discussions',
  },
  // The export lists what its owner saved, shared or reported, by id only; so does the list of reports.
  {
    what: ['saved or reported'],
    who: (caller, call) => FORMER_MEMBERS.includes(caller.name) && isIn(EXPORT, OWN_REPORTS)(caller, call),
  },
  // The export lists whom its owner blocked, reported or invited, by the id or number that the owner gave.
  { what: ['hidden member', 'member of both Hubs', 'invited number'], who: isIn(EXPORT) },
  // The list of reports has the ids that the caller gave.
  { what: ['the Hub', 'hidden member', 'member of both Hubs'], who: isIn(OWN_REPORTS) },
  // The inviter knows the number.
  {
    what: ['invited number'],
    who: (caller, call) =>
      caller.isElsewhere && hasHub(call, ELSEWHERE_HUB) && call.operation === 'GET /hubs/{hubId}/invitations',
  },
];

/** The Hub operations that accept non-members. */
const OPEN_TO_NON_MEMBERS = ['GET /hubs/{hubId}', 'POST /reports/hubs/{hubId}'];

/** The fields of a Hub that a non-member sees. */
const PREVIEW = ['id', 'name', 'description', 'profilePhotoUrl', 'memberCount', 'viewerStatus', 'viewerRole'];
const OWN_ENTRY = ['invitationId', 'joinRequestId'];
/** The target of a report has the id of the Hub and this field. */
const OWN_REPORT = ['type'];

const usesOwn: AppliesTo = ({ name }, { slots }) => slots.some(([, { of }]) => of.includes(name));

/** The operations that the test does not call, and for which calls. */
const LEFT_OUT: Readonly<Record<string, AppliesTo>> = {
  // These end or replace the session of the caller and take no id of a Hub.
  'POST /auth/logout': everybody,
  'POST /auth/otp/verify': everybody,
  'POST /auth/idp/token': everybody,
  'POST /users/me/phone/verify': everybody,
  'DELETE /users/me': everybody,
  // The caller may use their own invitation or join request and delete their own post.
  'POST /hub-invitations/{invitationId}/accept': usesOwn,
  'POST /hub-invitations/{invitationId}/decline': usesOwn,
  'DELETE /hubs/{hubId}/join-requests/{requestId}': usesOwn,
  // The admin elsewhere may take these out of the other Hub and close it.
  'DELETE /hubs/{hubId}/posts/{postId}': usesOwn,
  'DELETE /hubs/{hubId}': ({ isElsewhere }, call) => isElsewhere && hasHub(call, ELSEWHERE_HUB),
  'DELETE /posts/{postId}': usesOwn,
  // Former members take back what they saved, and so may tell it from what never was.
  'DELETE /posts/{postId}/save': ({ name }) => FORMER_MEMBERS.includes(name),
};

/** These run last since they may change the caller's level or membership in the other Hub. */
const LAST = [
  'PUT /users/me/onboarding/profile-basics',
  'PUT /users/me/onboarding/media',
  'PUT /users/me/onboarding/contacts',
  'DELETE /hubs/{hubId}/membership',
  'POST /hubs/{hubId}/members/{userId}/remove',
  'DELETE /hubs/{hubId}/admins/{userId}',
];

const isRead = ({ method }: Operation): boolean => method === 'get';
const reads = OPERATIONS.filter(isRead);
/** The reads without parameters. */
const lists = reads.filter(({ params }) => params === undefined);
const ownReads = reads.filter(({ path }) => path.startsWith('/users/me/'));
const last = OPERATIONS.filter((operation) => LAST.includes(operationOf(operation)));
const writes = OPERATIONS.filter((operation) => !reads.includes(operation) && !last.includes(operation));

let opine: OpineWithStorage;
let document: ApiDocument;
let world: SecretHub;

beforeAll(async () => {
  // In `npm run test:deep` replicas answer reads, and replay late.
  opine = inject('depth') > 1 ? await withStorage(startLateReplicas) : await startOpineWithStorage();
  document = await readDocument(opine.url);
  world = await createSecretHub(opine);
});

afterAll(() => opine.stop());

const find = (name: string): Caller => {
  const caller = world.callers.get(name);
  if (caller === undefined) throw new Error(`No caller is named ${name}.`);
  return caller;
};

/** Returns every answer to `caller`; reads run concurrently, writes one operation after the other. */
async function answersOf(
  caller: Caller,
  operations: readonly Operation[],
  { candidates } = world,
): Promise<Answer[]> {
  const calls = operations.map((operation) => {
    const isLeftOut = LEFT_OUT[operationOf(operation)] ?? (() => false);
    return callsOf(operation, caller, candidates, document).filter((call) => !isLeftOut(caller, call));
  });
  const all: Answer[] = [];
  for (const part of operations.every(isRead) ? [calls.flat()] : calls) {
    all.push(...(await sendAll(opine.url, caller, part)));
  }
  return all;
}

/** Returns a sentence for each leak in the answers to `caller`. */
async function leaks(caller: Caller, operations: readonly Operation[]): Promise<string[]> {
  const all = await answersOf(caller, operations);
  return [...all.flatMap((answer) => problemsOf(caller, answer)), ...differingAnswers(caller, all)];
}

function problemsOf(caller: Caller, answer: Answer): string[] {
  const { call, status, body } = answer;
  const shown = secretsIn(answer, world.secrets).filter(
    ({ kind, of }) =>
      !of.includes(caller.name) && !MAY_SEE.some(({ what, who }) => what.includes(kind) && who(caller, call)),
  );
  const problems = [
    ...shown.map(({ what }) => `shows ${what}`),
    ...(status >= 500 ? [`breaks with ${status}`] : []),
    ...(status < 300 && hasHub(call, THE_HUB) && !OPEN_TO_NON_MEMBERS.includes(call.operation)
      ? [`is granted with ${status}`]
      : []),
    ...hubsIn(body).flatMap(beyondPreview),
  ];
  return problems.map((problem) => `${describeCall(call)} ${problem}`);
}

/** Returns every representation of the Hub in `value`. */
function hubsIn(value: Json): Json[] {
  if (value === null || typeof value !== 'object') return [];
  const inner = Object.values(value).flatMap(hubsIn);
  return value.id === world.hub.id ? [value, ...inner] : inner;
}

function beyondPreview(hub: Json): string[] {
  const known = new Set([...PREVIEW, ...OWN_ENTRY, ...OWN_REPORT]);
  const beyond = Object.keys(hub).filter((key) => !known.has(key));
  return [
    ...beyond.map((key) => `shows ${key} of the Hub`),
    ...((hub.viewerRole ?? null) === null ? [] : ['shows a role in the Hub']),
    ...(hub.viewerStatus === 'member' ? ['shows a member of the Hub'] : []),
  ];
}

describe('secrets of a Hub', () => {
  test.for(CALLERS)('no operation reveals a secret to %s', async (name) => {
    const caller = find(name);
    const before = await world.snapshot();
    const requestsToJoin = caller.level === 4 && name !== 'a pending';
    const problems = [...(await leaks(caller, reads)), ...(await leaks(caller, writes))];
    // The writes may have made a join request of the caller.
    if (requestsToJoin) problems.push(...(await leaks({ ...caller, isAwaited: true }, lists)));
    expect([...problems, ...(await leaks(caller, last))]).toEqual([]);
    // The holder of a link's token may request to join.
    const { requesters, linkUses, seen } = before;
    expect(await world.snapshot()).toEqual({
      seen,
      requesters: requestsToJoin ? [...requesters, caller.id].sort() : requesters,
      linkUses: requestsToJoin ? linkUses + 1 : linkUses,
    });
  });
});

test('every operation of the lists LEFT_OUT and LAST exists', () => {
  const names = OPERATIONS.map(operationOf);
  expect([...Object.keys(LEFT_OUT), ...LAST].filter((name) => !names.includes(name))).toEqual([]);
});

// docs/product.md P11
test('searches and profile feeds show no phone number, even to the admin of the Hub', async () => {
  const operations = reads.filter(({ id }) => id === 'search_posts' || id === 'get_profile_feed');
  const phones = world.secrets.filter(({ kind, what }) => kind === 'phone' || what.startsWith('the phone'));
  const all = await answersOf(world.admin, operations);
  expect(all.filter(({ text }) => text.includes('authorPhoneNumber'))).toEqual([]);
  expect(all.flatMap((answer) => secretsIn(answer, phones))).toEqual([]);
  expect(all.some(({ body }) => body.data?.items.some(({ isShareable }: Json) => !isShareable))).toBe(true);
});

test('the admin or its owner sees each secret of a Hub in some answer', async () => {
  // The calls of the other tests have changed the first Hub.
  const untouched = await createSecretHub(opine);
  const shown = async (caller: Caller, operations: readonly Operation[]) => {
    const all = await answersOf(caller, operations, untouched);
    return all.flatMap((answer) => secretsIn(answer, untouched.secrets));
  };
  const seen = new Set<Secret>(await shown(untouched.admin, reads));
  for (const caller of untouched.callers.values()) {
    const own = caller.level < 3 ? [] : await shown(caller, ownReads);
    for (const secret of own.filter(({ of }) => of.includes(caller.name))) seen.add(secret);
  }
  const hidden = untouched.secrets.filter((secret) => secret.kind !== 'never shown' && !seen.has(secret));
  expect(hidden).toEqual([]);
});
