import {
  type DatabaseConnection,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely';
import type { DB } from '../../src/db/types.ts';

/** A call of a function of Postgres, or the words of another statement. */
export type FunctionCall = readonly [name: string, ...args: unknown[]];

/**
 * Creates a database for the worker whose functions answer what `answersTo` returns: one row each, or none for an empty list. It may
 * throw.
 */
export function fakeDatabase(answersTo: (call: FunctionCall) => readonly unknown[]): Kysely<DB> {
  const connection: DatabaseConnection = {
    executeQuery: async ({ sql, parameters }) => {
      const name = /^\s*select to_json\(answer\) as answer from (\S+)\(/.exec(sql)?.[1];
      const answers = answersTo(name === undefined ? [sql.replaceAll(/\s+/g, ' ')] : [name, ...parameters]);
      return { rows: answers.map((answer) => ({ answer })) as never[] };
    },
    streamQuery: () => {
      throw new Error('There are no streams.');
    },
  };
  return new Kysely({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => Object.assign(new DummyDriver(), { acquireConnection: async () => connection }),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
}
