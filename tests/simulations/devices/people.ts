import { sql } from 'kysely';
import { createTokens, type Tokens } from '../../../src/auth/tokens.ts';
import { readConfig } from '../../../src/config.ts';
import { clientOf } from '../../support/client.ts';
import type { TestDatabase } from '../../support/database.ts';
import { type Opine, testEnvironment } from '../../support/opine.ts';
import type { Person } from '../../support/people.ts';

interface Named {
  readonly name: string;
  readonly phoneNumber: string;
  readonly isHubReady: boolean;
}

interface Row {
  readonly id: string;
  readonly session_id: string;
  readonly username: string;
  readonly phone: string;
}

/** Returns the token signer of an Opine. */
export function tokensOf(database: TestDatabase): Promise<Tokens> {
  const { JWT_SIGNING_KEYS: signingKeys, SUPABASE_URL: url } = readConfig(testEnvironment(database));
  return createTokens({ signingKeys, issuer: new URL('/auth/v1', url).href });
}

/** Inserts people of level 3 or 4 with a session each: thousands of sign-ins would take too long. */
export async function insertPeople(opine: Opine, tokens: Tokens, named: readonly Named[]): Promise<Person[]> {
  const { rows } = await sql<Row>`
    with named as (
      select * from rows from (
        jsonb_to_recordset(${JSON.stringify(named)}::jsonb) as ("name" text, "phoneNumber" text, "isHubReady" boolean)
      ) with ordinality as n ("name", "phoneNumber", "isHubReady", row_index)
    ), people as (
      insert into app.users
        (phone, phone_verified_at, terms_version, terms_accepted_at, media_completed_at, contacts_synced_at)
      select "phoneNumber", app.now(), '1', app.now(), app.now(), case when "isHubReady" then app.now() end from named
      returning id, phone
    ), profiles as (
      insert into app.profiles (user_id, username, full_name)
      select p.id, lower(n."name") || '_' || right(replace(p.id::text, '-', ''), 12), n."name"
      from people as p join named as n on n."phoneNumber" = p.phone
      returning user_id, username
    ), sessions as (
      insert into app.sessions (user_id) select id from people returning id, user_id
    ), refresh_tokens as (
      -- The worker removes a session that has none.
      insert into app.refresh_tokens (token_hash, session_id, expires_at)
      select sha256(uuid_send(id)), id, app.now() + interval '60 days' from sessions
    )
    select p.id, s.id as session_id, username, phone
    from people as p join profiles on profiles.user_id = p.id join sessions as s on s.user_id = p.id
    join named on named."phoneNumber" = p.phone
    order by row_index`.execute(opine.database.superuser);
  return Promise.all(rows.map((row) => signedIn(opine, tokens, row)));
}

const YEAR_MS = 365 * 86_400_000;

async function signedIn(
  { url }: Opine,
  tokens: Tokens,
  { id, session_id, username, phone }: Row,
): Promise<Person> {
  const times = { issuedAt: new Date(), expiresAt: new Date(Date.now() + YEAR_MS) };
  const accessToken = await tokens.sign({ userId: id, sessionId: session_id, ...times });
  return {
    ...clientOf(url, accessToken),
    id,
    username,
    phoneNumber: phone,
    session: { accessToken, user: { id } },
  };
}
