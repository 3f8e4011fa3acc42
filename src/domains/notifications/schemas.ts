import { z } from 'zod';
import { HubName, id, timestamp } from '../../contract/values.ts';
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
  ])
  .meta({ id: 'NotificationType' });

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
