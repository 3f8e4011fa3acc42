import { z } from 'zod';
import { HubName, id, pattern, text, timestamp } from '../../contract/values.ts';
import { UserLite } from '../people/schemas.ts';

/** The types of notifications (docs/product.md N3). */
export const NotificationType = z
  .enum([
    'post_vote_milestone',
    'post_voted',
    'post_commented',
    'post_reposted',
    'post_shared_to_feed',
    'user_followed',
    'hub_post_created',
    'post_shared_to_hub',
    'hub_invite_received',
    'hub_join_request_created',
    'hub_join_request_approved',
    'hub_join_request_rejected',
    'hub_member_joined',
    'hub_member_removed',
    'hub_role_changed',
    'followed_user_posted',
    'comment_replied',
    'user_mentioned',
    'moderation_decided',
  ])
  .meta({ id: 'NotificationType' });

/** The types that a person may silence on their devices: all but decisions of staff (docs/product.md N27). */
const OPTIONAL_TYPES = NotificationType.exclude(['moderation_decided']).options;

/** Returns an object with a field for each optional type of notification. */
function ofEachType<Value extends z.ZodType>(value: Value) {
  const fields = Object.fromEntries(OPTIONAL_TYPES.map((type) => [type, value]));
  return z.strictObject(fields as Record<(typeof OPTIONAL_TYPES)[number], Value>);
}

const timeOfDay = pattern(/^([01][0-9]|2[0-3]):[0-5][0-9]$/, 'Must be a time of day such as 22:30.');

const QuietHours = z
  .strictObject({ from: timeOfDay, to: timeOfDay, timeZone: text(1, 64) })
  .meta({ id: 'QuietHours', description: 'Local times; the hours pass midnight where `to` is earlier.' });

/** What is pushed to the devices of a person. */
export const NotificationPreferences = z
  .strictObject({
    push: ofEachType(z.boolean()).meta({ id: 'PushPreferences' }),
    quietHours: QuietHours.nullable(),
  })
  .meta({ id: 'NotificationPreferences' });

/** The example of notification preferences: nothing at night, and no pushes of new Hub members. */
export const preferences = {
  push: Object.fromEntries(OPTIONAL_TYPES.map((type) => [type, type !== 'hub_member_joined'])),
  quietHours: { from: '22:30', to: '07:00', timeZone: 'Europe/Berlin' },
};

/** The body of PATCH /users/me/notification-preferences. */
export const NotificationPreferenceChanges = z
  .strictObject({
    push: ofEachType(z.boolean()).partial().meta({ id: 'PushPreferenceChanges' }),
    quietHours: QuietHours.partial().meta({ id: 'QuietHourChanges' }).nullable(),
  })
  .partial()
  .meta({ id: 'NotificationPreferenceChanges' });

/** The platform of a device. */
export const Platform = z.enum(['android', 'ios']).meta({ id: 'Platform' });

const total = z.int().positive().nullable();

/** A row of the inbox. */
export const Notification = z
  .strictObject({
    id,
    type: NotificationType,
    actor: UserLite.omit({ name: true }).meta({
      id: 'NotificationActor',
      description:
        'The person whose activity caused it; anonymous for votes and for suspended or ended accounts.',
    }),
    postId: id.nullable(),
    sourcePostId: id.nullable(),
    commentId: id.nullable(),
    hub: HubName.nullable(),
    invitationId: id.nullable(),
    joinRequestId: id.nullable(),
    decisionId: id.nullable(),
    milestoneTotal: total,
    milestoneCount: total,
    createdAt: timestamp,
    read: z.boolean(),
  })
  .meta({ id: 'Notification' });

/** The body of PATCH /notifications/read. */
export const MarkRead = z
  .strictObject({ notificationId: id.optional(), all: z.literal(true).optional() })
  .refine(({ notificationId, all }) => (notificationId === undefined) !== (all === undefined), {
    message: 'Needs either a notificationId or all.',
  })
  .meta({ id: 'MarkRead' });
