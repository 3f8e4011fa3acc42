import { z } from 'zod';
import type { Call } from '../../http/operation.ts';
import type { Services } from '../../services.ts';
import { appUrl } from '../app-url.ts';

const TokenArgs = z.looseObject({ token: z.string() });

/** Runs an operation with the hash of a token: Postgres stores no token. */
export async function byTokenHash({ args, services: { secrets }, run }: Call): Promise<unknown> {
  const { token, ...rest } = TokenArgs.parse(args);
  return run({ ...rest, tokenHash: secrets.fingerprint(token) });
}

/** Creates a token. Postgres stores its hash, and sealed for a replay. */
export function createToken({ secrets }: Services): { tokenHash: string; sealedToken: string } {
  const token = secrets.newToken();
  return { tokenHash: secrets.fingerprint(token), sealedToken: secrets.sealInviteToken(token) };
}

/** Returns a token and its link into the app. @param path what the link is for */
export function tokenLink(
  services: Services,
  path: string,
  sealedToken: string,
): { token: string; url: string } {
  const token = services.secrets.openInviteToken(sealedToken);
  return { token, url: appUrl(services, `${path}/${token}`) };
}
