import { sql } from 'kysely';
import { type Client, expectOk, findReplicated, type Json, type Reply } from './client.ts';
import { aStaffCookie, type OpineWithIdp, withCookie } from './id-tokens.ts';
import type { Opine, WithDatabase } from './opine.ts';
import { aGuest, type Person, type UserRef } from './people.ts';
import { requestReport } from './reports.ts';

export type StaffRole = 'support' | 'moderator' | 'admin';

/** A signed-in staff member. */
export interface StaffMember {
  readonly email: string;
  readonly cookie: string;
  get(path: string): Promise<Reply>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
}

/** Adds a staff member to the allowed emails and signs them in. */
export async function aStaffMember(
  opine: OpineWithIdp,
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

/** Reports something. Returns the report's id. */
export async function aReport(
  reporter: Client,
  kind: 'users' | 'posts' | 'hubs',
  { id }: { readonly id: string },
  reason = 'spam',
): Promise<string> {
  return (await expectOk(reporter.post(`/reports/${kind}/${id}`, { reason }))).reportId;
}

/** Inserts a dead letter for the notification that `follower` follows `followed`. Returns its id. */
export async function aDeadLetter({ database }: Opine, follower: Person, followed: Person): Promise<string> {
  await expectOk(follower.post(`/users/${followed.id}/follow`));
  const { rows } = await sql<{ id: string }>`
    insert into app.dead_letters (notification_id, attempt_count, failure)
    select n.id, 10, 'XX000' from app.notifications as n where n.recipient_id = ${followed.id} order by n.id desc limit 1
    returning id`.execute(database.superuser);
  return rows[0]?.id ?? '';
}

/** Removes what `reporter` reports, as staff. Returns the decision as `author` sees it. */
export async function removeReported(
  { database }: WithDatabase,
  reporter: Client,
  things: 'posts' | 'comments' | 'messages',
  target: UserRef,
  author: Client,
  statement = 'It sells pills.',
): Promise<Json> {
  const { reportId } = await expectOk(requestReport(reporter, things, target));
  await sql`select staff.remove_content(${reportId}, 'spam', ${statement})`.execute(database.superuser);
  const { rows } = await sql<{ id: string }>`
    select id from app.decisions where target_id = ${target.id} order by id desc limit 1
  `.execute(database.superuser);
  return findReplicated(async () => {
    const { items } = await expectOk(author.get('/users/me/moderation-decisions?limit=1'));
    return items.find(({ id }: Json) => id === rows[0]?.id);
  });
}

type Act = 'suspend_user' | 'restore_user' | 'suspend_hub' | 'restore_hub';

/** Suspends or restores a person or a Hub as staff. */
export async function runStaffAction(
  { database }: WithDatabase,
  act: Act,
  { id }: { readonly id: string },
): Promise<void> {
  const why = act.startsWith('suspend') ? sql`'spam', 'a test'` : sql`'a test'`;
  await sql`select ${sql.ref(`staff.${act}`)}(${id}, ${why})`.execute(database.superuser);
}
