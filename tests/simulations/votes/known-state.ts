import type { History, Outage } from './fault-injection.ts';
import { type Call, isLost, type Window } from './requests.ts';
import type { SimulationResult } from './simulation.ts';
import type { Target } from './world.ts';

/** Whether a condition may hold at some moment of a window, and whether it must hold throughout. */
export interface Possibility {
  readonly may: boolean;
  readonly must: boolean;
}

/** The state that a concurrent caller may observe, derived from all answers. */
export interface View {
  target(postId: string | undefined): Target;
  isMember(userId: string, hubId: string, window: Window): Possibility;
  sees(userId: string, postId: string, window: Window): Possibility;
  /** Whether the post is in the Hub and the user a member of it. */
  isIn(userId: string, postId: string, hubId: string, window: Window): Possibility;
  /** Whether the above holds for any Hub. */
  isInAny(userId: string, postId: string, window: Window): Possibility;
  /** Votes on a post that were not refused. */
  tries(postId: string | undefined): readonly Call[];
}

export function viewOf({ world, history, commitsBefore }: SimulationResult): View {
  const { calls } = history;
  const began = new Set(
    commitsBefore.transitions.map(
      ({ kind, userId, postId, hubId }) => `${kind} ${userId ?? postId} ${hubId}`,
    ),
  );
  const targets = new Map(world.targets.map((target) => [target.id, target]));
  const target: View['target'] = (postId) => {
    const found = targets.get(String(postId));
    if (found === undefined) throw new Error(`There is no post ${postId}.`);
    return found;
  };
  const isMember: View['isMember'] = (userId, hubId, window) => {
    const own = calls.filter((call) => call.callerId === userId && call.hubIds?.includes(hubId));
    return possibilityOf(
      findable(changesBy(history, own, 'join', 'leave'), began.has(`joined ${userId} ${hubId}`), window),
    );
  };
  const isPlaced = (postId: string, hubId: string, window: Window): Possibility => {
    const shares = calls.filter((call) => call.postId === postId && call.hubIds?.includes(hubId));
    return possibilityOf(
      findable(changesBy(history, shares, 'share'), began.has(`placed ${postId} ${hubId}`), window),
    );
  };
  const isIn: View['isIn'] = (userId, postId, hubId, window) =>
    both(isMember(userId, hubId, window), isPlaced(postId, hubId, window));
  const isInAny: View['isInAny'] = (userId, postId, window) => {
    const possibilities = world.managedHubs.map(({ hub }) => isIn(userId, postId, hub.id, window));
    return { may: possibilities.some(({ may }) => may), must: possibilities.some(({ must }) => must) };
  };
  const isThere = (postId: string, window: Window): Possibility => {
    const ofPost = calls.filter((call) => call.postId === postId);
    const isGone = possibilityOf(findable(changesBy(history, ofPost, 'delete'), false, window));
    return { may: !isGone.must, must: !isGone.may };
  };
  const sees: View['sees'] = (userId, postId, window) => {
    const { isPrivate, author } = target(postId);
    const isOpen = !isPrivate || author.id === userId;
    const reaches = isOpen ? { may: true, must: true } : isInAny(userId, postId, window);
    return both(isThere(postId, window), reaches);
  };
  const tries: View['tries'] = (postId) =>
    calls.filter(
      (call) => call.action === 'vote' && call.postId === postId && (call.outcome === 'done' || isLost(call)),
    );
  return { target, isMember, sees, isIn, isInAny, tries };
}

function possibilityOf(found: Findable): Possibility {
  return { may: found.has(true), must: !found.has(false) };
}

function both(one: Possibility, other: Possibility): Possibility {
  return { may: one.may && other.may, must: one.must && other.must };
}

/** The states that a read within a window may return. */
export type Findable = ReadonlySet<boolean>;

/** A membership, share or deletion that begins or ends. */
interface Change extends Window {
  readonly to: boolean;
  readonly isCertain: boolean;
}

export function overlap(one: Window, other: Window): boolean {
  return one.sentAt < other.answeredAt && one.answeredAt > other.sentAt;
}

/** What is down when a call is lost. */
export const CAUSES = { unavailable: 'Postgres', broken: 'the service' } as const;

/** Returns the changes by calls of `action`, and by its opposite; refusals change nothing. */
function changesBy(
  { outages }: Pick<History, 'outages'>,
  calls: readonly Call[],
  action: Call['action'],
  opposite?: Call['action'],
): Change[] {
  return calls
    .filter((call) => call.action === action || call.action === opposite)
    .filter((call) => call.outcome === 'done' || isLost(call))
    .map((call) => ({
      to: call.action === action,
      isCertain: !isLost(call),
      sentAt: call.sentAt,
      answeredAt: isLost(call) ? endOf(call, outages) : call.answeredAt,
    }));
}

function endOf(call: Call, outages: readonly Outage[]): number {
  return Math.max(...outages.filter((outage) => overlap(call, outage)).map(({ answeredAt }) => answeredAt));
}

/** Returns the states that a read within `window` may return. */
function findable(changes: readonly Change[], initially: boolean, window: Window): Findable {
  const settled = changes.filter(({ isCertain, answeredAt }) => isCertain && answeredAt < window.sentAt);
  const isOutdated = (change: Change) => settled.some(({ sentAt }) => sentAt > change.answeredAt);
  const recent = changes.filter((change) => change.sentAt < window.answeredAt && !isOutdated(change));
  return new Set([...(settled.length === 0 ? [initially] : []), ...recent.map(({ to }) => to)]);
}
