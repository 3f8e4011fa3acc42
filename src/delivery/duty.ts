/** Something the worker does again and again: safe to run twice, or in two workers at once. */
export interface Duty {
  readonly name: string;
  /** How long it rests between two turns. */
  readonly everyMs: number;
  /** One turn. One that takes long ends where it can when `stopping` is aborted. */
  run(stopping: AbortSignal): Promise<void>;
}
