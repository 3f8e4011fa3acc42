/** The kind of device of a session, so that a person recognises it in the list of sessions. */
export type DeviceKind = 'ios' | 'android' | 'web' | 'other';

const KINDS: readonly (readonly [DeviceKind, RegExp])[] = [
  ['ios', /\b(iphone|ipad|ios|cfnetwork|darwin)\b/i],
  ['android', /\b(android|okhttp|dalvik)\b/i],
  ['web', /^mozilla\//i],
];

/** Returns the kind of device of a `User-Agent`. */
export function deviceKindOf(userAgent = ''): DeviceKind {
  return KINDS.find(([, pattern]) => pattern.test(userAgent))?.[0] ?? 'other';
}
