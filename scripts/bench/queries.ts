import { FAMILY_NAMES, GIVEN_NAMES } from './names.ts';

/** Somebody who can be looked for. */
export interface Person {
  readonly username: string;
  readonly fullName: string;
}

/** Something that people type into a search. */
export interface Query {
  readonly title: string;
  /** Whether it finds somebody: each time, never, or as the slip happens to be. */
  readonly finds: 'somebody' | 'nobody' | 'maybe';
  /** The text of request number `n`. */
  text(n: number): string;
}

/** What is typed by those who look for one of these people. */
export function queriesFor(people: readonly Person[]): Query[] {
  const username = (n: number) => at(people, n).username;
  const fullName = (n: number) => at(people, n).fullName;
  const given = (n: number) => fullName(n).split(' ')[0] ?? '';
  const family = (n: number) => fullName(n).split(' ').at(-1) ?? '';
  const rare = people.map((_, n) => family(n)).filter((name) => !FAMILY_NAMES.includes(name));
  const frequent = [FAMILY_NAMES, GIVEN_NAMES].flatMap((names) => names.slice(0, 10).filter(isLong));
  const somebody = (title: string, text: Query['text']): Query => ({ title, finds: 'somebody', text });
  const maybe = (title: string, text: Query['text']): Query => ({ title, finds: 'maybe', text });
  return [
    somebody('exact handle', username),
    somebody('two letters of a handle', (n) => username(n).slice(0, 2)),
    somebody('three letters of a handle', (n) => username(n).slice(0, 3)),
    somebody('five letters of a handle', (n) => username(n).slice(0, 5)),
    somebody('given name and an initial', (n) => fullName(n).slice(0, given(n).length + 2)),
    somebody('full name', fullName),
    somebody('the most frequent family name', () => at(FAMILY_NAMES, 0)),
    somebody('rare family name', (n) => at(rare, n)),
    maybe('frequent name with a slip', (n) => slipIn(at(frequent, n), n)),
    maybe('rare family name with a slip', (n) => slipIn(at(rare, n), n)),
    maybe('two names with a slip in each', (n) => `${slipIn(given(n), n)} ${slipIn(family(n), n + 1)}`),
    { title: 'what nobody is called', finds: 'nobody', text: (n) => `qxz${n}jvk` },
  ];
}

/** A slip of the finger: two letters swapped, one left out or one typed twice, anywhere but at the very start. */
function slipIn(name: string, n: number): string {
  const letters = Array.from(name);
  const place = 1 + (n % Math.max(letters.length - 2, 1));
  const [letter = '', next = ''] = letters.slice(place);
  const slip = [next + letter, next, letter + letter + next][n % 3] ?? '';
  return [...letters.slice(0, place), slip, ...letters.slice(place + 2)].join('');
}

function isLong(name: string): boolean {
  return name.length > 4;
}

function at<T>(list: readonly T[], n: number): T {
  const item = list[n % list.length];
  if (item === undefined) throw new Error('nothing to choose from');
  return item;
}
