import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';

/**
 * Returns a coordinate of a P-256 key as RFC 7518 writes it: 32 bytes in base64url. Node also imports other spellings, such as padding,
 * spaces and the other alphabet of base64.
 * @throws SyntaxError if it holds no bytes
 */
export function encodeCoordinate(value: string): string {
  const number = BigInt(`0x${Buffer.from(value, 'base64').toString('hex')}`);
  return Buffer.from(number.toString(16).padStart(64, '0'), 'hex').toString('base64url');
}

/** Returns the thumbprint of a P-256 key (RFC 7638), which neither `kid` nor the order of members changes. That of jose is asynchronous. */
export function computeThumbprint({ x, y }: { readonly x?: string; readonly y?: string }): string {
  return createHash('sha256')
    .update(JSON.stringify({ crv: 'P-256', kty: 'EC', x, y }))
    .digest('base64url');
}
