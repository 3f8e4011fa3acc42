import { sql } from 'kysely';
import type { Client, Reply } from './client.ts';
import { granted } from './graph.ts';
import { aStaffCookie, type TrustingOpine, withCookie } from './id-tokens.ts';
import type { Opine } from './opine.ts';
import { aGuest, type Person } from './people.ts';

/** What somebody of staff may do. */
export type StaffRole = 'support' | 'moderator' | 'admin';

/** Somebody of staff who has signed in. */
export interface StaffMember {
  readonly email: string;
  readonly cookie: string;
  get(path: string): Promise<Reply>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
}

/** Somebody new of staff, by the list in the database, who signs in. */
export async function aStaffMember(
  opine: TrustingOpine,
  role: StaffRole,
  name: string = role,
): Promise<StaffMember> {
  const email = `${name}@opine.example`;
  await sql`insert into staff.allowed_emails (email, role) values (${email}, ${role}::staff.role)`.execute(
    opine.database.superuser,
  );
  return staffMemberOf(opine, email, await aStaffCookie(opine, opine.provider, email));
}

function staffMemberOf(opine: Opine, email: string, cookie: string): StaffMember {
  const guest = aGuest(opine);
  const extras = withCookie(cookie);
  return {
    email,
    cookie,
    get: (path) => guest.get(path, extras),
    post: (path, body, headers = {}) =>
      guest.post(path, body, { headers: { ...extras.headers, ...headers } }),
  };
}

/** `reporter` reports something; what staff calls the report. */
export async function aReport(
  reporter: Client,
  kind: 'users' | 'posts' | 'hubs',
  { id }: { readonly id: string },
  reason = 'spam',
): Promise<string> {
  return (await granted(reporter.post(`/reports/${kind}/${id}`, { reason }))).reportId;
}

/** The stream could not be told of `follower` following `followed`; the id of the dead letter. */
export async function aDeadLetter({ database }: Opine, follower: Person, followed: Person): Promise<string> {
  await granted(follower.post(`/users/${followed.id}/follow`));
  const { rows } = await sql<{ id: string }>`
    insert into app.dead_letters (notification_id, attempt_count, failure)
    select n.id, 10, 'XX000' from app.notifications as n where n.recipient_id = ${followed.id} order by n.id desc limit 1
    returning id`.execute(database.superuser);
  return rows[0]?.id ?? '';
}

type Act = 'suspend_user' | 'restore_user' | 'suspend_hub' | 'restore_hub';

/** Staff decides so about a person or a Hub. */
export async function staffDecides(
  { database }: Pick<Opine, 'database'>,
  act: Act,
  { id }: { readonly id: string },
): Promise<void> {
  await sql`select ${sql.ref(`staff.${act}`)}(${id}, 'a test')`.execute(database.superuser);
}
