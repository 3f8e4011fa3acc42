import type { ParamsOption, RequestBodyOption } from 'openapi-fetch';
import type { paths } from './schema.ts';

/** The HTTP methods of operations. */
export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

type Operation<P extends keyof paths, M extends Method> = NonNullable<paths[P][M]>;

/** The paths that have an operation of this method. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: [Operation<P, M>] extends [never] ? never : P;
}[keyof paths];

/** A request: its `params` and `body` by the OpenAPI document. */
type Request<O> = ParamsOption<O> &
  RequestBodyOption<O> & {
    readonly headers?: Readonly<Record<string, string>>;
    readonly signal?: AbortSignal;
  };

/** The parameter of a request; optional if the operation requires nothing. */
export type Init<P extends keyof paths, M extends Method> =
  Record<never, never> extends Request<Operation<P, M>>
    ? [init?: Request<Operation<P, M>>]
    : [init: Request<Operation<P, M>>];

type Success<O> = O extends { responses: infer R } ? R[keyof R & (200 | 201)] : never;

/** The `data` of an answer. */
export type Data<P extends keyof paths, M extends Method> =
  Success<Operation<P, M>> extends { content: { 'application/json': { data: infer D } } } ? D : never;

/**
 * Sends a request and returns the `data` of its answer.
 * @throws OpineError if Opine answers with an error; TypeError if Opine is unreachable
 */
export type Send<M extends Method> = <P extends PathOf<M>>(
  path: P,
  ...init: Init<P, M>
) => Promise<Data<P, M>>;

/** The paths of lists. */
export type ListPath = {
  [P in PathOf<'get'>]: Data<P, 'get'> extends { items: unknown[]; nextCursor: string | null } ? P : never;
}[PathOf<'get'>];

/** An item of a list. */
export type Item<P extends ListPath> = Data<P, 'get'> extends { items: (infer I)[] } ? I : never;
