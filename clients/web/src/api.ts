import { createOpine, type FeedCard, isOpineError, type PostCard, type PostDetail } from '@opine/client';
import type { MutationMeta, QueryKey, UseInfiniteQueryOptions } from '@tanstack/react-query';
import { MutationCache, QueryClient, useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { isRedirecting, isStepMissing } from './errors.ts';
import { announce, showError } from './notices.ts';
import { navigate, redirect } from './router.ts';
import { onPersonChange, tokenStore, useUserId } from './tokens.ts';

/** The client of the service that serves this page. */
export const opine = createOpine({ baseUrl: location.origin, tokens: tokenStore });

/** The cache of what the service has answered. */
export const queries = new QueryClient({
  defaultOptions: {
    // The client itself repeats what a bad network lost.
    queries: { retry: false, staleTime: 5_000 },
    // A vote must not wait for the network and go out later unseen.
    mutations: { networkMode: 'always' },
  },
  mutationCache: new MutationCache({ onError }),
});

// What one person may see is not for the next one.
onPersonChange(() => queries.clear());

/** Says what went wrong, unless its form says it in place, and leads to sign-in or onboarding where that helps. */
function onError(error: Error, _: unknown, __: unknown, { meta }: { meta?: MutationMeta | undefined }): void {
  if (meta?.isInPlace !== true || isRedirecting(error)) showError(error);
  if (isOpineError(error, 'UNAUTHORIZED')) redirect('/sign-in');
  else if (isStepMissing(error)) redirect('/onboarding');
}

/** Marks answers as out of date, and reads again those on the screen. Each key covers all keys that begin with it. */
export function invalidate(...keys: QueryKey[]): void {
  for (const queryKey of keys) void queries.invalidateQueries({ queryKey });
}

/** The values of a form by the names of its fields, trimmed, without empty ones. */
export type Fields = Record<string, string>;

/** An action that a form or button runs. */
export interface Run<A> {
  readonly isPending: boolean;
  readonly error: Error | null;
  mutate(given: A, then?: { onSuccess?: () => void; onSettled?: () => void }): void;
  /** As `mutate`, but what follows does so even if the caller is off the screen by then. */
  mutateAsync(given: A): Promise<unknown>;
}

interface ActionOptions {
  /** Actions of the same order run one after the other, so that of two changes the later one wins. */
  readonly order?: string;
  /** Whether a form or dialog shows its errors itself. */
  readonly isInPlace?: boolean;
}

/**
 * An action of the person. What goes wrong with it is shown.
 * @param onDone what follows when it has succeeded
 */
export function useAction<R, A = void>(
  act: (given: A) => Promise<R>,
  onDone: (result: R, given: A) => void,
  { order, isInPlace = false }: ActionOptions = {},
) {
  return useMutation({
    mutationFn: act,
    onSuccess: onDone,
    meta: { isInPlace },
    ...(order !== undefined && { scope: { id: order } }),
  });
}

/** An action of a form or of a question, which shows its errors in place. */
export function useSubmit<R, A = void>(act: (given: A) => Promise<R>, onDone: (result: R, given: A) => void) {
  return useAction(act, onDone, { isInPlace: true });
}

/** Returns what follows an action: out-of-date answers are read again, `said` is shown, and the app goes to `path`. */
export function done(said: string, outdated: readonly QueryKey[] = [], path?: string): () => void {
  return () => {
    invalidate(...outdated);
    announce(said);
    if (path !== undefined) navigate(path, { replace: true });
  };
}

/** A list that grows as one scrolls. */
export type List<T> = ReturnType<typeof useList<T>>;

/** Reads a list page by page. @param read takes the query parameter `cursor` of the next page */
export function useList<T>(
  queryKey: QueryKey,
  read: (page: { cursor?: string }) => Promise<{ items: T[]; nextCursor: string | null }>,
  options: Pick<UseInfiniteQueryOptions, 'refetchInterval' | 'refetchOnMount' | 'enabled'> = {},
) {
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => read(pageParam === null ? {} : { cursor: pageParam }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    ...(options as object),
  });
  return { ...query, items: query.data?.pages.flatMap(({ items }) => items) ?? [] };
}

/** A post as far as it is known: lists lack the permissions, and only feeds have a context. */
export type Post = PostCard & Partial<Pick<FeedCard, 'feedContext'> & Pick<PostDetail, 'permissions'>>;

const keyOfPost = (postId: string, hubId: string | undefined) => ['post', postId, hubId ?? null];

/** Keeps the posts of a page, so that every place that shows a post shows the same state of it. */
export function cachePosts<P extends { items: Post[] }>(page: P, hubId?: string): P {
  for (const post of page.items) updateCachedPost(post.id, hubId, post);
  return page;
}

/** Changes a post in every place that shows it. */
export function updatePost(postId: string, change: Partial<Post>): void {
  queries.setQueriesData<Post>({ queryKey: ['post', postId] }, (known) => known && { ...known, ...change });
}

export function updateCachedPost(postId: string, hubId: string | undefined, change: Partial<Post>): void {
  queries.setQueryData<Post>(keyOfPost(postId, hubId), (known) => ({ ...known, ...change }) as Post);
}

type PostOptions = { isLive: boolean; card?: Post | undefined };

/**
 * Reads a post.
 * @param hubId the Hub whose votes it shows
 * @param options.isLive whether to read it again every five seconds: no signal says that somebody voted (vote secrecy)
 * @param options.card what a list knows of it, which is enough until it is live
 */
export function usePost(postId: string, hubId: string | undefined, options: PostOptions) {
  const queryKey = keyOfPost(postId, hubId);
  return useQuery<Post>({
    queryKey,
    queryFn: async ({ signal }) => {
      const query = hubId === undefined ? {} : { hubId };
      const post = await opine.get('/posts/{postId}', { params: { path: { postId }, query }, signal });
      return { ...queries.getQueryData<Post>(queryKey), ...post };
    },
    refetchInterval: options.isLive ? 5_000 : false,
    ...(options.card !== undefined && { initialData: options.card, staleTime: Number.POSITIVE_INFINITY }),
  });
}

type ReadOptions = { enabled?: boolean; staleTime?: number };

/** Reads what has no pages. */
export function useRead<T>(queryKey: QueryKey, queryFn: () => Promise<T>, options: ReadOptions = {}) {
  return useQuery({ queryKey, queryFn, ...options });
}

/** Reads a Hub. @returns the query, and whether the signed-in person is an admin; no data without a Hub */
export function useHub(hubId = '') {
  const read = () => opine.get('/hubs/{hubId}', { params: { path: { hubId } } });
  const query = useRead(['hub', hubId], read, { enabled: hubId !== '' });
  return { ...query, isAdmin: query.data?.viewerRole === 'admin' };
}

/** Reads the profile of the signed-in person; no data for a guest. */
export function useMe() {
  const enabled = useUserId() !== null;
  return useRead(['me'], () => opine.get('/users/me/profile'), { enabled, staleTime: 60_000 });
}
