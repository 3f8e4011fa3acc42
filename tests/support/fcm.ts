import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Agent, createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { importSPKI, jwtVerify } from 'jose';
import type { ServiceAccount } from '../../src/auth/service-account.ts';
import type { Environment } from '../../src/config.ts';
import { aCertificateFor } from './certificate.ts';
import type { Json } from './reply.ts';

/**
 * What to answer instead of taking a message: a response, none for as long as the client waits (`hang`), a closed
 * connection (`reset`), or a 200 that breaks off within its body (`cut`).
 */
export type FcmAnswer = 'hang' | 'reset' | 'cut' | FcmResponse;

/** A response, whose body is sent as it is where it is text. */
export interface FcmResponse {
  readonly status: number;
  readonly body: string | object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A message as it arrived. */
export interface FcmRequest {
  readonly path: string;
  readonly authorization: string;
  readonly message: Json;
}

/** Google's token endpoint and Firebase Cloud Messaging, on a loopback port. */
export interface FakeFcm {
  /** As PUSH_ADDRESS has it. */
  readonly address: string;
  readonly account: ServiceAccount;
  /** The environment of a process that sends to it, and trusts it. */
  readonly environment: Environment;
  /** What arrived, in its order, whatever was answered. */
  readonly requests: readonly FcmRequest[];
  /** What went well: whoever brought it has been told so, unless they were gone by then. */
  readonly taken: readonly FcmRequest[];
  /** The access tokens that were asked for; null where they were refused or not answered. */
  readonly grants: readonly (string | null)[];
  /** Connections to it by somebody who trusts it. */
  agent(): Agent;
  /** Answers the next messages to a device so, one each; those after them are taken. */
  answer(token: string, ...answers: readonly FcmAnswer[]): void;
  /** Answers every message so from now on, whatever device it is to; null: takes them, when a promise says so. */
  answerAll(answer: FcmAnswer | Promise<null> | null): void;
  /** Answers so whoever asks for an access token from now on; null: grants it to those who sign as the account. */
  answerGrants(answer: FcmAnswer | null): void;
  /** Takes no access token any more that was granted until now. */
  revoke(): void;
  close(): Promise<void>;
}

const HOSTS = { tokens: 'oauth2.googleapis.com', messages: 'fcm.googleapis.com' };
const PROJECT = 'opine-of-tests';
const TOKEN_URL = `https://${HOSTS.tokens}/token`;
const SCOPE = 'https://www.googleapis.com/auth/firebase.messaging';
const UNAUTHENTICATED = googleError(
  401,
  'UNAUTHENTICATED',
  'Request had invalid authentication credentials.',
);

/** An error as Google's APIs word it. */
export function googleError(
  code: number,
  status: string,
  message: string,
  details: readonly object[] = [],
): FcmResponse {
  return { status: code, body: { error: { code, message, status, details } } };
}

/** What FCM adds to an error: its own code. */
export function fcmCode(errorCode: string): object {
  return { '@type': 'type.googleapis.com/google.firebase.fcm.v1.FcmError', errorCode };
}

/** What Google's APIs add to an error of a field. */
export function violationOf(...fields: readonly string[]): object {
  return {
    '@type': 'type.googleapis.com/google.rpc.BadRequest',
    fieldViolations: fields.map((field) => ({ field, description: 'Invalid value' })),
  };
}

/** Starts Google with one project and its service account. Ended by the `close` of whoever started it. */
export async function startFcm(): Promise<FakeFcm> {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const account = {
    project_id: PROJECT,
    client_email: `push@${PROJECT}.iam.gserviceaccount.com`,
    private_key: privateKey,
  };
  const certificate = aCertificateFor(Object.values(HOSTS));
  const directory = mkdtempSync(path.join(os.tmpdir(), 'opine-fcm-'));
  const certificateFile = path.join(directory, 'certificate.pem');
  writeFileSync(certificateFile, certificate.cert);

  const requests: FcmRequest[] = [];
  const taken: FcmRequest[] = [];
  const grants: (string | null)[] = [];
  const scripts = new Map<string, FcmAnswer[]>();
  let toAll: FcmAnswer | Promise<null> | null = null;
  let toGrants: FcmAnswer | null = null;
  let valid = new Set<string>();

  async function grant(body: string): Promise<FcmAnswer> {
    const form = new URLSearchParams(body);
    const isSigned =
      form.get('grant_type') === 'urn:ietf:params:oauth:grant-type:jwt-bearer' &&
      (await isAssertion(form.get('assertion') ?? '', account.client_email, publicKey));
    if (toGrants !== null || !isSigned) {
      grants.push(null);
      return toGrants ?? { status: 400, body: { error: 'invalid_grant' } };
    }
    const token = `access-${grants.length + 1}-${crypto.randomUUID()}`;
    grants.push(token);
    valid.add(token);
    return { status: 200, body: { access_token: token, expires_in: 3599, token_type: 'Bearer' } };
  }

  async function take({ url = '', headers }: IncomingMessage, body: string): Promise<FcmAnswer> {
    const { message } = JSON.parse(body);
    const request = { path: url, authorization: headers.authorization ?? '', message };
    requests.push(request);
    if (!valid.has(request.authorization.replace(/^Bearer /, ''))) return UNAUTHENTICATED;
    if (request.path !== `/v1/projects/${PROJECT}/messages:send`) {
      return googleError(404, 'NOT_FOUND', 'Requested entity was not found.');
    }
    const answer = (await toAll) ?? scripts.get(message.token)?.shift();
    if (answer !== undefined) return answer;
    taken.push(request);
    return { status: 200, body: { name: `projects/${PROJECT}/messages/${taken.length}` } };
  }

  const server = createServer(certificate, async (incoming, outgoing) => {
    const { method, headers, url } = incoming;
    // Whoever is killed does not finish what it says.
    const body = await text(incoming).catch(() => null);
    if (body === null) return;
    if (method === 'POST' && headers.host === HOSTS.tokens && url === '/token')
      respond(outgoing, await grant(body));
    else if (method === 'POST' && headers.host === HOSTS.messages)
      respond(outgoing, await take(incoming, body));
    else respond(outgoing, { status: 404, body: 'Not Found' });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A client in the same process that stalls for seconds would write to connections that are closed as idle when it goes on.
  server.keepAliveTimeout = 0;
  const { port } = server.address() as AddressInfo;

  return {
    address: `127.0.0.1:${port}`,
    account,
    environment: {
      FIREBASE_SERVICE_ACCOUNT: JSON.stringify(account),
      PUSH_ADDRESS: `127.0.0.1:${port}`,
      NODE_EXTRA_CA_CERTS: certificateFile,
    },
    requests,
    taken,
    grants,
    agent: () => new Agent({ keepAlive: true, host: '127.0.0.1', port, ca: certificate.cert }),
    answer: (token, ...answers) => void scripts.set(token, [...(scripts.get(token) ?? []), ...answers]),
    answerAll: (answer) => {
      toAll = answer;
    },
    answerGrants: (answer) => {
      toGrants = answer;
    },
    revoke: () => {
      valid = new Set();
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(directory, { recursive: true });
    },
  };
}

async function isAssertion(assertion: string, email: string, publicKey: string): Promise<boolean> {
  try {
    const { payload } = await jwtVerify(assertion, await importSPKI(publicKey, 'RS256'), {
      algorithms: ['RS256'],
      issuer: email,
      audience: TOKEN_URL,
      requiredClaims: ['iat', 'exp'],
    });
    // Google grants nothing for longer than an hour.
    return payload.scope === SCOPE && Number(payload.exp) - Number(payload.iat) <= 3600;
  } catch {
    return false;
  }
}

function respond(outgoing: ServerResponse, answer: FcmAnswer): void {
  if (answer === 'hang') return;
  if (answer === 'reset') {
    outgoing.destroy();
    return;
  }
  if (answer === 'cut') {
    outgoing.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
    outgoing.write('{"name":', () => outgoing.destroy());
    return;
  }
  const { status, body, headers } = answer;
  outgoing.writeHead(status, { 'content-type': 'application/json; charset=UTF-8', ...headers });
  outgoing.end(typeof body === 'string' ? body : JSON.stringify(body));
}
