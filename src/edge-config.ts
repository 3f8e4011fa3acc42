import { type Config, type Environment, readConfig, withoutEmptyVariables } from './config.ts';

/**
 * Reads the configuration of an edge function on Supabase. NODE_ENV defaults to production, because the platform does not
 * set it.
 * @throws ConfigError as `readConfig`
 */
export function readEdgeConfig(env: Environment): Config {
  return readConfig({ ...platformDefaults(env), ...withoutEmptyVariables(env) });
}

/**
 * Returns the variables that Supabase sets under names of its own; its prefix is reserved, so a project cannot set ours.
 * A self-hosted Supabase sets SUPABASE_URL to an internal address, and the public one under another name. Functions are below
 * `/functions/v1` of it.
 */
function platformDefaults(env: Environment): Environment {
  const { SUPABASE_SERVICE_ROLE_KEY, SUPABASE_URL, SUPABASE_PUBLIC_URL } = env;
  const supabaseUrl = SUPABASE_PUBLIC_URL || SUPABASE_URL;
  return {
    NODE_ENV: 'production',
    SUPABASE_SECRET_KEY: SUPABASE_SERVICE_ROLE_KEY,
    PUBLIC_SUPABASE_URL: SUPABASE_PUBLIC_URL,
    PUBLIC_URL: supabaseUrl && `${supabaseUrl.replace(/\/$/, '')}/functions/v1`,
  };
}
