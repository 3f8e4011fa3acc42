import { z } from 'zod';
import { id, timestamp } from '../../contract/values.ts';
import { AT, author, HUB_ID, ownProfile, POST_ID, SESSION_ID, status } from '../examples.ts';
import { HubRole, InvitationState } from '../hubs/schemas.ts';
import { ContentType, Purpose } from '../media/schemas.ts';
import { NewReport } from '../moderation/schemas.ts';
import { NotificationType } from '../notifications/schemas.ts';
import { Slider, Visibility } from '../posts/schemas.ts';
import { OnboardingStatus, OwnSession } from './schemas.ts';

const text = z.string().nullable();
const time = timestamp.nullable();
const photo = { profileAssetId: id.nullable(), profilePhotoUrl: z.url().nullable() };
const total = z.int().positive().nullable();

/** Returns the schema of a section: its items, newest first. */
function listOf(fields: z.ZodRawShape) {
  return z.array(z.strictObject(fields));
}

const account = z.strictObject({
  id,
  phoneNumber: text,
  phoneVerifiedAt: time,
  termsVersion: text,
  termsAcceptedAt: time,
  mediaCompletedAt: time,
  createdAt: timestamp,
  isDefaultFeedUser: z.boolean(),
});

const profile = z.strictObject({
  username: z.string(),
  fullName: z.string(),
  bio: text,
  ...photo,
  createdAt: timestamp,
});

const hubs = {
  hubMemberships: listOf({
    hubId: id,
    hubName: z.string(),
    role: HubRole,
    contentMuted: z.boolean(),
    joinedAt: timestamp,
    lastSeenAt: time,
  }),
  mutedHubs: listOf({ hubId: id }),
  joinRequests: listOf({
    id,
    hubId: id,
    source: z.enum(['invite_link', 'member_invitation']),
    state: z.enum(['pending_admin_approval', 'approved', 'rejected']),
    createdAt: timestamp,
  }),
  receivedInvitations: listOf({ id, hubId: id, state: InvitationState, createdAt: timestamp }),
  sentInvitations: listOf({
    id,
    hubId: id,
    phoneNumber: z.string(),
    state: InvitationState,
    createdAt: timestamp,
    expiresAt: timestamp,
  }),
  hubPlacements: listOf({
    postId: id,
    hubId: id,
    kind: z.enum(['targeted', 'shared']),
    placedAt: timestamp,
  }),
  messages: listOf({ id, hubId: id, text, assetId: id.nullable(), createdAt: timestamp }),
  savedDiscussions: listOf({ discussionId: id, savedAt: timestamp }),
};

const ownPosts = listOf({
  id,
  sourcePostId: id.nullable(),
  article: z.strictObject({ url: text, title: text, text, assetIds: z.array(id) }).nullable(),
  thoughtText: text,
  sliderText: text,
  slider: Slider.nullable(),
  visibility: Visibility,
  createdAt: timestamp,
});

const posts = {
  posts: ownPosts,
  reposts: ownPosts,
  comments: listOf({
    id,
    postId: id,
    parentCommentId: id.nullable(),
    text,
    assetId: id.nullable(),
    createdAt: timestamp,
  }),
  votes: listOf({ postId: id, votedAt: timestamp }),
  feedShares: listOf({ shareId: id, postId: id, sharedAt: timestamp }),
  savedPosts: listOf({ postId: id, savedAt: timestamp }),
};

const people = {
  following: listOf({ userId: id, publicPostsMuted: z.boolean(), followedAt: timestamp }),
  followers: listOf({ userId: id, followedAt: timestamp }),
  blocks: listOf({ userId: id, blockedAt: timestamp }),
  contactSnapshot: z
    .strictObject({
      uploadId: id,
      permission: z.enum(['granted', 'limited']),
      contactCount: z.int().nonnegative().nullable(),
      createdAt: timestamp,
      storedAt: time,
    })
    .nullable(),
  contacts: listOf({ name: z.string(), phoneNumbers: z.array(z.string()), hasThumbnail: z.boolean() }),
};

const reports = listOf({
  reportId: id,
  userId: id.nullable(),
  postId: id.nullable(),
  hubId: id.nullable(),
  commentId: id.nullable(),
  messageId: id.nullable(),
  reason: NewReport.shape.reason,
  details: text,
  state: z.string(),
  createdAt: timestamp,
});

const uploads = listOf({
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

const notifications = listOf({
  id,
  type: NotificationType,
  actorId: id.nullable(),
  postId: id.nullable(),
  commentId: id.nullable(),
  hubId: id.nullable(),
  invitationId: id.nullable(),
  joinRequestId: id.nullable(),
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
    profile: profile.nullable(),
    hubProfile: z.strictObject({ displayName: text, ...photo }).nullable(),
    sessions: z.array(OwnSession),
    deviceTokens: listOf({
      sessionId: id.nullable(),
      platform: z.enum(['android', 'ios']),
      refreshedAt: timestamp,
    }),
    ...people,
    ...posts,
    ...hubs,
    reports,
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
  blocks: [],
  savedDiscussions: [],
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
