import { type Json, type Reply, withQuery } from '../../support/client.ts';
import { requestAccept, requestInvite, requestLeave } from '../../support/hubs.ts';
import { requestShareToHubs } from '../../support/posts.ts';
import { castVote, myVote, POSITIONS, type Position, summaryOf } from '../../support/votes.ts';
import { chooserOf, seededRandom } from '../random.ts';
import type { Actor, ManagedHub, Target, World } from './world.ts';

export type Action =
  | 'vote'
  | 'invite'
  | 'join'
  | 'leave'
  | 'share'
  | 'delete'
  | 'summary'
  | 'my vote'
  | 'read';

/** A call before its answer. */
export interface CallRequest {
  readonly action: Action;
  readonly callerId: string;
  readonly postId?: string;
  readonly hubIds?: readonly string[];
  readonly position?: Position;
}

/** A span in logical time: the count of earlier calls and answers. */
export interface Window {
  readonly sentAt: number;
  readonly answeredAt: number;
}

/** A call with its outcome. */
export interface Call extends CallRequest, Window {
  /**
   * `done`, an error code, `unavailable` (503) or `broken` (connection lost). After the last two the write may still
   * commit before the outage ends.
   */
  readonly outcome: string;
  readonly data?: Json;
}

/** Returns whether the effect of a call is unknown. */
export function isLost({ outcome }: Call): boolean {
  return outcome === 'unavailable' || outcome === 'broken';
}

/** Sends a request and records its outcome. */
export type Recorder = (request: CallRequest, send: () => Promise<Reply>) => Promise<Call>;

const WEIGHTS = { vote: 44, join: 10, leave: 9, share: 12, delete: 3, summary: 7, 'my vote': 5, read: 10 };
/** The share of calls that are likely allowed, and of votes with one tap. */
const LIKELY = 0.8;
type Choice = keyof typeof WEIGHTS;
const OF_READY = (Object.keys(WEIGHTS) as Choice[]).flatMap((choice) =>
  Array<Choice>(WEIGHTS[choice]).fill(choice),
);
const OF_REGISTERED = OF_READY.filter((choice) => !['join', 'leave', 'share', 'delete'].includes(choice));

/** Returns a function that sends the next random call of one device. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one list reads best as a whole.
export function deviceOf(
  { managedHubs, targets }: World,
  { person, isReady, joinedHubs }: Actor,
  seed: number,
  record: Recorder,
): () => Promise<Call> {
  const random = seededRandom(seed);
  const any = chooserOf(random);
  const callerId = person.id;
  const mostly = <Item>(items: readonly Item[], fits: (item: Item) => boolean): Item => {
    const [fitting, isLikely] = [items.filter(fits), random() < LIKELY];
    return any(isLikely && fitting.length > 0 ? fitting : items);
  };
  const isJoined = ({ hub }: ManagedHub) => joinedHubs.has(hub);
  const read = () => {
    const path = any(readsOf(any(targets).id, any(managedHubs).hub.id));
    return record({ action: 'read', callerId }, () => person.get(path));
  };
  let resend: (() => Promise<Call>) | undefined;
  const vote = async (post: Target, ...taps: Position[]): Promise<Call> => {
    const [call, ...others] = await Promise.all(
      taps.map((position) =>
        record({ action: 'vote', callerId, postId: post.id, position }, () =>
          castVote(person, post, position),
        ),
      ),
    );
    if (call === undefined) throw new Error('There is no tap.');
    const lost = [call, ...others].find(isLost);
    resend = lost && (() => vote(post, ...taps));
    return lost ?? call;
  };
  const calls: Record<Choice, () => Promise<Call>> = {
    vote: () => {
      const post = mostly(targets, ({ isPrivate }) => !isPrivate);
      const [one, other, isSingle] = [any(POSITIONS), any(POSITIONS), random() < LIKELY];
      return isSingle ? vote(post, one) : vote(post, one, other);
    },
    join: async () => {
      const { hub, admin } = mostly(managedHubs, (managedHub) => !isJoined(managedHub));
      const hubIds = [hub.id];
      const invited = await record({ action: 'invite', callerId: admin.id, hubIds }, () =>
        requestInvite(admin, hub, person.phoneNumber),
      );
      if (invited.outcome !== 'done') return invited;
      const joined = await record({ action: 'join', callerId, hubIds }, () =>
        requestAccept(person, invited.data.items[0]),
      );
      if (joined.outcome === 'done') joinedHubs.add(hub);
      return joined;
    },
    leave: async () => {
      const { hub } = mostly(managedHubs, isJoined);
      const left = await record({ action: 'leave', callerId, hubIds: [hub.id] }, () =>
        requestLeave(person, hub),
      );
      if (left.outcome === 'done') joinedHubs.delete(hub);
      return left;
    },
    share: () => {
      const post = mostly(targets, ({ isPrivate }) => !isPrivate);
      const [one, other, isOne] = [
        mostly(managedHubs, isJoined),
        mostly(managedHubs, isJoined),
        random() < LIKELY,
      ];
      const hubs = isOne || one === other ? [one.hub] : [one.hub, other.hub];
      const hubIds = hubs.map(({ id }) => id);
      return record({ action: 'share', callerId, postId: post.id, hubIds }, () =>
        requestShareToHubs(person, post, hubs),
      );
    },
    delete: () => {
      const own = targets.filter(({ author, isDeletable }) => isDeletable && author.id === callerId);
      if (own.length === 0) return read();
      const { id: postId } = any(own);
      return record({ action: 'delete', callerId, postId }, () => person.delete(`/posts/${postId}`));
    },
    summary: () => {
      const post = any(targets.filter(({ isPrivate }) => !isPrivate));
      return record({ action: 'summary', callerId, postId: post.id }, () => summaryOf(person, post));
    },
    'my vote': () => {
      const post = any(targets);
      return record({ action: 'my vote', callerId, postId: post.id }, () => myVote(person, post));
    },
    read,
  };
  // After a lost vote the app sends it again.
  return () => resend?.() ?? calls[any(isReady ? OF_READY : OF_REGISTERED)]();
}

function readsOf(postId: string, hubId: string): string[] {
  return [
    `/posts/${postId}`,
    `/posts/${postId}/vote/hubs`,
    withQuery(`/posts/${postId}/vote/distribution`, { hubId }),
    withQuery('/posts', { limit: 5 }),
    withQuery(`/hubs/${hubId}/feed`, { limit: 5 }),
  ];
}

/** Returns the outcome of a request. @throws Error if the answer is malformed */
export async function outcomeOf(send: () => Promise<Reply>): Promise<Pick<Call, 'outcome' | 'data'>> {
  try {
    const { status, data, error } = await send();
    if (status < 300) return { outcome: 'done', data };
    return { outcome: status === 503 ? 'unavailable' : error.code };
  } catch (error) {
    // fetch throws a TypeError when the connection is refused or breaks.
    if (error instanceof TypeError) return { outcome: 'broken' };
    throw error;
  }
}
