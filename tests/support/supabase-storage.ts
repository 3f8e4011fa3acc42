import { createClient, type SupabaseClient } from '@supabase/supabase-js';

/** Supabase Storage, as supabase-js offers it. */
export type Storage = SupabaseClient['storage'];

/**
 * Returns a client of the storage at `url` that shows `key`, by default one that opens nothing.
 * @param send replaces `fetch`
 */
export function storageAt(url: string, key = 'sb_publishable_of_tests', send: typeof fetch = fetch): Storage {
  const auth = { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false };
  return createClient(url, key, { auth, global: { fetch: send } }).storage;
}
