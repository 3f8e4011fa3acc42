import { z } from 'zod';
import { ApiError } from '../contract/errors.ts';
import type { Call } from '../http/handler.ts';
import { addressHashOf, sessionArgs } from './client-args.ts';
import { signed, signedIn } from './signed-session.ts';

/** Adds what only the configuration knows. */
export async function describeLogin({ services: { config, idp }, run }: Call): Promise<unknown> {
  return run({
    appLogoUrl: config.APP_LOGO_URL,
    methods: ['phone_otp', ...(idp ? ['idp'] : []), 'anonymous'],
    legal: { termsUrl: config.TERMS_URL, privacyUrl: config.PRIVACY_URL, termsVersion: config.TERMS_VERSION },
  });
}

const DeviceArgs = z.object({ deviceId: z.string() });

/** Signs a session of the install's anonymous user. */
export async function startAnonymousSession(call: Call): Promise<unknown> {
  const { secrets, config } = call.services;
  const refreshToken = secrets.newToken();
  const answer = await call.run({
    deviceHash: secrets.hashDevice(DeviceArgs.parse(call.args).deviceId),
    addressHash: addressHashOf(call),
    devicesPerAddress: config.NEW_DEVICES_PER_ADDRESS_PER_HOUR,
    ...sessionArgs(call, refreshToken),
  });
  return signed(call.services, answer, refreshToken);
}

const IdTokenArgs = z.object({ idToken: z.string() });

/** Checks an ID token and signs a session of whom it names. */
export async function exchangeIdToken(call: Call): Promise<unknown> {
  const { idp, secrets } = call.services;
  if (idp === null) throw new ApiError('SERVICE_UNAVAILABLE');
  const identity = await idp.identify(IdTokenArgs.parse(call.args).idToken);
  if (identity === null) throw new ApiError('UNAUTHORIZED');
  const refreshToken = secrets.newToken();
  const answer = await call.run({
    ...(identity.kind === 'phone'
      ? { phoneNumber: identity.phoneNumber }
      : { subjectHash: secrets.hashSubject(identity.issuer, identity.subject) }),
    ...sessionArgs(call, refreshToken),
  });
  return signedIn(call.services, answer, refreshToken);
}

const RefreshArgs = z.object({ refreshToken: z.string() });

/** Rotates a refresh token into the successor that follows from it, and signs the session anew. */
export async function refreshSession({ args, services, run }: Call): Promise<unknown> {
  const { secrets } = services;
  const { refreshToken } = RefreshArgs.parse(args);
  const successor = secrets.successorOf(refreshToken);
  const answer = await run({
    refreshTokenHash: secrets.fingerprint(refreshToken),
    successorHash: secrets.fingerprint(successor),
  });
  return signed(services, answer, successor);
}

const LogoutArgs = RefreshArgs.extend({
  logoutFromAllDevices: z.boolean(),
  notificationDeviceToken: z.string().optional(),
});

/** Ends sessions; Postgres knows the tokens by their hashes alone. */
export async function logOut({ args, services: { secrets }, run }: Call): Promise<unknown> {
  const { refreshToken, logoutFromAllDevices, notificationDeviceToken } = LogoutArgs.parse(args);
  return run({
    refreshTokenHash: secrets.fingerprint(refreshToken),
    logoutFromAllDevices,
    deviceTokenHash:
      notificationDeviceToken === undefined ? null : secrets.fingerprint(notificationDeviceToken),
  });
}
