import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, clientOf, type Json, refusal } from '../support/client.ts';
import { timeIn, timePasses } from '../support/clock.ts';
import { allowContacts, upload, withPendingSnapshot } from '../support/contacts.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aConfirmed, aGuest, anAnonymous, aPhone, aRegistered, signIn } from '../support/people.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

const statusOf = async (person: Client): Promise<Json> =>
  (await person.get('/users/me/onboarding/status')).data;

async function snapshotsOf(userId: string): Promise<Json[]> {
  const { rows } = await sql<Json>`
    select upload_id, permission, contact_count, stored_at from app.contact_snapshots where user_id = ${userId}
  `.execute(opine.database.superuser);
  return rows;
}

describe('whoever lets the app read contacts', () => {
  test.each(['granted', 'limited'])('is Hub-ready at once (%s)', async (permission) => {
    const maya = await aConfirmed(opine);
    const before = await timeIn(opine);
    const { status, data } = await allowContacts(maya, { permission, contactCount: 12 });
    const after = await timeIn(opine);
    expect(status).toBe(200);
    expect(data).toEqual({
      status: {
        profileBasics: true,
        mediaCompleted: true,
        phoneConfirmed: true,
        contactsSynced: true,
        contactsSyncedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        level: 4,
        completed: true,
        nextStep: null,
      },
      snapshot: { uploadId: expect.stringMatching(/^[0-9a-f-]{36}$/), state: 'pending' },
    });
    const syncedAt = Date.parse(data.status.contactsSyncedAt);
    expect(syncedAt).toBeGreaterThanOrEqual(before.getTime() - 1);
    expect(syncedAt).toBeLessThanOrEqual(after.getTime());
    expect(await statusOf(maya)).toEqual(data.status);
    expect(await snapshotsOf(maya.id)).toEqual([
      { upload_id: data.snapshot.uploadId, permission, contact_count: 12, stored_at: null },
    ]);
  });

  test('need not say how many there are', async () => {
    const maya = await aConfirmed(opine);
    expect((await allowContacts(maya, { permission: 'limited' })).status).toBe(200);
    expect(await snapshotsOf(maya.id)).toMatchObject([{ permission: 'limited', contact_count: null }]);
  });

  test('may have none', async () => {
    const { status } = await allowContacts(await aConfirmed(opine), {
      permission: 'granted',
      contactCount: 0,
    });
    expect(status).toBe(200);
  });

  test('is level 4 in the next session too', async () => {
    const { person } = await withPendingSnapshot(opine);
    await timePasses(opine, '1 minute');
    const { user } = await signIn(opine, person.phoneNumber);
    expect(user).toMatchObject({ id: person.id, level: 4 });
  });
});

describe('contacts are allowed once', () => {
  test('and saying it again changes nothing', async () => {
    const maya = await aConfirmed(opine);
    const first = await allowContacts(maya, { permission: 'granted', contactCount: 3 });
    await timePasses(opine, '5 minutes');
    for (const body of [{ permission: 'granted', contactCount: 3 }, { permission: 'limited' }]) {
      const again = await allowContacts(maya, body);
      expect([again.status, again.data]).toEqual([200, first.data]);
    }
    expect(await snapshotsOf(maya.id)).toMatchObject([{ permission: 'granted' }]);
  });

  test('and the answer tells later that they are stored', async () => {
    const { person, uploadId } = await withPendingSnapshot(opine);
    const { contactsSyncedAt } = await statusOf(person);
    await timePasses(opine, '1 minute');
    await upload(person, uploadId, []);
    const { data } = await allowContacts(person);
    expect(data.snapshot).toEqual({ uploadId, state: 'stored' });
    expect(data.status.contactsSyncedAt).toBe(contactsSyncedAt);
  });

  test('ten times at once: one snapshot, ten same answers', async () => {
    const maya = await aConfirmed(opine);
    const replies = await Promise.all(Array.from({ length: 10 }, () => allowContacts(maya)));
    expect(replies.map(({ status }) => status)).toEqual(Array(10).fill(200));
    for (const { data } of replies) expect(data).toEqual(replies[0]?.data);
    expect(await snapshotsOf(maya.id)).toHaveLength(1);
  });
});

describe('who is not level 3 is told the way', () => {
  const refused = (level: number, nextStep: string) =>
    refusal(403, 'FORBIDDEN', { requiredLevel: 3, level, nextStep });

  test('and does not become Hub-ready', async () => {
    const maya = await anAnonymous(opine);
    expect(await allowContacts(maya)).toMatchObject(refused(1, 'profile_basics'));
    expect(await allowContacts(await aRegistered(opine))).toMatchObject(refused(2, 'media'));
    expect(await statusOf(maya)).toMatchObject({ contactsSynced: false, contactsSyncedAt: null, level: 1 });
    expect(await snapshotsOf(maya.id)).toEqual([]);
  });

  test('with a profile and no phone, with a phone and no profile', async () => {
    const registered = await aRegistered(opine);
    await registered.put('/users/me/onboarding/media', {});
    expect(await allowContacts(registered)).toMatchObject(refused(2, 'phone'));
    const withPhone = clientOf(opine.url, (await signIn(opine, aPhone())).accessToken);
    expect(await allowContacts(withPhone)).toMatchObject(refused(1, 'profile_basics'));
  });

  test('and a guest must sign in', async () => {
    expect(await allowContacts(aGuest(opine))).toMatchObject(refusal(401, 'UNAUTHORIZED'));
  });
});

test.each([
  ['no permission', {}, 'permission'],
  ['a denied one', { permission: 'denied' }, 'permission'],
  ['one in capitals', { permission: 'GRANTED' }, 'permission'],
  ['null as one', { permission: null }, 'permission'],
  ['fewer contacts than none', { permission: 'granted', contactCount: -1 }, 'contactCount'],
  ['half a contact', { permission: 'granted', contactCount: 1.5 }, 'contactCount'],
  ['a count in quotes', { permission: 'granted', contactCount: '3' }, 'contactCount'],
  ['more than a number can count', { permission: 'granted', contactCount: 1e300 }, 'contactCount'],
])('a body with %s is refused', async (_, body, field) => {
  const maya = await aConfirmed(opine);
  const reply = await allowContacts(maya, body);
  expect(reply).toMatchObject(refusal(422, 'VALIDATION_FAILED'));
  expect(reply.error.details.issues).toContainEqual(expect.objectContaining({ path: [field] }));
  expect((await statusOf(maya)).contactsSynced).toBe(false);
});

test('the contacts themselves do not come along', async () => {
  const maya = await aConfirmed(opine);
  const reply = await allowContacts(maya, { permission: 'granted', contacts: [] });
  expect(reply).toMatchObject(refusal(422, 'VALIDATION_FAILED'));
});
