import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Browser, Page } from '../../tools/playwright.ts';
import {
  axeViolations,
  openChromium,
  setStaffCookie,
  staffWindow,
  type Visit,
  type Window,
} from '../support/chromium.ts';
import { expectOk, type Json } from '../support/client.ts';
import { type OpineWithStaff, startOpineWithStaff } from '../support/decisions.ts';
import { confirmedPerson, type Person } from '../support/people.ts';
import { aJpeg } from '../support/pictures.ts';
import { aComment, aSlider, publish } from '../support/posts.ts';
import { aReport, aStaffMember, type StaffMember } from '../support/staff.ts';
import { anUpload } from '../support/uploads.ts';

let opine: OpineWithStaff;
let browser: Browser;
let nina: StaffMember;
let otto: StaffMember;
let ada: StaffMember;
let maya: Person;
let jonas: Person;
let open: Visit[] = [];

beforeAll(async () => {
  opine = await startOpineWithStaff();
  browser = await openChromium();
  ({ nina, otto } = opine);
  ada = await aStaffMember(opine, 'admin', 'ada');
  maya = await confirmedPerson(opine, 'Maya');
  jonas = await confirmedPerson(opine, 'Jonas');
});

afterAll(async () => {
  await browser?.close();
  await opine.stop();
});

// No test may cause a request to a foreign host or a console error.
afterEach(async () => {
  const visits = open;
  open = [];
  for (const { page, foreignRequests, problems } of visits) {
    await page.close();
    expect({ foreignRequests, problems }).toEqual({ foreignRequests: [], problems: [] });
  }
});

/** Opens `path` as a signed-in staff member, in a page that may load files from storage. */
async function openAs(member: StaffMember, path = '/admin', window?: Window): Promise<Page> {
  const visit = await staffWindow(browser, opine, member.email, window);
  open.push(visit);
  const storage = opine.storage.environment.SUPABASE_URL ?? '';
  await visit.page.route(`${storage}/**`, (route) => route.continue());
  await setStaffCookie(visit.page, opine, member);
  await visit.page.goto(opine.url + path);
  return visit.page;
}

const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });

/** Has Jonas report a post of Maya's. */
async function aReportedPost(fields: object): Promise<Json> {
  const post = await expectOk(publish(maya, fields));
  await aReport(jonas, 'posts', post, 'nudity');
  return post;
}

async function fill(page: Page, text: string, statement: string): Promise<void> {
  await rowOf(page, text).getByText('Decide', { exact: true }).last().click();
  await rowOf(page, text).getByLabel('Against the rules as').selectOption('nudity');
  await rowOf(page, text).getByLabel('Statement for the person concerned').fill(statement);
}

async function remove(page: Page, text: string): Promise<void> {
  await rowOf(page, text)
    .getByRole('button', { name: /^Remove/ })
    .click();
  await rowOf(page, text).getByRole('button', { name: 'Yes, remove' }).click();
}

describe('pictures of reported content', () => {
  test('a picture is blurred until its box is ticked, comes from storage, and the look is in the audit log', async () => {
    const { assetId } = await anUpload(maya, await aJpeg({ width: 64, height: 48 }), 'post_image');
    await aReportedPost({ article: { media: [{ assetId }] }, thoughtText: 'At the lake.' });
    const page = await openAs(nina);
    await rowOf(page, 'At the lake.')
      .getByRole('button', { name: /^Pictures and documents/ })
      .click();
    const picture = page.getByRole('img', { name: 'Reported picture 1' });
    await picture.waitFor();
    const look = () =>
      picture.evaluate((image) => ({
        width: (image as HTMLImageElement).naturalWidth,
        filter: getComputedStyle(image).filter,
      }));
    await expect.poll(look).toEqual({ width: 64, filter: 'blur(24px) grayscale(1)' });
    await page.getByLabel('Show picture 1').check();
    expect(await look()).toEqual({ width: 64, filter: 'none' });
    const log = await opine.database.superuser
      .selectFrom('staff.audit_log')
      .select(['actor_email', 'action'])
      .where('action', '=', 'view_media')
      .execute();
    expect(log).toEqual([{ actor_email: nina.email, action: 'view_media' }]);
    expect(await axeViolations(page, undefined)).toEqual([]);
  });

  test('a report without pictures says so', async () => {
    await aReportedPost({ thoughtText: 'No picture here.' });
    const page = await openAs(nina);
    await rowOf(page, 'No picture here.')
      .getByRole('button', { name: /^Pictures and documents/ })
      .click();
    await page.getByText('There are no pictures and documents.').waitFor();
  });
});

describe('a decision and its appeal', () => {
  test('a removal tells the author why, and another member of staff reverses it', async () => {
    const post = await aReportedPost({ thoughtText: 'A statue in the park.' });
    const page = await openAs(nina);
    await fill(page, 'A statue in the park.', 'Your post shows nudity.');
    await remove(page, 'A statue in the park.');
    await page.getByRole('status').filter({ hasText: 'Removed.' }).waitFor();
    expect((await maya.get(`/posts/${post.id}`)).status).toBe(404);

    const [decision] = (await expectOk(maya.get('/users/me/moderation-decisions'))).items;
    expect(decision).toMatchObject({ reason: 'nudity', statement: 'Your post shows nudity.' });
    await expectOk(maya.post(`/moderation-decisions/${decision.id}/appeal`, { text: 'It is art.' }));

    await page.getByRole('link', { name: 'Appeals' }).click();
    await rowOf(page, 'It is art.').getByText('somebody else decides the appeal').waitFor();
    const others = await openAs(otto, '/admin/appeals');
    await rowOf(others, 'It is art.').getByText('A statue in the park.').waitFor();
    await rowOf(others, 'It is art.').getByLabel('Why').fill('A statue is no nudity.');
    await rowOf(others, 'It is art.')
      .getByRole('button', { name: /^Reverse/ })
      .click();
    await rowOf(others, 'It is art.').getByText('what it hid is visible again').waitFor();
    expect((await maya.get(`/posts/${post.id}`)).status).toBe(404);
    await rowOf(others, 'It is art.').getByRole('button', { name: 'Yes, reverse' }).click();
    await others.getByRole('status').filter({ hasText: 'Decided.' }).waitFor();
    await others.getByText('There are no open appeals.').waitFor();
    expect((await maya.get(`/posts/${post.id}`)).status).toBe(200);
  });

  test('a decision without a statement is not sent', async () => {
    await aReportedPost({ thoughtText: 'Say why.' });
    const page = await openAs(nina);
    await rowOf(page, 'Say why.').getByText('Decide', { exact: true }).last().click();
    await remove(page, 'Say why.');
    expect(
      await page
        .getByLabel('Statement for the person concerned')
        .first()
        .evaluate((field) => (field as HTMLTextAreaElement).validity.valid),
    ).toBe(false);
    await page.reload();
    await rowOf(page, 'Say why.').waitFor();
  });

  // docs/product.md S18
  test('a removal waits for its confirmation, and a cancelled one removes nothing', async () => {
    const post = await aReportedPost({ thoughtText: 'Think twice.' });
    const page = await openAs(nina);
    await fill(page, 'Think twice.', 'Your post shows nudity.');
    const row = rowOf(page, 'Think twice.');
    await row.getByRole('button', { name: /^Remove/ }).click();
    await row
      .getByRole('dialog')
      .getByText('It hides this post alone; the author keeps the account.')
      .waitFor();
    expect((await jonas.get(`/posts/${post.id}`)).status).toBe(200);
    await row.getByRole('button', { name: 'Cancel' }).click();
    expect(await row.getByRole('dialog').count()).toBe(0);
    expect((await jonas.get(`/posts/${post.id}`)).status).toBe(200);
    await remove(page, 'Think twice.');
    await page.getByRole('status').filter({ hasText: 'Removed.' }).waitFor();
    expect((await jonas.get(`/posts/${post.id}`)).status).toBe(404);
  });

  // docs/product.md S18
  test('the form says what a removal and a suspension do, and a dismissed report is among the closed ones', async () => {
    await aReportedPost({ thoughtText: 'What is the difference?' });
    const page = await openAs(nina);
    const row = rowOf(page, 'What is the difference?');
    await row.getByText('Decide', { exact: true }).last().click();
    await row.locator('p.quiet', { hasText: 'Remove hides this post alone' }).first().waitFor();
    await row.locator('p.quiet', { hasText: 'Suspend the account signs the person out' }).first().waitFor();
    await row.getByLabel('Reason').fill('There is none.');
    await row.getByRole('button', { name: /^Dismiss/ }).click();
    await page.getByRole('link', { name: 'Closed reports' }).click();
    await rowOf(page, 'What is the difference?').getByText('dismissed').waitFor();
  });

  // docs/product.md S18
  test('the reason is preselected where all reports give the same, and else must be chosen', async () => {
    const lena = await confirmedPerson(opine, 'Lena');
    const reasonOf = (page: Page, text: string) =>
      rowOf(page, text)
        .getByLabel('Against the rules as')
        .evaluate((field) => {
          const { value, validity } = field as HTMLSelectElement;
          return [value, validity.valid];
        });
    const [same, mixed] = [
      await aReportedPost({ thoughtText: 'All agree.' }),
      await aReportedPost({ thoughtText: 'They differ.' }),
    ];
    await aReport(lena, 'posts', same, 'nudity');
    await aReport(lena, 'posts', mixed, 'hate');
    const page = await openAs(nina);
    expect(await reasonOf(page, 'All agree.')).toEqual(['nudity', true]);
    expect(await reasonOf(page, 'They differ.')).toEqual(['', false]);
    await page.goto(`${opine.url}/admin/users/${lena.id}`);
    expect(await reasonOf(page, lena.username)).toEqual(['', false]);
  });

  test('a deleted post is shown as it was reported, and only its author can be decided about', async () => {
    const lena = await confirmedPerson(opine, 'Lena');
    const post = await expectOk(publish(lena, { thoughtText: 'Gone in a minute.' }));
    await aReport(jonas, 'posts', post);
    await expectOk(lena.delete(`/posts/${post.id}`));
    const page = await openAs(nina);
    const row = rowOf(page, 'Gone in a minute.');
    await row.getByText('Deleted since then.').waitFor();
    await row.getByText('Decide', { exact: true }).last().click();
    expect(await row.getByRole('button', { name: /^Remove/ }).count()).toBe(0);
    await row.getByLabel('Statement for the person concerned').fill('You sell pills.');
    await row.getByRole('button', { name: /^Suspend/ }).click();
    await row.getByRole('button', { name: /^Yes, suspend/ }).click();
    await page.getByRole('status').filter({ hasText: 'The account is suspended.' }).waitFor();
    await page.goto(`${opine.url}/admin`);
    expect(await rowOf(page, 'Gone in a minute.').count()).toBe(0);
  });

  test('the history of an account shows its reports and decisions', async () => {
    const lena = await confirmedPerson(opine, 'Lena');
    const post = await aSlider(lena, { sliderText: 'Is this a joke?' });
    await aReport(jonas, 'posts', post);
    const page = await openAs(nina);
    await fill(page, 'Is this a joke?', 'This is no joke.');
    await remove(page, 'Is this a joke?');
    await page.getByRole('status').waitFor();
    await page.goto(`${opine.url}/admin/users/${lena.id}`);
    await page.getByRole('link', { name: 'Reports and decisions' }).click();
    await page.getByRole('table', { name: 'Decisions' }).getByText('This is no joke.').waitFor();
    await page
      .getByRole('table', { name: /^Reports about/ })
      .getByText('actioned')
      .waitFor();
    await page.getByText('Reports by the account: none.').waitFor();
  });
});

describe('the lists of staff', () => {
  test('a moderator keeps the blocked terms, and a text with one is reported by the service', async () => {
    const page = await openAs(nina, '/admin/blocked-terms');
    await page.getByLabel('Word or phrase').fill('cheap pills');
    await page.getByLabel('Reason').fill('Fifty reports this week.');
    await page.getByRole('button', { name: 'Add' }).click();
    await page.getByRole('row').filter({ hasText: 'cheap pills' }).waitFor();
    await aComment(jonas, await aSlider(maya, { sliderText: 'Where to?' }), 'Chéap PILLS here!');
    await page.goto(`${opine.url}/admin?kind=comment`);
    await rowOf(page, 'Chéap PILLS here!').getByText('The service reported it').waitFor();
    await page.goto(`${opine.url}/admin/blocked-terms`);
    await page.getByLabel('Word or phrase').fill('Cheap Pills');
    await page.getByLabel('Reason').fill('It hits a pharmacy.');
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('There are none.').waitFor();
  });

  test('an admin chooses the default feed users', async () => {
    const page = await openAs(ada, '/admin/default-feed-users');
    const change = async (button: string) => {
      await page.getByLabel('Username').fill(maya.username);
      await page.getByLabel('Reason').fill('Writes well.');
      await page.getByRole('button', { name: button }).click();
      await page.getByRole('status').waitFor();
    };
    await change('Add');
    await page.getByRole('row').filter({ hasText: maya.username }).waitFor();
    await change('Remove');
    await page.getByText('There are none.').waitFor();
  });

  test('the queue shows reports of a kind and for a reason', async () => {
    await aReport(jonas, 'users', maya, 'impersonation');
    const page = await openAs(nina);
    await page.getByLabel('What').selectOption('user');
    await page.getByLabel('Reported as').selectOption('impersonation');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await page.getByRole('row').nth(1).getByText('Once: impersonation').waitFor();
    expect(await page.getByRole('row').count()).toBe(2);
    await page.getByLabel('Reported as').selectOption('hate');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await page.getByText('There are no open reports of this kind.').waitFor();
  });
});

test.each([
  ['light', 1280, undefined],
  ['dark', 360, ['color-contrast', 'target-size']],
] as const)(
  'no page of decisions violates a rule of axe or is too wide, %s and %i pixels wide',
  async (colorScheme, width, rules) => {
    const post = await aReportedPost({ thoughtText: `A long look ${'at the lake '.repeat(30)}` });
    const page = await openAs(ada, '/admin', { colorScheme, width });
    await fill(page, 'A long look', 'Your post shows nudity.');
    await remove(page, 'A long look');
    await page.getByRole('status').waitFor();
    const [decision] = (await expectOk(maya.get('/users/me/moderation-decisions'))).items;
    await expectOk(maya.post(`/moderation-decisions/${decision.id}/appeal`, { text: `${post.id} is art.` }));
    await aReportedPost({ thoughtText: 'Something open.' });
    const paths = [
      '',
      '/appeals',
      '/blocked-terms',
      '/default-feed-users',
      `/users/${maya.id}`,
      `/users/${maya.id}/history`,
    ];
    for (const path of paths) {
      await page.goto(`${opine.url}/admin${path}`);
      await page.evaluate(() => {
        for (const details of document.querySelectorAll('details')) details.open = true;
        document.querySelector<HTMLElement>('[popover]')?.showPopover();
      });
      expect([path, await axeViolations(page, rules)]).toEqual([path, []]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    }
  },
);
