import { z } from 'zod';
import { id, idOrEmpty, timestamp } from '../../contract/values.ts';

const count = z.int().nonnegative();

/** A person on a card or in a list; a suspended or ended account has empty strings. */
export const UserLite = z
  .strictObject({
    id: idOrEmpty,
    username: z.string(),
    name: z.string(),
    profilePhotoUrl: z.url().nullable(),
    isAnonymous: z.boolean(),
  })
  .meta({ id: 'UserLite' });

/** The viewer's relation to a person. */
const ViewerRelation = z
  .strictObject({
    follows: z.boolean(),
    followedBy: z.boolean(),
    blocking: z.boolean(),
    publicPostsMuted: z.boolean(),
  })
  .meta({ id: 'ViewerRelation' });

const FollowCounts = z.strictObject({ followers: count, following: count }).meta({ id: 'FollowCounts' });

const ActivityCounts = z
  .strictObject({ posts: count, reposts: count, comments: count, votes: count })
  .meta({ id: 'ActivityCounts' });

const AdminHub = z
  .strictObject({ id, name: z.string(), profilePhotoUrl: z.url().nullable() })
  .meta({ id: 'AdminHub' });

/** The public profile of a person. */
export const PublicProfile = z
  .strictObject({
    id,
    name: z.string(),
    username: z.string(),
    bio: z.string().nullable(),
    profilePhotoUrl: z.url().nullable(),
    isAnonymous: z.boolean(),
    counts: FollowCounts,
    activity: ActivityCounts,
    adminHubs: z.array(AdminHub),
    viewer: ViewerRelation.nullable().meta({ description: 'Null for a guest.' }),
  })
  .meta({ id: 'PublicProfile' });

const EditableProfile = z
  .strictObject({
    fullName: z.string().nullable(),
    username: z.string().nullable(),
    bio: z.string().nullable(),
    profileAssetId: id.nullable(),
  })
  .meta({ id: 'EditableProfile' });

/** The caller's profile; names are null while the user is anonymous. */
export const OwnProfile = PublicProfile.extend({
  name: z.string().nullable(),
  username: z.string().nullable(),
  viewer: ViewerRelation,
  fullName: z.string().nullable(),
  phoneNumber: z.string().nullable(),
  level: z.int().min(1).max(4),
  createdAt: timestamp,
  editable: EditableProfile,
}).meta({ id: 'OwnProfile' });

/** A person in a list of followers or of following. */
export const ListedPerson = UserLite.extend({ viewerFollows: z.boolean() }).meta({ id: 'ListedPerson' });

/** A person in the caller's list of blocks. */
export const BlockedPerson = UserLite.extend({ blockedAt: timestamp }).meta({ id: 'BlockedPerson' });

/** A result of people search. */
export const FoundPerson = z
  .strictObject({
    id,
    name: z.string(),
    username: z.string(),
    profilePhotoUrl: z.url().nullable(),
    bio: z.string().nullable(),
    viewerFollows: z.boolean().optional().meta({ description: 'Present for a caller with a session.' }),
  })
  .meta({ id: 'FoundPerson' });

/** The private Hub profile of a person. */
export const HubProfile = z
  .strictObject({
    displayName: z.string(),
    profilePhotoUrl: z.url().nullable(),
    phoneNumber: z.string(),
    profileAssetId: id.nullable(),
  })
  .meta({ id: 'HubProfile' });

/** Whether the caller follows a person. */
export const FollowState = z.strictObject({ following: z.boolean() }).meta({ id: 'FollowState' });

/** The publication alerts of a follow. */
export const FollowSettings = z
  .strictObject({ publicPostsMuted: z.boolean() })
  .meta({ id: 'FollowSettings' });

/** Whether the caller blocks a person. */
export const BlockState = z.strictObject({ blocked: z.boolean() }).meta({ id: 'BlockState' });

/** The argument that chooses a photo. */
export const profileAssetId = id
  .nullish()
  .meta({ description: 'A completed profile_photo; null removes the photo.' });

/** Returns whether a change changes something. */
export const hasAnyField = (body: object) => Object.values(body).some((value) => value !== undefined);
