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

/** The public profile of a person. */
export const PublicProfile = z
  .strictObject({
    id,
    name: z.string(),
    username: z.string(),
    bio: z.string().nullable(),
    profilePhotoUrl: z.url().nullable(),
    isAnonymous: z.boolean(),
    counts: z.strictObject({ followers: count, following: count }),
    activity: z.strictObject({ posts: count, reposts: count, comments: count, votes: count }),
    adminHubs: z.array(z.strictObject({ id, name: z.string(), profilePhotoUrl: z.url().nullable() })),
    viewer: ViewerRelation.nullable().meta({ description: 'Null for a guest.' }),
  })
  .meta({ id: 'PublicProfile' });

/** The caller's profile; names are null while the user is anonymous. */
export const OwnProfile = PublicProfile.extend({
  name: z.string().nullable(),
  username: z.string().nullable(),
  viewer: ViewerRelation,
  fullName: z.string().nullable(),
  phoneNumber: z.string().nullable(),
  level: z.int().min(1).max(4),
  createdAt: timestamp,
  editable: z.strictObject({
    fullName: z.string().nullable(),
    username: z.string().nullable(),
    bio: z.string().nullable(),
    profileAssetId: id.nullable(),
  }),
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
