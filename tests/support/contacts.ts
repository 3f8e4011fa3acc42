import type { Client, Json, Reply } from './client.ts';
import type { Opine } from './opine.ts';
import { aConfirmed, type Person } from './people.ts';

let count = 0;

/** A phone that is in somebody's address book and nobody's account. */
export function aNumber(): string {
  count += 1;
  return `+4930${String(10_000_000 + count)}`;
}

/** An entry of an address book; `fields` override or add. */
export function aContact(fields: object = {}): Json {
  return { name: 'Somebody they know', phoneNumbers: [aNumber()], ...fields };
}

/** `person` lets the app read contacts, or part of them. */
export function allowContacts(person: Client, body: object = { permission: 'granted' }): Promise<Reply> {
  return person.put('/users/me/onboarding/contacts', body);
}

/** `person` sends their address book to where they were told. */
export function upload(person: Client, uploadId: string, contacts: unknown): Promise<Reply> {
  return person.put(`/users/me/contact-sync/uploads/${uploadId}`, { contacts });
}

/** Somebody who is Hub-ready and whose address book is awaited. */
export async function withPendingSnapshot(
  opine: Opine,
  name = 'Somebody',
): Promise<{ person: Person; uploadId: string }> {
  const person = await aConfirmed(opine, name);
  const { status, data, error } = await allowContacts(person);
  if (status !== 200) throw new Error(`Contacts were not allowed: ${JSON.stringify(error)}`);
  return { person, uploadId: data.snapshot.uploadId };
}

/** Somebody who is Hub-ready and whose address book is stored. */
export async function aPersonWhoKnows(opine: Opine, contacts: Json[], name = 'Somebody'): Promise<Person> {
  const { person, uploadId } = await withPendingSnapshot(opine, name);
  const { status, error } = await upload(person, uploadId, contacts);
  if (status !== 200) throw new Error(`Contacts were not stored: ${JSON.stringify(error)}`);
  return person;
}
