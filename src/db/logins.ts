/** The login roles of the service (supabase/schemas/10_foundation/01_roles.sql). */
export type Login = 'opine_gateway' | 'opine_serializable' | 'opine_worker';

/**
 * Returns the URL of the same database for another login of the service; all share a password. Keeps a pooler's suffix
 * (`opine_gateway.<project>`).
 */
export function urlOf(gatewayUrl: string, login: Login): string {
  const url = new URL(gatewayUrl);
  url.username = url.username.replace(/^[^.]+/, login);
  return url.href;
}
