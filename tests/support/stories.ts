/** A number that is the same for the same text, so that a shorter history is looked at as the longer one was. */
export function hashOf(text: string): number {
  return [...text].reduce((hash, character) => (hash * 31 + character.charCodeAt(0)) % 1_000_003, 0);
}

/** `route` with `args` in their places, and those that have none behind it. */
export function sentence(route: string, args: object): string {
  const rest = new Map(Object.entries(args));
  const path = route.replaceAll(/\{(\w+)\}/g, (_, name) => {
    const value = rest.get(name);
    rest.delete(name);
    return value;
  });
  return rest.size === 0 ? path : `${path} ${JSON.stringify(Object.fromEntries(rest))}`;
}

/** What differs, after what was done. */
export function failureAfter(story: readonly string[], differences: readonly string[]): Error {
  const told = story.map((line, index) => `  ${index + 1}. ${line}`);
  return new Error(`${differences.join('\n')}\nafter\n${told.join('\n')}`);
}
