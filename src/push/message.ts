import type { TokenMessage } from 'firebase-admin/messaging';
import type { z } from 'zod';
import type { NotificationType } from '../domains/notifications/schemas.ts';

type Type = z.output<typeof NotificationType>;

/** What a push message says (spec.md "Delivery" 5): ids by name, and whether the actor is anonymous. */
export type Envelope = { readonly notificationId: string; readonly type: Type } & Readonly<
  Record<string, string | number | boolean>
>;

/** A device, as the push service knows it. */
export interface Device {
  readonly token: string;
  readonly platform: 'android' | 'ios';
}

// They stand on locked screens: nobody is named, and nothing quoted.
const TEXTS: Readonly<Record<Type, string>> = {
  post_vote_milestone: 'A slider has reached a milestone.',
  post_voted: 'Somebody voted on your post.',
  post_commented: 'Somebody commented on your post.',
  post_reposted: 'Somebody reposted you.',
  post_shared_to_feed: 'Somebody shared your post.',
  user_followed: 'You have a new follower.',
  hub_post_created: 'There is a new post in one of your Hubs.',
  post_shared_to_hub: 'A post was shared into one of your Hubs.',
  hub_invite_received: 'You are invited to a Hub.',
  hub_join_request_created: 'Somebody asks to join one of your Hubs.',
  hub_join_request_approved: 'You were let into a Hub.',
  hub_join_request_rejected: 'A Hub has declined your request.',
  hub_member_joined: 'One of your Hubs has a new member.',
  hub_member_removed: 'You are no longer a member of a Hub.',
  hub_role_changed: 'Your role in a Hub has changed.',
  followed_user_posted: 'Somebody you follow has posted.',
};

/**
 * The message to a device. Everything by which a phone replaces one message with another is the notification's id, so
 * that one that comes twice is shown once.
 */
export function messageTo({ token }: Pick<Device, 'token'>, envelope: Envelope): TokenMessage {
  const { notificationId: id, type } = envelope;
  return {
    token,
    notification: { title: 'Opine', body: TEXTS[type] },
    data: Object.fromEntries(Object.entries(envelope).map(([name, value]) => [name, String(value)])),
    android: { collapseKey: id, priority: 'high', notification: { tag: id } },
    apns: { headers: { 'apns-collapse-id': id }, payload: { aps: { sound: 'default' } } },
  };
}
