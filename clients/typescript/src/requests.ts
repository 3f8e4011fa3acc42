import type { MaybeOptionalInit } from 'openapi-fetch';
import type { paths } from './schema.ts';

/** The methods of operations. */
export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

type Operation<P extends keyof paths, M extends Method> = NonNullable<paths[P][M]>;

/** The paths that have an operation of this method. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: [Operation<P, M>] extends [never] ? never : P;
}[keyof paths];

/** What a request takes: `params`, `body`, and what `fetch` takes. It may be left out where nothing has to be said. */
export type Init<P extends keyof paths, M extends Method> =
  undefined extends MaybeOptionalInit<paths[P], M>
    ? [init?: MaybeOptionalInit<paths[P], M>]
    : [init: MaybeOptionalInit<paths[P], M>];

type Success<O> = O extends { responses: infer R } ? R[keyof R & (200 | 201)] : never;

/** `data` of the answer. */
export type Data<P extends keyof paths, M extends Method> =
  Success<Operation<P, M>> extends { content: { 'application/json': { data: infer D } } } ? D : never;

/**
 * Sends a request and returns the `data` of its answer.
 * @throws OpineError where Opine refuses, TypeError where it cannot be reached
 */
export type Send<M extends Method> = <P extends PathOf<M>>(
  path: P,
  ...init: Init<P, M>
) => Promise<Data<P, M>>;

/** The paths of lists, which are read page by page. */
export type ListPath = {
  [P in PathOf<'get'>]: Data<P, 'get'> extends { items: unknown[]; nextCursor: string | null } ? P : never;
}[PathOf<'get'>];
