import { type Act, isLost, type Window } from './chaos-acts.ts';
import type { Aftermath } from './chaos-aftermath.ts';
import type { Target } from './chaos-world.ts';
import { changesBy, type Findable, findable } from './tally-windows.ts';

/** Something that holds at some moment of a window, or throughout. */
export interface Chance {
  readonly may: boolean;
  readonly must: boolean;
}

/** What those who asked can have found, by what they and others were answered. */
export interface View {
  target(postId: string | undefined): Target;
  isMember(userId: string, hubId: string, window: Window): Chance;
  /** Whether somebody sees a post. */
  sees(userId: string, postId: string, window: Window): Chance;
  /** Whether a post is in a Hub, and somebody a member of that. */
  isIn(userId: string, postId: string, hubId: string, window: Window): Chance;
  /** Whether it is in any such Hub. */
  isInAny(userId: string, postId: string, window: Window): Chance;
  /** Everybody's tries to vote on a post, but for what was refused. */
  tries(postId: string | undefined): readonly Act[];
}

export function viewOf({ world, history, initially }: Aftermath): View {
  const { acts } = history;
  const began = new Set(
    initially.moves.map(({ kind, userId, postId, hubId }) => `${kind} ${userId ?? postId} ${hubId}`),
  );
  const targets = new Map(world.targets.map((target) => [target.id, target]));
  const target: View['target'] = (postId) => {
    const found = targets.get(String(postId));
    if (found === undefined) throw new Error(`There is no post ${postId}.`);
    return found;
  };
  const isMember: View['isMember'] = (userId, hubId, window) => {
    const own = acts.filter((act) => act.who === userId && act.hubIds?.includes(hubId));
    return chanceOf(
      findable(changesBy(history, own, 'join', 'leave'), began.has(`joined ${userId} ${hubId}`), window),
    );
  };
  const isPlaced = (postId: string, hubId: string, window: Window): Chance => {
    const shares = acts.filter((act) => act.postId === postId && act.hubIds?.includes(hubId));
    return chanceOf(
      findable(changesBy(history, shares, 'share'), began.has(`placed ${postId} ${hubId}`), window),
    );
  };
  const isIn: View['isIn'] = (userId, postId, hubId, window) =>
    both(isMember(userId, hubId, window), isPlaced(postId, hubId, window));
  const isInAny: View['isInAny'] = (userId, postId, window) => {
    const chances = world.camps.map(({ hub }) => isIn(userId, postId, hub.id, window));
    return { may: chances.some(({ may }) => may), must: chances.some(({ must }) => must) };
  };
  const isThere = (postId: string, window: Window): Chance => {
    const ofPost = acts.filter((act) => act.postId === postId);
    const isGone = chanceOf(findable(changesBy(history, ofPost, 'delete'), false, window));
    return { may: !isGone.must, must: !isGone.may };
  };
  const sees: View['sees'] = (userId, postId, window) => {
    const { isPrivate, author } = target(postId);
    const isOpen = !isPrivate || author.id === userId;
    const reaches = isOpen ? { may: true, must: true } : isInAny(userId, postId, window);
    return both(isThere(postId, window), reaches);
  };
  const tries: View['tries'] = (postId) =>
    acts.filter(
      (act) => act.deed === 'vote' && act.postId === postId && (act.told === 'done' || isLost(act)),
    );
  return { target, isMember, sees, isIn, isInAny, tries };
}

function chanceOf(found: Findable): Chance {
  return { may: found.has(true), must: !found.has(false) };
}

function both(one: Chance, other: Chance): Chance {
  return { may: one.may && other.may, must: one.must && other.must };
}
