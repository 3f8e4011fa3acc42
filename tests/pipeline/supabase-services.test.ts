import { expect, onTestFinished, test } from 'vitest';
import { withClient } from '../../scripts/local/connection.ts';
import { migrate } from '../../scripts/local/database.ts';
import { createSignalOpener } from '../../src/db/signals.ts';
import { type SupabaseImage, type SupabaseService, startSupabaseImage } from '../support/supabase-image.ts';

/** Starts an image that is stopped after the test. */
async function startImage(services?: readonly SupabaseService[]): Promise<SupabaseImage> {
  const image = await startSupabaseImage(services);
  onTestFinished(() => image.stop());
  return image;
}

/** Returns the names of our policies on tables of Supabase's services. */
async function platformPolicies({ superuserUrl }: SupabaseImage): Promise<string[]> {
  const { rows } = await withClient(superuserUrl, (client) =>
    client.query<{ name: string }>(
      `select policyname as name from pg_policies where schemaname in ('storage', 'realtime') and policyname like 'opine%' order by 1`,
    ),
  );
  return rows.map(({ name }) => name);
}

const POLICY = {
  storage: 'opine_buckets_are_closed',
  realtime: 'opine_users_receive_own_signals',
} as const;

const createPolicies = ({ ownerUrl }: SupabaseImage) =>
  withClient(ownerUrl, (owner) => owner.query('select app.create_platform_policies()'));

test('a project without the tables of both services migrates, and gets the policies of each once it has started', async () => {
  const image = await startImage([]);
  await migrate(image.ownerUrl);
  expect(await platformPolicies(image)).toEqual([]);
  await image.startService('realtime');
  await createPolicies(image);
  expect(await platformPolicies(image)).toEqual([POLICY.realtime]);
  await image.startService('storage');
  await createPolicies(image);
  expect(await platformPolicies(image)).toEqual([POLICY.storage, POLICY.realtime]);
});

test('a project without Realtime migrates, notifies the event streams, and gets the policy once Realtime has started', async () => {
  const image = await startImage(['storage']);
  await migrate(image.ownerUrl);
  expect(await platformPolicies(image)).toEqual([POLICY.storage]);
  const signals = await withClient(image.superuserUrl, async (client) => {
    await client.query('listen opine_signals');
    const { rows } = await client.query('select key from app.signal_keys');
    const open = createSignalOpener(rows[0].key);
    const heard = new Promise((resolve) =>
      client.once('notification', ({ payload = '' }) => resolve(open(payload))),
    );
    await client.query(`
      select app.deliver_batch(array[row(
        '00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000000002', true, '{}'
      )::app.due_notifications])`);
    return heard;
  });
  expect(signals).toEqual([
    {
      recipientId: '00000000-0000-7000-8000-000000000002',
      notificationId: '00000000-0000-7000-8000-000000000001',
    },
  ]);
  await image.startService('realtime');
  await createPolicies(image);
  expect(await platformPolicies(image)).toEqual([POLICY.storage, POLICY.realtime]);
});

test("a migration fails without changes while a table of Storage is locked, and then touches the services' tables last", async () => {
  const image = await startImage();
  await withClient(image.superuserUrl, (client) =>
    client.query(`
      create table public.commands (
        id bigint generated always as identity, tag text, object text, migration xid8 default pg_current_xact_id()
      );
      grant insert on public.commands to postgres;
      create function public.record_command() returns event_trigger language plpgsql as $$
      begin
        insert into public.commands (tag, object) select command_tag, object_identity from pg_event_trigger_ddl_commands();
      end
      $$;
      create event trigger record_command on ddl_command_end execute function public.record_command()`),
  );
  await withClient(image.superuserUrl, async (reader) => {
    await reader.query('begin');
    await reader.query('select from storage.objects');
    await expect(migrate(image.ownerUrl)).rejects.toThrow('lock timeout');
    await reader.query('commit');
    const { rows } = await reader.query(`select to_regnamespace('app') as app`);
    expect(rows).toEqual([{ app: null }]);
  });
  await migrate(image.ownerUrl);
  const { rows } = await withClient(image.superuserUrl, (client) =>
    client.query(`
      select object from public.commands
      where tag <> 'GRANT' and migration in (select migration from public.commands where object ~ 'on storage.objects$')
      order by id desc limit 2`),
  );
  expect(rows.map(({ object }) => object)).toEqual([
    'opine_users_receive_own_signals on realtime.messages',
    'opine_buckets_are_closed on storage.objects',
  ]);
});
