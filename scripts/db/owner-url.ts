/**
 * DATABASE_URL: who connects with it owns the database.
 * @throws Error where it is not set, or is no address of Postgres
 */
export function ownerUrl(): string {
  const url = process.env.DATABASE_URL;
  if (!url) throw new Error('DATABASE_URL is not set: the connection URL of the role that owns the database');
  if (!/^postgres(ql)?:\/\//.test(url)) throw new Error('DATABASE_URL must be a postgresql:// URL');
  return url;
}
