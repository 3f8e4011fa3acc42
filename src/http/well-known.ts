import type { Hono } from 'hono';
import type { Services } from '../services.ts';
import type { Variables } from './requests.ts';

/** Mounts `GET /.well-known/jwks.json`: the public keys of access tokens, for Realtime, the Data API and other services. */
export function mountWellKnown(app: Hono<{ Variables: Variables }>, { tokens }: Services): void {
  app.get('/.well-known/jwks.json', (c) =>
    c.json(tokens.jwks, 200, { 'Cache-Control': 'public, max-age=300' }),
  );
}
