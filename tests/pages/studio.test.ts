import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../scripts/local/ports.ts';
import { TOOLS } from '../../scripts/tools.ts';
import { expectOk, type Json } from '../support/client.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { confirmedPerson } from '../support/people.ts';
import { aThought } from '../support/posts.ts';
import { aProgram, type Program } from '../support/program.ts';
import { aReport } from '../support/staff.ts';

const SERVER = path.join(TOOLS, 'node_modules/@supabase/postgres-meta/dist/server/server.js');
const LOGIN = 'jane_of_tests';

let opine: Opine;
let meta: Program;

/** Calls postgres-meta, the backend of Studio, which connects as the login of an admin. */
async function callMeta(path: string, query?: string): Promise<{ status: number; data: Json }> {
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

describe('Studio with the login of a staff admin', () => {
  test('Studio lists the tables and views of the schema staff', async () => {
    for (const kind of ['tables', 'views']) {
      const { status, data } = await callMeta(`/${kind}?included_schemas=staff`);
      expect([kind, status]).toEqual([kind, 200]);
      expect(new Set(data.map(({ schema }: Json) => schema))).toEqual(new Set(['staff']));
    }
    const { data: views } = await callMeta('/views?included_schemas=staff');
    expect(views.map(({ name }: Json) => name)).toEqual(expect.arrayContaining(['report_queue', 'reports']));
  });

  test('an admin claims a report, removes its content, and the audit log records both', async () => {
    const [maya, jonas] = [await confirmedPerson(opine, 'Maya'), await confirmedPerson(opine, 'Jonas')];
    const post = await aThought(maya, 'Buy pills here.');
    const report = await aReport(jonas, 'posts', post);
    const { data: queue } = await callMeta('/query', 'select report_id from staff.report_queue');
    expect(queue).toEqual([{ report_id: report }]);
    expect((await callMeta('/query', `select staff.claim_report('${report}')`)).status).toBe(200);
    const removal = `select staff.remove_content('${report}', 'spam', 'Sells pills.')`;
    expect((await callMeta('/query', removal)).status).toBe(200);
    expect((await maya.get(`/posts/${post.id}`)).status).toBe(404);
    const { rows } = await sql<Json>`
      select actor_email, action from staff.audit_log order by occurred_at`.execute(opine.database.superuser);
    expect(rows).toEqual([
      { actor_email: LOGIN, action: 'claim_report' },
      { actor_email: LOGIN, action: 'remove_content' },
    ]);
  });

  test('a login acts as the person that it belongs to, who cannot judge their own decision through it', async () => {
    const [maya, jonas] = [await confirmedPerson(opine, 'Maya'), await confirmedPerson(opine, 'Jonas')];
    const report = await aReport(jonas, 'posts', await aThought(maya, 'Buy pills here.'));
    const { superuser } = opine.database;
    await sql`select staff.admit('jane@opine.example', 'moderator', 'Joins.')`.execute(superuser);
    await callMeta('/query', `select staff.remove_content('${report}', 'spam', 'Sells pills.')`);
    const { items } = await expectOk(maya.get('/users/me/moderation-decisions'));
    await expectOk(maya.post(`/moderation-decisions/${items[0].id}/appeal`, { text: 'It quotes.' }));
    const decision = `select staff.decide_appeal('${items[0].id}', 'upheld', 'It does.')`;
    const refused = [400, expect.stringContaining('FORBIDDEN')];
    const decide = async () => {
      const { status, data } = await callMeta('/query', decision);
      return [status, data.error];
    };
    expect(await decide()).toEqual(refused);
    await sql`select staff.admit('jane@opine.example', 'moderator', 'Has a login.', ${LOGIN})`.execute(
      superuser,
    );
    expect(await decide()).toEqual(refused);
    const { data: claimed } = await callMeta('/query', 'select staff.actor() as actor');
    expect(claimed).toEqual([{ actor: 'jane@opine.example' }]);
  });

  test('a query of app.users is refused', async () => {
    const { status, data } = await callMeta('/query', 'select phone from app.users');
    expect([status, data.error]).toEqual([400, expect.stringContaining('permission denied')]);
  });
});
