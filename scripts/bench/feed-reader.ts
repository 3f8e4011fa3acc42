import pg from 'pg';
import { PHOTOS_URL } from './api.ts';
import { claimsOf } from './bearers.ts';
import type { Database } from './world.ts';

/** Arguments as the API hands them to Postgres. */
export interface FeedArgs {
  readonly cursor?: string | undefined;
  readonly sort?: 'trending';
  readonly hubId?: string;
  readonly userId?: string;
}

/** A page of a feed, as far as it is looked at here. */
export interface FeedPage {
  readonly items: readonly { readonly id: string }[];
  readonly nextCursor: string | null;
}

/** Feeds as the gateway reads them, on one connection whose plans are made. */
export interface FeedReader extends AsyncDisposable {
  /**
   * @param user null for a guest
   * @returns the page as Postgres writes it
   * @throws Error where the page is empty
   */
  read(
    operation: 'get_home_feed' | 'get_hub_feed' | 'get_profile_feed',
    user: number | null,
    args: FeedArgs,
  ): Promise<string>;
}

/** Connects as the gateway does. */
export async function connectReader(database: Database): Promise<FeedReader> {
  const client = new pg.Client({ connectionString: database.urlAs('opine_gateway') });
  await client.connect();
  return {
    read: async (operation, user, args) => {
      const { rows } = await client.query<{ answer: string }>(
        `select answer from gateway.call('caller', $1, $3, $2, false, $4)`,
        [operation, user === null ? null : claimsOf(user), args, PHOTOS_URL],
      );
      const answer = rows[0]?.answer ?? '';
      if (!answer.startsWith('{"items": [{')) throw new Error(`${operation} finds nothing`);
      return answer;
    },
    [Symbol.asyncDispose]: () => client.end(),
  };
}

/**
 * Finds where a page of a home feed begins, by reading those before it.
 * @param page counted from 1
 * @returns the last page where there are fewer
 */
export async function findPage(
  reader: FeedReader,
  user: number,
  page: number,
  args: FeedArgs = {},
): Promise<{ readonly page: number; readonly cursor: string | undefined }> {
  let cursor: string | undefined;
  for (let number = 1; number < page; number += 1) {
    const { nextCursor }: FeedPage = JSON.parse(
      await reader.read('get_home_feed', user, { ...args, cursor }),
    );
    if (nextCursor === null) return { page: number, cursor };
    cursor = nextCursor;
  }
  return { page, cursor };
}
