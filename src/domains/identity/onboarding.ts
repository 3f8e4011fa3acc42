import { z } from 'zod';
import { normalizePhone } from '../../auth/phones.ts';
import { handle, text } from '../../contract/values.ts';
import type { Call, Operation } from '../../http/operation.ts';
import { AT, author, status } from '../examples.ts';
import {
  ContactPermission,
  ContactSnapshot,
  NewContacts,
  NextStep,
  OnboardingStatus,
  OnboardingStatusWithSnapshot,
} from './schemas.ts';

const UPLOAD_ID = '01900000-0000-7000-8000-0000000000d1';
const readyStatus = {
  ...status,
  contactsSynced: true,
  contactsSyncedAt: AT,
  level: 4,
  completed: true,
  nextStep: null,
};

/** Onboarding (docs/product.md O1-O3, O5-O7). */
export const onboarding: readonly Operation[] = [
  {
    id: 'get_onboarding_status',
    method: 'get',
    path: '/users/me/onboarding/status',
    tag: 'Onboarding',
    summary: 'Get the onboarding status',
    auth: 'required',
    level: 1,
    data: OnboardingStatusWithSnapshot,
    status: 200,
    message: 'Onboarding status.',
    example: { data: { ...status, snapshot: null } },
  },
  {
    id: 'save_profile_basics',
    method: 'put',
    path: '/users/me/onboarding/profile-basics',
    tag: 'Onboarding',
    summary: 'Save name, username and consent to the terms',
    description:
      'Makes an anonymous user registered (level 2). `termsVersion` is the version that the user has read; only the current version is valid.',
    auth: 'required',
    level: 1,
    body: z
      .strictObject({
        fullName: text(2, 80).describe('The public name.'),
        username: handle.describe('Without `@`; a taken one is 409, a reserved one 422.'),
        termsAccepted: z.literal(true).describe('The consent to the terms; only true is accepted.'),
        termsVersion: text(1, 40)
          .optional()
          .describe('The version that the user has read; any but the current one is refused.'),
      })
      .describe('Name, username and consent to the terms.'),
    data: z
      .strictObject({ nextStep: NextStep, status: OnboardingStatus })
      .meta({ id: 'ProfileBasicsResult', description: 'The onboarding status after the profile basics.' }),
    status: 200,
    message: 'Profile basics saved.',
    errors: ['HANDLE_TAKEN'],
    example: {
      body: { fullName: author.name, username: author.username, termsAccepted: true },
      data: { nextStep: 'contacts', status },
    },
    fromConfig: (config) => ({ currentTermsVersion: config.TERMS_VERSION }),
  },
  {
    id: 'sync_contacts',
    method: 'put',
    path: '/users/me/onboarding/contacts',
    tag: 'Onboarding',
    summary: 'Acknowledge access to the contacts',
    description:
      'Makes a phone-confirmed user Hub-ready (level 4) for good. The upload of the contacts may follow at any time.',
    auth: 'required',
    level: 3,
    body: z
      .strictObject({
        permission: ContactPermission,
        contactCount: z
          .int()
          .min(0)
          .max(1_000_000)
          .optional()
          .meta({ description: 'The number of contacts on the device.' }),
      })
      .describe('The access to contacts that the person gave the app.'),
    data: z.strictObject({ status: OnboardingStatus, snapshot: ContactSnapshot }).meta({
      id: 'SyncedContacts',
      description: 'The onboarding status and the contact snapshot to upload.',
    }),
    status: 200,
    message: 'Contacts acknowledged.',
    example: {
      body: { permission: 'granted', contactCount: 210 },
      data: { status: readyStatus, snapshot: { uploadId: UPLOAD_ID, state: 'pending' } },
    },
  },
  {
    id: 'store_contacts',
    method: 'put',
    path: '/users/me/contact-sync/uploads/{uploadId}',
    tag: 'Onboarding',
    summary: 'Upload the contacts, once',
    description:
      'At most 5,000 contacts. Only their owner can read them. Numbers that nobody can have are left out and counted as `skippedCount`; without any other number the answer is 422.',
    auth: 'required',
    level: 1,
    params: { uploadId: 'VALIDATION_FAILED' },
    body: z.strictObject({ contacts: NewContacts }).describe('The contacts of the device.'),
    bodyLimit: 4 * 1024 * 1024,
    data: ContactSnapshot.extend({
      contactCount: z.int().nonnegative().describe('Stored contacts, those without a number included.'),
      skippedCount: z.int().nonnegative().meta({ description: 'Phone numbers that were left out.' }),
    }).meta({ id: 'StoredContactSnapshot', description: 'An uploaded contact snapshot.' }),
    status: 200,
    message: 'Contacts stored.',
    errors: ['UPLOAD_NOT_FOUND', 'CONTACT_SNAPSHOT_CONFLICT'],
    example: {
      body: { contacts: [{ name: 'Jonas', phoneNumbers: ['+12025550104'] }] },
      data: { uploadId: UPLOAD_ID, state: 'stored', contactCount: 1, skippedCount: 0 },
    },
    handle: storeContacts,
  },
];

const SnapshotArgs = z.looseObject({
  contacts: z.array(z.looseObject({ phoneNumbers: z.array(z.string()) })),
});

/** Stores contacts with their numbers in E.164 form. Postgres leaves out those that have none. */
async function storeContacts({ args, run }: Call): Promise<unknown> {
  const { contacts, ...rest } = SnapshotArgs.parse(args);
  const normalized = contacts.map(({ phoneNumbers, ...contact }) => ({
    ...contact,
    phoneNumbers: phoneNumbers.map(normalizePhone),
  }));
  return run({ ...rest, contacts: normalized });
}
