import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withClient } from '../../scripts/local/connection.ts';
import type { StackDescription } from '../../scripts/local/state.ts';
import type { Browser, Page } from '../../tools/playwright.ts';
import { readiness, type Start, start } from '../local/running.ts';
import { axeViolations, openChromium } from '../support/chromium.ts';
import { idTokenIn, requestIdToken } from '../support/local-staff.ts';

let base: string;
let run: Start;
let stack: StackDescription;
let browser: Browser;

/** Runs `npm start` until `use` has seen its stack. */
async function withStack(
  environment: Record<string, string>,
  use: (other: StackDescription) => Promise<void>,
) {
  const localDir = mkdtempSync(path.join(base, 'other-'));
  const other = await start({ LOCAL_DIR: localDir, ...environment });
  try {
    await use(await readiness(other, localDir));
  } finally {
    other.child.kill('SIGTERM');
    await other.ended;
  }
}

async function startStack(): Promise<void> {
  const localDir = path.join(base, 'local');
  run = await start({ LOCAL_DIR: localDir });
  stack = await readiness(run, localDir);
}

async function stopStack(): Promise<void> {
  run?.child.kill('SIGTERM');
  await run?.ended;
}

beforeAll(async () => {
  base = mkdtempSync(path.join(os.tmpdir(), 'opine-staff-'));
  await startStack();
  browser = await openChromium();
});

afterAll(async () => {
  await browser?.close();
  await stopStack();
  rmSync(base, { recursive: true, force: true });
});

/** Opens the staff page in a new browser context, with the host that a newcomer types. */
async function openStaffPage(fragment = ''): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await page.goto(`${stack.apiUrl.replace('127.0.0.1', 'localhost')}/admin${fragment}`);
  return page;
}

async function signInAs(page: Page, role: string): Promise<void> {
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: `${role} (${role}@opine.example)` }).click();
}

// docs/product.md R7
describe('the staff page of npm start', () => {
  test.each([
    ['support', 'Accounts'],
    ['moderator', 'Reports'],
    ['admin', 'Reports'],
  ])('the local provider signs in %s, and the address keeps no token', async (role, heading) => {
    const page = await openStaffPage();
    expect(await axeViolations(page, undefined)).toEqual([]);
    await signInAs(page, role);
    await page.getByRole('heading', { name: heading }).waitFor();
    await page.getByText(`${role}@opine.example (${role})`).waitFor();
    expect(new URL(page.url()).hash).toBe('');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('Signed out.').waitFor();
    await page.context().close();
  });

  test('the policy of the sign-in page allows its own script and no other origin', async () => {
    const { headers } = await fetch(`${stack.apiUrl}/admin`);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/^default-src 'none';.*script-src 'self'; connect-src 'self'$/);
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
  });

  test('the page of the provider has no accessibility violation and fits a phone', async () => {
    const page = await openStaffPage();
    await page.setViewportSize({ width: 390, height: 800 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Sign in as' }).waitFor();
    expect(await axeViolations(page, undefined)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await page.context().close();
  });

  test('a link of another site with a token of its own signs nobody in', async () => {
    const idToken = idTokenIn(await requestIdToken(stack.staffProviderUrl ?? '', 'admin'));
    const page = await openStaffPage(`#id_token=${idToken}`);
    await page.getByRole('alert').filter({ hasText: 'This sign-in began elsewhere.' }).waitFor();
    expect(await page.context().cookies()).toEqual([]);
    await page.context().close();
  });

  test('a restart leaves the list of staff and its audit log as they were', async () => {
    const read = () =>
      withClient(stack.databaseUrl, async (client) => {
        const { rows } = await client.query(
          `select email, role, (select count(*)::integer from staff.audit_log where action = 'admit') as admissions
          from staff.allowed_emails order by role`,
        );
        return rows;
      });
    const before = await read();
    expect(before).toEqual(
      ['support', 'moderator', 'admin'].map((role) => ({
        email: `${role}@opine.example`,
        role,
        admissions: 3,
      })),
    );
    await stopStack();
    await startStack();
    expect(await read()).toEqual(before);
  });

  test('a configured provider takes the place of the local one', async () => {
    const own = { STAFF_IDP_CLIENT_ID: 'own.apps.example', STAFF_ALLOWED_DOMAIN: 'own.example' };
    await withStack(own, async ({ apiUrl, staffProviderUrl }) => {
      expect(staffProviderUrl).toBeNull();
      const page = await (await fetch(`${apiUrl}/admin`)).text();
      expect(page).toContain('data-client_id="own.apps.example"');
      expect(page).not.toContain('data-authorization-url');
    });
  });

  test('a database of the user has no local provider: nobody becomes its admin by a click', async () => {
    const { servicePassword } = JSON.parse(readFileSync(path.join(base, 'local/secrets.json'), 'utf8'));
    const url = new URL(stack.databaseUrl);
    url.username = 'opine_gateway';
    url.password = servicePassword;
    await withStack({ DATABASE_URL: url.href }, async ({ apiUrl, staffProviderUrl }) => {
      expect(staffProviderUrl).toBeNull();
      expect(await (await fetch(`${apiUrl}/admin`)).text()).toContain('Staff sign-in is not configured.');
    });
  });
});
