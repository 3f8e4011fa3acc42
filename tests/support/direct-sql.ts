import pg from 'pg';
import type { Json } from './client.ts';

export interface SqlAnswer {
  /** `null` on success. */
  readonly sqlstate: string | null;
  readonly message: string;
}

/** A connection that runs operations as the Data API does, without the service. */
export interface DirectSql {
  /**
   * Runs `api.<operation>(args)` as the caller (`null`: a guest) and rolls back.
   * Cancels it (57014) after five seconds.
   */
  call(accessToken: string | null, operation: string, args: Json): Promise<SqlAnswer>;
  close(): Promise<void>;
}

export async function openDirectSql(superuserUrl: string): Promise<DirectSql> {
  const client = new pg.Client({ connectionString: superuserUrl });
  await client.connect();
  return {
    call: async (accessToken, operation, args) => {
      const [role, claims] =
        accessToken === null ? ['anon', '{"role":"anon"}'] : ['authenticated', claimsOf(accessToken)];
      await client.query(
        `begin isolation level serializable;
        set local statement_timeout = '5s';
        set local role ${role};
        set local request.jwt.claims = ${client.escapeLiteral(claims)}`,
      );
      try {
        await client.query(`select api.${operation}($1)`, [JSON.stringify(args)]);
        return { sqlstate: null, message: '' };
      } catch (error) {
        if (!(error instanceof pg.DatabaseError)) throw error;
        return { sqlstate: error.code ?? '', message: error.message.slice(0, 200) };
      } finally {
        await client.query('rollback');
      }
    },
    close: () => client.end(),
  };
}

function claimsOf(accessToken: string): string {
  const [, payload = ''] = accessToken.split('.');
  return Buffer.from(payload, 'base64url').toString();
}
