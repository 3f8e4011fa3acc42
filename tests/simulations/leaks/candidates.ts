import { decodeJwt } from 'jose';
import { expectOk, NONEXISTENT } from '../../support/client.ts';
import { tokenIn } from '../../support/hubs.ts';
import type { Person } from '../../support/people.ts';
import { aPng } from '../../support/pictures.ts';
import { aPresignedUpload } from '../../support/uploads.ts';
import { type Caller, ELSEWHERE } from './callers.ts';
import type { Contents } from './contents.ts';
import { type People, uniqueWord } from './people.ts';

/** A value for an id parameter. */
export interface Candidate {
  readonly what: string;
  readonly value: string | readonly string[];
  /** Where a non-member must not tell it from a nonexistent id. */
  readonly hidden: 'no' | 'in hubs' | 'yes';
  /** The callers who own it. */
  readonly of: readonly string[];
  /** Whether members of the other Hub may see it there. */
  readonly isElsewhere: boolean;
}

/** The candidates of each parameter and field. */
export type Slots = Readonly<Record<string, (caller: Caller) => Candidate[]>>;

export const NONEXISTENT_ITEM = 'a nonexistent item';
export const THE_HUB = 'the Hub';
export const ELSEWHERE_HUB = 'the other Hub';

const nonexistent: Candidate = {
  what: NONEXISTENT_ITEM,
  value: NONEXISTENT.id,
  hidden: 'no',
  of: [],
  isElsewhere: false,
};

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one list reads best as a whole.
export async function candidatesOf(people: People, contents: Contents): Promise<Slots> {
  const { words, amara, chidi, dara } = people;
  const candidate =
    (hidden: Candidate['hidden']) =>
    (what: string, value: Candidate['value'], ...of: string[]): Candidate => ({
      what,
      value,
      hidden,
      of,
      isElsewhere: false,
    });
  const [open, within, hidden] = [candidate('no'), candidate('in hubs'), candidate('yes')];
  const list = (candidates: readonly Candidate[]): Candidate[] =>
    candidates.map((one) => ({ ...one, value: [one.value].flat() }));
  const hubs = ({ elsewhere }: Caller) => [open(THE_HUB, contents.hub.id), open(ELSEWHERE_HUB, elsewhere.id)];
  const users = ({ id }: Caller) => [
    within('Amara', amara.person.id),
    { ...within('Chidi', chidi.person.id), isElsewhere: true },
    within('Dara', dara.person.id),
    ...(id === undefined ? [] : [{ ...within('themself', id), isElsewhere: true }]),
    nonexistent,
  ];
  const discussions = ({ elsewhere }: Caller) => [
    hidden('the discussion', contents.discussion.id),
    ...contents.otherDiscussions.slice(0, 1).map(({ id }) => hidden('the discussion of the shared post', id)),
    ...contents.nextDoor
      .filter(({ hubId }) => hubId === elsewhere.id)
      .map(({ id }) => ({ ...hidden('a discussion elsewhere', id), isElsewhere: true })),
    nonexistent,
  ];
  const messages = [hidden('a message', contents.root.id), hidden('a reply', contents.reply.id), nonexistent];
  const comments = [open('a comment', contents.comment.id), nonexistent];
  const assets = [
    hidden('the picture of the locked post', contents.picture),
    hidden('the picture of a message', contents.messagePicture),
    hidden('the Hub photo of Dara', dara.photo),
    nonexistent,
  ];
  const uploads = [
    hidden('the contacts of Amara', await contactsOf(amara.person)),
    hidden('an upload of Dara', (await aPresignedUpload(dara.person, await aPng())).uploadId),
    nonexistent,
  ];
  const always = (candidates: Candidate[]) => () => candidates;
  return {
    hubId: (caller) => [...hubs(caller), nonexistent],
    hubIds: (caller) => list([...hubs(caller), nonexistent]),
    userId: users,
    username: always([open('Amara', amara.person.username), open('Dara', dara.person.username)]),
    postId: always([
      hidden('the locked post', contents.locked.id),
      hidden('the shared post', contents.shared.id, ...ELSEWHERE),
      hidden('the post of the former', contents.ofFormer.id, 'a former'),
      hidden('the repost', contents.repost.id),
      hidden('the post shared onward', contents.onward.id, ...ELSEWHERE),
      open('the open post', contents.open.id),
      open('a post from outside', contents.outdoors.id),
      nonexistent,
    ]),
    commentId: always(comments),
    parentCommentId: always(comments),
    discussionId: discussions,
    parentMessageId: always(messages),
    messageId: always(messages),
    sessionId: always([hidden('the session of Amara', sessionOf(amara.person)), nonexistent]),
    assetId: always(assets),
    assetIds: always(list(assets)),
    profileAssetId: always(assets),
    uploadId: always(uploads),
    invitationId: always([
      hidden('the invitation of the invited', contents.invitation.id, 'an invited'),
      hidden('an invitation', contents.otherInvitation.id),
      nonexistent,
    ]),
    notificationId: always([hidden('a notification of Amara', contents.notification.id), nonexistent]),
    decisionId: always([hidden('the decision about a message', contents.decision.id), nonexistent]),
    inviteLinkId: always([hidden('the link', contents.link.id), nonexistent]),
    requestId: always([
      hidden('the join request of the pending', contents.pending.id, 'a pending'),
      hidden('the join request of the rejected', contents.rejected.id, 'a rejected'),
      hidden('a join request', contents.request.id),
      nonexistent,
    ]),
    token: always([
      open('the token of the link', contents.link.token),
      open('the token of the invitation', tokenIn(contents.invitation.inviteUrl)),
      open('the token of the other invitation', tokenIn(contents.otherInvitation.inviteUrl)),
      open('no token', 'x'.repeat(43)),
    ]),
    customLink: always([open('the custom link', words.link)]),
    phoneNumbers: always(list([open('the phone of Dara', dara.person.phoneNumber)])),
    q: always([
      open('a word of names', 'Harbour'),
      open('the custom link', words.link),
      hidden('the Hub name of Dara', dara.hubName),
      hidden('the phone of Dara', dara.person.phoneNumber),
      { ...nonexistent, value: uniqueWord() },
    ]),
  };
}

function sessionOf({ session }: Person): string {
  return String(decodeJwt(session.accessToken).session_id);
}

/** Begins a contact upload and returns its id. */
async function contactsOf(person: Person): Promise<string> {
  const data = await expectOk(person.put('/users/me/onboarding/contacts', { permission: 'granted' }));
  return data.snapshot.uploadId;
}
