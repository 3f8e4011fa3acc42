import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { createLocalJWKSet, jwtVerify } from 'jose';
import pg from 'pg';
import { importSigningKeys } from '../../src/auth/signing-keys.ts';
import { SIGNING_KEY } from './keys.ts';
import { close, listen } from './loopback.ts';
import type { WithDatabase } from './opine.ts';

export interface DataApi {
  /** Base URL for supabase-js. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Starts a fake PostgREST 14 for POST calls of functions in schema `api`: role and claims of the token, one
 * transaction, the body as the one unnamed argument, and PostgREST's error replies.
 */
export async function startDataApi({ database }: WithDatabase): Promise<DataApi> {
  const pool = new pg.Pool({ connectionString: database.superuserUrl, max: 2 });
  pool.on('error', () => {});
  const { published } = await importSigningKeys([SIGNING_KEY]);
  const keyOf = createLocalJWKSet({ keys: [...published] });

  async function claimsOf(authorization = ''): Promise<Record<string, unknown>> {
    const token = authorization.replace(/^Bearer /, '');
    if (token === '' || token.startsWith('sb_')) return { role: 'anon' };
    return (await jwtVerify(token, keyOf)).payload;
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const reply = (status: number, body: unknown) =>
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    const [, name] = /^\/rest\/v1\/rpc\/(\w+)$/.exec(request.url ?? '') ?? [];
    const schema = request.headers['content-profile'];
    if (name === undefined || request.method !== 'POST') return void reply(404, {});
    if (schema !== 'api') return void reply(406, { code: 'PGRST106', message: `Invalid schema: ${schema}` });
    const claims = await claimsOf(request.headers.authorization).catch(() => null);
    if (claims === null)
      return void reply(401, { code: 'PGRST301', message: 'No suitable key or wrong key type' });
    const client = await pool.connect();
    try {
      const body = await json(request);
      const found = await client.query(
        `select from pg_proc where pronamespace = 'api'::regnamespace and proname = $1
          and proargtypes[0] in ('json'::regtype, 'jsonb'::regtype) and pronargs = 1 and proargnames is null`,
        [name],
      );
      if (found.rowCount === 0)
        return void reply(404, { code: 'PGRST202', message: `No function api.${name}` });
      await client.query('begin');
      await client.query(`select set_config('role', $1, true), set_config('request.jwt.claims', $2, true)`, [
        claims.role,
        JSON.stringify(claims),
      ]);
      const { rows } = await client.query(`select api.${name}($1::jsonb) as data`, [JSON.stringify(body)]);
      await client.query('commit');
      reply(200, rows[0].data);
    } catch (error) {
      await client.query('rollback');
      if (!(error instanceof pg.DatabaseError)) throw error;
      const { code = '', message, detail = null, hint = null } = error;
      reply(statusOf(code, claims), { code, message, details: detail, hint });
    } finally {
      client.release();
    }
  }

  const server = createServer((request, response) => void answer(request, response));
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      await close(server);
      await pool.end();
    },
  };
}

/** PostgREST's statuses by SQLSTATE prefix; the first match wins. */
const STATUSES: readonly (readonly [prefix: string, status: number])[] = [
  ...['23503', '23505'].map((code) => [code, 409] as const),
  ...['0L', '0P', '28'].map((code) => [code, 403] as const),
  ...['42883', '42P01'].map((code) => [code, 404] as const),
  ['25006', 405],
  ['53400', 500],
  ...['08', '53'].map((code) => [code, 503] as const),
  ['P0001', 400],
  ...['09', '25', '2D', '38', '39', '3B', '40', '54', '55', '57', '58', 'F0', 'HV', 'P0', 'XX'].map(
    (code) => [code, 500] as const,
  ),
];

function statusOf(sqlstate: string, claims: { role?: unknown }): number {
  if (sqlstate.startsWith('PT')) return Number(sqlstate.slice(2));
  if (sqlstate === '42501') return claims.role === 'anon' ? 401 : 403;
  return STATUSES.find(([prefix]) => sqlstate.startsWith(prefix))?.[1] ?? 400;
}
