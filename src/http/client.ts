import ipaddr from 'ipaddr.js';

/** The network path of a request. */
export interface Hops {
  /** The remote address of the connection, undefined in runtimes that hide it. */
  readonly peer: string | undefined;
  /** The raw `X-Forwarded-For` header. */
  readonly forwardedFor: string | undefined;
}

const NETWORK_PARTS = 4;

/** Some proxies write `192.0.2.1:4711` or `[2001:db8::1]:4711`. */
const PORT = /^(?:([\d.]+):\d+|\[([^\]]*)\](?::\d+)?)$/;

/**
 * Returns the address that rate limits count a client by: the peer's, or the one that the outermost trusted proxy saw. An IPv6
 * client counts by its /64, because it owns all of it. All malformed addresses count as one client.
 * @param trustedProxyCount how many proxies in a row append to `X-Forwarded-For`
 * @param limitsLoopback false exempts this machine
 * @returns null for an unknown or exempt address
 */
export function findClientAddress(
  { peer, forwardedFor }: Hops,
  trustedProxyCount: number,
  limitsLoopback: boolean,
): string | null {
  const hops = [...(forwardedFor?.split(',') ?? []), ...(peer === undefined ? [] : [peer])];
  // A runtime that hides the peer is always behind its own proxy.
  const outermost =
    hops.length - (peer === undefined ? Math.max(trustedProxyCount, 1) : trustedProxyCount + 1);
  const text = hops[Math.max(outermost, 0)]?.trim().replace(PORT, '$1$2');
  if (text === undefined) return null;
  if (!ipaddr.isValid(text)) return 'unknown';
  const address = ipaddr.process(text);
  if (address.range() === 'loopback' && !limitsLoopback) return null;
  return address instanceof ipaddr.IPv6
    ? address.parts
        .slice(0, NETWORK_PARTS)
        .map((part) => part.toString(16))
        .join(':')
    : address.toString();
}

/** The kind of device of a session, so that a person recognises it in the list of sessions. */
export type DeviceKind = 'ios' | 'android' | 'web' | 'other';

const KINDS: readonly (readonly [DeviceKind, RegExp])[] = [
  ['ios', /\b(iphone|ipad|ios|cfnetwork|darwin)\b/i],
  ['android', /\b(android|okhttp|dalvik)\b/i],
  ['web', /^mozilla\//i],
];

/** Returns the kind of device of a `User-Agent`. */
export function parseDeviceKind(userAgent = ''): DeviceKind {
  return KINDS.find(([, pattern]) => pattern.test(userAgent))?.[0] ?? 'other';
}
