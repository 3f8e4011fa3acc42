import type { Buffer } from 'node:buffer';
import { createHash, timingSafeEqual } from 'node:crypto';

/** Whether a header brings this secret, in a time that says nothing of it. */
export function isBearer(authorization: string | undefined, secret: string): boolean {
  const given = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? '';
  return timingSafeEqual(digest(given), digest(secret));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
