import path from 'node:path';

/** The repository's root. */
export const ROOT = path.join(import.meta.dirname, '../..');

/** The folder of config, schemas and migrations, as the Supabase CLI expects it. */
export const SUPABASE_DIRECTORY = path.join(ROOT, 'supabase');

/** Our schemas; all others belong to the platform or to an extension. */
export const OUR_SCHEMAS = ['app', 'api', 'gateway', 'staff'];
