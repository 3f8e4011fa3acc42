import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, type Json, refusal } from '../support/client.ts';
import {
  aContact,
  allowContacts,
  contactNumber,
  uploadContacts,
  withPendingSnapshot,
} from '../support/contacts.ts';
import { currentTime, type Opine, startOpine } from '../support/opine.ts';
import { confirmedPerson, type Person } from '../support/people.ts';

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

interface StoredContact {
  readonly name: string;
  readonly phone_numbers: string[];
  readonly thumbnail: Buffer | null;
}

/** Returns the stored contacts of a user, by name. */
async function contactsOf({ id }: Person): Promise<StoredContact[]> {
  const { rows } = await sql<StoredContact>`
    select name, phone_numbers, thumbnail from app.contacts where user_id = ${id} order by name
  `.execute(opine.database.superuser);
  return rows;
}

/** Uploads one contact of `fields` as a new user. */
async function uploadOne(fields: object) {
  const { person, uploadId } = await withPendingSnapshot(opine);
  return { person, reply: await uploadContacts(person, uploadId, [aContact(fields)]) };
}

const refusedAt = (...path: (string | number)[]) =>
  refusal(422, 'VALIDATION_FAILED', { issues: [{ path: ['contacts', ...path] }] });
const conflict = refusal(409, 'CONTACT_SNAPSHOT_CONFLICT');

describe('PUT /users/me/onboarding/contacts', () => {
  // docs/product.md O5
  test.each(['granted', 'limited'])(
    'the permission "%s" makes a user Hub-ready and opens an upload',
    async (permission) => {
      const maya = await confirmedPerson(opine);
      const before = await currentTime(opine);
      const { status, data } = await allowContacts(maya, { permission, contactCount: 12 });
      const after = await currentTime(opine);
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
      expect(await statusOf(maya)).toEqual({ ...data.status, snapshot: data.snapshot });
      expect(await snapshotsOf(maya.id)).toEqual([
        { upload_id: data.snapshot.uploadId, permission, contact_count: 12, stored_at: null },
      ]);
    },
  );

  // docs/product.md O2
  test('the onboarding status has the snapshot once it is announced, and its state', async () => {
    const maya = await confirmedPerson(opine);
    expect(await statusOf(maya)).toMatchObject({ level: 3, snapshot: null });
    const { uploadId } = (await allowContacts(maya)).data.snapshot;
    expect(await statusOf(maya)).toMatchObject({ level: 4, snapshot: { uploadId, state: 'pending' } });
    await uploadContacts(maya, uploadId, [aContact()]);
    expect(await statusOf(maya)).toMatchObject({ level: 4, snapshot: { uploadId, state: 'stored' } });
  });

  test('ten concurrent requests open one upload and get the same answer', async () => {
    const maya = await confirmedPerson(opine);
    const replies = await Promise.all(Array.from({ length: 10 }, () => allowContacts(maya)));
    expect(replies.map(({ status }) => status)).toEqual(Array(10).fill(200));
    for (const { data } of replies) expect(data).toEqual(replies[0]?.data);
    expect(await snapshotsOf(maya.id)).toHaveLength(1);
  });
});

describe('PUT /users/me/contact-sync/uploads/{uploadId}', () => {
  // docs/product.md O6
  test('an upload is stored once: a second one gets 409', async () => {
    const { person, uploadId } = await withPendingSnapshot(opine);
    const [anna, ben] = [aContact({ name: 'Anna' }), aContact({ name: 'Ben', phoneNumbers: [] })];
    const { status, data } = await uploadContacts(person, uploadId, [anna, ben]);
    expect([status, data]).toEqual([200, { uploadId, state: 'stored', contactCount: 2, skippedCount: 0 }]);
    expect(await contactsOf(person)).toEqual([
      { name: 'Anna', phone_numbers: anna.phoneNumbers, thumbnail: null },
      { name: 'Ben', phone_numbers: [], thumbnail: null },
    ]);
    expect(await uploadContacts(person, uploadId, [anna])).toMatchObject(conflict);
    expect(await contactsOf(person)).toHaveLength(2);
  });

  test('one of two concurrent uploads is stored, the other gets 409', async () => {
    for (const _ of [1, 2, 3, 4, 5]) {
      const { person, uploadId } = await withPendingSnapshot(opine);
      const books = [[aContact()], [aContact(), aContact()]];
      const replies = await Promise.all(books.map((book) => uploadContacts(person, uploadId, book)));
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
      const stored = replies.find(({ status }) => status === 200)?.data.contactCount;
      expect(await contactsOf(person)).toHaveLength(stored);
    }
  });

  test('5,000 contacts are stored', async () => {
    const { person, uploadId } = await withPendingSnapshot(opine);
    const book = Array.from({ length: 5000 }, (_, index) =>
      aContact({ name: `Contact ${index}`, phoneNumbers: [contactNumber(), contactNumber()] }),
    );
    const { status, data } = await uploadContacts(person, uploadId, book);
    expect([status, data?.contactCount]).toEqual([200, 5000]);
    const { rows } = await sql<Json>`
      select count(*)::int as contacts, sum(cardinality(phone_numbers))::int as numbers
      from app.contacts where user_id = ${person.id}
    `.execute(opine.database.superuser);
    expect(rows).toEqual([{ contacts: 5000, numbers: 10_000 }]);
  });

  // docs/product.md O7, W11
  test('an upload of 3 MiB is stored, and one above 4 MiB gets 413', async () => {
    const { person, uploadId } = await withPendingSnapshot(opine);
    const book = (length: number) => Array.from({ length }, () => aContact({ thumbnail: 'A'.repeat(8192) }));
    expect(await uploadContacts(person, uploadId, book(520))).toMatchObject(
      refusal(413, 'PAYLOAD_TOO_LARGE'),
    );
    expect(await contactsOf(person)).toEqual([]);
    expect((await uploadContacts(person, uploadId, book(384))).status).toBe(200);
  });

  // docs/product.md O7
  test('phone numbers are stored in E.164, each once per contact', async () => {
    const { person } = await uploadOne({
      phoneNumbers: ['+49 (30) 901-820', '＋٤٩٣٠٩٠١٨٢٠', 'tel:+49.30.901820', '\u202a+1 202‑555−0199\u202c'],
    });
    expect((await contactsOf(person))[0]?.phone_numbers.toSorted()).toEqual(['+12025550199', '+4930901820']);
  });

  // docs/product.md O7
  test.each([
    '',
    ' ',
    '12',
    '+',
    '+49',
    '030 901820',
    'call me',
    '+1202555',
    '+999123456789',
    'x'.repeat(5000),
    '\u0000',
    '\ud800',
  ])('the phone number %j is left out and counted, and the rest is stored', async (impossible) => {
    const { person, uploadId } = await withPendingSnapshot(opine);
    const number = contactNumber();
    const book = [
      aContact({ name: 'Anna', phoneNumbers: [impossible, number, impossible, number] }),
      aContact({ name: 'Ben', phoneNumbers: [impossible] }),
    ];
    const { status, data } = await uploadContacts(person, uploadId, book);
    expect([status, data]).toEqual([200, { uploadId, state: 'stored', contactCount: 2, skippedCount: 3 }]);
    expect(await contactsOf(person)).toEqual([
      { name: 'Anna', phone_numbers: [number], thumbnail: null },
      { name: 'Ben', phone_numbers: [], thumbnail: null },
    ]);
  });

  // docs/product.md O7
  test('contacts whose numbers are all impossible are refused, and the upload stays open', async () => {
    const { person, uploadId } = await withPendingSnapshot(opine);
    const book = [aContact({ phoneNumbers: ['12'] }), aContact({ phoneNumbers: [] })];
    expect(await uploadContacts(person, uploadId, book)).toMatchObject(
      refusal(422, 'VALIDATION_FAILED', { issues: [{ path: ['contacts'], code: 'invalid_phone' }] }),
    );
    expect((await uploadContacts(person, uploadId, [aContact()])).status).toBe(200);
  });

  test('contacts without any number are stored', async () => {
    const { reply } = await uploadOne({ phoneNumbers: [] });
    expect([reply.status, reply.data]).toMatchObject([200, { contactCount: 1, skippedCount: 0 }]);
  });

  test.each([42, null])('the phone number %j is refused with its position', async (wrong) => {
    const { person, uploadId } = await withPendingSnapshot(opine);
    const book = [aContact(), aContact({ phoneNumbers: [contactNumber(), wrong] })];
    expect(await uploadContacts(person, uploadId, book)).toMatchObject(refusedAt(1, 'phoneNumbers', 1));
  });

  test('a name of 200 characters with 50 phone numbers is stored, and so is an empty name', async () => {
    const phoneNumbers = Array.from({ length: 50 }, contactNumber);
    const { person, reply } = await uploadOne({ name: '👍'.repeat(200), phoneNumbers });
    expect(reply.status).toBe(200);
    expect(await contactsOf(person)).toMatchObject([{ name: '👍'.repeat(200) }]);
    expect((await contactsOf(person))[0]?.phone_numbers.toSorted()).toEqual(phoneNumbers.toSorted());
    expect((await uploadOne({ name: '' })).reply.status).toBe(200);
  });

  test.each([
    ['a thumbnail with half a byte', { thumbnail: 'AAAAA' }, 'thumbnail'],
    ['a thumbnail with padding in the middle', { thumbnail: 'AA==AAAA' }, 'thumbnail'],
    ['a thumbnail that is a number', { thumbnail: 1 }, 'thumbnail'],
    ['no name', { name: undefined }, 'name'],
    ['no list of numbers', { phoneNumbers: undefined }, 'phoneNumbers'],
    ['a number that is no list', { phoneNumbers: contactNumber() }, 'phoneNumbers'],
  ])('a contact with %s is refused', async (_, fields, field) => {
    const { reply } = await uploadOne(fields);
    expect(reply).toMatchObject(refusedAt(0, field));
  });

  test('a contact with an unknown field is refused', async () => {
    const { reply } = await uploadOne({ email: 'anna@example.org' });
    expect(reply).toMatchObject(refusedAt(0));
  });
});
