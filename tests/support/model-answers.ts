/** An answer, as far as it matters. */
export interface Answer {
  readonly status: number;
  readonly code?: string;
  readonly details?: object;
  readonly data?: object;
}

/** What a model throws where Opine has to refuse. */
export class Refusal extends Error {
  readonly answer: Answer;

  constructor(status: number, code: string, details: object = {}) {
    super(code);
    this.answer = { status, code, details };
  }
}

/** The refusal of whoever may not. */
export const forbidden = () => new Refusal(403, 'FORBIDDEN');

/** The refusal of whoever asks for a thing that is not there. */
export const no = (thing: string) => new Refusal(404, `${thing}_NOT_FOUND`);

/** The refusal of what does not fit. */
export const conflict = (code: string) => new Refusal(409, code);

/** What `act` says, or the refusal that it throws. */
export function answerOf(status: number, act: () => object): Answer {
  try {
    return { status, data: act() };
  } catch (error) {
    if (error instanceof Refusal) return error.answer;
    throw error;
  }
}
