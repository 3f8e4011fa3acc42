import type { Client, Json, Reply } from '../harness/client.ts';

/** The positions of a slider, in order. */
export const POSITIONS = ['strong_left', 'left', 'neutral', 'right', 'strong_right'] as const;

/** One of `POSITIONS`. */
export type Position = (typeof POSITIONS)[number];

/** `voter` votes on `post`. */
export function castVote(voter: Client, post: Json, position: Position = 'left'): Promise<Reply> {
  return voter.post(`/posts/${post.id}/vote`, { position });
}

/** What `voter` is told about their own vote on `post`. */
export function myVote(voter: Client, post: Json): Promise<Reply> {
  return voter.get(`/posts/${post.id}/vote/me`);
}

/** How many votes `viewer` sees at each position of `post`, in order; none at zero votes. */
export async function countsOf(viewer: Client, post: Json): Promise<number[]> {
  const { data } = await viewer.get(`/posts/${post.id}/vote/distribution`);
  return data.distribution.map(({ count }: Json) => count);
}
