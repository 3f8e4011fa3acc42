/** The compared part of an answer. */
export interface Answer {
  readonly status: number;
  readonly code?: string;
  readonly details?: object;
  readonly data?: object;
}

/** Thrown by a model where Opine must refuse. */
export class Refusal extends Error {
  readonly answer: Answer;

  constructor(status: number, code: string, details: object = {}) {
    super(code);
    this.answer = { status, code, details };
  }
}

export const forbidden = () => new Refusal(403, 'FORBIDDEN');

export const notFound = (thing: string) => new Refusal(404, `${thing}_NOT_FOUND`);

export const conflict = (code: string) => new Refusal(409, code);

/** Returns the result of `act`, or the refusal that it throws. */
export function answerOf(status: number, act: () => object): Answer {
  try {
    return { status, data: act() };
  } catch (error) {
    if (error instanceof Refusal) return error.answer;
    throw error;
  }
}

/** Returns a stable number per text, so that a shrunken history repeats the same checks. */
export function textHash(text: string): number {
  return [...text].reduce((hash, character) => (hash * 31 + character.charCodeAt(0)) % 1_000_003, 0);
}

/** Describes a call: the route with its parameters, then the other arguments. */
export function sentence(route: string, args: object): string {
  const rest = new Map(Object.entries(args));
  const path = route.replaceAll(/\{(\w+)\}/g, (_, name) => {
    const value = rest.get(name);
    rest.delete(name);
    return value;
  });
  return rest.size === 0 ? path : `${path} ${JSON.stringify(Object.fromEntries(rest))}`;
}

/** Describes the differences and the steps that led to them. */
export function failureAfter(story: readonly string[], differences: readonly string[]): Error {
  const steps = story.map((line, index) => `  ${index + 1}. ${line}`);
  return new Error(`${differences.join('\n')}\nafter\n${steps.join('\n')}`);
}
