import { randomBytes } from 'node:crypto';
import { globSync } from 'node:fs';
import { expect, inject, onTestFinished, test } from 'vitest';
import { ROOT } from '../../scripts/db/paths.ts';
import { withClient } from '../../scripts/local/connection.ts';
import { ensureDatabase } from '../../scripts/local/database.ts';
import { SUPERUSER } from '../../scripts/local/postgres.ts';
import { runTool } from '../../scripts/tools.ts';

/** Returns the test files that vitest runs by a configuration. */
async function filesOf(...args: string[]): Promise<string[]> {
  const { stdout } = await runTool('vitest', ['list', '--filesOnly', ...args]);
  return stdout.split('\n').filter((line) => line.endsWith('.test.ts'));
}

// docs/product.md R10
test('every test is of npm test, test:system, test:deep, test:clients or test:cluster, or lacks its program', async () => {
  const [usual, system, deep, clients, cluster] = [
    await filesOf(),
    await filesOf('--config', 'vitest.system.config.ts'),
    await filesOf('--config', 'vitest.deep.config.ts'),
    await filesOf('--config', 'vitest.clients.config.ts'),
    await filesOf('--config', 'vitest.cluster.config.ts'),
  ];
  const elsewhere = new Set([...system, ...deep, ...clients, ...cluster]);
  const needsProgram = /\/[\w-]+(\.[\w-]+)+\.test\.ts$/;
  const left = globSync('tests/**/*.test.ts', { cwd: ROOT }).filter((file) => !usual.includes(file));
  expect(usual.length).toBeGreaterThan(200);
  expect(left.filter((file) => !elsewhere.has(file) && !needsProgram.test(file))).toEqual([]);
  expect([...system, ...clients, ...cluster].filter((file) => usual.includes(file))).toEqual([]);
});

// docs/product.md R10
test('npm run db:migrate migrates the database of DATABASE_URL, again without a change', async () => {
  const { port, password } = inject('postgres');
  const urlAs = (role: string, secret: string, name = 'postgres') =>
    `postgresql://${role}:${secret}@127.0.0.1:${port}/${name}`;
  const url = (name?: string) => urlAs(SUPERUSER, password, name);
  const name = `test_${randomBytes(6).toString('hex')}`;
  const { ownerUrl } = await ensureDatabase({ url, urlAs }, { name, ownerPassword: password });
  onTestFinished(() =>
    withClient(url(), async (client) => void (await client.query(`drop database ${name}`))),
  );

  const versions = async () => {
    const sql = 'select version from supabase_migrations.schema_migrations order by 1';
    return (await withClient(ownerUrl, (client) => client.query(sql))).rows;
  };
  const migrate = () => runTool('node', ['scripts/db.ts', 'migrate'], { env: { DATABASE_URL: ownerUrl } });
  expect(await migrate()).toMatchObject({ code: 0 });
  const migrated = await versions();
  expect(migrated).toHaveLength(globSync('supabase/migrations/*.sql', { cwd: ROOT }).length);
  expect(await migrate()).toMatchObject({ code: 0 });
  expect(await versions()).toEqual(migrated);
});
