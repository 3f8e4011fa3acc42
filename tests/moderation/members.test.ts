import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Json, refusal } from '../support/client.ts';
import { type OpineWithIdp, signInAsStaff, startOpineWithIdp } from '../support/id-tokens.ts';
import { aStaffMember, type StaffMember } from '../support/staff.ts';

const OWNER = 'owner@opine.example';

let opine: OpineWithIdp;
let ada: StaffMember;

beforeAll(async () => {
  opine = await startOpineWithIdp(OWNER);
  ada = await aStaffMember(opine, 'admin', 'ada');
});

afterAll(() => opine.stop());

const admit = (email: string, role: string, reason = 'Joins the evening shift.') =>
  ada.post('/admin/staff/admit', { email, role, reason });

const statusOf = async (email: string) => (await signInAsStaff(opine, opine.provider, email)).status;

// docs/product.md S16
describe('the list of staff', () => {
  test('an admin admits a person, who then signs in, and a dismissal ends their session', async () => {
    const email = 'lea@opine.example';
    expect(await statusOf(email)).toBe(403);
    expect((await admit('Lea@Opine.example', 'support')).status).toBe(200);
    expect(await statusOf(email)).toBe(200);
    const dismissal = { email, reason: 'Has left.' };
    expect((await ada.post('/admin/staff/dismiss', dismissal)).status).toBe(200);
    expect(await statusOf(email)).toBe(403);
    expect(await ada.post('/admin/staff/dismiss', dismissal)).toMatchObject(refusal(404, 'USER_NOT_FOUND'));
  });

  test('a dismissed person is refused on the next request', async () => {
    const leo = await aStaffMember(opine, 'moderator', 'leo');
    expect((await leo.get('/admin/reports')).status).toBe(200);
    await ada.post('/admin/staff/dismiss', { email: leo.email, reason: 'Has left.' });
    expect(await leo.get('/admin/reports')).toMatchObject(refusal(401, 'UNAUTHORIZED'));
  });

  test('a second admission changes the role, and the list has logins and the e-mails of the configuration', async () => {
    const email = 'kim@opine.example';
    await admit(email, 'support');
    await admit(email, 'moderator', 'Has learned.');
    await opine.database.superuser.insertInto('staff.logins').values({ login: 'kim', email }).execute();
    const { data } = await ada.get('/admin/staff');
    expect(data.configuredEmails).toEqual([OWNER]);
    const kim = data.items.filter((item: Json) => item.email === email);
    expect(kim).toEqual([{ email, role: 'moderator', addedAt: expect.any(String), logins: ['kim'] }]);
  });

  test('an admin neither dismisses nor demotes themself', async () => {
    const lowered = await admit(ada.email, 'moderator');
    const dismissed = await ada.post('/admin/staff/dismiss', { email: ada.email, reason: 'Leaves.' });
    for (const reply of [lowered, dismissed]) expect(reply).toMatchObject(refusal(403, 'FORBIDDEN'));
    expect((await admit(ada.email, 'admin')).status).toBe(200);
  });

  test.each([
    { email: 'nobody', role: 'support', reason: 'Joins.' },
    { email: 'kai@opine.example', role: 'owner', reason: 'Joins.' },
    { email: 'kai@opine.example', role: 'support', reason: ' ' },
  ])('the admission %j is refused, and nobody is admitted', async (body) => {
    expect(await ada.post('/admin/staff/admit', body)).toMatchObject(refusal(422, 'VALIDATION_FAILED'));
    const { data } = await ada.get('/admin/staff');
    expect(data.items.map(({ email }: Json) => email)).not.toContain('kai@opine.example');
  });
});

// docs/product.md S6
test('the audit log names the actor, the action and its reason, newest first', async () => {
  await admit('max@opine.example', 'support', 'Joins on Monday.');
  await ada.post('/admin/staff/dismiss', { email: 'max@opine.example', reason: 'Has not come.' });
  const { data } = await ada.get('/admin/audit-log?limit=2');
  expect(data.items).toEqual([
    {
      entryId: expect.any(String),
      occurredAt: expect.any(String),
      actor: ada.email,
      action: 'dismiss',
      details: { email: 'max@opine.example', reason: 'Has not come.' },
    },
    {
      entryId: expect.any(String),
      occurredAt: expect.any(String),
      actor: ada.email,
      action: 'admit',
      details: { email: 'max@opine.example', role: 'support', reason: 'Joins on Monday.' },
    },
  ]);
});
