import pg from 'pg';

/** Runs a function with a connection of its own, and closes it afterwards. */
export async function withClient<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  // An idle connection that breaks emits `error`; the next query fails by itself.
  client.on('error', () => {});
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
