import { z } from 'zod';
import type { Call } from '../http/handler.ts';

const TokenArgs = z.looseObject({ token: z.string() });

/** Seals the token: Postgres keeps what it cannot read. */
export async function registerDeviceToken({ args, services: { secrets }, run }: Call): Promise<unknown> {
  const { token, ...rest } = TokenArgs.parse(args);
  return run({ ...rest, tokenHash: secrets.fingerprint(token), sealedToken: secrets.sealDeviceToken(token) });
}

/** Postgres knows the token by its hash. */
export async function removeDeviceToken({ args, services: { secrets }, run }: Call): Promise<unknown> {
  return run({ tokenHash: secrets.fingerprint(TokenArgs.parse(args).token) });
}
