import { decodeJwt } from 'jose';
import { granted, NOBODY } from '../../support/graph.ts';
import { tokenIn } from '../../support/hubs.ts';
import type { Person } from '../../support/people.ts';
import { aPng } from '../../support/pictures.ts';
import { aPresigned } from '../../support/uploads.ts';
import { type Caller, ELSEWHERE } from './secret-hub-callers.ts';
import { aWord, type People } from './secret-hub-people.ts';
import type { Things } from './secret-hub-things.ts';

/** Something that can stand where an id is asked for. */
export interface Candidate {
  readonly what: string;
  readonly value: string | readonly string[];
  /** To whom it is nothing else than an id of nobody: non-members, within Hubs or anywhere; or it is public. */
  readonly hidden: 'no' | 'in hubs' | 'yes';
  readonly of: readonly string[];
  /** Whether members of the other Hub know it there. */
  readonly isElsewhere: boolean;
}

/** What can stand for a parameter or a field, by its name. */
export type Slots = Readonly<Record<string, (caller: Caller) => Candidate[]>>;

/** What is called like this is nobody's. */
export const NOBODYS = 'what is nobody’s';
export const THE_HUB = 'the Hub';
export const ELSEWHERE_HUB = 'the other Hub';

const nobodys: Candidate = { what: NOBODYS, value: NOBODY.id, hidden: 'no', of: [], isElsewhere: false };

export async function candidatesOf(people: People, things: Things): Promise<Slots> {
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
  const hubs = ({ elsewhere }: Caller) => [open(THE_HUB, things.hub.id), open(ELSEWHERE_HUB, elsewhere.id)];
  const users = ({ id }: Caller) => [
    within('Amara', amara.person.id),
    { ...within('Chidi', chidi.person.id), isElsewhere: true },
    within('Dara', dara.person.id),
    ...(id === undefined ? [] : [{ ...within('themself', id), isElsewhere: true }]),
    nobodys,
  ];
  const discussions = ({ elsewhere }: Caller) => [
    hidden('the discussion', things.discussion.id),
    ...things.otherDiscussions.slice(0, 1).map(({ id }) => hidden('the discussion of the shared post', id)),
    ...things.nextDoor
      .filter(({ hubId }) => hubId === elsewhere.id)
      .map(({ id }) => ({ ...hidden('a discussion elsewhere', id), isElsewhere: true })),
    nobodys,
  ];
  const messages = [hidden('a message', things.root.id), hidden('a reply', things.reply.id), nobodys];
  const comments = [open('a comment', things.comment.id), nobodys];
  const assets = [
    hidden('the picture of the locked post', things.picture),
    hidden('the picture of a message', things.messagePicture),
    hidden('the Hub photo of Dara', dara.photo),
    nobodys,
  ];
  const uploads = [
    hidden('the contacts of Amara', await contactsOf(amara.person)),
    hidden('an upload of Dara', (await aPresigned(dara.person, await aPng())).uploadId),
    nobodys,
  ];
  const always = (candidates: Candidate[]) => () => candidates;
  return {
    hubId: (caller) => [...hubs(caller), nobodys],
    hubIds: (caller) => list([...hubs(caller), nobodys]),
    userId: users,
    username: always([open('Amara', amara.person.username), open('Dara', dara.person.username)]),
    postId: always([
      hidden('the locked post', things.locked.id),
      hidden('the shared post', things.shared.id, ...ELSEWHERE),
      hidden('the post of the former', things.ofFormer.id, 'a former'),
      hidden('the repost', things.repost.id),
      hidden('the post shared onward', things.onward.id, ...ELSEWHERE),
      open('the open post', things.open.id),
      open('a post from outside', things.outdoors.id),
      nobodys,
    ]),
    commentId: always(comments),
    parentCommentId: always(comments),
    discussionId: discussions,
    parentMessageId: always(messages),
    messageId: always(messages),
    sessionId: always([hidden('the session of Amara', sessionOf(amara.person)), nobodys]),
    assetId: always(assets),
    assetIds: always(list(assets)),
    profileAssetId: always(assets),
    uploadId: always(uploads),
    invitationId: always([
      hidden('the invitation of the invited', things.invitation.id, 'an invited'),
      hidden('an invitation', things.otherInvitation.id),
      nobodys,
    ]),
    notificationId: always([hidden('a notification of Amara', things.notification.id), nobodys]),
    inviteLinkId: always([hidden('the link', things.link.id), nobodys]),
    requestId: always([
      hidden('the join request of the pending', things.pending.id),
      hidden('the join request of the rejected', things.rejected.id),
      hidden('a join request', things.request.id),
      nobodys,
    ]),
    token: always([
      open('the token of the link', things.link.token),
      open('the token of the invitation', tokenIn(things.invitation.inviteUrl)),
      open('the token of the other invitation', tokenIn(things.otherInvitation.inviteUrl)),
      open('no token', 'x'.repeat(43)),
    ]),
    customLink: always([open('the custom link', words.link)]),
    phoneNumbers: always(list([open('the phone of Dara', dara.person.phoneNumber)])),
    q: always([
      open('a word of names', 'Harbour'),
      open('the custom link', words.link),
      hidden('the Hub name of Dara', dara.hubName),
      hidden('the phone of Dara', dara.person.phoneNumber),
      { ...nobodys, value: aWord() },
    ]),
  };
}

function sessionOf({ session }: Person): string {
  return String(decodeJwt(session.accessToken).session_id);
}

/** The upload of the contacts of `person`, which is still to come. */
async function contactsOf(person: Person): Promise<string> {
  const data = await granted(person.put('/users/me/onboarding/contacts', { permission: 'granted' }));
  return data.snapshot.uploadId;
}
