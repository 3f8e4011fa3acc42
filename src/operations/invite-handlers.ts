import { z } from 'zod';
import { type Issue, invalid } from '../contract/errors.ts';
import type { Call } from '../http/handler.ts';
import { normalizePhone } from '../identity/phones.ts';
import type { Services } from '../services.ts';
import { appAddress } from './app-address.ts';
import { notPossible } from './phone-args.ts';

const InvitationArgs = z.looseObject({ phoneNumbers: z.array(z.string()) });
const Invited = z.object({
  hubName: z.string(),
  inviterName: z.string(),
  items: z.array(z.looseObject({ sealedToken: z.string() })),
});

/**
 * Draws a token for each number and makes the addresses. Postgres keeps the tokens' hashes, and in an answer that may be
 * replayed the tokens sealed; the numbers are those of the request and in no answer of Postgres.
 */
export async function createInvitations({ args, services, run }: Call): Promise<unknown> {
  const { phoneNumbers, ...rest } = InvitationArgs.parse(args);
  const phones = distinctPhones(phoneNumbers);
  const invitations = phones.map((phoneNumber) => ({ phoneNumber, ...drawToken(services) }));
  const { hubName, inviterName, items } = Invited.parse(await run({ ...rest, invitations }));
  return {
    items: items.map(({ sealedToken, ...item }, place) => {
      const inviteUrl = addressOf(services, 'invitations', sealedToken).url;
      const shareText = `${inviterName} invites you to “${hubName}” on Opine: ${inviteUrl}`;
      return { ...item, phoneNumber: phones[place], inviteUrl, shareText };
    }),
  };
}

const Link = z.looseObject({ sealedToken: z.string() });

/** Draws the link's token; Postgres keeps its hash, and in an answer that may be replayed the token sealed. */
export async function createInviteLink({ args, services, run }: Call): Promise<unknown> {
  const { sealedToken, ...link } = Link.parse(await run({ ...args, ...drawToken(services) }));
  return { ...link, ...addressOf(services, 'join', sealedToken) };
}

const TokenArgs = z.looseObject({ token: z.string() });

/** Postgres knows a token by its hash. */
export async function byTokenHash({ args, services: { secrets }, run }: Call): Promise<unknown> {
  const { token, ...rest } = TokenArgs.parse(args);
  return run({ ...rest, tokenHash: secrets.fingerprint(token) });
}

function drawToken({ secrets }: Services): { tokenHash: string; sealedToken: string } {
  const token = secrets.newToken();
  return { tokenHash: secrets.fingerprint(token), sealedToken: secrets.sealInviteToken(token) };
}

function addressOf(services: Services, place: string, sealedToken: string): { token: string; url: string } {
  const token = services.secrets.openInviteToken(sealedToken);
  return { token, url: appAddress(services, `${place}/${token}`) };
}

/** The numbers in E.164 form, each once. @throws ApiError VALIDATION_FAILED where one is no possible number */
function distinctPhones(phoneNumbers: readonly string[]): string[] {
  const issues: Issue[] = [];
  const phones = new Set<string>();
  phoneNumbers.forEach((given, place) => {
    const phone = normalizePhone(given);
    if (phone === null) issues.push(notPossible(['phoneNumbers', place]));
    else phones.add(phone);
  });
  if (issues.length > 0) throw invalid(...issues);
  return [...phones];
}
