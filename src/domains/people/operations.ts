import { z } from 'zod';
import { handle, id, text } from '../../contract/values.ts';
import type { Operation } from '../../http/operation.ts';
import { ASSET_ID, author, ownProfile, PHOTO_URL, publicProfile } from '../examples.ts';
import { HubProfile, OwnProfile, PublicProfile } from './schemas.ts';

const hubProfile = {
  displayName: 'Amara C.',
  profilePhotoUrl: PHOTO_URL,
  phoneNumber: '+12025550103',
  profileAssetId: ASSET_ID,
};

const profileAssetId = id
  .nullish()
  .meta({ description: 'A completed profile_photo; null removes the photo.' });

const holdsSomething = (body: object) => Object.values(body).some((value) => value !== undefined);

/** Profiles, one's own and other people's (docs/product.md P1-P23). */
export const profiles: readonly Operation[] = [
  {
    id: 'get_profile_by_username',
    method: 'get',
    path: '/users/by-username/{username}',
    tag: 'People',
    summary: 'The public profile of whoever has a username now',
    auth: 'optional',
    reads: 'profiles',
    params: { username: { form: z.string().toLowerCase().pipe(handle), error: 'USER_NOT_FOUND' } },
    data: PublicProfile,
    status: 200,
    message: 'Profile.',
    example: { data: { ...publicProfile, viewer: null } },
  },
  {
    id: 'get_own_profile',
    method: 'get',
    path: '/users/me/profile',
    tag: 'People',
    summary: "One's own profile",
    auth: 'required',
    level: 1,
    data: OwnProfile,
    status: 200,
    message: 'Your profile.',
    example: { data: ownProfile },
  },
  {
    id: 'update_own_profile',
    method: 'patch',
    path: '/users/me/profile',
    tag: 'People',
    summary: "Change one's own profile",
    description: 'What is left out stays. A photo that is replaced is deleted.',
    auth: 'required',
    level: 2,
    body: z
      .strictObject({
        fullName: text(2, 80).optional(),
        username: handle.optional(),
        bio: text(0, 160).nullish(),
        profileAssetId,
      })
      .refine(holdsSomething, { message: 'Needs at least one field.' }),
    data: OwnProfile,
    status: 200,
    message: 'Profile changed.',
    errors: ['HANDLE_TAKEN'],
    example: { body: { fullName: author.name, bio: 'Libraries first.' }, data: ownProfile },
  },
  {
    id: 'get_hub_profile',
    method: 'get',
    path: '/users/me/hub-profile',
    tag: 'People',
    summary: "One's own identity in Hubs",
    description:
      'Private: only people in the same Hubs see it. Its name is the public one until another is chosen.',
    auth: 'required',
    level: 4,
    data: HubProfile,
    status: 200,
    message: 'Your Hub profile.',
    example: { data: hubProfile },
  },
  {
    id: 'update_hub_profile',
    method: 'patch',
    path: '/users/me/hub-profile',
    tag: 'People',
    summary: "Change one's own identity in Hubs",
    description: 'The public profile stays as it is.',
    auth: 'required',
    level: 4,
    body: z
      .strictObject({ displayName: text(2, 80).optional(), profileAssetId })
      .refine(holdsSomething, { message: 'Needs at least one field.' }),
    data: HubProfile,
    status: 200,
    message: 'Hub profile changed.',
    example: { body: { displayName: 'Amara C.' }, data: hubProfile },
  },
  // After the own one, whose path would else be somebody's.
  {
    id: 'get_profile',
    method: 'get',
    path: '/users/{userId}/profile',
    tag: 'People',
    summary: 'A public profile',
    auth: 'checked',
    reads: 'profiles',
    params: { userId: 'USER_NOT_FOUND' },
    data: PublicProfile,
    status: 200,
    message: 'Profile.',
    example: { data: publicProfile },
  },
];

/** People (docs/product.md P1-P23). */
export const people: readonly Operation[] = [
  {
    id: 'check_handle',
    method: 'post',
    path: '/users/handles/availability',
    tag: 'People',
    summary: 'Whether a username is free',
    description:
      'A preview: nothing is reserved. Any text is brought into canonical form first. Limited for each user, beyond what somebody types.',
    auth: 'required',
    level: 1,
    body: z.strictObject({ username: text(0, 200) }),
    data: z.strictObject({
      username: z.string().meta({ description: 'The text in canonical form.' }),
      available: z.boolean(),
      reason: z.enum(['taken', 'invalid', 'reserved']).nullable(),
      alternatives: z.array(z.string()).max(3),
    }),
    status: 200,
    message: 'Availability.',
    errors: ['RATE_LIMITED'],
    example: {
      body: { username: '@Amara' },
      data: {
        username: 'amara',
        available: false,
        reason: 'taken',
        alternatives: ['amara27', 'amara618', 'amara4093'],
      },
    },
  },
];
