import type { Hono } from 'hono';
import type { Services } from '../services.ts';
import type { Variables } from './requests.ts';

/** The first parts of the paths of share links, invitations and invite links below APP_URL. */
const LINKS = ['posts', 'invitations', 'join'] as const;

/**
 * Mounts what others look up by convention: the public keys of access tokens, for Realtime, the Data API and other services, and the
 * apps that open links of APP_URL on iOS and Android, where there are any.
 */
export function mountWellKnown(app: Hono<{ Variables: Variables }>, { tokens, config }: Services): void {
  const mountDocument = (name: string, content: object) =>
    app.get(`/.well-known/${name}`, (c) => c.json(content, 200, { 'Cache-Control': 'public, max-age=300' }));
  mountDocument('jwks.json', tokens.jwks);
  const { IOS_APPS, ANDROID_APPS } = config;
  if (IOS_APPS.length > 0) mountDocument('apple-app-site-association', appleLinks(IOS_APPS));
  if (ANDROID_APPS.length > 0) mountDocument('assetlinks.json', ANDROID_APPS.map(androidLink));
}

function appleLinks(appIDs: readonly string[]): object {
  return { applinks: { details: [{ appIDs, components: LINKS.map((link) => ({ '/': `/${link}/*` })) }] } };
}

function androidLink({ packageName, fingerprint }: Services['config']['ANDROID_APPS'][number]): object {
  return {
    relation: ['delegate_permission/common.handle_all_urls'],
    target: {
      namespace: 'android_app',
      package_name: packageName,
      sha256_cert_fingerprints: [fingerprint],
    },
  };
}
