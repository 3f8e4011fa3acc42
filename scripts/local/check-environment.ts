import { type Config, type Environment, readConfig } from '../../src/config.ts';
import { LOGIN_ROLE } from './database.ts';
import { localEnvironment } from './environment.ts';
import { LocalError } from './errors.ts';
import { freePort } from './ports.ts';
import type { Secrets } from './state.ts';

/**
 * Reads the user's environment, and whether its port is free, before anything is started: so that what is wrong is told at
 * once and leaves nothing behind.
 * @throws ConfigError for a wrong variable, LocalError for a port that cannot be had
 */
export async function checkEnvironment(secrets: Secrets, overrides: Environment): Promise<Config> {
  const placeholders = {
    databaseUrl: `postgresql://${LOGIN_ROLE}:password@127.0.0.1/opine`,
    storageUrl: 'http://127.0.0.1',
    pushFile: 'push.jsonl',
  };
  const config = readConfig(localEnvironment(secrets, placeholders, overrides));
  const free = await freePort(config.PORT, config.HOST).catch((error: Error) => {
    throw new LocalError(`PORT ${config.PORT} on HOST ${config.HOST} cannot be used: ${error.message}`);
  });
  if (free === null)
    throw new LocalError(`PORT ${config.PORT} is taken: stop what listens there, or set another PORT`);
  return config;
}
