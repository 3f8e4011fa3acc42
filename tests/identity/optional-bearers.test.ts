import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROUTES } from '../../src/domains/all.ts';
import { isWrite } from '../../src/http/operation.ts';
import { type Client, clientOf, expectOk, type Reply, refusal } from '../support/client.ts';
import { aHub, anInvitation, anInviteLink, tokenIn } from '../support/hubs.ts';
import {
  type OpineWithIdp,
  phoneClaims,
  signInWithIdToken,
  startOpineWithIdp,
} from '../support/id-tokens.ts';
import { advanceTime } from '../support/opine.ts';
import {
  aGuest,
  anonymousPerson,
  confirmedPerson,
  hubReadyPerson,
  newPhoneNumber,
  type Person,
  registeredPerson,
} from '../support/people.ts';
import { aSlider } from '../support/posts.ts';
import { enterCode, otherCode, requestOtp } from '../support/sign-in.ts';
import { runStaffAction } from '../support/staff.ts';

let opine: OpineWithIdp;
let ids: Readonly<Record<string, string>>;

beforeAll(async () => {
  opine = await startOpineWithIdp();
  const amara = await hubReadyPerson(opine, 'Amara');
  const post = await aSlider(amara);
  const hub = await aHub(amara);
  const invitation = await anInvitation(amara, hub, { phoneNumber: newPhoneNumber() });
  const link = await anInviteLink(amara, hub);
  ids = {
    userId: amara.id,
    username: amara.username,
    postId: post.id,
    '/hub-invitations/by-token/{token}': tokenIn(invitation.inviteUrl),
    '/hub-invite-links/{token}': link.token,
  };
});

afterAll(() => opine.stop());

const UNAUTHORIZED = refusal(401, 'UNAUTHORIZED');

/** Ways in which a bearer is not valid; each makes one out of a person's session. */
const INVALID: [how: string, end: (person: Person) => Promise<Client>][] = [
  ['that is garbage', async () => clientOf(opine.url, 'garbage')],
  ['of another scheme', async () => withHeader('Basic bWF5YTpzZWNyZXQ=')],
  [
    'that has expired',
    async (person) => {
      await advanceTime(opine, '16 minutes');
      return person;
    },
  ],
  [
    'whose session has ended',
    async (person) => {
      const { refreshToken } = person.session;
      await expectOk(person.post('/auth/logout', { refreshToken, logoutFromAllDevices: false }));
      return person;
    },
  ],
  [
    'whose account has ended',
    async (person) => {
      await expectOk(person.delete('/users/me'));
      return person;
    },
  ],
  [
    'whose account is suspended',
    async (person) => {
      await runStaffAction(opine, 'suspend_user', person);
      return person;
    },
  ],
];

function withHeader(authorization: string): Client {
  const { send, ...guest } = aGuest(opine);
  const headers = { authorization, 'content-type': 'application/json' };
  const sendWith: Client['send'] = (method, path, body) => send(method, path, body, { headers });
  return {
    ...guest,
    send: sendWith,
    get: (path) => sendWith('GET', path),
    post: (path, body) => sendWith('POST', path, JSON.stringify(body)),
  };
}

type Route = (typeof ROUTES)[number];

/** Calls a read with ids of things that exist. */
function read(caller: Client, { method, path, body, example, query }: Route): Promise<Reply> {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? ids[path] ?? '');
  if (body) return caller.post(filled, example.body);
  return caller.send(method.toUpperCase(), query && 'q' in query.shape ? `${filled}?q=amara` : filled);
}

const outcomeOf = ({ status, data }: Reply) => [status, data];

describe.each(INVALID)('a bearer %s', (_, end) => {
  // docs/product.md L6
  test('counts as a guest at every read with an optional bearer', async () => {
    const caller = await end(await registeredPerson(opine));
    const reads = ROUTES.filter(({ auth }) => auth === 'optional');
    expect(reads.length).toBeGreaterThan(10);
    for (const route of reads) {
      const [reply, ofGuest] = [await read(caller, route), await read(aGuest(opine), route)];
      expect([route.id, ...outcomeOf(reply)]).toEqual([route.id, ...outcomeOf(ofGuest)]);
      expect([route.id, reply.status]).toEqual([route.id, 200]);
    }
  });

  // docs/product.md L6
  test('is 401 at a profile by id', async () => {
    const caller = await end(await registeredPerson(opine));
    expect(await caller.get(`/users/${ids.userId}/profile`)).toMatchObject(UNAUTHORIZED);
  });

  // docs/product.md L7
  test('is 401 at the verification of a code, and uses up neither the code nor a try', async () => {
    const caller = await end(await anonymousPerson(opine));
    const phoneNumber = newPhoneNumber();
    await requestOtp(aGuest(opine), phoneNumber);
    for (const code of ['4242', ...Array(4).fill(otherCode('4242'))])
      expect(await enterCode(caller, phoneNumber, code)).toMatchObject(UNAUTHORIZED);
    expect(await enterCode(aGuest(opine), phoneNumber)).toMatchObject({
      status: 200,
      data: { merged: false },
    });
  });

  // docs/product.md L7
  test('is 401 at the exchange of an ID token, and creates nobody', async () => {
    const caller = await end(await anonymousPerson(opine));
    const token = await opine.provider.sign(phoneClaims(newPhoneNumber()));
    expect(await signInWithIdToken(caller, token)).toMatchObject(UNAUTHORIZED);
    const reply = await signInWithIdToken(aGuest(opine), token);
    expect(reply).toMatchObject({ status: 200, data: { isNewUser: true, merged: false } });
  });
});

test('no write takes a bearer that may be invalid', () => {
  const writes = ROUTES.filter((route) => isWrite(route) && route.auth === 'optional');
  expect(writes.map(({ id }) => id)).toEqual([]);
});

// docs/product.md L6
test('a profile by id and a sign-in are open without a bearer', async () => {
  const guest = aGuest(opine);
  const { username } = await confirmedPerson(opine);
  expect((await guest.get(`/users/by-username/${username}`)).status).toBe(200);
  expect((await guest.get(`/users/${ids.userId}/profile`)).status).toBe(200);
});
