import type { TokenMessage } from 'firebase-admin/messaging';
import type { AppEventType } from '../db/types.ts';

/** The data of a push message (docs/product.md N16): ids by name, and whether the actor is anonymous. */
export type PushData = { readonly notificationId: string; readonly type: AppEventType } & Readonly<
  Record<string, string | number | boolean>
>;

/** A device of the push service. */
export interface Device {
  readonly token: string;
  readonly platform: 'android' | 'ios';
}

// Locked screens show these texts, so they contain no names and no quotes.
const TEXTS: Readonly<Record<AppEventType, string>> = {
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
  comment_replied: 'Somebody replied to your comment.',
  user_mentioned: 'Somebody mentioned you.',
  moderation_decided: 'A moderation decision concerns you.',
};

/** What a phone shows: a text in English, or keys by which the app finds it in the language of the phone. */
export type MessageTexts = 'english' | 'keys';

/**
 * Builds the message to a device. Collapse key and tag are the notification id, so a phone shows a duplicate once.
 * @param badge the unread count of the recipient, which phones show on the icon of the app
 * @param texts with `keys`, title and body are `opine_push_<type>_title` and `opine_push_<type>_body`
 */
export function messageTo(
  { token }: Pick<Device, 'token'>,
  payload: PushData,
  badge: number,
  texts: MessageTexts = 'english',
): TokenMessage {
  const { notificationId: id, type } = payload;
  const [title, body] = [`opine_push_${type}_title`, `opine_push_${type}_body`];
  const hasKeys = texts === 'keys';
  return {
    token,
    ...(!hasKeys && { notification: { title: 'Opine', body: TEXTS[type] } }),
    data: Object.fromEntries(Object.entries(payload).map(([name, value]) => [name, String(value)])),
    android: {
      collapseKey: id,
      priority: 'high',
      notification: {
        tag: id,
        notificationCount: badge,
        ...(hasKeys && { titleLocKey: title, bodyLocKey: body }),
      },
    },
    apns: {
      headers: { 'apns-collapse-id': id },
      payload: {
        aps: { sound: 'default', badge, ...(hasKeys && { alert: { titleLocKey: title, locKey: body } }) },
      },
    },
  };
}
