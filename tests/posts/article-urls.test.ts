import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { refusal } from '../support/client.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { confirmedPerson, type Person } from '../support/people.ts';
import { publish } from '../support/posts.ts';

let opine: Opine;
let maya: Person;

beforeAll(async () => {
  opine = await startOpine();
  maya = await confirmedPerson(opine, 'Maya');
});

afterAll(() => opine.stop());

const GOOD = [
  'https://news.example',
  'HTTPS://News.Example/Garlic',
  'http://localhost/x',
  'https://a-b.example/?q=1#f',
  'https://a-b.example?q=1',
  'https://a-b.example#f',
  'https://news.example./garlic',
  'https://пример.рф/путь',
  'https://münchen.de/straße?größe=1',
  'https://例え.テスト/パス',
  'https://नेटवर्क.भारत',
  'https://مثال.إختبار/صفحة',
  'https://ตัวอย่าง.ไทย',
  'https://xn--mnchen-3ya.de:8443/a:b@c',
  'http://127.0.0.1:8080/x',
  'http://[::1]/',
  'https://[2001:db8::1]:65535',
  'https://[::ffff:192.0.2.1]/x',
  'https://1password.example:1/',
  'https://news.example/a%20b/~c/(d)[e]',
];

const BAD = [
  '//news.example',
  'javascript:alert(1)',
  'javascript://news.example/%0aalert(1)',
  'ftp://news.example',
  'https:news.example',
  'https:/news.example',
  'https:///path',
  'https://',
  'https://?q',
  'https://user:pw@news.example',
  'https://user@news.example/',
  'https://@news.example/',
  'https://news.example:0',
  'https://news.example:65536',
  'https://news.example:99999999',
  'https://news.example:',
  'https://news.example:8o',
  'https://-',
  'https://...',
  'https://.-./x',
  'https://exa mple.com',
  'https://exa_mple.com',
  'https://exa%6Dple.com',
  'https://news!.example',
  'https://☃.example',
  'https://🧄.example',
  'https://news。example',
  'https://news.example\uff0fpath',
  'https://news\u200b.example',
  'https://news.example/a b',
  'https://news.example/a\u00a0b',
  'https://news.example/a\u3000b',
  'https:\\\\news.example',
  'https://news.example\\path',
  'https://news.example/a\\b',
  ...['\u202e', '\u2066', '\u2069', '\u200e', '\u200f', '\u061c'].flatMap((mark) => [
    `https://news.example/${mark}gpj.exe`,
    `https://news${mark}.example/`,
  ]),
  'https://news.example/\n',
  'https://news.example/a\tb',
  'https://news.example/a\u0007b',
  'https://news.example/a\u0085b',
  'https://[::g]',
  'https://[::1',
  'https://[]/',
  'https://[::1]x/',
  'https://[::1%25eth0]/',
  'https://[::1/128]/',
  'https://256.0.0.1/',
  'https://1.2.3',
  'https://1.2.3.4.5/',
  'https://news.example.1/',
  'garlic',
];

/** Returns those of `urls` that Postgres takes for web addresses. */
async function webUrls(urls: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ url: string }>`
    select u.url from unnest(${urls}::text[]) with ordinality as u (url, place) where app.is_web_url(u.url) order by u.place
  `.execute(opine.database.superuser);
  return rows.map(({ url }) => url);
}

describe('the URL of an article', () => {
  // docs/product.md PO25
  test.each(GOOD)('%j is published as it is written', async (url) => {
    expect((await publish(maya, { article: { url } })).data?.article.url).toBe(url);
  });

  // docs/product.md PO25
  test.each(BAD)('%j is refused', async (url) => {
    // A text ends at white space, so the request ends otherwise.
    expect(await publish(maya, { article: { url: url.endsWith('\n') ? `${url}x` : url } })).toMatchObject(
      refusal(422, 'VALIDATION_FAILED', { issues: [{ path: ['article', 'url'] }] }),
    );
  });
});

// docs/product.md PO25
test('Postgres alone accepts and refuses the same URLs', async () => {
  expect(await webUrls([...GOOD, ...BAD])).toEqual(GOOD);
});

test('Postgres judges URLs of a million characters, which a search in quadratic time would never end', async () => {
  const parts = ['a', 'a.', '-', 'é', '1.', ':', '/', '['];
  const urls = parts.map((part) => `https://${part.repeat(1_000_000)}\\`);
  expect(await webUrls(urls)).toEqual([]);
});
