import { hkdfSync } from 'node:crypto';
import { withClient } from './connection.ts';
import { StaffRole, staffEmail } from './staff-provider.ts';

/** A SQL login of a member of the local staff. */
export interface StaffLogin {
  readonly role: StaffRole;
  readonly name: string;
  readonly password: string;
}

/** Creates the logins of the local staff, or sets their passwords again. @param url connection URL of the superuser */
export async function ensureStaffLogins(url: string): Promise<StaffLogin[]> {
  const logins = StaffRole.options.map((role) => {
    const name = `local_${role}`;
    return { role, name, password: passwordOf(name, url) };
  });
  await withClient(url, async (client) => {
    for (const { role, name, password } of logins) {
      const found = await client.query('select from pg_catalog.pg_roles where rolname = $1', [name]);
      const login = client.escapeIdentifier(name);
      if (found.rowCount === 0) await client.query(`create role ${login} in role staff_${role}`);
      await client.query(`alter role ${login} login password ${client.escapeLiteral(password)}`);
      await client.query(`alter role ${login} set statement_timeout = '30s'`);
      await client.query(
        `select staff.admit($1, $2, 'Comes with the local stack.', $3)
        where not exists (select from staff.logins as l where l.login = $3)`,
        [staffEmail(role), role, name],
      );
    }
  });
  return logins;
}

/** Derives the password from the superuser's, so that clients which keep it go on working. */
function passwordOf(name: string, url: string): string {
  const secret = decodeURIComponent(new URL(url).password);
  return Buffer.from(hkdfSync('sha256', secret, '', `login ${name}`, 24)).toString('base64url');
}
