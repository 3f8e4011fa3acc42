/** The buckets of supabase/config.toml: incoming uploads, public photos, private media. */
export type Bucket = 'uploads' | 'photos' | 'media';

/** Returns the key of the thumbnail of an asset, which is in the asset's bucket. */
export function buildThumbnailKey(assetId: string): string {
  return `${assetId}-thumbnail`;
}

/** Returns the prefix of photo URLs; the photo's id follows. @param url of the Supabase project */
export function buildPhotosUrl(url: string): string {
  return new URL('/storage/v1/object/public/photos/', url).href;
}
