import type { Client, Json, Reply } from './client.ts';

/** The positions of a slider, in order. */
export const POSITIONS = ['strong_left', 'left', 'neutral', 'right', 'strong_right'] as const;

/** One of `POSITIONS`. */
export type Position = (typeof POSITIONS)[number];

/** `voter` votes on `post`. */
export function castVote(voter: Client, post: Json, position: Position = 'left'): Promise<Reply> {
  return voter.post(`/posts/${post.id}/vote`, { position });
}

/** The address of what `hub` shows of votes; of what is displayed without asking for one where there is none. */
function scoped(path: string, hub?: Pick<Json, 'id'>): string {
  return hub === undefined ? path : `${path}?hubId=${hub.id}`;
}

/** The three buckets of `post`, in a Hub where one is given. */
export function summaryOf(viewer: Client, { id }: Json, hub?: Pick<Json, 'id'>): Promise<Reply> {
  return viewer.get(scoped(`/posts/${id}/vote/summary`, hub));
}

/** The five positions of `post`, in a Hub where one is given. */
export function distributionOf(viewer: Client, { id }: Json, hub?: Pick<Json, 'id'>): Promise<Reply> {
  return viewer.get(scoped(`/posts/${id}/vote/distribution`, hub));
}

/** The views of `post` in the Hubs of `viewer`. */
export function hubVotesOf(viewer: Client, { id }: Json): Promise<Reply> {
  return viewer.get(`/posts/${id}/vote/hubs`);
}

/** What `voter` is told about their own vote on `post`. */
export function myVote(voter: Client, post: Json): Promise<Reply> {
  return voter.get(`/posts/${post.id}/vote/me`);
}

/** How many votes `viewer` sees at each position of `post`, in order; none at zero votes. */
export async function countsOf(viewer: Client, post: Json, hub?: Pick<Json, 'id'>): Promise<number[]> {
  const { data } = await distributionOf(viewer, post, hub);
  return data.distribution.map(({ count }: Json) => count);
}
