import { isLost } from './chaos-acts.ts';
import type { Aftermath } from './chaos-aftermath.ts';
import { miscounts } from './tally-counts.ts';
import { brokenFolds, faults, misshown, needlesslyLost, unreasonable } from './tally-reasons.ts';
import { replayed } from './tally-replay.ts';
import { type Stored, scopeOf } from './tally-stored.ts';
import { viewOf } from './tally-views.ts';

/** What must hold after a fire, each with what breaks it. */
export const RULES: Readonly<Record<string, (aftermath: Aftermath) => readonly string[]>> = {
  'nobody was answered anything without a reason': unreasonable,
  'nothing was unavailable but while Postgres or the service was away': needlesslyLost,
  'nothing went wrong in the service but that Postgres was away': faults,
  'no fold failed but while Postgres was away': brokenFolds,
  'whoever looked found all votes that had been answered, and no others': misshown,
  'each vote that was answered is in the database': lostVotes,
  'each voter is told of their vote, and votes no second time': unsettledVoters,
  'what was granted has happened, and nothing else': inventions,
  'a serial history leads to the Hubs of every receipt': ({ world, testimony }) =>
    replayed(world, testimony).differences,
  'the receipts are those of that history': strayReceipts,
  'the Hubs of a receipt are those that its voter can have found': missedHubs,
  'there are as many votes as receipts': uncounted,
  'before a fold, counts are those of the receipts, and of what was promoted so far': (aftermath) =>
    miscounts(aftermath, aftermath.unfolded, 'some'),
  'after a fold, counts are those of the receipts, and of all that was promoted': (aftermath) =>
    miscounts(aftermath, aftermath.folded, 'those that are placed'),
  'when every post is everywhere, each vote counts in every Hub that its voter was in': (aftermath) =>
    miscounts(aftermath, aftermath.shared, 'all'),
  'what is shown is what is stored': wronglyShown,
  'each vote of everybody has a rank of its own': wrongRanks,
};

/** Some of what breaks which rule; empty where all hold. */
export function findingsOf(aftermath: Aftermath): Record<string, readonly string[]> {
  const findings = Object.entries(RULES).map(
    ([rule, broken]) => [rule, broken(aftermath).slice(0, 5)] as const,
  );
  return Object.fromEntries(findings.filter(([, broken]) => broken.length > 0));
}

function lostVotes({ history, unfolded, testimony }: Aftermath): string[] {
  const receipts = new Set(unfolded.receipts.map(({ userId, postId }) => `${userId} ${postId}`));
  const committed = new Set(testimony.votes.map(({ userId, postId }) => `${userId} ${postId}`));
  return history.acts
    .filter(({ deed, told }) => deed === 'vote' && told === 'done')
    .map(({ who, postId }) => ({ vote: `${who} ${postId}`, isThere: unfolded.posts.has(String(postId)) }))
    .filter(({ vote, isThere }) => !(isThere ? receipts : committed).has(vote))
    .map(({ vote }) => vote);
}

function unsettledVoters({ world, history, voters, unfolded, folded }: Aftermath): string[] {
  const seenBy = (userId: string, postId: string) =>
    world.camps.some(
      ({ hub }) => unfolded.members.has(`${userId} ${hub.id}`) && unfolded.places.has(`${postId} ${hub.id}`),
    );
  const unsettled = voters.filter(({ receipt: { userId, postId }, mine, again }) => {
    const target = world.targets.find(({ id }) => id === postId);
    if (target?.isPrivate && !seenBy(userId, postId)) {
      // The author who left all Hubs still sees it, and has none to vote in.
      const isOwn = target.author.id === userId;
      const refused = isOwn ? ['VOTE_NOT_ALLOWED', 'VOTE_ALREADY_CAST'] : ['POST_NOT_FOUND'];
      return !refused.includes(again.told) || (isOwn ? !mine.data?.hasVoted : mine.told !== 'POST_NOT_FOUND');
    }
    return again.told !== 'VOTE_ALREADY_CAST' || !mine.data?.hasVoted || mine.data.votedAt === null;
  });
  const counted = history.acts
    .filter(({ deed, told }) => deed === 'vote' && told === 'done')
    .map(({ who, postId }) => `${who} ${postId}`);
  return [
    ...unsettled.map((each) => JSON.stringify(each)),
    ...repeated(counted),
    ...differing(pairsOf(unfolded), pairsOf(folded)),
  ];
}

function pairsOf({ receipts }: Stored): string[] {
  return receipts.map(({ userId, postId }) => `${userId} ${postId}`);
}

/** How often each thing was committed, against how often it was granted, or may have been done unanswered. */
function inventions({ history, initially, testimony }: Aftermath): string[] {
  const moves = testimony.moves
    .slice(initially.moves.length)
    .map(({ kind, userId, postId, hubId }) => `${kind} ${userId ?? postId} ${hubId}`);
  const votes = testimony.votes.map(({ userId, postId }) => `voted ${userId} ${postId}`);
  const committed = countsIn([...moves, ...votes]);
  const names = history.acts.flatMap((act) => {
    const { deed, who, postId, hubIds = [] } = act;
    const name = (text: string) => ({ text, act });
    if (deed === 'vote') return [name(`voted ${who} ${postId}`)];
    if (deed === 'delete') return [name(`deleted ${postId} null`)];
    if (deed === 'join') return hubIds.map((hubId) => name(`joined ${who} ${hubId}`));
    if (deed === 'leave') return hubIds.map((hubId) => name(`left ${who} ${hubId}`));
    if (deed === 'share') return hubIds.map((hubId) => name(`placed ${postId} ${hubId}`));
    return [];
  });
  const granted = countsIn(names.filter(({ act }) => act.told === 'done').map(({ text }) => text));
  const possible = countsIn(names.filter(({ act }) => isLost(act)).map(({ text }) => text));
  const atFirst = new Set(initially.moves.map(({ postId, hubId }) => `placed ${postId} ${hubId}`));
  return [...new Set([...committed.keys(), ...granted.keys()])].filter((name) => {
    const [count, sure, unsure] = [committed, granted, possible].map((counts) => counts.get(name) ?? 0);
    if (count === undefined || sure === undefined || unsure === undefined) return true;
    // To share into a Hub is granted where the post has been already, too.
    if (name.startsWith('placed ')) {
      return atFirst.has(name) ? count > 0 : count > sure + unsure || count !== Math.min(count + sure, 1);
    }
    return count < sure || count > sure + unsure;
  });
}

function strayReceipts({ testimony, unfolded, shared }: Aftermath): string[] {
  const named = (receipts: readonly { postId: string; userId: string; hubIds: readonly string[] }[]) =>
    receipts.map(({ postId, userId, hubIds }) => `${userId} ${postId} in ${hubIds.toSorted()}`);
  const witnessed = named(testimony.votes.filter(({ postId }) => unfolded.posts.has(postId)));
  return [...differing(witnessed, named(unfolded.receipts)), ...differing(witnessed, named(shared.receipts))];
}

function missedHubs(aftermath: Aftermath): string[] {
  const view = viewOf(aftermath);
  const { acts } = aftermath.history;
  return aftermath.testimony.votes.flatMap(({ userId, postId, hubIds }) => {
    const vote = acts.find(
      (act) => act.deed === 'vote' && act.told === 'done' && act.who === userId && act.postId === postId,
    );
    if (vote === undefined) return [];
    return aftermath.world.camps
      .filter(({ hub }) => {
        const { may, must } = view.isIn(userId, postId, hub.id, vote);
        return hubIds.includes(hub.id) ? !may : must;
      })
      .map(({ hub }) => `${userId} ${postId} in ${hub.id}: ${hubIds.includes(hub.id)}`);
  });
}

/** Without any model: everybody's votes are as many as the receipts of a post, a Hub's at least those that name it. */
function uncounted({ world, unfolded, folded, shared }: Aftermath): string[] {
  const sumOf = ({ counts }: Stored, scope: string) =>
    (counts.get(scope) ?? []).reduce((sum, count) => sum + count, 0);
  return [unfolded, folded, shared].flatMap((stored) =>
    world.targets.flatMap(({ id, isPrivate }) => {
      const receipts = stored.receipts.filter(({ postId }) => postId === id);
      const total = sumOf(stored, scopeOf(id, null));
      const tooFew = world.camps.filter(({ hub }) => {
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

function wronglyShown({ shown, shared }: Aftermath): string[] {
  return [...shown]
    .map(([scope, counts]) => ({ scope, counts, stored: shared.counts.get(scope) ?? [] }))
    .filter(({ counts, stored }) => counts.join() !== stored.join())
    .map(({ scope, counts, stored }) => `${scope}: ${counts}, and not ${stored}`);
}

function wrongRanks({ world, folded }: Aftermath): string[] {
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

/** What is in one of two lists alone. */
function differing(one: readonly string[], other: readonly string[]): string[] {
  const [here, there] = [new Set(one), new Set(other)];
  return [
    ...one.filter((name) => !there.has(name)).map((name) => `- ${name}`),
    ...other.filter((name) => !here.has(name)).map((name) => `+ ${name}`),
  ];
}
