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
  .meta({
    id: 'NotificationType',
    description: 'What happened. `post_voted` is in old notifications only.',
  });

const optionalId = (what: string) => id.optional().describe(`The id of ${what}.`);

/** What the event stream, Supabase Realtime and push messages say of a notification. */
export const NotificationSignal = z
  .strictObject({
    notificationId: id.describe('The id of the notification.'),
    type: NotificationType,
    recipientUserId: id.describe('The id of the recipient.'),
    actorIsAnonymous: z.boolean().describe('Whether `actorId` is left out because nobody is to be named.'),
    inboxVersion: z
      .int()
      .optional()
      .describe('The version of the inbox with the notification. In the event stream alone.'),
    actorId: optionalId('the person who did it'),
    postId: optionalId('the post'),
    sourcePostId: optionalId('the post that was reposted'),
    commentId: optionalId('the comment'),
    hubId: optionalId('the Hub'),
    invitationId: optionalId('the invitation'),
    joinRequestId: optionalId('the join request'),
    decisionId: optionalId('the decision of staff'),
  })
  .meta({
    id: 'NotificationSignal',
    description:
      'The signal of a notification: ids without names or texts. What it does not concern is absent.',
  });

/** The types that a person may silence on their devices: all but decisions of staff (docs/product.md N27). */
const OPTIONAL_TYPES = NotificationType.exclude(['moderation_decided']).options;

type OptionalType = (typeof OPTIONAL_TYPES)[number];

const SWITCHES: Readonly<Record<OptionalType, string>> = {
  post_vote_milestone:
    'Push when the votes on a post of the caller, or on one that they voted on, reach a milestone.',
  post_voted: 'Without effect: single votes notify nobody.',
  post_commented: 'Push when somebody comments on a post of the caller.',
  post_reposted: 'Push when somebody reposts a post of the caller.',
  post_shared_to_feed: 'Push when somebody shares a post of the caller to their feed.',
  user_followed: 'Push when somebody follows the caller.',
  hub_post_created: 'Push when somebody publishes a post into a Hub of the caller.',
  post_shared_to_hub: 'Push when somebody shares a post, or publishes a repost, into a Hub of the caller.',
  hub_invite_received: 'Push when somebody invites the caller to a Hub.',
  hub_join_request_created: 'Push when somebody requests to join a Hub whose admin or manager the caller is.',
  hub_join_request_approved: 'Push when an admin approves a join request of the caller.',
  hub_join_request_rejected: 'Push when an admin rejects a join request of the caller.',
  hub_member_joined: 'Push when somebody joins a Hub of the caller.',
  hub_member_removed: 'Push when an admin removes the caller from a Hub.',
  hub_role_changed: 'Push when the role of the caller in a Hub changes.',
  followed_user_posted: 'Push when somebody whom the caller follows publishes a public post or repost.',
  comment_replied: 'Push when somebody replies to a comment of the caller, or in a thread that they began.',
  user_mentioned: 'Push when somebody mentions the caller.',
};

/** Returns an object with a field for each optional type of notification. */
function ofEachType<Value extends z.ZodType>(value: Value) {
  const fields = Object.fromEntries(OPTIONAL_TYPES.map((type) => [type, value.describe(SWITCHES[type])]));
  return z.strictObject(fields as Record<OptionalType, Value>);
}

const timeOfDay = pattern(/^([01][0-9]|2[0-3]):[0-5][0-9]$/, 'Must be a time of day such as 22:30.');

const QuietHours = z
  .strictObject({
    from: timeOfDay.describe('The first quiet minute, as HH:MM.'),
    to: timeOfDay.describe('The first minute that is not quiet any more, as HH:MM; not the same as `from`.'),
    timeZone: text(1, 64).describe('The IANA name of a time zone.'),
  })
  .meta({ id: 'QuietHours', description: 'Local times; the hours pass midnight where `to` is earlier.' });

export const NotificationPreferences = z
  .strictObject({
    push: ofEachType(z.boolean()).meta({
      id: 'PushPreferences',
      description:
        'All true until the caller changes them. Decisions of staff have no switch: they are always pushed.',
    }),
    quietHours: QuietHours.nullable().describe('The hours without push messages; null for none.'),
  })
  .meta({
    id: 'NotificationPreferences',
    description: 'What is pushed to the devices of a person; inbox and stream keep everything.',
  });

/** The example of notification preferences: nothing at night, and no pushes of new Hub members. */
export const preferences = {
  push: Object.fromEntries(OPTIONAL_TYPES.map((type) => [type, type !== 'hub_member_joined'])),
  quietHours: { from: '22:30', to: '07:00', timeZone: 'Europe/Berlin' },
};

/** The body of PATCH /users/me/notification-preferences. */
export const NotificationPreferenceChanges = z
  .strictObject({
    push: ofEachType(z.boolean())
      .partial()
      .meta({ id: 'PushPreferenceChanges', description: 'Types that are left out keep their switch.' }),
    quietHours: QuietHours.partial()
      .meta({
        id: 'QuietHourChanges',
        description: 'All three parts the first time; later, parts that are left out stay.',
      })
      .nullable()
      .describe('Null ends quiet hours.'),
  })
  .partial()
  .meta({
    id: 'NotificationPreferenceChanges',
    description: 'Changes of notification preferences. What is left out stays.',
  });

export const Platform = z
  .enum(['android', 'ios'])
  .meta({ id: 'Platform', description: 'The platform of a device with push messages.' });

const total = z.int().positive().nullable();

export const Notification = z
  .strictObject({
    id: id.describe('The same in the inbox, on the stream and in push messages.'),
    type: NotificationType,
    actor: UserLite.omit({ name: true }).meta({
      id: 'NotificationActor',
      description:
        'The person whose activity caused it; anonymous for votes and for suspended or ended accounts.',
    }),
    postId: id.nullable().describe('The post, of a repost the new one; null where no post is concerned.'),
    sourcePostId: id.nullable().describe('The original of the repost in `postId`; null without one.'),
    commentId: id.nullable().describe('The new comment; null where it is not about one.'),
    hub: HubName.nullable().describe('The Hub that it is about; null without one.'),
    invitationId: id.nullable().describe('Null except for `hub_invite_received`.'),
    joinRequestId: id.nullable().describe('The join request that was made or decided; null for other types.'),
    decisionId: id.nullable().describe('Null except for `moderation_decided`.'),
    milestoneTotal: total.describe('The votes of the post at a milestone; null for other types.'),
    milestoneCount: total.describe(
      'For the author `milestoneTotal`, for a voter the votes after their own; null for other types.',
    ),
    createdAt: timestamp.describe(
      'When it happened; of a repetition that renewed the notification, the newest time.',
    ),
    read: z.boolean().describe('Whether the caller has marked it as read.'),
  })
  .meta({ id: 'Notification', description: "A notification in the caller's inbox." });

/** The body of PATCH /notifications/read. */
export const MarkRead = z
  .strictObject({
    notificationId: id.optional().describe('The one notification to mark.'),
    all: z.literal(true).optional().describe('True marks all that the caller sees.'),
  })
  .refine(({ notificationId, all }) => (notificationId === undefined) !== (all === undefined), {
    message: 'Choose one notification or all.',
  })
  .meta({ id: 'MarkRead', description: 'Either one notification or all.' });
