import autocannon from '../../tools/autocannon.ts';
import { answerParent } from './processes.ts';

/** A block of requests for the load process. */
export interface Load {
  readonly port: number;
  readonly connections: number;
  readonly status: number;
  /** A text that every answer must contain. */
  readonly answerHolds: string;
  /** Each is sent once. */
  readonly requests: readonly autocannon.Request[];
}

/** When a request was sent and when its answer was there, in seconds. */
export type Timing = readonly [sent: number, answered: number];

/** Sends a block: connection number c sends the requests c, c + connections and so on, one after the other. */
function send({ port, connections, status, answerHolds, requests }: Load): Promise<Timing[]> {
  const timings: Timing[] = [];
  let connection = 0;
  let answered = 0;
  return new Promise((resolve, reject) => {
    const options: autocannon.Options = {
      url: `http://127.0.0.1:${port}`,
      connections,
      amount: requests.length,
      // Without it autocannon reconnects without end when the API has stopped.
      bailout: 1,
      // The run ends at the first sample after the last answer.
      sampleInt: 10,
      setupClient: (client) => {
        client.setRequests(requests.filter((_, n) => n % connections === connection));
        connection += 1;
      },
      // autocannon calls it after the event `response` of the same answer.
      verifyBody: (body) => {
        const isExpected = answered === status && body?.includes(answerHolds) === true;
        if (!isExpected) reject(new Error(`unexpected answer, status ${answered}: ${body}`));
        return isExpected;
      },
    };
    const run = autocannon(options, (error, result) => {
      if (error) reject(error);
      else if (result.errors > 0 || timings.length < requests.length) {
        reject(new Error(`${timings.length} of ${requests.length} requests were answered`));
      } else resolve(timings);
    });
    run.on('response', (_client, code, _bytes, milliseconds) => {
      const now = performance.now();
      answered = code;
      timings.push([(now - milliseconds) / 1000, now / 1000]);
    });
  });
}

answerParent(send);
