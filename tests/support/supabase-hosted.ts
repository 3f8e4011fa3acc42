import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createProxy, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { connect } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { JWK } from 'jose';
import { importSigningKeys } from '../../src/auth/signing-keys.ts';
import { aCertificateFor } from './certificate.ts';
import { close, listen } from './loopback.ts';

/** The reference of the fake project. */
export const REF = 'abcdefghijklmnopqrst';

const PROJECT = `${REF}.supabase.co`;
const API = 'api.supabase.com';

/**
 * A fake of hosted Supabase behind a proxy: the Management API, as version 3.1 of the CLI calls it, and one
 * project.
 */
export interface HostedSupabase {
  /** Environment of programs that use the fake with a logged-in CLI. */
  readonly environment: Readonly<Record<string, string>>;
  readonly secrets: ReadonlyMap<string, string>;
  readonly signingKeys: readonly JWK[];
  /** Deployed files by function and path. */
  readonly functions: ReadonlyMap<string, ReadonlyMap<string, Uint8Array>>;
  /** Forwards a path of the project, such as `/storage/v1`, to `url`. */
  serve(path: string, url: string): void;
  close(): Promise<void>;
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: its functions share what it holds.
export async function startHostedSupabase(): Promise<HostedSupabase> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'opine-hosted-'));
  const certificate = aCertificateFor([API, PROJECT]);
  const certificateFile = path.join(folder, 'certificate.pem');
  writeFileSync(certificateFile, certificate.cert);
  const secrets = new Map<string, string>();
  const signingKeys: JWK[] = [];
  const functions = new Map<string, Map<string, Uint8Array>>();
  const served = new Map<string, string>();

  async function answerProject(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { url = '' } = incoming;
    if (url === '/auth/v1/.well-known/jwks.json') {
      const keys = signingKeys.length === 0 ? [] : (await importSigningKeys(signingKeys)).published;
      return answer(outgoing, 200, { keys });
    }
    const [base, target] = [...served].find(([base]) => `${url}/`.startsWith(`${base}/`)) ?? [];
    if (base === undefined || target === undefined) return answer(outgoing, 404, {});
    const forwarded = request(
      new URL(url, target),
      { method: incoming.method, headers: incoming.headers },
      (response) => {
        outgoing.writeHead(response.statusCode ?? 0, response.rawHeaders);
        response.pipe(outgoing);
      },
    );
    incoming.pipe(forwarded);
  }

  async function answerManagement(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = incoming;
    const { pathname, searchParams } = new URL(url, `https://${API}`);
    const body = await buffer(incoming);
    switch (`${method} ${pathname.replace(`/v1/projects/${REF}`, '')}`) {
      case 'GET ':
        return answer(outgoing, 200, DESCRIPTION);
      case 'GET /api-keys':
        return answer(outgoing, 200, [
          { name: 'anon', api_key: 'the.anon.key' },
          { name: 'service_role', api_key: SERVICE_KEY },
        ]);
      case 'POST /secrets':
        for (const { name, value } of JSON.parse(body.toString())) secrets.set(name, value);
        return answer(outgoing, 201, undefined);
      case 'POST /config/auth/signing-keys':
        signingKeys.push(JSON.parse(body.toString()).private_jwk);
        return answer(outgoing, 201, { status: 'standby' });
      case 'GET /functions':
        return answer(outgoing, 200, []);
      case 'POST /functions/deploy': {
        const slug = searchParams.get('slug') ?? '';
        functions.set(slug, await filesIn(body, headers['content-type'] ?? ''));
        return answer(outgoing, 201, { ...DEPLOYED, slug, name: slug });
      }
      case 'PUT /functions':
        return answer(outgoing, 200, { functions: JSON.parse(body.toString()) });
      default:
        return answer(outgoing, 404, { message: 'Not found' });
    }
  }

  const server = createServer(certificate, (incoming, outgoing) => {
    const respond = incoming.headers.host === API ? answerManagement : answerProject;
    respond(incoming, outgoing).catch((error: Error) => answer(outgoing, 500, { message: error.message }));
  });
  const port = await listen(server);
  const proxy = createProxy().on('connect', (_, client) => {
    const upstream = connect(port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.pipe(client).pipe(upstream);
    });
    upstream.on('error', () => client.destroy());
    client.on('error', () => upstream.destroy());
  });
  const proxyUrl = `http://127.0.0.1:${await listen(proxy)}`;

  return {
    environment: {
      HTTPS_PROXY: proxyUrl,
      https_proxy: proxyUrl,
      NODE_EXTRA_CA_CERTS: certificateFile,
      CURL_CA_BUNDLE: certificateFile,
      SUPABASE_HOME: folder,
      SUPABASE_ACCESS_TOKEN: `sbp_${'0'.repeat(40)}`,
      SUPABASE_YES: '1',
      SUPABASE_TELEMETRY_DISABLED: '1',
      SUPABASE_NO_UPDATE_NOTIFIER: '1',
    },
    secrets,
    signingKeys,
    functions,
    serve: (base, url) => served.set(base, url),
    close: async () => {
      await close(proxy);
      await close(server);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The project's service key, with which the CLI creates buckets. */
export const SERVICE_KEY = 'the.service.key';

const DESCRIPTION = {
  id: REF,
  ref: REF,
  organization_id: 'org',
  organization_slug: 'org',
  name: 'opine',
  region: 'eu-central-1',
  created_at: '2026-01-01T00:00:00Z',
  status: 'ACTIVE_HEALTHY',
  database: { host: `db.${REF}.supabase.co`, version: '17', postgres_engine: '17', release_channel: 'ga' },
};

const DEPLOYED = {
  id: '00000000-0000-4000-8000-000000000000',
  status: 'ACTIVE',
  version: 1,
  created_at: 1,
  updated_at: 1,
  verify_jwt: false,
  ezbr_sha256: 'played',
};

async function filesIn(body: Buffer, contentType: string): Promise<Map<string, Uint8Array>> {
  const form = await new Response(new Uint8Array(body), {
    headers: { 'Content-Type': contentType },
  }).formData();
  const files = new Map<string, Uint8Array>();
  for (const value of form.getAll('file')) {
    if (value instanceof File) files.set(value.name, await value.bytes());
  }
  return files;
}

function answer(outgoing: ServerResponse, status: number, body: unknown): void {
  outgoing.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body) ?? '');
}
