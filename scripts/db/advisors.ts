import { withClient } from '../local/connection.ts';
import { ROOT } from './paths.ts';
import { runSupabase } from './supabase-cli.ts';

const INLINED =
  'The planner inlines it, and a body that is parsed anew takes columns that a later version adds.';

/** Accepted warnings, by lint and object, with the reason. */
const ACCEPTED: Record<string, string> = {
  'function_search_path_mutable gateway.cast_vote':
    'A procedure with a SET clause cannot commit; it names every object in full.',
  'function_search_path_mutable app.sum_counts': 'An aggregate has none; its function resolved all names.',
  'function_search_path_mutable app.posts_despite_blocks': INLINED,
  'function_search_path_mutable app.seen_posts': INLINED,
  'function_search_path_mutable app.posts_at': INLINED,
  'function_search_path_mutable app.events_at': INLINED,
  'function_search_path_mutable app.own_shares_at': INLINED,
  'function_search_path_mutable app.recorded_events_at': INLINED,
};

type Advice = {
  name: string;
  detail: string;
  remediation: string;
  metadata: { schema?: string; name?: string };
};

/**
 * Runs Supabase's advisors on a migrated database.
 * @param superuserUrl connection URL of a superuser
 * @param ownerUrl connection URL of the owner
 * @returns one line per warning that is not accepted, and per acceptance without a warning
 * @throws Error with the CLI's output if it fails
 */
export async function advisorWarnings(superuserUrl: string, ownerUrl: string): Promise<string[]> {
  await exposeApi(superuserUrl);
  const { code, stdout, stderr } = await runSupabase(
    ['db', 'advisors', `--remote=${ownerUrl}`, '--level', 'warn', '--output-format', 'json'],
    ROOT,
  );
  if (code !== 0) throw new Error(`supabase db advisors failed:\n${stderr}${stdout}`.trim());
  const { results } = JSON.parse(stdout) as { results: Advice[] };
  const subjectOf = ({ name, metadata }: Advice) => `${name} ${metadata.schema}.${metadata.name}`;
  const subjects = results.map(subjectOf);
  const accepted = new Set([...Object.keys(ACCEPTED), ...(await resolvedFunctions(superuserUrl))]);
  return [
    ...results
      .filter((advice) => !accepted.has(subjectOf(advice)))
      .map(({ name, detail, remediation }) => `${name}: ${detail} (${remediation})`),
    ...Object.keys(ACCEPTED)
      .filter((accepted) => !subjects.includes(accepted))
      .map((accepted) => `accepted, but not found: ${accepted}`),
  ];
}

/**
 * Returns the warnings about functions with an SQL-standard body, whose names are resolved when they are created. The planner
 * inlines no function with a SET clause.
 */
async function resolvedFunctions(superuserUrl: string): Promise<string[]> {
  return withClient(superuserUrl, async (client) => {
    const { rows } = await client.query<{ subject: string }>(`
      select 'function_search_path_mutable ' || pronamespace::regnamespace || '.' || proname as subject
      from pg_proc where prosqlbody is not null and not prosecdef`);
    return rows.map(({ subject }) => subject);
  });
}

/** Configures the schemas of the Data API in the database: nine lints read them there and check no other schema. */
async function exposeApi(superuserUrl: string): Promise<void> {
  await withClient(superuserUrl, async (client) => {
    const { rows } = await client.query<{ name: string }>('select current_database() as name');
    const name = client.escapeIdentifier(rows[0]?.name ?? '');
    await client.query(`alter database ${name} set pgrst.db_schemas = 'api'`);
  });
}
