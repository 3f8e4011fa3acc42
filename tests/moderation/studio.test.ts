import { createRequire } from 'node:module';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../scripts/local/ports.ts';
import type { Json } from '../support/client.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aConfirmed } from '../support/people.ts';
import { aThought } from '../support/posts.ts';
import { aProgram, type Program } from '../support/program.ts';
import { aReport } from '../support/staff.ts';

const SERVER = path.join(
  path.dirname(createRequire(import.meta.url).resolve('@supabase/postgres-meta/package.json')),
  'dist/server/server.js',
);
const LOGIN = 'jane_of_tests';

let opine: Opine;
let meta: Program;

/** Asks postgres-meta, Studio's backend, which queries as an admin's login. */
async function ask(path: string, query?: string): Promise<{ status: number; data: Json }> {
  const response = await fetch(`http://127.0.0.1:${meta.port}${path}`, {
    ...(query !== undefined && {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ query }),
    }),
  });
  return { status: response.status, data: await response.json() };
}

beforeAll(async () => {
  opine = await startOpine();
  const { superuser } = opine.database;
  await sql`create role ${sql.ref(LOGIN)} login password 'of tests' in role staff_admin`.execute(superuser);
  const url = new URL(opine.database.urlAs('opine_gateway'));
  url.username = LOGIN;
  url.password = 'of tests';
  const port = (await freePort()) ?? 0;
  meta = aProgram({
    command: process.execPath,
    args: [SERVER],
    port,
    env: { PG_META_HOST: '127.0.0.1', PG_META_PORT: String(port), PG_META_DB_URL: url.href },
  });
  await meta.start();
});

afterAll(async () => {
  await meta?.kill('SIGTERM');
  await sql`drop role if exists ${sql.ref(LOGIN)}`.execute(opine.database.superuser);
  await opine?.stop();
});

describe('Studio by the login of an admin of staff', () => {
  test('lists the tables and views of schema staff, and no other', async () => {
    for (const kind of ['tables', 'views']) {
      const { status, data } = await ask(`/${kind}?included_schemas=staff`);
      expect([kind, status]).toEqual([kind, 200]);
      expect(new Set(data.map(({ schema }: Json) => schema))).toEqual(new Set(['staff']));
    }
    const { data: views } = await ask('/views?included_schemas=staff');
    expect(views.map(({ name }: Json) => name)).toEqual(expect.arrayContaining(['report_queue', 'reports']));
  });

  test('claims a report and decides it', async () => {
    const [maya, jonas] = [await aConfirmed(opine, 'Maya'), await aConfirmed(opine, 'Jonas')];
    const post = await aThought(maya, 'Buy pills here.');
    const report = await aReport(jonas, 'posts', post);
    const { data: queue } = await ask('/query', 'select report_id from staff.report_queue');
    expect(queue).toEqual([{ report_id: report }]);
    expect((await ask('/query', `select staff.claim_report('${report}')`)).status).toBe(200);
    expect((await ask('/query', `select staff.remove_content('${report}', 'Sells pills.')`)).status).toBe(
      200,
    );
    expect((await maya.get(`/posts/${post.id}`)).status).toBe(404);
    const { rows } = await sql<Json>`
      select actor_email, action from staff.audit_log order by occurred_at`.execute(opine.database.superuser);
    expect(rows).toEqual([
      { actor_email: LOGIN, action: 'claim_report' },
      { actor_email: LOGIN, action: 'remove_content' },
    ]);
  });

  test('is refused what the schema app holds', async () => {
    const { status, data } = await ask('/query', 'select phone from app.users');
    expect([status, data.error]).toEqual([400, expect.stringContaining('permission denied')]);
  });
});
