import pg from 'pg';
import type { Json } from './reply.ts';

/** What a call of an operation in SQL came to. */
export interface SqlAnswer {
  /** `null` where the operation ran to its end. */
  readonly sqlstate: string | null;
  readonly message: string;
}

/** The Data API's way in: a connection that runs operations as their caller, without the service in between. */
export interface SqlDoor {
  /**
   * Runs `api.<operation>(args)` with the claims of an access token, and takes everything back.
   * Cancels it (57014) after five seconds.
   * @param accessToken of the caller, `null` for a guest
   */
  call(accessToken: string | null, operation: string, args: Json): Promise<SqlAnswer>;
  close(): Promise<void>;
}

/** Opens the second door of a database. */
export async function openSqlDoor(superuserUrl: string): Promise<SqlDoor> {
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
