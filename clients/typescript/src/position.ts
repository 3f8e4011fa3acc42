const HEADER = 'X-Opine-Position';

/**
 * Returns a `fetch` that sends the positions of the latest writes, so that reads from a replica include them. Of writes that ran
 * one after the other it sends the last; of writes at the same time it sends all, because answers may arrive in any order.
 */
export function withPosition<Init extends WithHeaders, Answer extends Answered>(
  send: (url: string, init: Init) => Promise<Answer>,
): (url: string, init: Init) => Promise<Answer> {
  let answered = 0;
  let latest: { position: string; number: number }[] = [];
  return async (url, init) => {
    const before = answered;
    const positions = latest.map(({ position }) => position).join(',');
    const headers = { ...init.headers, ...(positions !== '' && { [HEADER]: positions }) };
    const response = await send(url, { ...init, headers });
    const position = response.headers.get(HEADER);
    if (position !== null) {
      answered += 1;
      latest = [...latest.filter(({ number }) => number > before), { position, number: answered }];
    }
    return response;
  };
}

/** The part of a request that gets the positions. */
interface WithHeaders {
  readonly headers: Record<string, string>;
}

/** The part of an answer that has a position. */
interface Answered {
  readonly headers: { get(name: string): string | null };
}
