import { type Config, type Environment, readConfig } from './config.ts';

/**
 * The configuration of a function on Supabase. It is production unless NODE_ENV says otherwise: no platform sets that for
 * a function.
 * @throws ConfigError as `readConfig`
 */
export function readEdgeConfig(env: Environment): Config {
  return readConfig({ ...platformDefaults(env), ...env });
}

/**
 * What Supabase gives its functions by names of its own, and lets nobody set, as they begin as its own do. Where it is hosted
 * by oneself, SUPABASE_URL is an address that only its own parts know.
 */
function platformDefaults({ SUPABASE_SERVICE_ROLE_KEY, SUPABASE_PUBLIC_URL }: Environment): Environment {
  return {
    NODE_ENV: 'production',
    SUPABASE_SECRET_KEY: SUPABASE_SERVICE_ROLE_KEY,
    PUBLIC_SUPABASE_URL: SUPABASE_PUBLIC_URL,
  };
}
