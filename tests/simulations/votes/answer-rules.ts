import { CAUSES, overlap, type View, viewOf } from './known-state.ts';
import { type Call, isLost } from './requests.ts';
import type { SimulationResult } from './simulation.ts';

type Explanation = (call: Call, view: View) => boolean;

const always: Explanation = () => true;
const isSeen: Explanation = (call, view) => view.sees(call.callerId, String(call.postId), call).may;
const isHidden: Explanation = (call, view) => !view.sees(call.callerId, String(call.postId), call).must;
const isMember: Explanation = (call, view) =>
  (call.hubIds ?? []).every((hubId) => view.isMember(call.callerId, hubId, call).may);
const isNonMember: Explanation = (call, view) =>
  (call.hubIds ?? []).some((hubId) => !view.isMember(call.callerId, hubId, call).must);

/** The possible outcomes of each action, each with the state that explains it. */
const EXPLANATIONS: Readonly<Record<Call['action'], Readonly<Record<string, Explanation>>>> = {
  vote: {
    done: (call, view) =>
      isSeen(call, view) &&
      (!view.target(call.postId).isPrivate || view.isInAny(call.callerId, String(call.postId), call).may),
    POST_NOT_FOUND: isHidden,
    VOTE_NOT_ALLOWED: (call, view) =>
      view.target(call.postId).isPrivate && !view.isInAny(call.callerId, String(call.postId), call).must,
    VOTE_ALREADY_CAST: (call, view) =>
      view
        .tries(call.postId)
        .some(({ callerId, sentAt }) => callerId === call.callerId && sentAt < call.answeredAt),
  },
  invite: { done: always },
  join: { done: isNonMember, ALREADY_MEMBER: isMember, INVITATION_NOT_PENDING: always },
  leave: { done: isMember, FORBIDDEN: isNonMember },
  share: {
    done: (call, view) => view.target(call.postId).isShareable && isSeen(call, view) && isMember(call, view),
    POST_NOT_FOUND: isHidden,
    POST_NOT_SHAREABLE: (call, view) => !view.target(call.postId).isShareable,
    FORBIDDEN: isNonMember,
  },
  delete: { done: isSeen, POST_NOT_FOUND: isHidden },
  summary: { done: isSeen, POST_NOT_FOUND: isHidden },
  'my vote': { done: isSeen, POST_NOT_FOUND: isHidden },
  read: { done: always, POST_NOT_FOUND: always, FORBIDDEN: always },
};

/** Returns the answers that no possible state explains. */
export function unexplainedAnswers(result: SimulationResult): string[] {
  const { calls } = result.history;
  const view = viewOf(result);
  return calls
    .filter((call) => !isLost(call) && !EXPLANATIONS[call.action][call.outcome]?.(call, view))
    .map(describeCall);
}

/** Returns the calls that failed without an outage. */
export function unexplainedFailures({ history: { calls, outages } }: SimulationResult): string[] {
  return calls
    .filter((call) => {
      const { outcome } = call;
      if (outcome !== 'unavailable' && outcome !== 'broken') return false;
      return !outages.some((outage) => outage.what === CAUSES[outcome] && overlap(call, outage));
    })
    .map(describeCall);
}

/** Returns the errors of folds that failed without an outage. */
export function unexplainedFoldFailures({ history: { failedFolds, outages } }: SimulationResult): string[] {
  return failedFolds
    .filter(
      (fold) =>
        !fold.isLost || !outages.some(({ what, ...outage }) => what === 'Postgres' && overlap(fold, outage)),
    )
    .map(({ error }) => error);
}

/** Returns the logged errors that no outage of Postgres explains. */
export function serviceErrors({ serviceLog }: SimulationResult): string[] {
  return serviceLog
    .filter(({ status, err }) => {
      const isAway = err?.severity === 'FATAL' || /^(08|57)/.test(err?.sqlstate);
      return status === 500 || (err?.type === 'DatabaseError' && !isAway);
    })
    .map((entry) => JSON.stringify(entry));
}

/** Returns the reads of votes that miss an earlier vote or show an impossible one. */
export function staleReads(result: SimulationResult): string[] {
  const { calls } = result.history;
  const view = viewOf(result);
  const shown = calls.filter(({ outcome }) => outcome === 'done');
  const totals = shown
    .filter(({ action }) => action === 'summary')
    .filter((call) => {
      const tries = view.tries(call.postId);
      const before = tries.filter(
        ({ outcome, answeredAt }) => outcome === 'done' && answeredAt < call.sentAt,
      );
      const voters = new Set(
        tries.filter(({ sentAt }) => sentAt < call.answeredAt).map(({ callerId }) => callerId),
      );
      const { totalVotes } = call.data.summary;
      return totalVotes < before.length || totalVotes > voters.size;
    });
  const own = shown
    .filter(({ action }) => action === 'my vote')
    .filter((call) => {
      const tries = view.tries(call.postId).filter(({ callerId }) => callerId === call.callerId);
      const hasVoted = tries.some(
        ({ outcome, answeredAt }) => outcome === 'done' && answeredAt < call.sentAt,
      );
      const mayHave = tries.some(({ sentAt }) => sentAt < call.answeredAt);
      return call.data.hasVoted ? !mayHave : hasVoted;
    });
  return [...totals, ...own].map(describeCall);
}

function describeCall(call: Call): string {
  return JSON.stringify(call);
}
