import { z } from 'zod';
import { timestamp } from '../values.ts';

/** The first open step of onboarding, null when there is none. */
export const NextStep = z.enum(['profile_basics', 'media', 'phone', 'contacts']).nullable();

/** How far a person has come. */
export const OnboardingStatus = z
  .strictObject({
    profileBasics: z.boolean(),
    mediaCompleted: z.boolean(),
    phoneConfirmed: z.boolean(),
    contactsSynced: z.boolean(),
    contactsSyncedAt: timestamp.nullable(),
    level: z.int().min(1).max(4),
    completed: z.boolean(),
    nextStep: NextStep,
  })
  .meta({ id: 'OnboardingStatus' });
