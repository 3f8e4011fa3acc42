import { type Config, type Environment, readConfig } from './config.ts';

/**
 * The configuration of a function on Supabase. It is production unless NODE_ENV says otherwise: no platform sets that for
 * a function.
 * @throws ConfigError as `readConfig`
 */
export function readEdgeConfig(env: Environment): Config {
  return readConfig({ ...platformDefaults(env), ...env });
}

/** Supabase gives its functions the secret key by this name, and lets nobody set a variable that begins as its own do. */
function platformDefaults({ SUPABASE_SERVICE_ROLE_KEY }: Environment): Environment {
  return { NODE_ENV: 'production', SUPABASE_SECRET_KEY: SUPABASE_SERVICE_ROLE_KEY };
}
