import type { Client, Json } from '../harness/client.ts';
import type { Opine } from '../harness/opine.ts';
import type { Person } from './people.ts';

/** Staff choose `person` as one whose posts everybody sees who has nothing of their own. */
export async function chooseForDefaultFeed(opine: Opine, person: Person): Promise<void> {
  await opine.database.superuser
    .insertInto('app.default_feed_users')
    .values({ user_id: person.id })
    .execute();
}

/** The page of `viewer`'s home feed at `cursor`, its first one without. */
export async function homePage(viewer: Client, limit?: number, cursor?: string): Promise<Json> {
  const query = new URLSearchParams({
    ...(limit !== undefined && { limit: String(limit) }),
    ...(cursor !== undefined && { cursor }),
  });
  const { status, data, error } = await viewer.get(`/posts?${query}`);
  if (status !== 200) throw new Error(`A feed was refused: ${JSON.stringify(error)}`);
  return data;
}

/** `viewer`'s home feed from page to page of `limit` posts, up to where there is no next one. */
export async function homePages(viewer: Client, limit?: number): Promise<Json[][]> {
  const pages: Json[][] = [];
  for (let cursor: string | undefined; pages.length < 100; ) {
    const { items, nextCursor } = await homePage(viewer, limit, cursor);
    pages.push(items);
    if (nextCursor === null) return pages;
    cursor = nextCursor;
  }
  throw new Error('The feed does not end.');
}

/** The ids of the posts of `viewer`'s home feed. */
export async function homeFeed(viewer: Client): Promise<string[]> {
  return (await homePages(viewer)).flat().map(({ id }) => id);
}

/** The ids of `posts`, the newest first, as they were given in order of publication. */
export function newestFirst(posts: readonly Json[]): string[] {
  return posts.map(({ id }) => id).reverse();
}
