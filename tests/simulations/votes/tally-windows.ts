import type { History, Outage } from './chaos.ts';
import { type Act, isLost, type Window } from './chaos-acts.ts';

/** What somebody who asks from outside may find, at some moment between two. */
export type Findable = ReadonlySet<boolean>;

/** Something that came or went. */
interface Change extends Window {
  readonly to: boolean;
  readonly isCertain: boolean;
}

/** Whether two windows have a moment in common. */
export function meet(one: Window, other: Window): boolean {
  return one.askedAt < other.answeredAt && one.answeredAt > other.askedAt;
}

/** What keeps an act, or a fold, from being answered. */
export const CAUSES = { unavailable: 'Postgres', broken: 'the service' } as const;

/** Those of `deed` and `opposite` in `acts`, as changes of what they bring about; what was refused is none. */
export function changesBy(
  { outages }: Pick<History, 'outages'>,
  acts: readonly Act[],
  deed: Act['deed'],
  opposite?: Act['deed'],
): Change[] {
  return acts
    .filter((act) => act.deed === deed || act.deed === opposite)
    .filter((act) => act.told === 'done' || isLost(act))
    .map((act) => ({
      to: act.deed === deed,
      isCertain: !isLost(act),
      askedAt: act.askedAt,
      answeredAt: isLost(act) ? endOf(act, outages) : act.answeredAt,
    }));
}

function endOf(act: Act, outages: readonly Outage[]): number {
  return Math.max(...outages.filter((outage) => meet(act, outage)).map(({ answeredAt }) => answeredAt));
}

/** What may be found within `window`, where `changes` were asked for after it was `initially` so. */
export function findable(changes: readonly Change[], initially: boolean, window: Window): Findable {
  const settled = changes.filter(({ isCertain, answeredAt }) => isCertain && answeredAt < window.askedAt);
  const isOutdated = (change: Change) => settled.some(({ askedAt }) => askedAt > change.answeredAt);
  const recent = changes.filter((change) => change.askedAt < window.answeredAt && !isOutdated(change));
  return new Set([...(settled.length === 0 ? [initially] : []), ...recent.map(({ to }) => to)]);
}
