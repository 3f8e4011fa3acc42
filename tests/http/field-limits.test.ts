import { afterAll, beforeAll, expect, test } from 'vitest';
import { NONEXISTENT, type Reply, withQuery } from '../support/client.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aGuest, hubReadyPerson, type Person } from '../support/people.ts';

let opine: Opine;
let maya: Person;

beforeAll(async () => {
  opine = await startOpine();
  maya = await hubReadyPerson(opine, 'Maya');
});

afterAll(() => opine.stop());

/** A text of so many code points, whose white space around it does not count. */
const text = (length: number) => (length === 0 ? '' : ` \n${'👍'.repeat(length)}\t `);
/** A word of so many characters, most of them different. */
const word = (length: number) => 'abcdefghij'.repeat(Math.ceil(length / 10)).slice(0, length);
const url = (length: number) => 'https://a.example/'.concat(word(Math.max(0, length - 18)));
const ids = (count: number) =>
  Array.from({ length: count }, (_, n) => `01990000-0000-7000-8000-${String(n).padStart(12, '0')}`);
const phones = (count: number) =>
  Array.from({ length: count }, (_, n) => `+1202555${String(n).padStart(4, '0')}`);

const published = (fields: object) => maya.post('/posts', { visibility: 'public', ...fields });
const below = (path: string) => path.replaceAll('{id}', NONEXISTENT.id);

type Field = [
  field: string,
  min: number,
  max: number,
  path: (string | number)[],
  make: (length: number) => unknown,
  send: (value: unknown) => Promise<Reply>,
];

const FIELDS: Field[] = [
  ['username', 3, 30, ['username'], word, (username) => maya.patch('/users/me/profile', { username })],
  ['full name', 2, 80, ['fullName'], text, (fullName) => maya.patch('/users/me/profile', { fullName })],
  ['bio', 0, 160, ['bio'], text, (bio) => maya.patch('/users/me/profile', { bio })],
  [
    'Hub display name',
    2,
    80,
    ['displayName'],
    text,
    (displayName) => maya.patch('/users/me/hub-profile', { displayName }),
  ],
  ['Hub name', 2, 80, ['name'], text, (name) => maya.post('/hubs', { name })],
  [
    'Hub description',
    0,
    500,
    ['description'],
    text,
    (description) => maya.post('/hubs', { name: 'Elm', description }),
  ],
  [
    'Hub custom link',
    3,
    40,
    ['customLink'],
    word,
    (customLink) => maya.post('/hubs', { name: 'Elm', customLink }),
  ],
  [
    'device id',
    16,
    200,
    ['deviceId'],
    word,
    (deviceId) => aGuest(opine).post('/auth/anonymous/session', { deviceId }),
  ],
  [
    'push token',
    16,
    4096,
    ['token'],
    word,
    (token) => maya.post('/notifications/device-tokens', { token, platform: 'ios' }),
  ],
  ['post thought', 1, 2000, ['thoughtText'], text, (thoughtText) => published({ thoughtText })],
  ['slider text', 1, 260, ['sliderText'], text, (sliderText) => published({ sliderText })],
  [
    'slider label',
    1,
    40,
    ['slider', 'leftLabel'],
    text,
    (leftLabel) => published({ sliderText: 'So?', slider: { leftLabel, rightLabel: 'Yes' } }),
  ],
  ['article title', 1, 300, ['article', 'title'], text, (title) => published({ article: { title } })],
  ['article text', 1, 10_000, ['article', 'text'], text, (text) => published({ article: { text } })],
  ['article URL', 0, 2000, ['article', 'url'], url, (url) => published({ article: { url } })],
  [
    'article media',
    0,
    10,
    ['article', 'assetIds'],
    ids,
    (assetIds) => published({ article: { title: 'So', assetIds } }),
  ],
  // docs/product.md M7
  [
    'alt text',
    0,
    500,
    ['altText'],
    text,
    (altText) => maya.post(below('/posts/{id}/comments'), { assetId: NONEXISTENT.id, altText }),
  ],
  ['comment', 1, 2000, ['text'], text, (text) => maya.post(below('/posts/{id}/comments'), { text })],
  [
    'message',
    1,
    2000,
    ['text'],
    text,
    (text) => maya.post(below('/hubs/{id}/discussions/{id}/messages'), { text }),
  ],
  [
    'report details',
    1,
    1000,
    ['details'],
    text,
    (details) => maya.post(below('/reports/posts/{id}'), { reason: 'spam', details }),
  ],
  ['search text', 1, 80, ['q'], text, (q) => maya.get(withQuery('/search/users', { q }))],
  [
    'Hubs of one post',
    1,
    20,
    ['hubIds'],
    ids,
    (hubIds) => published({ thoughtText: 'So.', visibility: 'public_hub', hubIds }),
  ],
  [
    'Hubs of one share',
    1,
    20,
    ['hubIds'],
    ids,
    (hubIds) => maya.post(below('/posts/{id}/share/hubs'), { hubIds }),
  ],
  [
    'phones of one invitation request',
    1,
    50,
    ['phoneNumbers'],
    phones,
    (phoneNumbers) => maya.post(below('/hubs/{id}/invitations'), { phoneNumbers }),
  ],
];

// docs/product.md W25
test.each(FIELDS)(
  'the field "%s" takes %i to %i characters or items, and not one less or more',
  async (_, min, max, path, make, send) => {
    const isRefused = async (length: number) => {
      const { error } = await send(make(length));
      const issues: { path: unknown }[] = error?.details.issues ?? [];
      return issues.some((issue) => JSON.stringify(issue.path) === JSON.stringify(path));
    };
    expect([await isRefused(min), await isRefused(max), await isRefused(max + 1)]).toEqual([
      false,
      false,
      true,
    ]);
    if (min > 0) expect(await isRefused(min - 1)).toBe(true);
  },
);
