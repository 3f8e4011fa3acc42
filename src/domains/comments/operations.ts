import { z } from 'zod';
import { id, listPage, nothing, page } from '../../contract/values.ts';
import type { Operation } from '../../http/operation.ts';
import { AT, author, POST_ID } from '../examples.ts';
import { Comment, NewComment } from './schemas.ts';

const params = { postId: 'POST_NOT_FOUND' } as const;

const comment = {
  id: '01900000-0000-7000-8000-0000000000f1',
  postId: POST_ID,
  parentCommentId: null,
  author,
  text: 'Four are enough for me.',
  assetId: null,
  altText: null,
  width: null,
  height: null,
  blurhash: null,
  replyCount: 0,
  createdAt: AT,
  isDeleted: false,
};

/** Comments (docs/product.md C1-C6). */
export const comments: readonly Operation[] = [
  {
    id: 'list_comments',
    method: 'get',
    path: '/posts/{postId}/comments',
    tag: 'Comments',
    summary: 'List the comments of a post, oldest first',
    description:
      'Lists the roots of threads. `parentCommentId` selects the replies of one thread. Private posts have no comments.',
    auth: 'optional',
    params,
    query: z.object({
      parentCommentId: id.optional().describe('The root of the thread whose replies to list.'),
      ...listPage,
    }),
    data: page(Comment),
    status: 200,
    message: 'Comments.',
    errors: ['FORBIDDEN', 'COMMENT_NOT_FOUND'],
    example: { data: { items: [comment], nextCursor: null } },
  },
  {
    id: 'create_comment',
    revokesAccess: false,
    method: 'post',
    path: '/posts/{postId}/comments',
    tag: 'Comments',
    summary: 'Comment on a post',
    auth: 'required',
    level: 2,
    params,
    body: NewComment,
    data: Comment,
    status: 201,
    message: 'Comment published.',
    errors: ['COMMENT_NOT_FOUND', 'RATE_LIMITED'],
    example: { body: { text: comment.text }, data: comment },
  },
  {
    id: 'delete_comment',
    method: 'delete',
    path: '/comments/{commentId}',
    tag: 'Comments',
    summary: 'Delete a comment',
    description:
      'For the author of the comment and the author of the post. A root with replies stays, without text and author.',
    auth: 'required',
    level: 1,
    params: { commentId: 'COMMENT_NOT_FOUND' },
    data: nothing,
    status: 200,
    message: 'Comment deleted.',
    errors: ['FORBIDDEN'],
    example: { data: {} },
  },
];
