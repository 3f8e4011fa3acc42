import ipaddr from 'ipaddr.js';

/** What is known of where a request came from. */
export interface Hops {
  /** The address of whoever opened the connection, where the runtime tells it. */
  readonly peer: string | undefined;
  /** `X-Forwarded-For` as it came. */
  readonly forwardedFor: string | undefined;
}

const NETWORK_PARTS = 4;

/** Some proxies write `192.0.2.1:4711` or `[2001:db8::1]:4711`. */
const PORT = /^(?:([\d.]+):\d+|\[([^\]]*)\](?::\d+)?)$/;

/**
 * The address that limits count a client by: the peer's, or behind trusted proxies what the outermost of them saw. An
 * IPv6 client has a whole /64 to itself, and counts by it. All that is no address counts as one client. Null where
 * nothing is known, and for this machine itself unless `limitsLoopback`.
 * @param trustedProxyCount how many proxies, one behind the other, append to `X-Forwarded-For` what they see
 */
export function clientAddressOf(
  { peer, forwardedFor }: Hops,
  trustedProxyCount: number,
  limitsLoopback: boolean,
): string | null {
  const hops = [...(forwardedFor?.split(',') ?? []), ...(peer === undefined ? [] : [peer])];
  // A runtime that does not tell the peer is reached through its proxy alone.
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
