import type { Call } from '../http/handler.ts';

/** What every sign-in tells Postgres of the session to open: `refreshToken` by its hash, and the kind of device. */
export function sessionArgs({ services, client }: Call, refreshToken: string): object {
  return { refreshTokenHash: services.secrets.fingerprint(refreshToken), deviceKind: client.deviceKind };
}

/** What Postgres counts a client's address by; null where it is not to be counted. */
export function addressHashOf({ client, services }: Call): string | null {
  return client.address === null ? null : services.secrets.hashAddress(client.address);
}
