import { sql } from 'kysely';
import type { Json } from '../../support/client.ts';
import { type OpineWithStaff, startOpineWithStaff } from '../../support/decisions.ts';
import { type ApiDocument, readDocument } from '../../support/document.ts';
import { block } from '../../support/graph.ts';
import { aHub, aHubPost, aMessage, discussionOf } from '../../support/hubs.ts';
import {
  anonymousPerson,
  confirmedPerson,
  hubReadyPerson,
  type Person,
  registeredPerson,
} from '../../support/people.ts';
import { aComment, aThought } from '../../support/posts.ts';
import { aDeadLetter, aStaffMember } from '../../support/staff.ts';
import { type Caller, callerOf } from '../leaks/callers.ts';
import { uniqueWord } from '../leaks/people.ts';
import type { Secret } from '../leaks/secrets.ts';
import { createSecretHub, type SecretHub } from '../leaks/world.ts';
import type { Known } from './requests.ts';

/** The callers of the fuzz. Staff comes last, because it suspends people and removes posts. */
export const CALLERS = [
  'a guest',
  'an anonymous user',
  'a registered user',
  'a Hub-ready user',
  'staff',
] as const;

export type CallerName = (typeof CALLERS)[number];

/** A caller with the values that its requests may hold. */
export interface FuzzCaller {
  readonly name: CallerName;
  /** The headers that identify the caller. */
  readonly headers: Readonly<Record<string, string>>;
  readonly known: Known;
  /** What no answer may show to the caller, nor to a guest. */
  readonly secrets: readonly Secret[];
  /** What somebody wrote who blocks the caller. */
  readonly hiddenByBlock: readonly Secret[];
}

/** A Hub full of secrets, and somebody who blocks every caller with a name. */
export interface FuzzWorld {
  readonly opine: OpineWithStaff;
  readonly document: ApiDocument;
  readonly secretHub: SecretHub;
  readonly blocker: Person;
  readonly secretsOfBlocker: readonly Secret[];
  /** Ids that no candidate of the Hub has. */
  readonly others: Known;
}

export async function startFuzzWorld(): Promise<FuzzWorld> {
  const opine = await startOpineWithStaff();
  const [document, secretHub] = [await readDocument(opine.url), await createSecretHub(opine)];
  const [name, said, commented] = [uniqueWord(), uniqueWord(), uniqueWord()];
  const blocker = await confirmedPerson(opine, name);
  const post = await aThought(blocker, said);
  const comment = await aComment(blocker, post, commented);
  const followed = await confirmedPerson(opine);
  const deadLetter = await aDeadLetter(opine, blocker, followed);
  const secret = (what: string, text: string): Secret => ({ kind: 'content', what, text, of: [] });
  return {
    opine,
    document,
    secretHub,
    blocker,
    secretsOfBlocker: [
      secret('the name of somebody who blocks the caller', name),
      secret('the post of somebody who blocks the caller', said),
      secret('the comment of somebody who blocks the caller', commented),
      secret('the phone of somebody who blocks the caller', blocker.phoneNumber.slice(1)),
    ],
    others: {
      userId: [blocker.id],
      postId: [post.id],
      commentId: [comment.id],
      parentCommentId: [comment.id],
      username: [blocker.username],
      deadLetterId: [deadLetter],
      reportId: await reportIds(opine),
      cursor: await cursorsOf(opine.url, secretHub.admin),
    },
  };
}

async function reportIds({ database }: OpineWithStaff): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from app.reports order by id limit 3`.execute(
    database.superuser,
  );
  return rows.map(({ id }) => id);
}

/** Returns cursors of an admin's lists. */
async function cursorsOf(url: string, { accessToken, id, elsewhere }: Caller): Promise<string[]> {
  const paths = [
    '/posts?',
    '/posts?sort=trending&',
    `/users/${id}/feed?`,
    `/users/${id}/followers?`,
    '/notifications?',
    '/users/me/hubs?',
    '/search/users?q=a&',
    '/search/hubs?q=a&',
    '/search/posts?q=do&',
    `/hubs/${elsewhere.id}/members?`,
  ];
  const answers = paths.map(async (path) => {
    const headers = { authorization: `Bearer ${accessToken}` };
    const { data } = await (await fetch(`${url}/api/v1${path}limit=1`, { headers })).json();
    return data?.nextCursor ?? [];
  });
  return (await Promise.all(answers)).flat();
}

let staffCount = 0;

/** Creates a caller without a history, because requests of the fuzz may end its session. */
export async function createCaller(world: FuzzWorld, name: CallerName): Promise<FuzzCaller> {
  const nobody = {
    name,
    headers: {},
    known: knownTo(world, null, {}),
    secrets: secretsFor(world.secretHub, name),
    hiddenByBlock: [],
  };
  if (name === 'a guest') return nobody;
  if (name === 'staff') {
    staffCount += 1;
    const { cookie } = await aStaffMember(world.opine, 'admin', `fuzz-${staffCount}`);
    return { ...nobody, headers: { cookie } };
  }
  const person = await CREATE[name](world.opine);
  const own = name === 'a Hub-ready user' ? await createHub(person) : {};
  const caller = callerOf(name, 0, person, { id: own.hubId?.[0] ?? world.secretHub.hub.id });
  // Nobody sees an anonymous user to block.
  const isBlocked = name !== 'an anonymous user';
  if (isBlocked) await block(world.blocker, person);
  return {
    ...nobody,
    headers: { authorization: `Bearer ${person.session.accessToken}` },
    known: knownTo(world, caller, own),
    hiddenByBlock: isBlocked ? world.secretsOfBlocker : [],
  };
}

const CREATE = {
  'an anonymous user': anonymousPerson,
  'a registered user': registeredPerson,
  'a Hub-ready user': hubReadyPerson,
};

/** Creates a Hub of a caller's own, so that its operations are not refused. */
async function createHub(person: Person): Promise<Record<string, Json[]>> {
  const hub = await aHub(person, { name: 'Fuzz' });
  const post = await aHubPost(person, [hub], { visibility: 'public_hub', sliderText: 'So?' });
  const discussion = await discussionOf(person, hub, post);
  const message = await aMessage(person, discussion);
  const comment = await aComment(person, post);
  return {
    hubId: [hub.id],
    hubIds: [[hub.id]],
    postId: [post.id],
    discussionId: [discussion.id],
    messageId: [message.id],
    parentMessageId: [message.id],
    commentId: [comment.id],
    parentCommentId: [comment.id],
    userId: [person.id],
  };
}

/** Returns the values of others, and as often those of the caller. */
function knownTo(
  { secretHub, others }: FuzzWorld,
  caller: Caller | null,
  own: Record<string, Json[]>,
): Known {
  const asker = caller ?? { ...secretHub.admin, elsewhere: secretHub.hub };
  const candidates = Object.entries(secretHub.candidates).map(
    ([name, valuesFor]) => [name, valuesFor(asker).map(({ value }) => value)] as const,
  );
  const known: Record<string, Json[]> = Object.fromEntries(candidates);
  for (const [name, values] of Object.entries(others)) known[name] = [...(known[name] ?? []), ...values];
  for (const [name, values] of Object.entries(own)) {
    const count = known[name]?.length ?? 1;
    known[name] = [...(known[name] ?? []), ...Array.from({ length: count }, () => values).flat()];
  }
  return known;
}

/** Secrets that are public beside the Hub. */
const OPEN = /^(who else asks|the id of who else asks|the post that Bela spoke of)/;

function secretsFor({ secrets }: SecretHub, name: CallerName): Secret[] {
  if (name === 'staff') return secrets.filter(({ what }) => /token|phone/.test(what));
  const kinds = ['phone', 'invited number', 'content', 'saved or reported', 'never shown'];
  return secrets.filter(({ kind, what }) => kinds.includes(kind) && !OPEN.test(what));
}
