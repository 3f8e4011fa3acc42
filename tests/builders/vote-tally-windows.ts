import { type Act, isLost } from './vote-chaos-acts.ts';

/** What somebody who asks from outside may find, at some moment between two. */
export type Findable = ReadonlySet<boolean>;

/** From when to when something was asked. */
export type Window = Pick<Act, 'askedAt' | 'answeredAt'>;

/** Something that came or went. */
interface Change extends Window {
  readonly to: boolean;
  readonly isCertain: boolean;
}

/** The acts of `deed` and `opposite` as changes of what they bring about; what was refused is none. */
export function changesBy(acts: readonly Act[], deed: Act['deed'], opposite?: Act['deed']): Change[] {
  return acts
    .filter((act) => act.deed === deed || act.deed === opposite)
    .filter((act) => act.told === 'done' || isLost(act))
    .map((act) => ({
      to: act.deed === deed,
      isCertain: !isLost(act),
      askedAt: act.askedAt,
      // What nobody knows about may be done later yet.
      answeredAt: isLost(act) ? Number.POSITIVE_INFINITY : act.answeredAt,
    }));
}

/** What may be found within `window`, where `changes` were asked for after it was `initially` so. */
export function findable(changes: readonly Change[], initially: boolean, window: Window): Findable {
  const settled = changes.filter(({ isCertain, answeredAt }) => isCertain && answeredAt < window.askedAt);
  const isOutdated = (change: Change) => settled.some(({ askedAt }) => askedAt > change.answeredAt);
  const recent = changes.filter((change) => change.askedAt < window.answeredAt && !isOutdated(change));
  return new Set([...(settled.length === 0 ? [initially] : []), ...recent.map(({ to }) => to)]);
}
