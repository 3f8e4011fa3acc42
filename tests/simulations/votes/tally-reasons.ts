import { type Act, isLost } from './chaos-acts.ts';
import type { Aftermath } from './chaos-aftermath.ts';
import { type View, viewOf } from './tally-views.ts';
import { CAUSES, meet } from './tally-windows.ts';

type Reason = (act: Act, view: View) => boolean;

const always: Reason = () => true;
const isSeen: Reason = (act, view) => view.sees(act.who, String(act.postId), act).may;
const isHidden: Reason = (act, view) => !view.sees(act.who, String(act.postId), act).must;
const isMember: Reason = (act, view) =>
  (act.hubIds ?? []).every((hubId) => view.isMember(act.who, hubId, act).may);
const isOutsider: Reason = (act, view) =>
  (act.hubIds ?? []).some((hubId) => !view.isMember(act.who, hubId, act).must);

/** When each deed may come to what; whatever is not here comes to nothing else. */
const REASONS: Readonly<Record<Act['deed'], Readonly<Record<string, Reason>>>> = {
  vote: {
    done: (act, view) =>
      isSeen(act, view) &&
      (!view.target(act.postId).isPrivate || view.isInAny(act.who, String(act.postId), act).may),
    POST_NOT_FOUND: isHidden,
    VOTE_NOT_ALLOWED: (act, view) =>
      view.target(act.postId).isPrivate && !view.isInAny(act.who, String(act.postId), act).must,
    VOTE_ALREADY_CAST: (act, view) =>
      view.tries(act.postId).some(({ who, askedAt }) => who === act.who && askedAt < act.answeredAt),
  },
  invite: { done: always },
  join: { done: isOutsider, ALREADY_MEMBER: isMember, INVITATION_NOT_PENDING: always },
  leave: { done: isMember, FORBIDDEN: isOutsider },
  share: {
    done: (act, view) => view.target(act.postId).isShareable && isSeen(act, view) && isMember(act, view),
    POST_NOT_FOUND: isHidden,
    POST_NOT_SHAREABLE: (act, view) => !view.target(act.postId).isShareable,
    FORBIDDEN: isOutsider,
  },
  delete: { done: isSeen, POST_NOT_FOUND: isHidden },
  summary: { done: isSeen, POST_NOT_FOUND: isHidden },
  'my vote': { done: isSeen, POST_NOT_FOUND: isHidden },
  read: { done: always, POST_NOT_FOUND: always, FORBIDDEN: always },
};

/** The answers that nothing explains which anybody was answered. */
export function unreasonable(aftermath: Aftermath): string[] {
  const { acts } = aftermath.history;
  const view = viewOf(aftermath);
  return acts.filter((act) => !isLost(act) && !REASONS[act.deed][act.told]?.(act, view)).map(described);
}

/** The requests that came to nothing while all was there: 503 is for a database that is away. */
export function needlesslyLost({ history: { acts, outages } }: Aftermath): string[] {
  return acts
    .filter((act) => {
      const { told } = act;
      if (told !== 'unavailable' && told !== 'broken') return false;
      return !outages.some((outage) => outage.what === CAUSES[told] && meet(act, outage));
    })
    .map(described);
}

/** The folds that failed, but for what an outage explains. */
export function brokenFolds({ history: { failedFolds, outages } }: Aftermath): string[] {
  return failedFolds
    .filter(
      (fold) =>
        !fold.isLost || !outages.some(({ what, ...outage }) => what === 'Postgres' && meet(fold, outage)),
    )
    .map(({ error }) => error);
}

/** What went wrong in the service, but for that Postgres was away. */
export function faults({ complaints }: Aftermath): string[] {
  return complaints
    .filter(({ status, err }) => {
      const isAway = err?.severity === 'FATAL' || /^(08|57)/.test(err?.sqlstate);
      return status === 500 || (err?.type === 'DatabaseError' && !isAway);
    })
    .map((complaint) => JSON.stringify(complaint));
}

/** What people were shown of votes that was out of date, or not yet so. */
export function misshown(aftermath: Aftermath): string[] {
  const { acts } = aftermath.history;
  const view = viewOf(aftermath);
  const shown = acts.filter(({ told }) => told === 'done');
  const totals = shown
    .filter(({ deed }) => deed === 'summary')
    .filter((act) => {
      const tries = view.tries(act.postId);
      const before = tries.filter(({ told, answeredAt }) => told === 'done' && answeredAt < act.askedAt);
      const voters = new Set(tries.filter(({ askedAt }) => askedAt < act.answeredAt).map(({ who }) => who));
      const { totalVotes } = act.data.summary;
      return totalVotes < before.length || totalVotes > voters.size;
    });
  const own = shown
    .filter(({ deed }) => deed === 'my vote')
    .filter((act) => {
      const tries = view.tries(act.postId).filter(({ who }) => who === act.who);
      const hasVoted = tries.some(({ told, answeredAt }) => told === 'done' && answeredAt < act.askedAt);
      const mayHave = tries.some(({ askedAt }) => askedAt < act.answeredAt);
      return act.data.hasVoted ? !mayHave : hasVoted;
    });
  return [...totals, ...own].map(described);
}

function described(act: Act): string {
  return JSON.stringify(act);
}
