import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Json, refusal } from '../support/client.ts';
import { aContact, aNumber, aPersonWhoKnows, upload, withPendingSnapshot } from '../support/contacts.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aConfirmed, aGuest, anAnonymous, type Person } from '../support/people.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

interface StoredContact {
  readonly name: string;
  readonly phone_numbers: string[];
  readonly thumbnail: Buffer | null;
}

async function contactsOf({ id }: Person): Promise<StoredContact[]> {
  const { rows } = await sql<StoredContact>`
    select name, phone_numbers, thumbnail from app.contacts where user_id = ${id} order by name
  `.execute(opine.database.superuser);
  return rows;
}

/** Uploads one contact of `fields` as somebody new. */
async function uploadOne(fields: object) {
  const { person, uploadId } = await withPendingSnapshot(opine);
  return { person, reply: await upload(person, uploadId, [aContact(fields)]) };
}

const refusedAt = (...path: (string | number)[]) =>
  refusal(422, 'VALIDATION_FAILED', { issues: [{ path: ['contacts', ...path] }] });
const notFound = refusal(404, 'UPLOAD_NOT_FOUND');
const conflict = refusal(409, 'CONTACT_SNAPSHOT_CONFLICT');

describe('an address book', () => {
  test('is stored once', async () => {
    const { person, uploadId } = await withPendingSnapshot(opine);
    const [anna, ben] = [aContact({ name: 'Anna' }), aContact({ name: 'Ben', phoneNumbers: [] })];
    const { status, data } = await upload(person, uploadId, [anna, ben]);
    expect([status, data]).toEqual([200, { uploadId, state: 'stored', contactCount: 2 }]);
    expect(await contactsOf(person)).toEqual([
      { name: 'Anna', phone_numbers: anna.phoneNumbers, thumbnail: null },
      { name: 'Ben', phone_numbers: [], thumbnail: null },
    ]);
    expect(await upload(person, uploadId, [anna])).toMatchObject(conflict);
    expect(await contactsOf(person)).toHaveLength(2);
  });

  test('may be empty, and is stored then as well', async () => {
    const { person, uploadId } = await withPendingSnapshot(opine);
    const { data } = await upload(person, uploadId, []);
    expect(data).toEqual({ uploadId, state: 'stored', contactCount: 0 });
    expect(await upload(person, uploadId, [])).toMatchObject(conflict);
  });

  test('sent twice at once is stored once', async () => {
    for (const _ of [1, 2, 3, 4, 5]) {
      const { person, uploadId } = await withPendingSnapshot(opine);
      const books = [[aContact()], [aContact(), aContact()]];
      const replies = await Promise.all(books.map((book) => upload(person, uploadId, book)));
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
      const stored = replies.find(({ status }) => status === 200)?.data.contactCount;
      expect(await contactsOf(person)).toHaveLength(stored);
    }
  });

  test('of 5,000 contacts is taken whole', async () => {
    const { person, uploadId } = await withPendingSnapshot(opine);
    const book = Array.from({ length: 5000 }, (_, index) =>
      aContact({ name: `Contact ${index}`, phoneNumbers: [aNumber(), aNumber()] }),
    );
    const { status, data } = await upload(person, uploadId, book);
    expect([status, data?.contactCount]).toEqual([200, 5000]);
    const { rows } = await sql<Json>`
      select count(*)::int as contacts, sum(cardinality(phone_numbers))::int as numbers
      from app.contacts where user_id = ${person.id}
    `.execute(opine.database.superuser);
    expect(rows).toEqual([{ contacts: 5000, numbers: 10_000 }]);
  });

  test('of 5,001 contacts is refused, and is still awaited', async () => {
    const { person, uploadId } = await withPendingSnapshot(opine);
    const contact = aContact();
    expect(await upload(person, uploadId, Array(5001).fill(contact))).toMatchObject(refusedAt());
    expect((await upload(person, uploadId, [contact])).status).toBe(200);
  });

  test('of 3 MiB is taken, of more than 4 MiB is refused', async () => {
    const { person, uploadId } = await withPendingSnapshot(opine);
    const book = (length: number) => Array.from({ length }, () => aContact({ thumbnail: 'A'.repeat(8192) }));
    expect(await upload(person, uploadId, book(520))).toMatchObject(refusal(413, 'PAYLOAD_TOO_LARGE'));
    expect(await contactsOf(person)).toEqual([]);
    expect((await upload(person, uploadId, book(384))).status).toBe(200);
  });
});

describe('a number', () => {
  test('is kept in its normal form, once a contact', async () => {
    const { person } = await uploadOne({
      phoneNumbers: ['+49 (30) 901-820', '+4930901820', '+49.30.901820', '+1 202-555-0199'],
    });
    expect((await contactsOf(person))[0]?.phone_numbers.toSorted()).toEqual(['+12025550199', '+4930901820']);
  });

  test('may be of several contacts', async () => {
    const phoneNumbers = [aNumber()];
    const person = await aPersonWhoKnows(opine, [aContact({ phoneNumbers }), aContact({ phoneNumbers })]);
    expect((await contactsOf(person)).map(({ phone_numbers }) => phone_numbers)).toEqual([
      phoneNumbers,
      phoneNumbers,
    ]);
  });

  test.each(['', '12', '+', '+49', '030 901820', 'call me', '+1202555', `+49${'1'.repeat(30)}`, 42, null])(
    'is not %j, and it is said where',
    async (impossible) => {
      const { person, uploadId } = await withPendingSnapshot(opine);
      const book = [aContact(), aContact({ phoneNumbers: [aNumber(), impossible] })];
      expect(await upload(person, uploadId, book)).toMatchObject(refusedAt(1, 'phoneNumbers', 1));
      expect(await contactsOf(person)).toEqual([]);
      expect((await upload(person, uploadId, [aContact()])).status).toBe(200);
    },
  );
});

describe('a contact', () => {
  test('keeps a thumbnail of up to 8 KiB', async () => {
    const picture = Buffer.alloc(8192, 7);
    const { person, reply } = await uploadOne({ thumbnail: picture.toString('base64') });
    expect(reply.status).toBe(200);
    expect((await contactsOf(person))[0]?.thumbnail).toEqual(picture);
  });

  test('has a name of up to 200 characters and up to 50 numbers', async () => {
    const phoneNumbers = Array.from({ length: 50 }, aNumber);
    const { person, reply } = await uploadOne({ name: '👍'.repeat(200), phoneNumbers });
    expect(reply.status).toBe(200);
    expect(await contactsOf(person)).toMatchObject([{ name: '👍'.repeat(200) }]);
    expect((await contactsOf(person))[0]?.phone_numbers.toSorted()).toEqual(phoneNumbers.toSorted());
    expect((await uploadOne({ name: '' })).reply.status).toBe(200);
  });

  test.each([
    ['a thumbnail of 10,928 characters', { thumbnail: 'A'.repeat(10_928) }, 'thumbnail'],
    ['a thumbnail that is no base64', { thumbnail: '<svg onload=alert(1)>' }, 'thumbnail'],
    ['a thumbnail with half a byte', { thumbnail: 'AAAAA' }, 'thumbnail'],
    ['a thumbnail with padding in the middle', { thumbnail: 'AA==AAAA' }, 'thumbnail'],
    ['a thumbnail that is a number', { thumbnail: 1 }, 'thumbnail'],
    ['a name of 201 characters', { name: 'x'.repeat(201) }, 'name'],
    ['no name', { name: undefined }, 'name'],
    ['51 numbers', { phoneNumbers: Array.from({ length: 51 }, aNumber) }, 'phoneNumbers'],
    ['no list of numbers', { phoneNumbers: undefined }, 'phoneNumbers'],
    ['a number that is no list', { phoneNumbers: aNumber() }, 'phoneNumbers'],
  ])('with %s is refused', async (_, fields, field) => {
    const { reply } = await uploadOne(fields);
    expect(reply).toMatchObject(refusedAt(0, field));
  });

  test('with more than is asked for is refused', async () => {
    const { reply } = await uploadOne({ email: 'anna@example.org' });
    expect(reply).toMatchObject(refusedAt(0));
  });
});

describe('nothing is stored', () => {
  test.each([
    ['no list', { a: 1 }],
    ['null', null],
    ['a text', 'contacts'],
    ['a list of texts', ['+4930901820']],
  ])('of %s', async (_, contacts) => {
    const { person, uploadId } = await withPendingSnapshot(opine);
    expect(await upload(person, uploadId, contacts)).toMatchObject(refusal(422, 'VALIDATION_FAILED'));
    expect(await contactsOf(person)).toEqual([]);
  });

  test('under an id that nobody was given', async () => {
    expect(await upload(await aConfirmed(opine), randomUUID(), [])).toMatchObject(notFound);
    expect(await upload(await anAnonymous(opine), randomUUID(), [])).toMatchObject(notFound);
  });

  test("under somebody else's id, and theirs is still awaited", async () => {
    const { person, uploadId } = await withPendingSnapshot(opine);
    const { person: stranger } = await withPendingSnapshot(opine);
    expect(await upload(stranger, uploadId, [aContact()])).toMatchObject(notFound);
    expect((await upload(person, uploadId, [aContact()])).status).toBe(200);
    expect(await upload(stranger, uploadId, [aContact()])).toMatchObject(notFound);
    expect(await contactsOf(stranger)).toEqual([]);
  });

  test.each(['1', 'abc', '01990000-0000-7000-8000-00000000000g', '%00'])(
    'under "%s", which is no id',
    async (uploadId) => {
      const { person } = await withPendingSnapshot(opine);
      expect(await upload(person, uploadId, [])).toMatchObject(
        refusal(422, 'VALIDATION_FAILED', { issues: [{ path: ['uploadId'] }] }),
      );
    },
  );

  test('of a guest', async () => {
    const { uploadId } = await withPendingSnapshot(opine);
    const reply = await upload(aGuest(opine), uploadId, []);
    expect(reply).toMatchObject(refusal(401, 'UNAUTHORIZED'));
  });
});

test('an address book is readable by its owner alone', async () => {
  const contact = aContact();
  const [owner, stranger] = [await aPersonWhoKnows(opine, [contact]), await aPersonWhoKnows(opine, [])];
  expect(await readAs(owner)).toEqual([{ phone_numbers: contact.phoneNumbers }]);
  expect(await readAs(stranger)).toEqual([]);
});

/** Every address book, as the policies of the tables show it to `person`. */
function readAs(person: Person): Promise<Json[]> {
  const [, payload = ''] = person.session.accessToken.split('.');
  const claims = Buffer.from(payload, 'base64url').toString();
  return opine.database.superuser.transaction().execute(async (transaction) => {
    await sql`select set_config('request.jwt.claims', ${claims}, true)`.execute(transaction);
    await sql`set local role authenticated`.execute(transaction);
    return (await sql<Json>`select phone_numbers from app.contacts`.execute(transaction)).rows;
  });
}
