import { z } from 'zod';
import { id, timestamp } from '../values.ts';

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
    activity: z.strictObject({ posts: z.int(), votes: z.int() }),
    editable: z.strictObject({
      fullName: z.string().nullable(),
      username: z.string().nullable(),
      bio: z.string().nullable(),
      profileAssetId: id.nullable(),
    }),
  })
  .meta({ id: 'OwnProfile' });
