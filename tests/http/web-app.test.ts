import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectOk } from '../support/client.ts';
import { aHub, aHubPost } from '../support/hubs.ts';
import { anOpine, type Opine, startOpine } from '../support/opine.ts';
import { hubReadyPerson } from '../support/people.ts';
import { aSlider } from '../support/posts.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine({ WEB_APP: 'true', PUBLIC_SUPABASE_URL: 'https://project.example/base' });
});

afterAll(() => opine.stop());

const textOf = async (path: string) => (await get(path)).text();

const get = (path: string, init: RequestInit = {}) =>
  fetch(opine.url + path, { redirect: 'manual', ...init });

test('the policy of the app allows its own files, and the storage for pictures and uploads only', async () => {
  const { status, headers } = await get('/');
  const policy = headers.get('content-security-policy') ?? '';
  expect(status).toBe(200);
  expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
  expect(policy).toContain("img-src 'self' data: https://project.example;");
  expect(policy).toContain("connect-src 'self' https://project.example;");
  expect(policy).not.toMatch(/unsafe|\*/);
  expect(Object.fromEntries(headers)).toMatchObject({
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-cache',
  });
});

test.each(['/', '/app.js', '/app.css'])('a browser that has %s gets 304 for it', async (path) => {
  const first = await get(path);
  await first.text();
  const etag = first.headers.get('etag') ?? '';
  const second = await get(path, { headers: { 'If-None-Match': etag } });
  expect([first.status, second.status, await second.text()]).toEqual([200, 304, '']);
});

// docs/product.md R9
test.each(['/invitations/a-token', '/join/a-token'])(
  'the link %s leads to the same path of the app',
  async (path) => {
    const { status, headers } = await get(path);
    expect([status, headers.get('location')]).toEqual([302, `/#${path}`]);
  },
);

// docs/product.md R9
describe('the link of a post', () => {
  const TITLE = 'Shade & benches "for all"?';

  test('of a public post is the app with a title and a preview, without its author and their phone', async () => {
    const maya = await hubReadyPerson(opine, 'Maya Lindqvist');
    const post = await aSlider(maya, { sliderText: TITLE, article: { title: '<The square> costs $& more' } });
    const { status, headers } = await get(`/posts/${post.id}`);
    expect([status, headers.get('content-security-policy')]).toEqual([
      200,
      (await get('/')).headers.get('content-security-policy'),
    ]);
    const page = await textOf(`/posts/${post.id}`);
    expect(page).toContain('<title>&lt;The square&gt; costs $&amp; more · Opine</title>');
    expect(page).toContain('property="og:title" content="&lt;The square&gt; costs $&amp; more"');
    expect(page).toContain('property="og:description" content="Shade &amp; benches &quot;for all&quot;?"');
    expect(page).toContain(`property="og:url" content="https://opine.example/posts/${post.id}"`);
    expect(page).not.toMatch(/Lindqvist|maya|\+1202555\d/);
  });

  test('of a post with a long text has a title that ends with a whole emoji', async () => {
    const maya = await hubReadyPerson(opine, 'Maya');
    const family = '👨‍👩‍👧';
    const post = await aSlider(maya, { article: { title: `${'x'.repeat(89)}${family}yes` } });
    expect(await textOf(`/posts/${post.id}`)).toContain(`<title>${'x'.repeat(89)}${family} · Opine</title>`);
  });

  test('of a private, deleted or unknown post, and of no post, is the app as it is', async () => {
    const maya = await hubReadyPerson(opine, 'Maya');
    const hub = await aHub(maya);
    const secret = await aHubPost(maya, [hub], { sliderText: TITLE });
    const deleted = await aSlider(maya, { sliderText: TITLE });
    await expectOk(maya.delete(`/posts/${deleted.id}`));
    for (const id of [secret.id, deleted.id, crypto.randomUUID(), 'x'])
      expect(await textOf(`/posts/${id}`)).toBe(await textOf('/'));
  });
});

test('the app has a manifest with its icon, and keeps crawlers out of invitations', async () => {
  const { headers } = await get('/manifest.webmanifest');
  expect(headers.get('content-type')).toBe('application/manifest+json');
  const { icons } = JSON.parse(await textOf('/manifest.webmanifest'));
  const icon = await get(icons[0].src);
  expect([icon.status, icon.headers.get('content-type')]).toEqual([200, 'image/svg+xml; charset=utf-8']);
  expect(await textOf('/robots.txt')).toContain('Disallow: /invitations/\nDisallow: /join/');
});

// docs/product.md R12
test('phones find the apps that open links, where there are any', async () => {
  const documents = ['/.well-known/apple-app-site-association', '/.well-known/assetlinks.json'];
  for (const path of documents) expect((await get(path)).status).toBe(404);
  const fingerprint = Array(32).fill('A1').join(':');
  const { url } = await anOpine({
    IOS_APPS: 'A1B2C3D4E5.example.opine',
    ANDROID_APPS: `example.opine=${fingerprint}`,
  });
  const [apple, android] = await Promise.all(documents.map((path) => fetch(url + path)));
  expect(apple?.headers.get('content-type')).toMatch(/^application\/json/);
  expect(await apple?.json()).toEqual({
    applinks: {
      details: [
        {
          appIDs: ['A1B2C3D4E5.example.opine'],
          components: [{ '/': '/posts/*' }, { '/': '/invitations/*' }, { '/': '/join/*' }],
        },
      ],
    },
  });
  expect(await android?.json()).toEqual([
    {
      relation: ['delegate_permission/common.handle_all_urls'],
      target: {
        namespace: 'android_app',
        package_name: 'example.opine',
        sha256_cert_fingerprints: [fingerprint],
      },
    },
  ]);
});

test('the page names phones with a fixed code where the service has some', async () => {
  expect(await (await get('/')).text()).toContain('content="+1202555*=4242"');
  const other = await anOpine({ WEB_APP: 'true', SMS_TEST_NUMBERS: '' });
  expect(await (await fetch(other.url)).text()).not.toContain('opine-test-phones');
});

// docs/product.md R9
test('without WEB_APP no path of the app exists', async () => {
  const { url } = await anOpine();
  for (const path of ['/', '/app.js', '/robots.txt', '/posts/x', '/join/x']) {
    expect((await fetch(url + path, { redirect: 'manual' })).status).toBe(404);
  }
});
