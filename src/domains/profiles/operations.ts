import { z } from 'zod';
import { handle, id, text } from '../../contract/values.ts';
import type { Operation } from '../../http/operation.ts';
import { ASSET_ID, author, ownProfile, publicProfile, status } from '../examples.ts';
import { NextStep, OnboardingStatus } from '../identity/schemas.ts';
import { hasAnyField, OwnProfile, PublicProfile, profileAssetId } from '../people/schemas.ts';

/** Profiles with what they count, and the onboarding step that answers with one (docs/product.md P6-P11, O4). */
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
        fullName: text(2, 80).optional().describe('The public name.'),
        username: handle.optional().describe('The former one is free at once.'),
        bio: text(0, 160).nullish().describe('Null, and an empty text, clear it.'),
        profileAssetId,
      })
      .refine(hasAnyField, { message: 'Needs at least one field.' })
      .describe('At least one field; what is left out stays.'),
    data: OwnProfile,
    status: 200,
    message: 'Profile changed.',
    errors: ['HANDLE_TAKEN'],
    example: { body: { fullName: author.name, bio: 'Libraries first.' }, data: ownProfile },
  },
  {
    id: 'complete_media',
    method: 'put',
    path: '/users/me/onboarding/media',
    tag: 'Onboarding',
    summary: 'Complete the media step',
    description:
      'Takes a profile photo. A missing or null `profileAssetId` completes the step without a photo.',
    auth: 'required',
    level: 2,
    body: z
      .strictObject({
        profileAssetId: id
          .nullish()
          .describe('A completed profile_photo; without one the photo stays as it is.'),
      })
      .describe('A photo for the profile, or none.'),
    data: z.strictObject({ nextStep: NextStep, status: OnboardingStatus, profile: OwnProfile }).meta({
      id: 'OnboardingMediaResult',
      description: 'The onboarding status and the profile after the media step.',
    }),
    status: 200,
    message: 'Media step completed.',
    example: {
      body: { profileAssetId: ASSET_ID },
      data: { nextStep: 'contacts', status, profile: ownProfile },
    },
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
