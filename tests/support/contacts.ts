import { type Client, expectOk, type Json, type Reply } from './client.ts';
import type { Opine } from './opine.ts';
import { confirmedPerson, type Person } from './people.ts';

let count = 0;

/** Returns a phone number without an account. */
export function contactNumber(): string {
  count += 1;
  return `+4930${String(10_000_000 + count)}`;
}

/** Returns an address book entry; `fields` override or add. */
export function aContact(fields: object = {}): Json {
  return { name: 'Somebody they know', phoneNumbers: [contactNumber()], ...fields };
}

/** Grants access to contacts, by default to all. */
export function allowContacts(person: Client, body: object = { permission: 'granted' }): Promise<Reply> {
  return person.put('/users/me/onboarding/contacts', body);
}

/** Uploads the address book. */
export function uploadContacts(person: Client, uploadId: string, contacts: unknown): Promise<Reply> {
  return person.put(`/users/me/contact-sync/uploads/${uploadId}`, { contacts });
}

/** Creates a Hub-ready person whose contact upload is pending. */
export async function withPendingSnapshot(
  opine: Opine,
  name = 'Somebody',
): Promise<{ person: Person; uploadId: string }> {
  const person = await confirmedPerson(opine, name);
  return { person, uploadId: (await expectOk(allowContacts(person))).snapshot.uploadId };
}

/** Creates a Hub-ready person with uploaded contacts. */
export async function personWithContacts(opine: Opine, contacts: Json[], name = 'Somebody'): Promise<Person> {
  const { person, uploadId } = await withPendingSnapshot(opine, name);
  await expectOk(uploadContacts(person, uploadId, contacts));
  return person;
}
