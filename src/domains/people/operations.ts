import { z } from 'zod';
import { text } from '../../contract/values.ts';
import type { Operation } from '../../http/operation.ts';
import { ASSET_ID, PHOTO_URL } from '../examples.ts';
import { HubProfile, hasAnyField, profileAssetId } from './schemas.ts';

const hubProfile = {
  displayName: 'Amara C.',
  profilePhotoUrl: PHOTO_URL,
  phoneNumber: '+12025550103',
  profileAssetId: ASSET_ID,
};

/** Usernames and Hub profiles (docs/product.md P2-P4, P12). */
export const people: readonly Operation[] = [
  {
    id: 'check_handle',
    revokesAccess: false,
    method: 'post',
    path: '/users/handles/availability',
    tag: 'People',
    summary: 'Check whether a username is free',
    description:
      'Converts any text to canonical form first. Reserves nothing. The rate limit of a user is beyond typing speed.',
    auth: 'required',
    level: 1,
    body: z
      .strictObject({
        username: text(0, 200).describe('As it was typed; a leading `@` and upper case do not matter.'),
      })
      .describe('The username to check.'),
    data: z
      .strictObject({
        username: z
          .string()
          .meta({ description: 'The text in canonical form; of an invalid one, what a username may have.' }),
        available: z.boolean().describe('Whether the caller could have it now; nothing is reserved.'),
        reason: z
          .enum(['taken', 'invalid', 'reserved'])
          .meta({ id: 'HandleRejection', description: 'Why the caller cannot have a username.' })
          .nullable()
          .describe('Null for an available username.'),
        alternatives: z
          .array(z.string())
          .max(3)
          .describe('Free usernames with a numeric suffix; none for an available one.'),
      })
      .meta({ id: 'HandleAvailability', description: 'Whether a username is free.' }),
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
      .strictObject({
        displayName: text(2, 80).optional().describe('The name among people in a common Hub.'),
        profileAssetId,
      })
      .refine(hasAnyField, { message: 'Needs at least one field.' })
      .describe('At least one field; what is left out stays.'),
    data: HubProfile,
    status: 200,
    message: 'Hub profile changed.',
    example: { body: { displayName: 'Amara C.' }, data: hubProfile },
  },
];
