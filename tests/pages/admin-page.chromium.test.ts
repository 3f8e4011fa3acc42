import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Browser, Page } from '../../tools/playwright.ts';
import {
  axeViolations,
  clickGoogleSignIn,
  openChromium,
  setStaffCookie,
  staffWindow,
  tabTo,
  type Visit,
  type Window,
} from '../support/chromium.ts';
import { expectOk, type Json, refusal } from '../support/client.ts';
import { type OpineWithIdp, startOpineWithIdp } from '../support/id-tokens.ts';
import { confirmedPerson, type Person } from '../support/people.ts';
import { aSlider } from '../support/posts.ts';
import { aDeadLetter, aReport, aStaffMember, type StaffMember } from '../support/staff.ts';

const PHONE = { width: 360 };
const MODERATION = ['Reports', 'Closed reports', 'Appeals', 'Accounts', 'Who sees what', 'Blocked terms'];
const SCRIPT = '<script>globalThis.ran = true</script><img src=x onerror="globalThis.ran = true">';

let opine: OpineWithIdp;
let browser: Browser;
let olga: StaffMember;
let nina: StaffMember;
let ada: StaffMember;
let maya: Person;
let jonas: Person;
let open: Visit[] = [];

beforeAll(async () => {
  opine = await startOpineWithIdp();
  browser = await openChromium();
  olga = await aStaffMember(opine, 'support', 'olga');
  nina = await aStaffMember(opine, 'moderator', 'nina');
  ada = await aStaffMember(opine, 'admin', 'ada');
  maya = await confirmedPerson(opine, 'Maya');
  jonas = await confirmedPerson(opine, 'Jonas');
});

afterAll(async () => {
  await browser?.close();
  await opine.stop();
});

// No test may cause a request to another host or a console error.
afterEach(async () => {
  const visits = open;
  open = [];
  for (const { page, foreignRequests, problems } of visits) {
    await page.close();
    expect({ foreignRequests, problems }).toEqual({ foreignRequests: [], problems: [] });
  }
});

/** Opens the sign-in page, with a fake provider that signs in `email`. */
async function openFor(email: string, window?: Window): Promise<Page> {
  const visit = await staffWindow(browser, opine, email, window);
  open.push(visit);
  await visit.page.goto(`${opine.url}/admin`);
  return visit.page;
}

/** Opens `path` as a signed-in staff member. */
async function openAs(member: StaffMember, path = '/admin', window?: Window): Promise<Page> {
  const visit = await staffWindow(browser, opine, member.email, window);
  open.push(visit);
  await setStaffCookie(visit.page, opine, member);
  await visit.page.goto(opine.url + path);
  return visit.page;
}

/** Creates a post by Maya that Jonas has reported. */
async function aReported(text: string): Promise<{ post: Json; reportId: string }> {
  const post = await aSlider(maya, { sliderText: text });
  return { post, reportId: await aReport(jonas, 'posts', post) };
}

const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });
const lookUp = async (page: Page, q: string) => {
  await page.getByLabel('Id, username').fill(q);
  await page.getByRole('button', { name: 'Look up' }).click();
};
const statusText = (page: Page) => page.getByRole('status').textContent();

describe('the Content-Security-Policy', () => {
  const policyAt = async (path: string, headers = {}) => {
    const reply = await fetch(opine.url + path, { headers });
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    });
    return reply.headers;
  };

  test('the policy of signed-in pages forbids scripts, other origins and framing', async () => {
    for (const path of ['/admin', '/admin/accounts', '/admin/health', '/admin/dead-letters?cursor=x']) {
      const headers = await policyAt(path, { cookie: ada.cookie });
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toMatch(/^default-src 'none'; style-src 'self';/);
      expect(policy).toMatch(/form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/);
      expect(policy).not.toMatch(/script|unsafe|https?:|\*/);
      expect(headers.get('referrer-policy')).toBe('no-referrer');
    }
  });

  test('the policy of the sign-in page allows Google as the only other origin', async () => {
    const policy = (await policyAt('/admin')).get('content-security-policy') ?? '';
    expect(policy).toContain("script-src 'self' https://accounts.google.com/gsi/client;");
    expect(policy).not.toMatch(/unsafe|\*/);
    expect(new Set(policy.match(/https?:\/\/[^/]+/g))).toEqual(new Set(['https://accounts.google.com']));
  });
});

describe('the sign-in page', () => {
  test('the button of the provider leads to the reports, and signing out leads back', async () => {
    const page = await openFor(nina.email);
    await clickGoogleSignIn(page);
    await page.getByRole('heading', { name: 'Reports' }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in with Google' }).waitFor();
    expect([await page.title(), await statusText(page)]).toEqual(['Sign in · Opine staff', 'Signed out.']);
    expect(await page.context().cookies()).toEqual([]);
  });

  test('a person outside the staff list sees that they are not allowed', async () => {
    const page = await openFor('eve@opine.example');
    await clickGoogleSignIn(page);
    await page.getByRole('alert').filter({ hasText: 'You are not allowed to do this.' }).waitFor();
    // The browser logs the 403 too.
    open.at(-1)?.problems.splice(0, 1);
  });
});

describe('a staff member', () => {
  test('a moderator claims a report and removes the post by keyboard alone', async () => {
    const { post } = await aReported('Pills for sale?');
    const page = await openAs(nina);
    await tabTo(page, 'Skip to the content');
    await page.keyboard.press('Enter');
    await tabTo(page, `Claim: post of ${maya.username}`);
    await page.keyboard.press('Enter');
    await page.getByText('It is yours for an hour.').waitFor();
    await tabTo(page, 'Statement for the person concerned');
    await page.keyboard.type('It sells pills.');
    for (const button of [`Remove: post of ${maya.username}`, 'Yes, remove']) {
      await tabTo(page, button);
      await page.keyboard.press('Enter');
    }
    await page.getByText('Removed.').waitFor();
    expect(await rowOf(page, 'Pills for sale?').count()).toBe(0);
    expect(await jonas.get(`/posts/${post.id}`)).toMatchObject(refusal(404, 'POST_NOT_FOUND'));
  });

  test('a moderator sees who has claimed a report and why their own claim fails', async () => {
    const { reportId } = await aReported('Is this fair?');
    const page = await openAs(nina);
    await ada.post(`/admin/reports/${reportId}/claim`);
    await rowOf(page, 'Is this fair?')
      .getByRole('button', { name: /^Claim/ })
      .click();
    expect(await page.getByRole('alert').textContent()).toBe('Somebody else looks into this report.');
    const row = rowOf(page, 'Is this fair?');
    expect(await row.textContent()).toContain(`${ada.email} looks into it.`);
    expect(await row.getByRole('button', { name: /^(Claim|Release|Dismiss|Remove|Suspend)/ }).count()).toBe(
      0,
    );
  });

  test('a moderator suspends an account from a report and restores it', async () => {
    const lena = await confirmedPerson(opine, 'Lena');
    await aReport(jonas, 'users', lena);
    const page = await openAs(nina);
    const row = rowOf(page, lena.username);
    await row.getByText('Decide', { exact: true }).last().click();
    await row.getByLabel('Statement for the person concerned').fill('You sell pills.');
    await row.getByRole('button', { name: /^Suspend/ }).click();
    await row.getByRole('button', { name: /^Yes/ }).click();
    expect([await statusText(page), await rowOf(page, lena.username).textContent()]).toEqual([
      'The account is suspended.',
      expect.stringContaining('suspended'),
    ]);
    await page.getByLabel('Reason').fill('It was somebody else.');
    await page.getByRole('button', { name: /^Restore/ }).click();
    expect(await statusText(page)).toBe('The account is as it was.');
    expect((await jonas.get(`/users/${lena.id}/profile`)).status).toBe(200);
  });

  test('a support member looks up an account and its phone, and no URL contains the phone', async () => {
    const page = await openAs(olga, '/admin/accounts');
    const addresses: string[] = [];
    page.on('request', (request) => addresses.push(request.url()));
    await lookUp(page, maya.phoneNumber);
    const row = rowOf(page, maya.username);
    await row.getByLabel('Reason').fill('She has called.');
    await row.getByRole('button', { name: /^Show the phone/ }).click();
    expect(await statusText(page)).toBe(maya.phoneNumber);
    expect(addresses.join(' ')).not.toMatch(new RegExp(`[?]|${maya.phoneNumber.slice(1)}`));
  });

  test('a moderator sees which rule hides a reported post from a viewer', async () => {
    const { post } = await aReported('Who reads this?');
    const lena = await confirmedPerson(opine, 'Lena');
    await expectOk(lena.post(`/users/${maya.id}/block`));
    const page = await openAs(nina);
    await rowOf(page, 'Who reads this?').getByRole('link', { name: 'Who sees it' }).click();
    expect(await page.getByLabel('Id of the post').inputValue()).toBe(post.id);
    await page.getByLabel('Id of who looks').fill(lena.id);
    await page.getByRole('button', { name: 'Explain' }).click();
    const no = await page
      .getByRole('row')
      .filter({ hasText: 'no' })
      .locator('td:first-child p:first-child')
      .allTextContents();
    expect(no).toEqual(
      expect.arrayContaining(['no block exists between author and viewer', 'the viewer sees the post']),
    );
    expect(no).not.toContain('the post is public');
  });

  // docs/product.md S16
  test('an admin admits a person, finds it in the audit log, and dismisses them', async () => {
    const page = await openAs(ada, '/admin/staff');
    await page.getByLabel('E-mail of the workspace').fill('kim@opine.example');
    await page.getByLabel('Role').selectOption('moderator');
    await page.getByRole('textbox', { name: 'Reason' }).fill('Joins the evening shift.');
    await page.getByRole('button', { name: 'Admit' }).click();
    expect(await statusText(page)).toBe('Admitted.');
    await page.getByRole('link', { name: 'Audit log' }).click();
    await rowOf(page, 'Joins the evening shift.').getByText('kim@opine.example').waitFor();
    await page.getByRole('link', { name: 'Staff' }).click();
    const row = rowOf(page, 'kim@opine.example');
    await row.locator('summary').click();
    await row.getByLabel('Reason').fill('Has left.');
    await row.getByRole('button', { name: 'Dismiss: kim@opine.example' }).click();
    expect([await statusText(page), await rowOf(page, 'kim@opine.example').count()]).toEqual([
      'Dismissed.',
      0,
    ]);
  });

  // docs/product.md S26
  test.each([
    ['support', () => olga, 'Accounts'],
    ['a moderator', () => nina, 'Reports'],
  ])('the first page of %s has the numbers of the day', async (_, who, heading) => {
    const page = await openAs(who());
    await page.getByRole('heading', { name: heading }).waitFor();
    const numbers = await page.getByRole('region', { name: 'Today' }).locator('dt').allTextContents();
    expect(numbers).toEqual(['people joined', 'posts', 'votes', 'open reports']);
  });

  test('an admin requeues a dead letter', async () => {
    await aDeadLetter(opine, jonas, maya);
    const page = await openAs(ada, '/admin/dead-letters');
    await rowOf(page, 'user followed').getByRole('button').click();
    expect(await statusText(page)).toBe('It is being sent once more.');
    expect(await page.getByText('Everything could be sent.').count()).toBe(1);
  });

  test.each([
    ['support', () => olga, ['Accounts', 'Default feed', 'Health'], false],
    ['a moderator', () => nina, [...MODERATION, 'Default feed', 'Health'], true],
    [
      'an admin',
      () => ada,
      [...MODERATION, 'Default feed', 'Staff', 'Audit log', 'Dead letters', 'Health'],
      true,
    ],
  ])('the navigation and actions match the role: %s', async (_, who, pages, maySuspend) => {
    const headers = { cookie: who().cookie };
    const text = await (await fetch(`${opine.url}/admin/users/${maya.id}`, { headers })).text();
    const nav = text.slice(text.indexOf('<nav'), text.indexOf('</nav>'));
    expect([...nav.matchAll(/>([\w ]+)<\/a>/g)].map(([, name]) => name)).toEqual(pages);
    expect([text.includes(maya.username), text.includes('Suspend')]).toEqual([true, maySuspend]);
  });

  test('a support member lands on the accounts, and is refused the dead letters', async () => {
    const get = (path: string) =>
      fetch(opine.url + path, { headers: { cookie: olga.cookie }, redirect: 'manual' });
    const first = await get('/admin');
    expect([first.status, first.headers.get('location')]).toEqual([303, '/admin/accounts']);
    expect((await get('/admin/dead-letters')).status).toBe(403);
  });
});

test('the staff page renders user text without running its markup', async () => {
  await aReported(SCRIPT);
  const mallory = await confirmedPerson(opine, SCRIPT.slice(0, 80));
  const page = await openAs(nina);
  expect(await rowOf(page, SCRIPT).count()).toBe(1);
  expect(await page.evaluate(() => 'ran' in globalThis)).toBe(false);
  const isHarmless = async () => {
    expect(await page.evaluate(() => 'ran' in globalThis)).toBe(false);
    expect(await page.locator('main script, main img').count()).toBe(0);
  };
  for (const address of [`users/${mallory.id}`, `accounts?done=${SCRIPT}`, `accounts?hub=">${SCRIPT}`]) {
    await page.goto(`${opine.url}/admin/${address}`);
    await isHarmless();
  }
  await lookUp(page, `">${SCRIPT.slice(0, 60)}`);
  await isHarmless();
});

test.each([
  ['/admin/accounts', 'garbage', 422],
  ['/admin/users/:id', 'garbage', 422],
  ['/admin/users/x', '--x--', 404],
  ['/admin/visibility', '--x--', 404],
  ['/admin/accounts', 'x'.repeat(17_000), 413],
  ['/admin/users/:id/suspend', 'garbage', 303],
  ['/admin/users/%0d%0aa:b/suspend', '--x--', 303],
])('a malformed form is refused at %s', async (address, body, status) => {
  const headers = { cookie: nina.cookie, 'content-type': 'multipart/form-data; boundary=x' };
  const url = opine.url + address.replace(':id', maya.id);
  const reply = await fetch(url, { method: 'POST', headers, body, redirect: 'manual' });
  expect(reply.status).toBe(status);
  expect(reply.headers.get('location') ?? '/admin/').toMatch(/^\/admin\/\S*$/);
});

test('a form posted from another site is refused even with the cookie', async () => {
  const { post, reportId } = await aReported('Is this forged?');
  const page = await openAs(nina);
  const form = `<form method="post" action="${opine.url}/admin/reports/${reportId}/dismiss"><input name="reason" value="x"></form>
    <script>document.forms[0].submit()</script>`;
  const forger = createServer((_, response) => response.setHeader('content-type', 'text/html').end(form));
  await new Promise<void>((resolve) => forger.listen(0, resolve));
  onTestFinished(() => void forger.close());
  const { port } = forger.address() as AddressInfo;
  await page.unroute('**');
  // Another port is same-site, so the browser sends the cookie; another host is cross-site.
  for (const host of ['127.0.0.1', 'localhost']) {
    await page.goto(`http://${host}:${port}`);
    await page.getByText('You are not allowed to do this.').waitFor();
  }
  open.at(-1)?.problems.splice(0, 2);
  const { data } = await nina.get('/admin/reports?limit=100');
  expect(data.items.filter(({ target }: Json) => target.id === post.id)).toHaveLength(1);
});

describe('every page', () => {
  const PATHS = [
    '/admin',
    '/admin/closed-reports',
    '/admin/accounts',
    '/admin/visibility',
    '/admin/staff',
    '/admin/audit-log',
    '/admin/dead-letters',
    '/admin/health',
  ];

  beforeAll(async () => {
    await aReported(
      `${'A very long text, as people write them. '.repeat(6)}${'x'.repeat(100)}`.slice(0, 260),
    );
    await aDeadLetter(opine, await confirmedPerson(opine), maya);
  });

  const pathsOf = () => PATHS.map((path) => (path === '/admin/accounts' ? `/admin/users/${maya.id}` : path));

  test('no staff page is wider than a screen of 360 pixels', async () => {
    const page = await openFor(ada.email, PHONE);
    const widthOf = () => page.evaluate(() => document.documentElement.scrollWidth);
    const widths = [await widthOf()];
    await setStaffCookie(page, opine, ada);
    for (const path of pathsOf()) {
      await page.goto(opine.url + path);
      await page.evaluate(() => {
        for (const details of document.querySelectorAll('details')) details.open = true;
      });
      widths.push(await widthOf());
    }
    expect(new Set(widths)).toEqual(new Set([PHONE.width]));
  });

  test.each([
    ['light', 1280, undefined],
    // The other rules do not depend on the color scheme or width.
    ['dark', 360, ['color-contrast', 'target-size']],
  ] as const)(
    'no staff page has an accessibility violation, %s and %i pixels wide',
    async (colorScheme, width, rules) => {
      const page = await openFor(ada.email, { colorScheme, width });
      const found = [await axeViolations(page, rules)];
      await setStaffCookie(page, opine, ada);
      for (const path of pathsOf()) {
        await page.goto(opine.url + path);
        found.push(await axeViolations(page, rules));
      }
      expect(found.flat()).toEqual([]);
    },
  );
});
