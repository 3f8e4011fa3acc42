import { z } from 'zod';
import { NextStep, OnboardingStatus } from '../contract/models/onboarding.ts';
import { OwnProfile } from '../contract/models/users.ts';
import { handle, text } from '../contract/values.ts';
import type { Route } from '../http/handler.ts';
import { AT, author, status } from './examples.ts';

/** Onboarding (spec.md "B. Onboarding"). */
export const onboarding: readonly Route[] = [
  {
    id: 'get_onboarding_status',
    method: 'get',
    path: '/users/me/onboarding/status',
    tag: 'Onboarding',
    summary: 'How far onboarding has come',
    auth: 'required',
    level: 1,
    data: OnboardingStatus,
    status: 200,
    message: 'Onboarding status.',
    example: { data: status },
  },
  {
    id: 'save_profile_basics',
    method: 'put',
    path: '/users/me/onboarding/profile-basics',
    tag: 'Onboarding',
    summary: 'Save name, username and consent to the terms',
    description: 'Makes an anonymous user a registered one (level 2).',
    auth: 'required',
    level: 1,
    body: z.strictObject({
      fullName: text(2, 80),
      username: handle,
      termsAccepted: z.literal(true),
      termsVersion: text(1, 40).optional(),
    }),
    data: z.strictObject({ nextStep: NextStep, status: OnboardingStatus }),
    status: 200,
    message: 'Profile basics saved.',
    errors: ['HANDLE_TAKEN'],
    example: {
      body: { fullName: author.name, username: author.username, termsAccepted: true },
      data: { nextStep: 'contacts', status },
    },
    handle: ({ args, services, run }) => run({ currentTermsVersion: services.config.TERMS_VERSION, ...args }),
  },
  {
    id: 'complete_media',
    method: 'put',
    path: '/users/me/onboarding/media',
    tag: 'Onboarding',
    summary: 'Complete the media step',
    description: 'Without a photo: profileAssetId is left out or null.',
    auth: 'required',
    level: 2,
    body: z.strictObject({ profileAssetId: z.null().optional() }),
    data: z.strictObject({ nextStep: NextStep, status: OnboardingStatus, profile: OwnProfile }),
    status: 200,
    message: 'Media step completed.',
    example: {
      body: { profileAssetId: null },
      data: {
        nextStep: 'contacts',
        status,
        profile: {
          id: author.id,
          name: author.name,
          fullName: author.name,
          username: author.username,
          bio: null,
          profilePhotoUrl: null,
          isAnonymous: false,
          phoneNumber: '+12025550103',
          level: 3,
          createdAt: AT,
          counts: { followers: 0, following: 0 },
          activity: { posts: 2, reposts: 0, comments: 0, votes: 0 },
          adminHubs: [],
          viewer: { follows: false, followedBy: false, blocking: false, publicPostsMuted: false },
          editable: { fullName: author.name, username: author.username, bio: null, profileAssetId: null },
        },
      },
    },
  },
];
