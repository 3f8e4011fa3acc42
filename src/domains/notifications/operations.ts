import { z } from 'zod';
import { deviceToken, listPage, page, queryFlag } from '../../contract/values.ts';
import type { Call, Operation } from '../../http/operation.ts';
import { AT, author, POST_ID } from '../examples.ts';
import {
  MarkRead,
  Notification,
  NotificationPreferenceChanges,
  NotificationPreferences,
  NotificationSignal,
  Platform,
  preferences,
} from './schemas.ts';

const STREAM = `Server-sent events. \`ready\` comes at once, with the state of the inbox. A \`notification\` event has the notification
id as \`id\`. Its \`data\` is the payload of a push message with \`inboxVersion\`: \`notificationId\`, \`type\`, \`recipientUserId\`,
\`actorIsAnonymous\`, and \`actorId\`, \`postId\`, \`sourcePostId\`, \`commentId\`, \`hubId\`, \`invitationId\`, \`joinRequestId\`, \`decisionId\`
where they apply.
A comment comes at least every 20 seconds. \`reconnect\` comes before the stream closes: within 55 minutes, at the end of the session,
or on a restart of the service. Signals may come twice or not at all: read the inbox after each signal and after each \`ready\`.`;

const comment = {
  id: '01900000-0000-7000-8000-0000000000f1',
  type: 'post_commented',
  actor: {
    id: author.id,
    username: author.username,
    profilePhotoUrl: author.profilePhotoUrl,
    isAnonymous: false,
  },
  postId: POST_ID,
  sourcePostId: null,
  commentId: '01900000-0000-7000-8000-0000000000c1',
  hub: null,
  invitationId: null,
  joinRequestId: null,
  decisionId: null,
  milestoneTotal: null,
  milestoneCount: null,
  createdAt: AT,
  read: false,
};

const token = 'dGhlLXB1c2gtdG9rZW4tb2YtYS1kZXZpY2U:APA91b';

const pushToken = deviceToken.describe('What the push service of the platform gave to the app.');
const unreadCount = z.int().nonnegative();

/** Notifications (docs/product.md N1-N30). */
export const notifications: readonly Operation[] = [
  {
    id: 'list_notifications',
    isNeverStale: true,
    method: 'get',
    path: '/notifications',
    tag: 'Notifications',
    summary: 'List notifications, newest first',
    description:
      '`unreadCount` is exact. `inboxVersion` only grows; an answer with a lower version is out of date.',
    auth: 'required',
    level: 1,
    query: z.object({ ...listPage, unreadOnly: queryFlag.describe('True leaves out what is read.') }),
    data: page(Notification)
      .extend({
        unreadCount: unreadCount.describe(
          'All unread notifications that the caller sees, on other pages too.',
        ),
        inboxVersion: z
          .int()
          .nonnegative()
          .describe('Only grows; an answer with a lower version is out of date.'),
      })
      .meta({
        id: 'NotificationPage',
        description: 'A page of the inbox, and the state of the whole inbox.',
      }),
    status: 200,
    message: 'Notifications.',
    example: { data: { items: [comment], nextCursor: null, unreadCount: 1, inboxVersion: 12 } },
  },
  {
    id: 'mark_notifications_read',
    revokesAccess: false,
    method: 'patch',
    path: '/notifications/read',
    tag: 'Notifications',
    summary: 'Mark one notification or all as read',
    description:
      '`all` marks the visible notifications. A hidden notification stays unread, and `updated` is 0.',
    auth: 'required',
    level: 1,
    body: MarkRead,
    data: z
      .strictObject({
        updated: z.int().nonnegative().describe('Newly read notifications; 0 for a hidden one.'),
        unreadCount: unreadCount.describe('What is still unread.'),
      })
      .meta({ id: 'MarkReadResult', description: 'The unread count after the change.' }),
    status: 200,
    message: 'Marked as read.',
    errors: ['NOTIFICATION_NOT_FOUND'],
    example: { body: { all: true }, data: { updated: 1, unreadCount: 0 } },
  },
  {
    id: 'stream_notifications',
    method: 'get',
    path: '/notifications/stream',
    tag: 'Notifications',
    summary: 'Stream signals of new notifications',
    description: STREAM,
    auth: 'required',
    level: 1,
    eventPayload: NotificationSignal,
    data: z.strictObject({ unreadCount: z.int().nonnegative(), inboxVersion: z.int().nonnegative() }),
    status: 200,
    message: 'A stream of events.',
    example: { data: { unreadCount: 1, inboxVersion: 12 } },
  },
  {
    id: 'get_notification_preferences',
    method: 'get',
    path: '/users/me/notification-preferences',
    tag: 'Notifications',
    summary: 'Read what is pushed to your devices',
    auth: 'required',
    level: 2,
    data: NotificationPreferences,
    status: 200,
    message: 'Notification preferences.',
    example: { data: preferences },
  },
  {
    id: 'update_notification_preferences',
    revokesAccess: false,
    method: 'patch',
    path: '/users/me/notification-preferences',
    tag: 'Notifications',
    summary: 'Change what is pushed to your devices',
    description:
      'Parts that are left out stay. The inbox and the stream keep everything. In quiet hours nothing is pushed, and nothing is pushed later; `timeZone` is an IANA name; null ends quiet hours.',
    auth: 'required',
    level: 2,
    body: NotificationPreferenceChanges,
    data: NotificationPreferences,
    status: 200,
    message: 'Notification preferences changed.',
    example: {
      body: { push: { hub_member_joined: false }, quietHours: preferences.quietHours },
      data: preferences,
    },
  },
  {
    id: 'register_device_token',
    revokesAccess: false,
    method: 'post',
    path: '/notifications/device-tokens',
    tag: 'Notifications',
    summary: 'Register this device for push messages',
    description:
      'A token belongs to the user who registered it last, and ends with their session or after 60 days without a refresh. A user keeps the last five tokens.',
    auth: 'required',
    level: 2,
    body: z.strictObject({ token: pushToken, platform: Platform }).describe('The push token of a device.'),
    data: z
      .strictObject({ registered: z.literal(true).describe('Always true.') })
      .meta({ id: 'DeviceTokenRegistration', description: 'The token is registered.' }),
    status: 200,
    message: 'Device registered.',
    example: { body: { token, platform: 'android' }, data: { registered: true } },
    handle: registerDeviceToken,
  },
  {
    id: 'remove_device_token',
    method: 'delete',
    path: '/notifications/device-tokens',
    tag: 'Notifications',
    summary: 'Remove this device from push messages',
    auth: 'required',
    level: 1,
    body: z.strictObject({ token: pushToken }).describe('The push token of a device.'),
    data: z
      .strictObject({
        removed: z.boolean().describe("False for a token that is not the caller's, which stays."),
      })
      .meta({ id: 'DeviceTokenRemoval', description: 'Whether a token was removed.' }),
    status: 200,
    message: 'Device removed.',
    example: { body: { token }, data: { removed: true } },
    handle: removeDeviceToken,
  },
];

const TokenArgs = z.looseObject({ token: z.string() });

/** Registers a device token. Postgres stores it sealed and cannot read it. */
async function registerDeviceToken({ args, services: { secrets }, run }: Call): Promise<unknown> {
  const { token, ...rest } = TokenArgs.parse(args);
  return run({ ...rest, tokenHash: secrets.fingerprint(token), sealedToken: secrets.sealDeviceToken(token) });
}

/** Removes a device token by its hash. */
async function removeDeviceToken({ args, services: { secrets }, run }: Call): Promise<unknown> {
  return run({ tokenHash: secrets.fingerprint(TokenArgs.parse(args).token) });
}
