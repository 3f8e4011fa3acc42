import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { clientOf, refusal } from '../support/client.ts';
import { anOpine } from '../support/opine.ts';

test('a prepared statement that a migration has outdated is 503 once, and then prepared anew', async () => {
  const { url, database } = await anOpine({ DATABASE_NAMED_STATEMENTS: 'true' });
  const guest = clientOf(url);
  expect(await guest.get('/posts')).toMatchObject({ status: 200 });
  const { rows } = await sql<{ definition: string }>`
    select pg_get_functiondef('gateway.call'::regproc) as definition
  `.execute(database.superuser);
  const changed = rows[0]?.definition.replace('OUT visited_hub uuid', 'OUT visited_hub text') ?? '';
  await sql`
    drop function gateway.call;
    ${sql.raw(changed)};
    grant execute on function gateway.call to opine_gateway, opine_serializable
  `.execute(database.superuser);
  expect(await guest.get('/posts')).toMatchObject(refusal(503, 'SERVICE_UNAVAILABLE'));
  expect(await guest.get('/posts')).toMatchObject({ status: 200 });
});
