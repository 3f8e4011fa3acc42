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
const photo = { profileAssetId: id.nullable(), profilePhotoUrl: z.url().nullable() };
const total = z.int().positive().nullable();

/** Returns the schema of a section: its items, newest first. @param name the name of an item */
function sectionSchema(name: string, fields: z.ZodRawShape) {
  return z.array(z.strictObject(fields).meta({ id: `Exported${name}` }));
}

const account = z
  .strictObject({
    id,
    phoneNumber: text,
    phoneVerifiedAt: time,
    termsVersion: text,
    termsAcceptedAt: time,
    mediaCompletedAt: time,
    createdAt: timestamp,
    isDefaultFeedUser: z.boolean(),
  })
  .meta({ id: 'ExportedAccount' });

const profile = z
  .strictObject({
    username: z.string(),
    fullName: z.string(),
    bio: text,
    ...photo,
    createdAt: timestamp,
  })
  .meta({ id: 'ExportedProfile' });

const hubProfile = z.strictObject({ displayName: text, ...photo }).meta({ id: 'ExportedHubProfile' });

const article = z
  .strictObject({ url: text, title: text, text, assetIds: z.array(id), altTexts: z.array(text) })
  .meta({ id: 'ExportedArticle' });

const hubs = {
  hubMemberships: sectionSchema('HubMembership', {
    hubId: id,
    hubName: z.string(),
    role: HubRole,
    contentMuted: z.boolean(),
    joinedAt: timestamp,
    lastSeenAt: time,
  }),
  mutedHubs: sectionSchema('MutedHub', { hubId: id }),
  joinRequests: sectionSchema('JoinRequest', {
    id,
    hubId: id,
    source: JoinRequestSource,
    state: z.enum([...JoinRequestState.options, 'withdrawn']).meta({ id: 'OwnJoinRequestState' }),
    createdAt: timestamp,
  }),
  receivedInvitations: sectionSchema('ReceivedInvitation', {
    id,
    hubId: id,
    state: InvitationState,
    createdAt: timestamp,
  }),
  sentInvitations: sectionSchema('SentInvitation', {
    id,
    hubId: id,
    phoneNumber: z.string(),
    state: InvitationState,
    createdAt: timestamp,
    expiresAt: timestamp,
  }),
  hubPlacements: sectionSchema('HubPlacement', {
    postId: id,
    hubId: id,
    kind: z.enum(['targeted', 'shared']).meta({ id: 'PlacementKind' }),
    placedAt: timestamp,
  }),
  messages: sectionSchema('Message', {
    id,
    hubId: id,
    text,
    assetId: id.nullable(),
    altText: text,
    createdAt: timestamp,
  }),
  savedDiscussions: sectionSchema('SavedDiscussion', { discussionId: id, savedAt: timestamp }),
  discussionReads: sectionSchema('DiscussionRead', { discussionId: id, readUntil: timestamp }),
};

const ownPosts = sectionSchema('Post', {
  id,
  sourcePostId: id.nullable(),
  article: article.nullable(),
  thoughtText: text,
  sliderText: text,
  slider: Slider.nullable(),
  visibility: Visibility,
  createdAt: timestamp,
});

const posts = {
  posts: ownPosts,
  reposts: ownPosts,
  comments: sectionSchema('Comment', {
    id,
    postId: id,
    parentCommentId: id.nullable(),
    text,
    assetId: id.nullable(),
    altText: text,
    createdAt: timestamp,
  }),
  votes: sectionSchema('Vote', { postId: id, votedAt: timestamp }),
  feedShares: sectionSchema('FeedShare', { shareId: id, postId: id, sharedAt: timestamp }),
  savedPosts: sectionSchema('SavedPost', { postId: id, savedAt: timestamp }),
};

const people = {
  following: sectionSchema('Following', { userId: id, publicPostsMuted: z.boolean(), followedAt: timestamp }),
  followers: sectionSchema('Follower', { userId: id, followedAt: timestamp }),
  blocks: sectionSchema('Block', { userId: id, blockedAt: timestamp }),
  contactSnapshot: z
    .strictObject({
      uploadId: id,
      permission: ContactPermission,
      contactCount: z.int().nonnegative().nullable(),
      createdAt: timestamp,
      storedAt: time,
    })
    .meta({ id: 'ExportedContactSnapshot' })
    .nullable(),
  contacts: sectionSchema('Contact', {
    name: z.string(),
    phoneNumbers: z.array(z.string()),
    hasThumbnail: z.boolean(),
  }),
};

const reports = sectionSchema('Report', {
  reportId: id,
  userId: id.nullable(),
  postId: id.nullable(),
  hubId: id.nullable(),
  commentId: id.nullable(),
  messageId: id.nullable(),
  reason: ReportReason,
  details: text,
  state: z.string(),
  createdAt: timestamp,
});

const moderationDecisions = sectionSchema('ModerationDecision', {
  ...Decision.shape,
  reversedAt: time,
  appealStatement: text,
  removedText: text,
  removedAssetId: id.nullable(),
});

const uploads = sectionSchema('Upload', {
  uploadId: id,
  assetId: id.nullable(),
  purpose: Purpose,
  contentType: ContentType,
  sizeBytes: z.int(),
  fileName: text,
  checksum: text,
  width: z.int().nullable(),
  height: z.int().nullable(),
  createdAt: timestamp,
});

const notifications = sectionSchema('Notification', {
  id,
  type: NotificationType,
  actorId: id.nullable(),
  postId: id.nullable(),
  commentId: id.nullable(),
  hubId: id.nullable(),
  invitationId: id.nullable(),
  joinRequestId: id.nullable(),
  decisionId: id.nullable(),
  milestoneTotal: total,
  milestoneCount: total,
  createdAt: timestamp,
  readAt: time,
});

/** The data export of a user (docs/decisions/015-own-data.md). */
export const OwnData = z
  .strictObject({
    exportedAt: timestamp,
    account,
    onboarding: OnboardingStatus,
    notificationPreferences: NotificationPreferences.nullable(),
    profile: profile.nullable(),
    hubProfile: hubProfile.nullable(),
    sessions: z.array(OwnSession),
    deviceTokens: sectionSchema('DeviceToken', {
      sessionId: id.nullable(),
      platform: Platform,
      refreshedAt: timestamp,
    }),
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
  .meta({ id: 'OwnData' });

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
