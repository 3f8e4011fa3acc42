import { z } from 'zod';
import { type Issue, invalid } from '../contract/errors.ts';
import type { Call } from '../http/handler.ts';
import { normalizePhone } from '../identity/phones.ts';
import { notPossible } from './phone-args.ts';

const SnapshotArgs = z.looseObject({
  contacts: z.array(z.looseObject({ phoneNumbers: z.array(z.string()) })),
});

/** Brings the numbers of contacts into E.164 form, each once a contact. */
export async function storeContacts({ args, run }: Call): Promise<unknown> {
  const { contacts, ...rest } = SnapshotArgs.parse(args);
  const issues: Issue[] = [];
  const normalized = contacts.map((contact, index) => {
    const phoneNumbers = contact.phoneNumbers.map((given, place) => {
      const phoneNumber = normalizePhone(given);
      if (phoneNumber === null) issues.push(notPossible(['contacts', index, 'phoneNumbers', place]));
      return phoneNumber;
    });
    return { ...contact, phoneNumbers: [...new Set(phoneNumbers)] };
  });
  if (issues.length > 0) throw invalid(...issues);
  return run({ ...rest, contacts: normalized });
}
