import { type Client, expectOk, type Json } from './client.ts';
import { currentTime, type Opine } from './opine.ts';

export function preferencesOf(person: Client): Promise<Json> {
  return expectOk(person.get('/users/me/notification-preferences'));
}

export function changePreferences(person: Client, changes: object): Promise<Json> {
  return expectOk(person.patch('/users/me/notification-preferences', changes));
}

/** Returns changes that make the next eight minutes quiet, by the clock of the database. */
export async function quietHoursFromNow(opine: Opine): Promise<{ quietHours: object }> {
  const now = await currentTime(opine);
  const inMinutes = (minutes: number) =>
    new Date(now.getTime() + minutes * 60_000).toISOString().slice(11, 16);
  return { quietHours: { from: inMinutes(-10), to: inMinutes(8), timeZone: 'UTC' } };
}
