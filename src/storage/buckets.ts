/** The buckets, as supabase/config.toml declares them: what comes in, photos that everybody may read, and the rest. */
export type Bucket = 'uploads' | 'photos' | 'media';

/** What the address of every photo begins with, in the project at `url`; the photo's id follows. */
export function photosUrlOf(url: string): string {
  return new URL('/storage/v1/object/public/photos/', url).href;
}
