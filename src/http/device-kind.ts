/** What a session runs on, as far as its person needs to know it again. */
export type DeviceKind = 'ios' | 'android' | 'web' | 'other';

const KINDS: readonly (readonly [DeviceKind, RegExp])[] = [
  ['ios', /\b(iphone|ipad|ios|cfnetwork|darwin)\b/i],
  ['android', /\b(android|okhttp|dalvik)\b/i],
  ['web', /^mozilla\//i],
];

/** The kind of device that a `User-Agent` speaks of. */
export function deviceKindOf(userAgent = ''): DeviceKind {
  return KINDS.find(([, pattern]) => pattern.test(userAgent))?.[0] ?? 'other';
}
