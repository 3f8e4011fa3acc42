/** The login roles of the service (supabase/schemas/10_foundation/01_roles.sql). */
export type Login = 'opine_gateway' | 'opine_serializable' | 'opine_worker';

/**
 * The URL of the same database for another of the service's logins, which share a password. A pooler's suffix
 * (`opine_gateway.<project>`) is kept.
 */
export function urlOf(gatewayUrl: string, login: Login): string {
  const url = new URL(gatewayUrl);
  url.username = url.username.replace(/^[^.]+/, login);
  return url.href;
}
