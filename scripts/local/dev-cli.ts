import { ROOT } from '../db/paths.ts';
import { runSupabase, showSupabase } from '../db/supabase-cli.ts';

/** What `npm run dev` asks of the Supabase CLI, which in turn asks Docker. */
export type SupabaseCli = {
  /** What `supabase status` prints of the stack that runs, by variable; null where none does. */
  status(keysFile: string): Promise<string | null>;
  /** Starts the stack, and returns when it runs, or did not start: its exit code. */
  start(keysFile: string): Promise<number | null>;
};

// Requests are answered by this repository's own process, and the pooler's part is its pool's.
const NOT_NEEDED = 'edge-runtime,imgproxy,mailpit,supavisor,logflare,vector';

/** The CLI of this repository, on its `supabase/` folder. */
export const supabaseCli: SupabaseCli = {
  status: async (keysFile) => {
    const { code, output } = await runSupabase(['status', '-o', 'env'], ROOT, settings(keysFile));
    return code === 0 ? output : null;
  },
  start: (keysFile) => showSupabase(['start', '--exclude', NOT_NEEDED], ROOT, settings(keysFile)),
};

/** Instead of `[auth] signing_keys_path`, without whose file the CLI would do nothing at all. */
function settings(keysFile: string): NodeJS.ProcessEnv {
  return { SUPABASE_AUTH_SIGNING_KEYS_PATH: keysFile };
}
