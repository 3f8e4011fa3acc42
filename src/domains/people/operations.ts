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

const hasAnyField = (body: object) => Object.values(body).some((value) => value !== undefined);

/** Profiles (docs/product.md P6-P12). */
export const profiles: readonly Operation[] = [
  {
    id: 'get_profile_by_username',
    method: 'get',
    path: '/users/by-username/{username}',
    tag: 'People',
    summary: 'Get a public profile by username',
    auth: 'optional',
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
    summary: "Get the caller's profile",
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
    summary: "Change the caller's profile",
    description: 'Omitted fields keep their values. A replaced photo is deleted.',
    auth: 'required',
    level: 2,
    body: z
      .strictObject({
        fullName: text(2, 80).optional(),
        username: handle.optional(),
        bio: text(0, 160).nullish(),
        profileAssetId,
      })
      .refine(hasAnyField, { message: 'Needs at least one field.' }),
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
    summary: "Get the caller's Hub profile",
    description:
      'Only people in a common Hub see it. The display name is the public name until the caller sets one.',
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
    summary: "Change the caller's Hub profile",
    description: 'The public profile does not change.',
    auth: 'required',
    level: 4,
    body: z
      .strictObject({ displayName: text(2, 80).optional(), profileAssetId })
      .refine(hasAnyField, { message: 'Needs at least one field.' }),
    data: HubProfile,
    status: 200,
    message: 'Hub profile changed.',
    example: { body: { displayName: 'Amara C.' }, data: hubProfile },
  },
  // Follows the routes of `/users/me`, which its path matches too.
  {
    id: 'get_profile',
    method: 'get',
    path: '/users/{userId}/profile',
    tag: 'People',
    summary: 'Get a public profile',
    auth: 'checked',
    params: { userId: 'USER_NOT_FOUND' },
    data: PublicProfile,
    status: 200,
    message: 'Profile.',
    example: { data: publicProfile },
  },
];

/** Usernames (docs/product.md P2-P4). */
export const people: readonly Operation[] = [
  {
    id: 'check_handle',
    endsNoRights: true,
    method: 'post',
    path: '/users/handles/availability',
    tag: 'People',
    summary: 'Check whether a username is free',
    description:
      'Converts any text to canonical form first. Reserves nothing. The rate limit of a user is beyond typing speed.',
    auth: 'required',
    level: 1,
    body: z.strictObject({ username: text(0, 200) }),
    data: z
      .strictObject({
        username: z
          .string()
          .meta({ description: 'The text in canonical form; of an invalid one, what a username may have.' }),
        available: z.boolean(),
        reason: z.enum(['taken', 'invalid', 'reserved']).meta({ id: 'HandleRejection' }).nullable(),
        alternatives: z.array(z.string()).max(3),
      })
      .meta({ id: 'HandleAvailability' }),
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
