import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectOk, type Json, type Reply, refusal } from '../support/client.ts';
import {
  aHub,
  aHubPost,
  anInviteLink,
  discussionOf,
  join,
  requestAppoint,
  requestHub,
  requestJoin,
  requestMessage,
} from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aGuest, hubReadyPerson, type Person } from '../support/people.ts';
import {
  aSlider,
  publish,
  requestComment,
  requestRepost,
  requestShareToFeed,
  requestShareToHubs,
} from '../support/posts.ts';
import { requestReport } from '../support/reports.ts';
import { castVote } from '../support/votes.ts';

/** The limit of an account, and of one in its first day. */
const [LIMIT, NEW_LIMIT] = [4, 2];

let opine: Opine;
let authors: Person[];
/** A post of each author. */
let posts: Json[];

beforeAll(async () => {
  const hourly = ['POSTS', 'COMMENTS', 'FOLLOWS', 'SHARES', 'VOTES', 'SEARCHES', 'ROLE_CHANGES'];
  const daily = ['HUBS', 'REPORTS', 'JOIN_REQUESTS'];
  const names = [...hourly.map((what) => `${what}_PER_HOUR`), ...daily.map((what) => `${what}_PER_DAY`)];
  opine = await startOpine({
    ...Object.fromEntries(names.map((name) => [`LIMIT_${name}`, `${LIMIT}`])),
    NEW_ACCOUNT_SHARE: `${NEW_LIMIT / LIMIT}`,
    TRUSTED_PROXY_COUNT: '1',
  });
  authors = await Promise.all(Array.from({ length: LIMIT + 1 }, () => hubReadyPerson(opine, 'Author')));
  posts = await Promise.all(authors.map((author) => aSlider(author)));
});

afterAll(() => opine.stop());

const aPerson = () => hubReadyPerson(opine);
const at = <T>(items: readonly T[], index: number): T => items[index % items.length] as T;

async function age({ id }: Person): Promise<void> {
  const users = sql`update app.users set created_at = created_at - interval '24 hours' where id = ${id}`;
  await users.execute(opine.database.superuser);
}

/** A way to reach a limit: prepares for a person, and returns a request that may be sent again and again. */
type Uses = (person: Person) => Promise<(index: number) => Promise<Reply>>;

const USES: [what: string, seconds: number, Uses][] = [
  [
    'posts',
    3600,
    async (person) => () => publish(person, { visibility: 'public', sliderText: 'Once more?' }),
  ],
  ['reposts', 3600, async (person) => () => requestRepost(person, at(posts, 0))],
  ['comments', 3600, async (person) => () => requestComment(person, at(posts, 0), { text: 'Once more.' })],
  [
    'messages in Hubs',
    3600,
    async (person) => {
      const [admin] = [await aPerson()];
      const hub = await aHub(admin);
      await join(admin, hub, [person]);
      const discussion = await discussionOf(admin, hub, await aHubPost(admin, [hub]));
      return () => requestMessage(person, discussion, { text: 'Once more.' });
    },
  ],
  ['follows', 3600, async (person) => (index) => person.post(`/users/${at(authors, index).id}/follow`)],
  ['shares to the feed', 3600, async (person) => (index) => requestShareToFeed(person, at(posts, index))],
  [
    'shares to Hubs',
    3600,
    async (person) => {
      const hub = await aHub(person);
      return (index) => requestShareToHubs(person, at(posts, index), [hub]);
    },
  ],
  ['new Hubs', 86_400, async (person) => () => requestHub(person)],
  [
    'join requests by link',
    86_400,
    async (person) => {
      const admins = await Promise.all(authors.map(() => aPerson()));
      const links = await Promise.all(admins.map(async (admin) => anInviteLink(admin, await aHub(admin))));
      return (index) => requestJoin(person, at(links, index));
    },
  ],
  [
    'role changes',
    3600,
    async (person) => {
      const [member, hub] = [await aPerson(), await aHub(person)];
      await join(person, hub, [member]);
      return (index) => requestAppoint(person, hub, member, index % 2 === 0 ? 'manager' : 'admin');
    },
  ],
  ['reports', 86_400, async (person) => (index) => requestReport(person, 'posts', at(posts, index))],
  ['votes', 3600, async (person) => (index) => castVote(person, at(posts, index))],
  ['searches for people', 3600, async (person) => () => person.get('/search/users?q=author')],
  ['searches for Hubs', 3600, async (person) => () => person.get('/search/hubs?q=street')],
  ['searches for posts', 3600, async (person) => () => person.get('/search/posts?q=once')],
];

describe.each(USES)('the limit of %s', (_, seconds, prepare) => {
  // docs/product.md A1, A2
  test('new accounts have their share, other accounts all of it, and each person their own', async () => {
    const [newcomer, regular] = [await aPerson(), await aPerson()];
    await age(regular);
    for (const [person, limit] of [
      [newcomer, NEW_LIMIT],
      [regular, LIMIT],
    ] as const) {
      const use = await prepare(person);
      for (let index = 0; index < limit; index += 1) await expectOk(use(index));
      const { status, error, headers } = await use(limit);
      expect([status, error?.code]).toEqual([429, 'RATE_LIMITED']);
      const { retryAfterSeconds } = error.details;
      expect(headers.get('retry-after')).toBe(`${retryAfterSeconds}`);
      expect(retryAfterSeconds).toBeGreaterThan(seconds / limit - 120);
      expect(retryAfterSeconds).toBeLessThanOrEqual(seconds / limit);
    }
  });
});

// docs/product.md A1
test('posts and reposts share one limit', async () => {
  const person = await aPerson();
  await expectOk(publish(person, { visibility: 'public', thoughtText: 'One.' }));
  await expectOk(requestRepost(person, at(posts, 0)));
  expect((await publish(person, { visibility: 'public', thoughtText: 'Three.' })).status).toBe(429);
});

// docs/product.md A1
test('each Hub of a share counts', async () => {
  const person = await aPerson();
  const hubs = [await aHub(person), await aHub(person)];
  await expectOk(requestShareToHubs(person, at(posts, 0), hubs));
  expect((await requestShareToFeed(person, at(posts, 1))).status).toBe(429);
});

// docs/product.md A1, W17
test('a refused request, a repeated report and a replayed answer cost nothing', async () => {
  const person = await aPerson();
  const post = at(posts, 0);
  const headers = { 'idempotency-key': 'once' };
  for (let count = 0; count < LIMIT; count += 1) {
    await expectOk(requestReport(person, 'posts', post));
    expect((await requestComment(person, post, { text: '' })).status).toBe(422);
    await expectOk(
      person.send('POST', `/posts/${post.id}/comments`, '{"text":"Once."}', {
        headers: { ...headers, 'content-type': 'application/json' },
      }),
    );
  }
  await expectOk(requestReport(person, 'posts', at(posts, 1)));
  await expectOk(requestComment(person, post, { text: 'Twice.' }));
  expect((await requestComment(person, post, { text: 'Three times.' })).status).toBe(429);
});

// docs/product.md W24
test('a text that Postgres refuses is 422 although its writer has no use of the limit left', async () => {
  const person = await aPerson();
  const hub = await aHub(person);
  const discussion = await discussionOf(person, hub, await aHubPost(person, [hub]));
  const post = at(posts, 0);
  const writes: ((text: string) => Promise<Reply>)[] = [
    (thoughtText) => publish(person, { visibility: 'public', thoughtText }),
    (sliderText) => publish(person, { visibility: 'public', sliderText }),
    (title) => publish(person, { visibility: 'public', article: { title } }),
    (thoughtText) => requestRepost(person, post, { thoughtText }),
    (text) => requestComment(person, post, { text }),
    (text) => requestMessage(person, discussion, { text }),
  ];
  for (const write of writes) {
    while ((await write('Once more.')).status === 201);
    expect(await write('Once more.')).toMatchObject(refusal(429, 'RATE_LIMITED'));
    expect(await write(`e${'\u0301'.repeat(31)}`)).toMatchObject(refusal(422, 'VALIDATION_FAILED'));
  }
});

test('concurrent requests pass no more than the limit', async () => {
  const person = await aPerson();
  const replies = await Promise.all(
    Array.from({ length: 8 }, (_, index) => requestComment(person, at(posts, index), { text: 'Now.' })),
  );
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(NEW_LIMIT);
  const votes = await Promise.all(posts.map((post) => castVote(person, post)));
  expect(votes.filter(({ status }) => status === 201)).toHaveLength(NEW_LIMIT);
});

// docs/product.md A1, W27
describe('the searches of guests', () => {
  const search = (address: string, path: string, headers: Record<string, string> = {}) =>
    aGuest(opine).get(`${path}?q=once`, { headers: { 'x-forwarded-for': address, ...headers } });

  test('an address has one limit for all searches, and another address has its own', async () => {
    for (let index = 0; index < LIMIT; index += 1)
      await expectOk(search('203.0.113.7', at(['/search/posts', '/search/users'], index)));
    expect(await search('203.0.113.7', '/search/posts')).toMatchObject(refusal(429, 'RATE_LIMITED'));
    await expectOk(search('203.0.113.8', '/search/posts'));
  });

  test('a bearer whose session has ended counts as the guest of its address', async () => {
    const person = await aPerson();
    const bearer = { authorization: `Bearer ${person.session.accessToken}` };
    await expectOk(
      person.post('/auth/logout', { refreshToken: person.session.refreshToken, logoutFromAllDevices: true }),
    );
    for (let index = 0; index < LIMIT; index += 1) await search('203.0.113.9', '/search/posts', bearer);
    expect(await search('203.0.113.9', '/search/posts', bearer)).toMatchObject(refusal(429, 'RATE_LIMITED'));
  });

  test('this machine has no limit', async () => {
    for (let count = 0; count <= LIMIT; count += 1) await expectOk(search('127.0.0.1', '/search/posts'));
  });
});
