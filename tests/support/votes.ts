import type { Client, Json, Reply } from './client.ts';

/** The positions of a slider, in order. */
export const POSITIONS = ['strong_left', 'left', 'neutral', 'right', 'strong_right'] as const;

export type Position = (typeof POSITIONS)[number];

export function castVote(voter: Client, post: Json, position: Position = 'left'): Promise<Reply> {
  return voter.post(`/posts/${post.id}/vote`, { position });
}

/** Adds the scope of `hub` to a path. */
function scoped(path: string, hub?: Pick<Json, 'id'>): string {
  return hub === undefined ? path : `${path}?hubId=${hub.id}`;
}

/** Requests the three buckets of `post`. */
export function summaryOf(viewer: Client, { id }: Json, hub?: Pick<Json, 'id'>): Promise<Reply> {
  return viewer.get(scoped(`/posts/${id}/vote/summary`, hub));
}

/** Requests the five positions of `post`. */
export function distributionOf(viewer: Client, { id }: Json, hub?: Pick<Json, 'id'>): Promise<Reply> {
  return viewer.get(scoped(`/posts/${id}/vote/distribution`, hub));
}

export function hubVotesOf(viewer: Client, { id }: Json): Promise<Reply> {
  return viewer.get(`/posts/${id}/vote/hubs`);
}

export function myVote(voter: Client, post: Json): Promise<Reply> {
  return voter.get(`/posts/${post.id}/vote/me`);
}

/** Returns the visible counts by position; empty without votes. */
export async function countsOf(viewer: Client, post: Json, hub?: Pick<Json, 'id'>): Promise<number[]> {
  const { data } = await distributionOf(viewer, post, hub);
  return data.distribution.map(({ count }: Json) => count);
}
