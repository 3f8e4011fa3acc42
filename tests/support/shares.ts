/** Returns an even share of `items`; 1 is all of them. */
export function shareOf<T>(items: readonly T[], share: number): readonly T[] {
  return items.filter((_, index) => Math.floor((index + 1) * share) > Math.floor(index * share));
}
