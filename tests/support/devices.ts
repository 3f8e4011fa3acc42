import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Client, Reply } from './client.ts';
import { timePasses } from './clock.ts';
import type { Opine } from './opine.ts';

/** What a push service calls a device. */
export function aDeviceToken(): string {
  return randomBytes(60).toString('base64url');
}

/** `person` wants push messages on a device. */
export function register(person: Client, token: unknown, platform: unknown = 'android'): Promise<Reply> {
  return person.post('/notifications/device-tokens', { token, platform });
}

/** `person` registers `count` devices, one a second; their tokens in that order. */
export async function registerMany(opine: Opine, person: Client, count: number): Promise<string[]> {
  const tokens = Array.from({ length: count }, aDeviceToken);
  for (const token of tokens) {
    const { status, error } = await register(person, token);
    if (status !== 200) throw new Error(`A device was not registered: ${JSON.stringify(error)}`);
    await timePasses(opine, '1 second');
  }
  return tokens;
}

/** `person` wants no more push messages on a device. */
export function unregister(person: Client, token: unknown): Promise<Reply> {
  return person.send('DELETE', '/notifications/device-tokens', JSON.stringify({ token }), {
    headers: { 'content-type': 'application/json' },
  });
}

/** By what a device is known. */
export function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** The id of whoever gets the push messages of a device; nothing where nobody does. */
export async function ownerOf({ database }: Opine, token: string): Promise<string | undefined> {
  const { rows } = await sql<{ user_id: string }>`
    select user_id from app.device_tokens where token_hash = ${hashOf(token)}
  `.execute(database.superuser);
  return rows[0]?.user_id;
}

/** Those of `tokens` that are registered for the user of that id, in their order. */
export async function keptFor({ database }: Opine, userId: string, tokens: string[]): Promise<string[]> {
  const { rows } = await sql<{ token_hash: Buffer }>`
    select token_hash from app.device_tokens where user_id = ${userId}
  `.execute(database.superuser);
  const kept = new Set(rows.map(({ token_hash }) => token_hash.toString('hex')));
  return tokens.filter((token) => kept.has(hashOf(token).toString('hex')));
}
