import { ROOT } from '../db/paths.ts';
import { runSupabase, showSupabase } from '../db/supabase-cli.ts';

/** What `npm run dev` needs of the Supabase CLI, which in turn needs Docker. */
export type SupabaseCli = {
  /** Returns what `supabase status` prints of the running stack, by variable; null if none runs. */
  status(): Promise<string | null>;
  /** Starts the stack, and returns its exit code when it runs or did not start. */
  start(): Promise<number | null>;
};

// The service's own process answers requests, and its pool does a pooler's part.
const NOT_NEEDED = 'edge-runtime,imgproxy,mailpit,supavisor,logflare,vector';

/** The CLI of this repository, on its `supabase/` folder. */
export const supabaseCli: SupabaseCli = {
  status: async () => {
    const { code, output } = await runSupabase(['status', '-o', 'env'], ROOT);
    return code === 0 ? output : null;
  },
  start: () => showSupabase(['start', '--exclude', NOT_NEEDED], ROOT),
};
