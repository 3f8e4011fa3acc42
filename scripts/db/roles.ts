import { withClient } from '../local/connection.ts';

// pg-delta sees neither INHERIT nor SET of a membership, on which it depends what a login can do.
const ROLE_STATE = `
  select 'role ' || (to_jsonb(r) - 'oid' - 'rolpassword')::text as line
  from pg_roles as r
  union all
  select format('membership of %s in %s: admin %s, inherit %s, set %s', m.member::regrole, m.roleid::regrole,
    m.admin_option, m.inherit_option, m.set_option)
  from pg_auth_members as m
  union all
  select format('comment on %s: %s', r.rolname, shobj_description(r.oid, 'pg_authid'))
  from pg_roles as r
  where shobj_description(r.oid, 'pg_authid') is not null
  order by line`;

/**
 * Reads the roles of a cluster, with their settings, memberships and comments.
 * @param url connection URL of any database of it
 * @returns one line each fact; passwords are not among them
 */
export async function roleState(url: string): Promise<string[]> {
  const { rows } = await withClient(url, (client) => client.query<{ line: string }>(ROLE_STATE));
  return rows.map(({ line }) => line);
}

/**
 * Compares the roles of two clusters.
 * @returns one line each difference, `-` for what only `from` has, `+` for what only `to` has
 */
export async function roleDifferences(fromUrl: string, toUrl: string): Promise<string[]> {
  const [from, to] = await Promise.all([roleState(fromUrl), roleState(toUrl)]);
  return [
    ...from.filter((line) => !to.includes(line)).map((line) => `- ${line}`),
    ...to.filter((line) => !from.includes(line)).map((line) => `+ ${line}`),
  ];
}
