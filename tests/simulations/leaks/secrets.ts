import { tokenIn } from '../../support/hubs.ts';
import type { Person } from '../../support/people.ts';
import { ELSEWHERE } from './callers.ts';
import { type Contents, HUB_NAME } from './contents.ts';
import type { Masked, People } from './people.ts';

/** The kinds of secrets; leaks.test.ts says who may see which. */
export type Kind =
  | 'the Hub'
  | 'hidden member'
  | 'member of both Hubs'
  | 'phone'
  | 'invited number'
  | 'invitation'
  | 'content'
  | 'saved or reported'
  | 'never shown';

/** A text that must not appear in answers to non-members. */
export interface Secret {
  readonly kind: Kind;
  readonly what: string;
  readonly text: string;
  /** The callers who own it. */
  readonly of: readonly string[];
}

/** Returns the secrets of the Hub. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one list reads best as a whole.
export function secretsOf(people: People, contents: Contents): Secret[] {
  const { words, amara, bela, chidi, dara, host, requester, removed, former, confirmed, ready } = people;
  const secret = (kind: Kind, what: string, text: string, ...of: string[]): Secret => ({
    kind,
    what,
    text,
    of,
  });
  const phone = (what: string, { phoneNumber }: Pick<Person, 'phoneNumber'>, ...of: string[]) =>
    secret('phone', `the phone of ${what}`, phoneNumber.slice(1), ...of);
  const identity = (kind: Kind, what: string, { hubName, photo }: Masked, ...of: string[]) => [
    secret(kind, `the Hub name of ${what}`, hubName, ...of),
    secret(kind, `the Hub photo of ${what}`, photo, ...of),
  ];
  const { discussion, otherDiscussions, root, reply, aside, locked, shared, ofFormer, onward } = contents;
  return [
    secret('the Hub', 'the id of the Hub', contents.hub.id),
    secret('the Hub', 'the name of the Hub', HUB_NAME),
    secret('content', 'the custom link', words.link),
    secret('hidden member', 'who Dara is', words.quiet),
    secret('hidden member', 'the id of Dara', dara.person.id),
    secret('content', 'who else asks to be let in', words.requester),
    secret('content', 'the id of who else asks to be let in', requester.id),
    ...identity('content', 'Amara', amara),
    ...identity('content', 'Bela', bela),
    ...identity('member of both Hubs', 'Chidi', chidi),
    ...identity('content', 'Dara', dara),
    ...identity('content', 'the removed', removed, 'a removed'),
    ...identity('content', 'the former', former, 'a former'),
    phone('Amara', amara.person),
    phone('Bela', bela.person),
    { ...phone('Chidi', chidi.person), kind: 'member of both Hubs' },
    { ...phone('Dara', dara.person), kind: 'invited number' },
    { ...phone('the requester', requester), kind: 'never shown' },
    { ...phone('the host', host, ...ELSEWHERE), kind: 'never shown' },
    phone('an invited number', { phoneNumber: contents.number }),
    phone('a confirmed', confirmed, 'a confirmed'),
    ...Object.entries(ready).map(([name, person]) =>
      phone(name, person, name, ...(ELSEWHERE.includes(name) ? ELSEWHERE : [])),
    ),
    secret('saved or reported', 'the locked post', locked.id),
    secret('content', 'the thought of the locked post', words.lockedThought),
    secret('content', 'the slider of the locked post', words.lockedSlider),
    secret('content', 'the title of the locked post', words.lockedTitle),
    secret('content', 'the text of the locked post', words.lockedText),
    secret('content', 'the picture of the locked post', contents.picture),
    secret('content', 'the shared post', shared.id, ...ELSEWHERE),
    secret('content', 'the thought of the shared post', words.sharedThought, ...ELSEWHERE),
    secret('saved or reported', 'the post of the former', ofFormer.id, 'a former'),
    secret('content', 'the thought of the former', words.formerThought, 'a former'),
    secret('content', 'the post shared onward', onward.id, ...ELSEWHERE),
    secret('content', 'the thought of the post shared onward', words.onwardThought, ...ELSEWHERE),
    secret('content', 'the repost', contents.repost.id),
    secret('content', 'the thought of the repost', words.repostThought),
    secret('content', 'the post that Bela spoke of', contents.mentioned.id),
    secret('never shown', 'what was reported', words.reported, 'a removed', 'a former'),
    ...[discussion, ...otherDiscussions].map(({ id }) => secret('content', 'a discussion', id)),
    ...[root, reply, aside].map(({ id }) => secret('content', 'a message', id)),
    secret('content', 'what a message says', words.root),
    secret('content', 'what a reply says', words.reply),
    secret('content', 'what a message about the shared post says', words.aside),
    secret('content', 'what the former said', words.saidByFormer, 'a former'),
    secret('content', 'what the removed said', words.saidByRemoved, 'a removed'),
    secret('content', 'the picture of a message', contents.messagePicture),
    secret('content', 'what a removed message said', words.removed),
    secret('content', 'the decision about a removed message', contents.decision.id),
    secret('content', 'the statement about a removed message', words.statement),
    secret('invitation', 'the invitation of the invited', contents.invitation.id, 'an invited'),
    secret('invitation', 'the invitation of somebody else', contents.otherInvitation.id),
    secret('content', 'the link', contents.link.id),
    secret('content', 'the join request of the pending', contents.pending.id, 'a pending'),
    secret('content', 'the join request of somebody else', contents.request.id),
    secret('never shown', 'the join request of the rejected', contents.rejected.id, 'a rejected'),
    secret('never shown', 'the token of the link', contents.link.token),
    secret('never shown', 'the token of an invitation', tokenIn(contents.invitation.inviteUrl)),
    secret('never shown', 'the token of the other invitation', tokenIn(contents.otherInvitation.inviteUrl)),
  ];
}
