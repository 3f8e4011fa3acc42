import { StorageClient } from '@supabase/storage-js';

/** Where an object lies. */
export interface ObjectPlace {
  readonly bucket: string;
  readonly objectKey: string;
}

/** The objects in storage. */
export interface Objects {
  /** Removes objects; one that is not there is removed already. Throws where storage refuses or is away. */
  remove(places: readonly ObjectPlace[]): Promise<void>;
}

/** Makes the way to the storage of the project at `url`, past its policies by the project's secret key. */
export function createObjects({ url, secretKey }: { url: string; secretKey: string }): Objects {
  const storage = new StorageClient(new URL('/storage/v1', url).href, {
    apikey: secretKey,
    authorization: `Bearer ${secretKey}`,
  });
  return {
    remove: async (places) => {
      for (const [bucket, ofBucket] of Map.groupBy(places, (place) => place.bucket)) {
        const { error } = await storage.from(bucket).remove(ofBucket.map(({ objectKey }) => objectKey));
        if (error) throw error;
      }
    },
  };
}
