import type { Client, Json, Reply } from './client.ts';
import { aComment, commentsOn, type Post, requestComment } from './frames.ts';
import { seenBy } from './posts.ts';

/** A reply of `author`'s below `root`. */
export function aReply(author: Client, post: Post, { id }: Json, text = 'Quite.'): Promise<Json> {
  return aComment(author, post, text, { parentCommentId: id });
}

/** `author` asks to reply to `root`. */
export function requestReply(author: Client, post: Post, { id }: Json): Promise<Reply> {
  return requestComment(author, post, { text: 'Late.', parentCommentId: id });
}

/** The replies in the thread of `root` that `viewer` sees. */
export function repliesTo(viewer: Client, post: Post, { id }: Json): Promise<Json[]> {
  return commentsOn(viewer, post, { parentCommentId: id });
}

/** How many comments `viewer` is told that `post` has. */
export async function commentCountSeenBy(viewer: Client, post: Json): Promise<number> {
  return (await seenBy(viewer, post)).commentCount;
}

/** What is left of a root that is removed and has replies. */
export function remainsOf(root: Json, replyCount: number): Json {
  return {
    ...root,
    author: { id: '', username: '', name: '', profilePhotoUrl: null, isAnonymous: true },
    text: null,
    assetId: null,
    replyCount,
    isDeleted: true,
  };
}
