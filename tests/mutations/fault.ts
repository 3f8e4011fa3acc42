/**
 * A fault that one of the tests must notice: the first occurrence of nothing else than `clause` in an SQL object (a function, a view or
 * `posts_select on app.posts`) or in a file of `src` becomes `instead`.
 */
export interface Fault {
  readonly in: string;
  readonly clause: string;
  readonly instead: string;
  /** A pgTAP file (`supabase/tests/…`) or test file (`tests/…`) that fails with the fault. */
  readonly noticedBy: string;
}
