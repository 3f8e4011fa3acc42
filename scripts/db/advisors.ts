import { withClient } from '../local/connection.ts';
import { ROOT } from './paths.ts';
import { runSupabase } from './supabase-cli.ts';

/** What the advisors warn of without being right, by lint and object, with the reason. */
const ACCEPTED: Record<string, string> = {
  'function_search_path_mutable gateway.call_serializable':
    'A procedure with a SET clause cannot commit; it names every object in full.',
};

type Advice = {
  name: string;
  detail: string;
  remediation: string;
  metadata: { schema?: string; name?: string };
};

/**
 * Asks Supabase's advisors about a migrated database.
 * @param superuserUrl connection URL of a superuser of it
 * @param ownerUrl connection URL of its owner
 * @returns one line each warning that is not accepted, and each acceptance that nothing needs any more
 * @throws Error with what the CLI wrote where it cannot tell
 */
export async function advisorWarnings(superuserUrl: string, ownerUrl: string): Promise<string[]> {
  await exposeApi(superuserUrl);
  const run = await runSupabase(
    ['db', 'advisors', `--remote=${ownerUrl}`, '--level', 'warn', '--output-format', 'json'],
    ROOT,
  );
  if (run.code !== 0) throw new Error(`supabase db advisors failed:\n${run.errors}${run.output}`.trim());
  const { results } = JSON.parse(run.output) as { results: Advice[] };
  const warned = results.map(({ name, metadata }) => `${name} ${metadata.schema}.${metadata.name}`);
  return [
    ...results
      .filter((_, index) => !Object.hasOwn(ACCEPTED, warned[index] ?? ''))
      .map(({ name, detail, remediation }) => `${name}: ${detail} (${remediation})`),
    ...Object.keys(ACCEPTED)
      .filter((accepted) => !warned.includes(accepted))
      .map((accepted) => `accepted for nothing: ${accepted}`),
  ];
}

/** Nine of the lints look only at schemas that the Data API exposes, and read from the database which these are. */
async function exposeApi(superuserUrl: string): Promise<void> {
  await withClient(superuserUrl, async (client) => {
    const { rows } = await client.query<{ name: string }>('select current_database() as name');
    const name = client.escapeIdentifier(rows[0]?.name ?? '');
    await client.query(`alter database ${name} set pgrst.db_schemas = 'api'`);
  });
}
