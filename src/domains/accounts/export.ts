import { z } from 'zod';
import { id, timestamp } from '../../contract/values.ts';
import { Slider, Visibility } from '../cards/schemas.ts';
import { AT, author, HUB_ID, ownProfile, POST_ID, SESSION_ID, status } from '../examples.ts';
import { HubRole, InvitationState, JoinRequestSource, JoinRequestState } from '../hubs/schemas.ts';
import { ContactPermission, OnboardingStatus, OwnSession } from '../identity/schemas.ts';
import { ContentType, Purpose } from '../media/schemas.ts';
import { Decision, ReportReason } from '../moderation/schemas.ts';
import {
  NotificationPreferences,
  NotificationType,
  Platform,
  preferences,
} from '../notifications/schemas.ts';

const text = z.string().nullable();
const time = timestamp.nullable();
const optionalId = id.nullable();
const photo = {
  profileAssetId: optionalId.describe('The asset of the photo; null without one.'),
  profilePhotoUrl: z.url().nullable().describe('A stable public URL; null without a photo.'),
};
const total = z.int().positive().nullable();
const userId = id.describe('The id of the person.');
const hubId = id.describe('The id of the Hub.');
const altText = text.describe('Describes the picture; null without a description.');

/**
 * Returns the schema of a section: its items, newest first.
 * @param name the name of an item
 * @param description what an item is
 */
function sectionSchema(name: string, description: string, fields: z.ZodRawShape) {
  return z.array(z.strictObject(fields).meta({ id: `Exported${name}`, description }));
}

const account = z
  .strictObject({
    id: id.describe('The id of the user.'),
    phoneNumber: text.describe('E.164; null until a phone is verified.'),
    phoneVerifiedAt: time.describe('When the phone was verified; null without one.'),
    termsVersion: text.describe('The version of the terms to which the user consented; null before.'),
    termsAcceptedAt: time.describe('When the user consented to the terms last; null before.'),
    mediaCompletedAt: time.describe('When the media step was done first; null before.'),
    createdAt: timestamp.describe('When the account was created.'),
    isDefaultFeedUser: z.boolean().describe('Whether staff chose the user for the feed of guests.'),
  })
  .meta({ id: 'ExportedAccount', description: 'The account of the caller.' });

const profile = z
  .strictObject({
    username: z.string().describe('Without `@`.'),
    fullName: z.string().describe('The public name.'),
    bio: text.describe('Null without one.'),
    ...photo,
    createdAt: timestamp.describe('When profile basics were saved first.'),
  })
  .meta({ id: 'ExportedProfile', description: 'The public profile of the caller.' });

const hubProfile = z
  .strictObject({ displayName: text.describe('Null where the public name stands for it.'), ...photo })
  .meta({ id: 'ExportedHubProfile', description: 'The private Hub profile of the caller.' });

const article = z
  .strictObject({
    url: text.describe('Null without one.'),
    title: text.describe('Null without one.'),
    text: text.describe('Null without one.'),
    assetIds: z.array(id).describe('The media, in the order of the article.'),
    altTexts: z.array(text).describe('One for each of `assetIds`; null where nobody described the file.'),
  })
  .meta({ id: 'ExportedArticle', description: 'The article of a post.' });

const hubs = {
  hubMemberships: sectionSchema('HubMembership', 'A Hub of the caller.', {
    hubId,
    hubName: z.string().describe('The name of the Hub.'),
    role: HubRole,
    contentMuted: z.boolean().describe('Whether the caller muted posts, reposts and shares in the Hub.'),
    joinedAt: timestamp.describe('When the membership began.'),
    lastSeenAt: time.describe(
      'When the caller last used the Hub, to five minutes; null before the first time.',
    ),
  }).describe('The Hubs that the caller is a member of.'),
  mutedHubs: sectionSchema('MutedHub', 'A Hub whose content the caller muted.', { hubId }).describe(
    'The Hubs whose content the caller muted, left ones included, without an order in time.',
  ),
  joinRequests: sectionSchema('JoinRequest', 'A request of the caller to join a Hub.', {
    id: id.describe('The id of the join request.'),
    hubId,
    source: JoinRequestSource,
    state: z.enum([...JoinRequestState.options, 'withdrawn']).meta({
      id: 'OwnJoinRequestState',
      description: 'A withdrawn request is kept for a week.',
    }),
    createdAt: timestamp.describe('When the caller asked to join.'),
  }).describe('The join requests of the caller.'),
  receivedInvitations: sectionSchema('ReceivedInvitation', 'An invitation of the phone of the caller.', {
    id: id.describe('The id of the invitation.'),
    hubId,
    state: InvitationState,
    createdAt: timestamp.describe('When the phone was invited.'),
  }).describe('The invitations of the phone of the caller, without those across a block.'),
  sentInvitations: sectionSchema('SentInvitation', 'An invitation by the caller.', {
    id: id.describe('The id of the invitation.'),
    hubId,
    phoneNumber: z.string().describe('The invited number, in E.164.'),
    state: InvitationState,
    createdAt: timestamp.describe('When the caller first invited the number.'),
    expiresAt: timestamp.describe('When the invitation expires, or did.'),
  }).describe('The invitations by the caller, to Hubs that they left too.'),
  hubPlacements: sectionSchema('HubPlacement', 'A post that the caller placed in a Hub.', {
    postId: id.describe('The id of the post, which may be of somebody else.'),
    hubId,
    kind: z.enum(['targeted', 'shared']).meta({
      id: 'PlacementKind',
      description: 'Whether the post was published in the Hub or shared into it.',
    }),
    placedAt: timestamp.describe('When the post came into the Hub.'),
  }).describe('What the caller published in or shared into Hubs, left ones included.'),
  messages: sectionSchema('Message', 'A message of the caller in a Hub.', {
    id: id.describe('The id of the message.'),
    hubId,
    text: text.describe('Null for a picture alone, and for a message that staff removed.'),
    assetId: optionalId.describe('The picture; null without one.'),
    altText,
    createdAt: timestamp.describe('When the message was written.'),
  }).describe('The messages of the caller in Hubs, left ones included.'),
  savedDiscussions: sectionSchema('SavedDiscussion', 'A discussion that the caller saved.', {
    discussionId: id.describe('The id of the discussion.'),
    savedAt: timestamp.describe('When the caller saved it.'),
  }).describe('The discussions that the caller saved, in Hubs that they left too.'),
  discussionReads: sectionSchema('DiscussionRead', 'How far the caller has read a discussion.', {
    discussionId: id.describe('The id of the discussion.'),
    readUntil: timestamp.describe('The time of the last message that was marked as read.'),
  }).describe('The discussions that the caller marked as read, in Hubs that they left too.'),
};

const ownPosts = sectionSchema('Post', 'A post or repost of the caller.', {
  id: id.describe('The id of the post.'),
  sourcePostId: optionalId.describe('The original of a repost; null for an original.'),
  article: article.nullable().describe('Null without one.'),
  thoughtText: text.describe('Null without a thought.'),
  sliderText: text.describe('Null without a slider.'),
  slider: Slider.nullable().describe('Null without one.'),
  visibility: Visibility,
  createdAt: timestamp.describe('When the post was published.'),
});

const posts = {
  posts: ownPosts.describe('The originals by the caller.'),
  reposts: ownPosts.describe('The reposts by the caller, without their originals.'),
  comments: sectionSchema('Comment', 'A comment of the caller.', {
    id: id.describe('The id of the comment.'),
    postId: id.describe('The id of the post, which may be of somebody else.'),
    parentCommentId: optionalId.describe('The root of the thread; null for a root.'),
    text: text.describe('Null for a picture alone.'),
    assetId: optionalId.describe('The picture; null without one.'),
    altText,
    createdAt: timestamp.describe('When the comment was written.'),
  }).describe('The comments of the caller.'),
  votes: sectionSchema('Vote', 'A vote of the caller, without its position.', {
    postId: id.describe('The id of the post.'),
    votedAt: timestamp.describe('The minute of the vote.'),
  }).describe('The posts on which the caller voted. Nobody keeps the positions.'),
  feedShares: sectionSchema('FeedShare', 'A post that the caller shared to their feed.', {
    shareId: id.describe('The id of the share.'),
    postId: id.describe('The id of the post.'),
    sharedAt: timestamp.describe('When the caller shared it last.'),
  }).describe('The posts that the caller shared to their feed.'),
  savedPosts: sectionSchema('SavedPost', 'A post that the caller saved.', {
    postId: id.describe('The id of the post.'),
    savedAt: timestamp.describe('When the caller saved it.'),
  }).describe('The posts that the caller saved.'),
};

const people = {
  following: sectionSchema('Following', 'A person whom the caller follows.', {
    userId,
    publicPostsMuted: z.boolean().describe('Whether the caller turned their publication alerts off.'),
    followedAt: timestamp.describe('When the follow began.'),
  }).describe('The people whom the caller follows, without suspended ones.'),
  followers: sectionSchema('Follower', 'A person who follows the caller.', {
    userId,
    followedAt: timestamp.describe('When the follow began.'),
  }).describe('The people who follow the caller, without suspended ones.'),
  blocks: sectionSchema('Block', 'A person whom the caller blocks.', {
    userId,
    blockedAt: timestamp.describe('When the block began.'),
  }).describe('The people whom the caller blocks, without suspended ones.'),
  contactSnapshot: z
    .strictObject({
      uploadId: id.describe('The id of the upload.'),
      permission: ContactPermission,
      contactCount: z
        .int()
        .nonnegative()
        .nullable()
        .describe('The number of contacts on the device, as the app said; null where it did not.'),
      createdAt: timestamp.describe('When the contacts step was done.'),
      storedAt: time.describe('When the contacts were uploaded; null before.'),
    })
    .meta({ id: 'ExportedContactSnapshot', description: 'The one upload of contacts of the caller.' })
    .nullable()
    .describe('Null before the contacts step.'),
  contacts: sectionSchema('Contact', 'A contact that the caller uploaded.', {
    name: z.string().describe('Its name on the device; it may be empty.'),
    phoneNumbers: z.array(z.string()).describe('E.164, each once, without numbers that nobody can have.'),
    hasThumbnail: z.boolean().describe('Whether a picture is kept, which the export leaves out.'),
  }).describe('The contacts that the caller uploaded, in the order of the upload.'),
};

const reports = sectionSchema(
  'Report',
  'A report by the caller: of one person, post, Hub, comment or message.',
  {
    reportId: id.describe('The id of the report.'),
    userId: optionalId.describe('The reported person; null for another target, and for a suspended person.'),
    postId: optionalId.describe('The reported post; null for another target.'),
    hubId: optionalId.describe('The reported Hub; null for another target.'),
    commentId: optionalId.describe('The reported comment; null for another target.'),
    messageId: optionalId.describe('The reported message; null for another target.'),
    reason: ReportReason,
    details: text.describe('The words of the caller; null without any.'),
    state: z.string().describe('`open`, `actioned` or `dismissed`.'),
    createdAt: timestamp.describe('When the caller reported.'),
  },
).describe('The reports by the caller, never those about them.');

const moderationDecisions = sectionSchema(
  'ModerationDecision',
  'A decision of staff that concerns the caller.',
  {
    ...Decision.shape,
    reversedAt: time.describe('When staff reversed the decision; null where it stands.'),
    appealStatement: text.describe('The answer of staff to the appeal; null before, and without an appeal.'),
    removedText: text.describe(
      'The text of the removed comment or message, while it can be restored; null otherwise.',
    ),
    removedAssetId: optionalId.describe('Its picture, while it can be restored; null otherwise.'),
  },
).describe('The decisions of staff that concern the caller.');

const uploads = sectionSchema('Upload', 'A file that the caller announced.', {
  uploadId: id.describe('The id of the upload.'),
  assetId: optionalId.describe('The id to download the file by; null until the upload is completed.'),
  purpose: Purpose,
  contentType: ContentType,
  sizeBytes: z.int().describe('The size of the file as announced.'),
  fileName: text.describe('The name that the app gave; null without one.'),
  checksum: text.describe('SHA-256 of the file, in hex; null until the upload is completed.'),
  width: z.int().nullable().describe('Pixels as displayed; null without a completed image.'),
  height: z.int().nullable().describe('Pixels as displayed; null without a completed image.'),
  createdAt: timestamp.describe('When the upload began.'),
}).describe('The uploads of the caller, without the files.');

const notifications = sectionSchema('Notification', 'A notification of the caller.', {
  id: id.describe('The id of the notification.'),
  type: NotificationType,
  actorId: optionalId.describe(
    'Whose activity caused it; null for votes and for suspended or ended accounts.',
  ),
  postId: optionalId.describe('The post, of a repost the new one; null where no post is concerned.'),
  commentId: optionalId.describe('The new comment; null where it is not about one.'),
  hubId: optionalId.describe('The Hub that it is about; null without one.'),
  invitationId: optionalId.describe('Null except for `hub_invite_received`.'),
  joinRequestId: optionalId.describe('The join request that was made or decided; null for other types.'),
  decisionId: optionalId.describe('Null except for `moderation_decided`.'),
  milestoneTotal: total.describe('The votes of the post at a milestone; null for other types.'),
  milestoneCount: total.describe('For a voter the votes after their own; null for other types.'),
  createdAt: timestamp.describe('When it happened.'),
  readAt: time.describe('When the caller marked it as read; null before.'),
}).describe('The notifications that the caller sees at the moment.');

/** See docs/decisions/015-own-data.md. */
export const OwnData = z
  .strictObject({
    exportedAt: timestamp.describe('When the export was made.'),
    account,
    onboarding: OnboardingStatus,
    notificationPreferences: NotificationPreferences.nullable().describe(
      'Null until the caller changes them.',
    ),
    profile: profile.nullable().describe('Null before profile basics.'),
    hubProfile: hubProfile.nullable().describe('Null until the caller changes it.'),
    sessions: z.array(OwnSession).describe('The sessions of the caller, last used first.'),
    deviceTokens: sectionSchema('DeviceToken', 'A device with push messages, without its token.', {
      sessionId: optionalId.describe('The session with which the token ends; null while accounts merge.'),
      platform: Platform,
      refreshedAt: timestamp.describe('When the app registered the token last.'),
    }).describe('The devices with push messages, last registered first.'),
    ...people,
    ...posts,
    ...hubs,
    reports,
    moderationDecisions,
    uploads,
    notifications,
    incomplete: z
      .array(z.string())
      .meta({ description: 'The sections that exceed the size limit and hold only their newest items.' }),
  })
  .meta({ id: 'OwnData', description: 'All that is kept about the caller, each section newest first.' });

/** The example of a data export: a user with little activity. */
export const ownData = {
  exportedAt: AT,
  account: {
    id: author.id,
    phoneNumber: ownProfile.phoneNumber,
    phoneVerifiedAt: AT,
    termsVersion: '1',
    termsAcceptedAt: AT,
    mediaCompletedAt: AT,
    createdAt: AT,
    isDefaultFeedUser: false,
  },
  onboarding: status,
  notificationPreferences: preferences,
  profile: {
    username: author.username,
    fullName: author.name,
    bio: ownProfile.bio,
    profileAssetId: null,
    profilePhotoUrl: null,
    createdAt: AT,
  },
  hubProfile: null,
  contactSnapshot: null,
  sessions: [{ id: SESSION_ID, kind: 'ios', createdAt: AT, lastUsedAt: AT, isCurrent: true }],
  deviceTokens: [{ sessionId: SESSION_ID, platform: 'ios', refreshedAt: AT }],
  hubMemberships: [
    {
      hubId: HUB_ID,
      hubName: 'Elm Street',
      role: 'member',
      contentMuted: false,
      joinedAt: AT,
      lastSeenAt: AT,
    },
  ],
  mutedHubs: [],
  joinRequests: [],
  receivedInvitations: [],
  sentInvitations: [],
  reports: [],
  moderationDecisions: [],
  blocks: [],
  savedDiscussions: [],
  discussionReads: [],
  savedPosts: [{ postId: POST_ID, savedAt: AT }],
  feedShares: [],
  hubPlacements: [],
  uploads: [],
  contacts: [],
  following: [],
  votes: [{ postId: POST_ID, votedAt: AT }],
  posts: [],
  reposts: [],
  comments: [],
  messages: [],
  followers: [],
  notifications: [],
  incomplete: [],
};
