import type { Buffer } from 'node:buffer';
import { createHash, timingSafeEqual } from 'node:crypto';

/** Whether the header holds this bearer secret. Compares in constant time. */
export function isBearer(authorization: string | undefined, secret: string): boolean {
  const given = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? '';
  return timingSafeEqual(digest(given), digest(secret));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
