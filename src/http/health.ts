import type { Hono } from 'hono';
import type { Services } from '../services.ts';
import type { Variables } from './requests.ts';

/** Mounts `GET /healthz` (the process lives) and `GET /readyz` (the database answers, else 503). */
export function mountHealth(app: Hono<{ Variables: Variables }>, { gateway }: Services): void {
  app.get('/healthz', (c) => c.json({ status: 'ok' }));
  app.get('/readyz', async (c) => {
    await gateway.ping();
    return c.json({ status: 'ready' });
  });
}
