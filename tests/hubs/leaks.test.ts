import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Answer,
  type Ask,
  answersTo,
  callsOf,
  differingAnswers,
  nameOf,
  OPERATIONS,
  secretsIn,
  told,
} from '../simulations/leaks/hub-leaks.ts';
import { aSecretHub, type SecretHub } from '../simulations/leaks/secret-hub.ts';
import { CALLERS, type Caller } from '../simulations/leaks/secret-hub-callers.ts';
import { ELSEWHERE_HUB, THE_HUB } from '../simulations/leaks/secret-hub-candidates.ts';
import type { Kind, Secret } from '../simulations/leaks/secret-hub-secrets.ts';
import type { Json } from '../support/client.ts';
import { type ApiDocument, readDocument } from '../support/document.ts';
import { type StoringOpine, startStoringOpine } from '../support/storage.ts';

type Operation = (typeof OPERATIONS)[number];
type Who = (caller: Caller, ask: Ask) => boolean;

const everybody: Who = () => true;
const hasHub = (ask: Ask, hub: string) => ask.slots.some(([, { what }]) => what === hub);
const isIn =
  (...operations: string[]): Who =>
  (_, { operation }) =>
    operations.includes(operation);

const PROFILES = ['GET /users/{userId}/profile', 'GET /users/by-username/{username}'];
const LOOKING_UP = 'GET /hub-invitations/by-token/{token}';
const INBOX = 'GET /notifications';
const EXPORT = 'GET /users/me/export';
const WERE_TOLD = ['an invited', 'a rejected', 'a removed', 'a former'];
const WERE_IN = ['a removed', 'a former'];
const THROUGH_LINKS = ['GET /hub-invite-links/{token}', 'POST /hub-invite-links/{token}/join-requests'];

/** What is in Hubs, and who may come across it where, though it is not theirs. */
const MAY_SEE: readonly { readonly what: readonly Kind[]; readonly who: Who }[] = [
  // Previews, and the Hubs that somebody is admin of.
  { what: ['the Hub'], who: isIn('GET /hubs/{hubId}', 'GET /search/hubs', LOOKING_UP) },
  { what: ['the Hub'], who: isIn(...PROFILES, ...THROUGH_LINKS) },
  {
    what: ['the Hub'],
    who: (caller, ask) => caller.isAwaited && isIn('GET /users/me/hubs', EXPORT)(caller, ask),
  },
  // Whom it invited, refused or removed was told so, and by whom.
  {
    what: ['the Hub'],
    who: (caller, ask) => WERE_TOLD.includes(caller.name) && isIn(INBOX, EXPORT)(caller, ask),
  },
  // Whose post is shared is told by whom (docs/product.md N3), wherever the sharer came across it.
  {
    what: ['quiet person'],
    who: (caller, ask) => caller.name === 'a former' && isIn(INBOX, EXPORT)(caller, ask),
  },
  // Whoever has the token of an invitation knows whose it is; a profile is public.
  { what: ['invitation'], who: isIn(LOOKING_UP) },
  { what: ['quiet person'], who: isIn(LOOKING_UP, ...PROFILES) },
  // Members of another Hub know its members, wherever else these are members.
  { what: ['mate'], who: (caller, ask) => caller.isElsewhere && hasHub(ask, ELSEWHERE_HUB) },
  {
    what: ['mate'],
    who: ({ isElsewhere }, { operation }) => isElsewhere && operation === 'GET /users/me/saved-discussions',
  },
  // That they saved, shared or reported a post, by its id alone.
  { what: ['acted on'], who: (caller, ask) => WERE_IN.includes(caller.name) && isIn(EXPORT)(caller, ask) },
  // Whom somebody blocked, reported or invited, by an id or a number that they had.
  { what: ['quiet person', 'mate', 'asked number'], who: isIn(EXPORT) },
  // Whoever invites a number knows it.
  {
    what: ['asked number'],
    who: (caller, ask) =>
      caller.isElsewhere && hasHub(ask, ELSEWHERE_HUB) && ask.operation === 'GET /hubs/{hubId}/invitations',
  },
];

/** The operations that take a Hub from non-members. */
const OPEN_TO_OUTSIDERS = ['GET /hubs/{hubId}', 'POST /reports/hubs/{hubId}'];

/** What an non-member may know of a Hub, and of what they have to do with it. */
const PREVIEW = ['id', 'name', 'description', 'profilePhotoUrl', 'memberCount', 'viewerStatus', 'viewerRole'];
const OWN_WAY_IN = ['invitationId', 'joinRequestId'];

const ownIs: Who = ({ name }, { slots }) => slots.some(([, { of }]) => of.includes(name));

/** What is not called, and by whom. */
const LEFT_OUT: Readonly<Record<string, Who>> = {
  // They end the session that calls, or make another of it, and take no id of a Hub.
  'POST /auth/logout': everybody,
  'POST /auth/otp/verify': everybody,
  'POST /auth/idp/token': everybody,
  'DELETE /users/me': everybody,
  // What is one's own is one's own to use.
  'POST /hub-invitations/{invitationId}/accept': ownIs,
  'POST /hub-invitations/{invitationId}/decline': ownIs,
  'DELETE /posts/{postId}': ownIs,
};

/** After these a caller may be somebody of another level, or not be in the other Hub any more. */
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
/** What lists and finds by itself, without being asked for something. */
const lists = reads.filter(({ params }) => params === undefined);
const aboutThemself = reads.filter(({ path }) => path.startsWith('/users/me/'));
const last = OPERATIONS.filter((operation) => LAST.includes(nameOf(operation)));
const writes = OPERATIONS.filter((operation) => !reads.includes(operation) && !last.includes(operation));

let opine: StoringOpine;
let document: ApiDocument;
let world: SecretHub;

beforeAll(async () => {
  opine = await startStoringOpine();
  document = await readDocument(opine.url);
  world = await aSecretHub(opine);
});

afterAll(() => opine.stop());

const find = (name: string): Caller => {
  const caller = world.callers.get(name);
  if (caller === undefined) throw new Error(`Nobody is ${name} here.`);
  return caller;
};

/** Every answer to `caller`: reading at once, and changing one operation after the other. */
async function answers(
  caller: Caller,
  operations: readonly Operation[],
  { candidates } = world,
): Promise<Answer[]> {
  const asks = operations.map((operation) => {
    const isLeftOut = LEFT_OUT[nameOf(operation)] ?? (() => false);
    return callsOf(operation, caller, candidates, document).filter((ask) => !isLeftOut(caller, ask));
  });
  const all: Answer[] = [];
  for (const part of operations.every(isRead) ? [asks.flat()] : asks) {
    all.push(...(await answersTo(opine.url, caller, part)));
  }
  return all;
}

/** What is wrong with the answers to `caller`, in words. */
async function leaks(caller: Caller, operations: readonly Operation[]): Promise<string[]> {
  const all = await answers(caller, operations);
  return [...all.flatMap((answer) => wrongWith(caller, answer)), ...differingAnswers(caller, all)];
}

function wrongWith(caller: Caller, answer: Answer): string[] {
  const { ask, status, body } = answer;
  const shown = secretsIn(answer, world.secrets).filter(
    ({ kind, of }) =>
      !of.includes(caller.name) && !MAY_SEE.some(({ what, who }) => what.includes(kind) && who(caller, ask)),
  );
  const wrongs = [
    ...shown.map(({ what }) => `shows ${what}`),
    ...(status >= 500 ? [`breaks with ${status}`] : []),
    ...(status < 300 && hasHub(ask, THE_HUB) && !OPEN_TO_OUTSIDERS.includes(ask.operation)
      ? [`is granted with ${status}`]
      : []),
    ...hubsIn(body).flatMap(beyondPreview),
  ];
  return wrongs.map((wrong) => `${told(ask)} ${wrong}`);
}

/** Wherever the Hub is described. */
function hubsIn(value: Json): Json[] {
  if (value === null || typeof value !== 'object') return [];
  const inner = Object.values(value).flatMap(hubsIn);
  return value.id === world.hub.id ? [value, ...inner] : inner;
}

function beyondPreview(hub: Json): string[] {
  const known = new Set([...PREVIEW, ...OWN_WAY_IN]);
  const beyond = Object.keys(hub).filter((key) => !known.has(key));
  return [
    ...beyond.map((key) => `shows ${key} of the Hub`),
    ...((hub.viewerRole ?? null) === null ? [] : ['shows a role in the Hub']),
    ...(hub.viewerStatus === 'member' ? ['shows a member of the Hub'] : []),
  ];
}

describe('nothing of the Hub is given away', () => {
  test.for(CALLERS)('to %s', async (name) => {
    const caller = find(name);
    const before = await world.snapshot();
    const asks = caller.level === 4 && name !== 'a pending';
    const wrongs = [...(await leaks(caller, reads)), ...(await leaks(caller, writes))];
    // By now they may have asked to be let in.
    if (asks) wrongs.push(...(await leaks({ ...caller, isAwaited: true }, lists)));
    expect([...wrongs, ...(await leaks(caller, last))]).toEqual([]);
    // Whoever has the token of a link may ask to be let in.
    const { requesters, linkUses, seen } = before;
    expect(await world.snapshot()).toEqual({
      seen,
      requesters: asks ? [...requesters, caller.id].sort() : requesters,
      linkUses: asks ? linkUses + 1 : linkUses,
    });
  });
});

test('what is left out, or comes last, is there', () => {
  const names = OPERATIONS.map(nameOf);
  expect([...Object.keys(LEFT_OUT), ...LAST].filter((name) => !names.includes(name))).toEqual([]);
});

test('all of it is there to be given away', async () => {
  // One in which nobody has changed anything yet.
  const untouched = await aSecretHub(opine);
  const shown = async (caller: Caller, operations: readonly Operation[]) => {
    const all = await answers(caller, operations, untouched);
    return all.flatMap((answer) => secretsIn(answer, untouched.secrets));
  };
  const seen = new Set<Secret>(await shown(untouched.admin, reads));
  for (const caller of untouched.callers.values()) {
    const own = caller.level < 3 ? [] : await shown(caller, aboutThemself);
    for (const secret of own.filter(({ of }) => of.includes(caller.name))) seen.add(secret);
  }
  const hidden = untouched.secrets.filter((secret) => secret.kind !== 'never shown' && !seen.has(secret));
  expect(hidden).toEqual([]);
});
