import type { Hono } from 'hono';
import { z } from 'zod';
import { infoOf, sendObject } from './answers.ts';
import { noSuchBucket } from './errors.ts';
import {
  bodyOf,
  isService,
  objectNameOf,
  requireService,
  type StorageContext,
  type StorageEnv,
  tokenOf,
} from './http.ts';
import type { ObjectName } from './names.ts';
import type { StorageParts } from './parts.ts';

/** The end of JavaScript's calendar lies behind now and this. */
const MAX_TOKEN_SECONDS = 8e12;

const signBody = z.object({ expiresIn: z.int().min(1).max(MAX_TOKEN_SECONDS) });

/** Downloads: by the service, from public buckets, and by whoever holds a signed URL. */
export function mountReadRoutes(app: Hono<StorageEnv>, parts: StorageParts): void {
  const { secretKey, objects, tokens } = parts;

  app.post('/object/sign/:bucket/:key{.*}', async (c) => {
    requireService(c, secretKey);
    const name = objectNameOf(c);
    const { expiresIn } = await bodyOf(c, signBody);
    await objects.get(name);
    const token = await tokens.signDownload(name, expiresIn);
    return c.json({ signedURL: `/object/sign/${name.bucket}/${name.key}?token=${token}` });
  });

  app.get('/object/sign/:bucket/:key{.*}', async (c) => {
    const name = objectNameOf(c);
    const { expiresAt } = await tokens.verify(tokenOf(c), name, 'download');
    return await sendObject(c, objects, name, expiresAt);
  });

  app.get('/object/public/:bucket/:key{.*}', async (c) => {
    return await sendObject(c, objects, await publicName(c, parts));
  });

  app.get('/object/info/public/:bucket/:key{.*}', async (c) => {
    return c.json(infoOf(await objects.get(await publicName(c, parts))));
  });

  for (const base of ['/object/info/authenticated', '/object/info']) {
    app.get(`${base}/:bucket/:key{.*}`, async (c) => {
      return c.json(infoOf(await objects.get(await readableName(c, parts))));
    });
  }

  for (const base of ['/object/authenticated', '/object']) {
    app.get(`${base}/:bucket/:key{.*}`, async (c) => {
      return await sendObject(c, objects, await readableName(c, parts));
    });
  }
}

async function publicName(c: StorageContext, { buckets }: StorageParts): Promise<ObjectName> {
  const name = objectNameOf(c);
  const bucket = await buckets.get(name.bucket);
  if (!bucket.public) {
    throw noSuchBucket();
  }
  return name;
}

/** Without the secret key, a private bucket is as good as none. */
async function readableName(c: StorageContext, parts: StorageParts): Promise<ObjectName> {
  const name = objectNameOf(c);
  const bucket = await parts.buckets.get(name.bucket);
  if (!bucket.public && !isService(c, parts.secretKey)) {
    throw noSuchBucket();
  }
  return name;
}
