import { z } from 'zod';
import { id, timestamp } from '../values.ts';

const count = z.int().nonnegative();

/** A person on a card or in a list; empty strings where the account has ended. */
export const UserLite = z
  .strictObject({
    id: z.union([id, z.literal('')]),
    username: z.string(),
    name: z.string(),
    profilePhotoUrl: z.url().nullable(),
    isAnonymous: z.boolean(),
  })
  .meta({ id: 'UserLite' });

/** A person's own profile. */
export const OwnProfile = z
  .strictObject({
    id,
    name: z.string().nullable(),
    fullName: z.string().nullable(),
    username: z.string().nullable(),
    bio: z.string().nullable(),
    profilePhotoUrl: z.url().nullable(),
    isAnonymous: z.boolean(),
    phoneNumber: z.string().nullable(),
    level: z.int().min(1).max(4),
    createdAt: timestamp,
    counts: z.strictObject({ followers: count, following: count }),
    activity: z.strictObject({ posts: count, reposts: count, comments: count, votes: count }),
    adminHubs: z.array(z.strictObject({ id, name: z.string(), profilePhotoUrl: z.url().nullable() })),
    viewer: z.strictObject({
      follows: z.boolean(),
      followedBy: z.boolean(),
      blocking: z.boolean(),
      publicPostsMuted: z.boolean(),
    }),
    editable: z.strictObject({
      fullName: z.string().nullable(),
      username: z.string().nullable(),
      bio: z.string().nullable(),
      profileAssetId: id.nullable(),
    }),
  })
  .meta({ id: 'OwnProfile' });
