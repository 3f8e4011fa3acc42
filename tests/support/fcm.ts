import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Agent, createServer } from 'node:https';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { importSPKI, jwtVerify } from 'jose';
import type { ServiceAccount } from '../../src/auth/service-account.ts';
import type { Environment } from '../../src/config.ts';
import { aCertificateFor } from './certificate.ts';
import type { Json } from './client.ts';
import { close, type FakeAnswer, listen, respond } from './loopback.ts';

export interface FcmRequest {
  readonly path: string;
  readonly authorization: string;
  readonly message: Json;
}

/** A fake of Google's token endpoint and Firebase Cloud Messaging, on a loopback port. */
export interface FakeFcm {
  /** Value of PUSH_ADDRESS. */
  readonly address: string;
  readonly account: ServiceAccount;
  /** Environment of a process that sends to the fake and trusts its certificate. */
  readonly environment: Environment;
  /** Received messages, whatever the answer was. */
  readonly requests: readonly FcmRequest[];
  /** Messages that were answered with success. */
  readonly taken: readonly FcmRequest[];
  /** Granted access tokens; null for a request that was refused or not answered. */
  readonly grants: readonly (string | null)[];
  /** Returns an agent that connects to the fake and trusts it. */
  agent(): Agent;
  /** Queues answers to the next messages to a device; later messages succeed. */
  answer(token: string, ...answers: readonly FakeAnswer[]): void;
  /** Answers every message alike from now on. A promise delays messages until it resolves; null restores success. */
  answerAll(answer: FakeAnswer | Promise<null> | null): void;
  /** Answers every token request alike from now on; null restores the check of the signature. */
  answerGrants(answer: FakeAnswer | null): void;
  /** Invalidates all access tokens granted so far. */
  revoke(): void;
  close(): Promise<void>;
}

const HOSTS = { tokens: 'oauth2.googleapis.com', messages: 'fcm.googleapis.com' };
const PROJECT = 'opine-of-tests';
const TOKEN_URL = `https://${HOSTS.tokens}/token`;
const SCOPE = 'https://www.googleapis.com/auth/firebase.messaging';

/** How long an access token lives. */
export const TOKEN_SECONDS = 3_599;

const UNAUTHENTICATED = googleError(
  401,
  'UNAUTHENTICATED',
  'Request had invalid authentication credentials.',
);

/** Returns an error in the format of Google's APIs. */
export function googleError(
  code: number,
  status: string,
  message: string,
  details: readonly object[] = [],
): Exclude<FakeAnswer, string> {
  return { status: code, body: { error: { code, message, status, details } } };
}

/** Returns the FCM error detail. */
export function fcmCode(errorCode: string): object {
  return { '@type': 'type.googleapis.com/google.firebase.fcm.v1.FcmError', errorCode };
}

/** Returns the error detail for invalid fields. */
export function violationOf(...fields: readonly string[]): object {
  return {
    '@type': 'type.googleapis.com/google.rpc.BadRequest',
    fieldViolations: fields.map((field) => ({ field, description: 'Invalid value' })),
  };
}

/** Starts the fake with one project and its service account; the caller closes it. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: its functions share what it holds.
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
  const scripts = new Map<string, FakeAnswer[]>();
  let toAll: FakeAnswer | Promise<null> | null = null;
  let toGrants: FakeAnswer | null = null;
  let valid = new Set<string>();

  async function grant(body: string): Promise<FakeAnswer> {
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
    return { status: 200, body: { access_token: token, expires_in: TOKEN_SECONDS, token_type: 'Bearer' } };
  }

  async function take({ url = '', headers }: IncomingMessage, body: string): Promise<FakeAnswer> {
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

  const reply = (outgoing: ServerResponse, answer: FakeAnswer) =>
    respond(outgoing, answer, { contentType: 'application/json; charset=UTF-8' });
  const server = createServer(certificate, async (incoming, outgoing) => {
    const { method, headers, url } = incoming;
    // A killed client leaves an incomplete body.
    const body = await text(incoming).catch(() => null);
    if (body === null) return;
    if (method === 'POST' && headers.host === HOSTS.tokens && url === '/token')
      reply(outgoing, await grant(body));
    else if (method === 'POST' && headers.host === HOSTS.messages)
      reply(outgoing, await take(incoming, body));
    else reply(outgoing, { status: 404, body: 'Not Found' });
  });
  const port = await listen(server);
  // A client in this process that stalls for seconds would write to connections closed as idle.
  server.keepAliveTimeout = 0;

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
      await close(server);
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
    // Google grants tokens for at most an hour.
    return payload.scope === SCOPE && Number(payload.exp) - Number(payload.iat) <= 3600;
  } catch {
    return false;
  }
}
