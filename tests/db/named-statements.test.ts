import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { clientOf, refusal } from '../support/client.ts';
import { anOpine } from '../support/opine.ts';
import { registeredPerson } from '../support/people.ts';

test('a prepared write that a migration has outdated is 503 once, and then prepared anew', async () => {
  const opine = await anOpine({ DATABASE_NAMED_STATEMENTS: 'true' });
  const { superuser } = opine.database;
  const jonas = await registeredPerson(opine);
  const write = () => jonas.patch('/users/me/notification-preferences', {});
  expect(await write()).toMatchObject({ status: 200 });
  const { rows } = await sql<{ definition: string }>`
    select pg_get_functiondef('gateway.call'::regproc) as definition
  `.execute(superuser);
  const changed = rows[0]?.definition.replace('OUT is_replayed boolean', 'OUT is_replayed text') ?? '';
  await sql`
    drop function gateway.call;
    ${sql.raw(changed)};
    grant execute on function gateway.call to opine_gateway, opine_serializable
  `.execute(superuser);
  expect(await write()).toMatchObject(refusal(503, 'SERVICE_UNAVAILABLE'));
  expect(await write()).toMatchObject({ status: 200 });
});

test('a prepared read goes on while a migration replaces the functions that it calls', async () => {
  const { url, database } = await anOpine({ DATABASE_NAMED_STATEMENTS: 'true' });
  const guest = clientOf(url);
  expect(await guest.get('/posts')).toMatchObject({ status: 200 });
  const { rows } = await sql<{ definition: string }>`
    select pg_get_functiondef(name::regproc) || ';' as definition
    from unnest(array['gateway.begin_read', 'api.get_home_feed']) as name
  `.execute(database.superuser);
  await sql`
    drop function gateway.begin_read, api.get_home_feed;
    ${sql.raw(rows.map(({ definition }) => definition).join('\n'))}
    grant execute on function gateway.begin_read to opine_gateway;
    grant execute on function api.get_home_feed to anon, authenticated, opine_gateway
  `.execute(database.superuser);
  expect(await guest.get('/posts')).toMatchObject({ status: 200 });
});
