import {
  serviceErrors,
  staleReads,
  unexplainedAnswers,
  unexplainedFailures,
  unexplainedFoldFailures,
} from './answer-rules.ts';
import { miscounts } from './expected-counts.ts';
import { viewOf } from './known-state.ts';
import { replay } from './replay.ts';
import { isLost } from './requests.ts';
import type { SimulationResult } from './simulation.ts';
import { type Stored, scopeOf } from './stored-votes.ts';

/** The rules that hold after any load with faults; each returns its violations. */
export const RULES: Readonly<Record<string, (result: SimulationResult) => readonly string[]>> = {
  'the state at the time of a call explains its answer': unexplainedAnswers,
  'a call fails only while Postgres or the service is down': unexplainedFailures,
  'the service logs errors only while Postgres is down': serviceErrors,
  'a fold fails only while Postgres is down': unexplainedFoldFailures,
  'a read shows every acknowledged vote and no impossible one': staleReads,
  'the database has every acknowledged vote': missingVotes,
  'a voter sees their vote and cannot vote twice': wrongVoterAnswers,
  'the commits are the acknowledged and the possible writes': wrongCommits,
  'a serial history explains the Hubs of every receipt': ({ world, commits }) =>
    replay(world, commits).differences,
  'the stored receipts equal the committed votes': wrongReceipts,
  'a receipt names the Hubs that its voter shared with the post': wrongReceiptHubs,
  'the counts of a post add up to its receipts': wrongTotals,
  'before a fold, the counts are those of the receipts and of promoted votes': (result) =>
    miscounts(result, result.unfolded, 'some'),
  'after a fold, the counts include every promoted vote': (result) =>
    miscounts(result, result.folded, 'placed'),
  'after shares into every Hub, a vote counts in each Hub of its voter': (result) =>
    miscounts(result, result.shared, 'all'),
  'the API shows the stored counts': wrongShownCounts,
  'every vote on a public post has a unique rank': wrongRanks,
};

/** Returns up to five violations of each broken rule. */
export function findingsOf(result: SimulationResult): Record<string, readonly string[]> {
  const findings = Object.entries(RULES).map(([rule, broken]) => [rule, broken(result).slice(0, 5)] as const);
  return Object.fromEntries(findings.filter(([, broken]) => broken.length > 0));
}

function missingVotes({ history, unfolded, commits }: SimulationResult): string[] {
  const receipts = new Set(unfolded.receipts.map(({ userId, postId }) => `${userId} ${postId}`));
  const committed = new Set(commits.votes.map(({ userId, postId }) => `${userId} ${postId}`));
  return history.calls
    .filter(({ action, outcome }) => action === 'vote' && outcome === 'done')
    .map(({ callerId, postId }) => ({
      vote: `${callerId} ${postId}`,
      isThere: unfolded.posts.has(String(postId)),
    }))
    .filter(({ vote, isThere }) => !(isThere ? receipts : committed).has(vote))
    .map(({ vote }) => vote);
}

function wrongVoterAnswers({ world, history, voters, unfolded, folded }: SimulationResult): string[] {
  const seenBy = (userId: string, postId: string) =>
    world.managedHubs.some(
      ({ hub }) => unfolded.members.has(`${userId} ${hub.id}`) && unfolded.places.has(`${postId} ${hub.id}`),
    );
  const unsettled = voters.filter(({ receipt: { userId, postId }, mine, again }) => {
    const target = world.targets.find(({ id }) => id === postId);
    if (target?.isPrivate && !seenBy(userId, postId)) {
      // An author who left all Hubs sees the post but has no Hub to vote in.
      const isOwn = target.author.id === userId;
      const refused = isOwn ? ['VOTE_NOT_ALLOWED', 'VOTE_ALREADY_CAST'] : ['POST_NOT_FOUND'];
      return (
        !refused.includes(again.outcome) || (isOwn ? !mine.data?.hasVoted : mine.outcome !== 'POST_NOT_FOUND')
      );
    }
    return again.outcome !== 'VOTE_ALREADY_CAST' || !mine.data?.hasVoted || mine.data.votedAt === null;
  });
  const counted = history.calls
    .filter(({ action, outcome }) => action === 'vote' && outcome === 'done')
    .map(({ callerId, postId }) => `${callerId} ${postId}`);
  return [
    ...unsettled.map((each) => JSON.stringify(each)),
    ...repeated(counted),
    ...differing(pairsOf(unfolded), pairsOf(folded)),
  ];
}

function pairsOf({ receipts }: Stored): string[] {
  return receipts.map(({ userId, postId }) => `${userId} ${postId}`);
}

/** Compares how often a write was committed with how often it was acknowledged or lost. */
function wrongCommits({ history, commitsBefore, commits }: SimulationResult): string[] {
  const transitions = commits.transitions
    .slice(commitsBefore.transitions.length)
    .map(({ kind, userId, postId, hubId }) => `${kind} ${userId ?? postId} ${hubId}`);
  const votes = commits.votes.map(({ userId, postId }) => `voted ${userId} ${postId}`);
  const committed = countsIn([...transitions, ...votes]);
  const names = history.calls.flatMap((call) => {
    const { action, callerId, postId, hubIds = [] } = call;
    const name = (text: string) => ({ text, call });
    if (action === 'vote') return [name(`voted ${callerId} ${postId}`)];
    if (action === 'delete') return [name(`deleted ${postId} null`)];
    if (action === 'join') return hubIds.map((hubId) => name(`joined ${callerId} ${hubId}`));
    if (action === 'leave') return hubIds.map((hubId) => name(`left ${callerId} ${hubId}`));
    if (action === 'share') return hubIds.map((hubId) => name(`placed ${postId} ${hubId}`));
    return [];
  });
  const granted = countsIn(names.filter(({ call }) => call.outcome === 'done').map(({ text }) => text));
  const possible = countsIn(names.filter(({ call }) => isLost(call)).map(({ text }) => text));
  const atFirst = new Set(commitsBefore.transitions.map(({ postId, hubId }) => `placed ${postId} ${hubId}`));
  return [...new Set([...committed.keys(), ...granted.keys()])].filter((name) => {
    const [count, sure, unsure] = [committed, granted, possible].map((counts) => counts.get(name) ?? 0);
    if (count === undefined || sure === undefined || unsure === undefined) return true;
    // A repeated share into a Hub is acknowledged too.
    if (name.startsWith('placed ')) {
      return atFirst.has(name) ? count > 0 : count > sure + unsure || count !== Math.min(count + sure, 1);
    }
    return count < sure || count > sure + unsure;
  });
}

function wrongReceipts({ commits, unfolded, shared }: SimulationResult): string[] {
  const named = (receipts: readonly { postId: string; userId: string; hubIds: readonly string[] }[]) =>
    receipts.map(({ postId, userId, hubIds }) => `${userId} ${postId} in ${hubIds.toSorted()}`);
  const expected = named(commits.votes.filter(({ postId }) => unfolded.posts.has(postId)));
  return [...differing(expected, named(unfolded.receipts)), ...differing(expected, named(shared.receipts))];
}

function wrongReceiptHubs(result: SimulationResult): string[] {
  const view = viewOf(result);
  const { calls } = result.history;
  return result.commits.votes.flatMap(({ userId, postId, hubIds }) => {
    const vote = calls.find(
      (call) =>
        call.action === 'vote' &&
        call.outcome === 'done' &&
        call.callerId === userId &&
        call.postId === postId,
    );
    if (vote === undefined) return [];
    return result.world.managedHubs
      .filter(({ hub }) => {
        const { may, must } = view.isIn(userId, postId, hub.id, vote);
        return hubIds.includes(hub.id) ? !may : must;
      })
      .map(({ hub }) => `${userId} ${postId} in ${hub.id}: ${hubIds.includes(hub.id)}`);
  });
}

/** Checks without the model: all votes equal the receipts, and votes of a Hub are at least the receipts naming it. */
function wrongTotals({ world, unfolded, folded, shared }: SimulationResult): string[] {
  const sumOf = ({ counts }: Stored, scope: string) =>
    (counts.get(scope) ?? []).reduce((sum, count) => sum + count, 0);
  return [unfolded, folded, shared].flatMap((stored) =>
    world.targets.flatMap(({ id, isPrivate }) => {
      const receipts = stored.receipts.filter(({ postId }) => postId === id);
      const total = sumOf(stored, scopeOf(id, null));
      const tooFew = world.managedHubs.filter(({ hub }) => {
        const named = receipts.filter(({ hubIds }) => hubIds.includes(hub.id));
        return sumOf(stored, scopeOf(id, hub.id)) < named.length;
      });
      return [
        ...(total === (isPrivate ? 0 : receipts.length) ? [] : [`${id}: ${total} of ${receipts.length}`]),
        ...tooFew.map(({ hub }) => `${id}: too few in ${hub.id}`),
      ];
    }),
  );
}

function wrongShownCounts({ shown, shared }: SimulationResult): string[] {
  return [...shown]
    .map(([scope, counts]) => ({ scope, counts, stored: shared.counts.get(scope) ?? [] }))
    .filter(({ counts, stored }) => counts.join() !== stored.join())
    .map(({ scope, counts, stored }) => `${scope}: ${counts}, and not ${stored}`);
}

function wrongRanks({ world, folded }: SimulationResult): string[] {
  return world.targets.flatMap(({ id, isPrivate }) => {
    const ranks = folded.receipts.filter(({ postId }) => postId === id).map(({ baseline }) => baseline);
    const right = ranks.map((_, index) => (isPrivate ? null : index + 1));
    const found = ranks.toSorted((one, other) => Number(one) - Number(other));
    return found.join() === right.join() ? [] : [`${id}: ${found}`];
  });
}

function countsIn(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

function repeated(names: readonly string[]): string[] {
  return [...countsIn(names)].filter(([, count]) => count > 1).map(([name]) => `${name} twice`);
}

/** Returns the items of only one list. */
function differing(one: readonly string[], other: readonly string[]): string[] {
  const [here, there] = [new Set(one), new Set(other)];
  return [
    ...one.filter((name) => !there.has(name)).map((name) => `- ${name}`),
    ...other.filter((name) => !here.has(name)).map((name) => `+ ${name}`),
  ];
}
