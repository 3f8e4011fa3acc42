/** Where the bytes of one stream go. */
export interface Sink {
  /** What the reader has not taken yet: bytes. */
  backlog(): number;
  write(bytes: Uint8Array): void;
  /** Ends it when what was written is taken. */
  end(): void;
  /** Ends it at once. */
  cut(): void;
}

/** Takes the sink of a stream that is open. @returns what to call when its client has gone */
export type Subscribe = (sink: Sink) => () => void;

/** The body of a stream, for any runtime: its sink is subscribed when it is made. */
export function bodyOf(subscribe: Subscribe): ReadableStream<Uint8Array> {
  let leave: (() => void) | undefined;
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        leave = subscribe({
          backlog: () => -(controller.desiredSize ?? 0),
          write: (bytes) => controller.enqueue(bytes),
          end: () => controller.close(),
          cut: () => controller.error(new Error('the reader is too slow')),
        });
      },
      cancel: () => leave?.(),
    },
    // Counted in bytes, so that the backlog is.
    { highWaterMark: 0, size: (bytes) => bytes.byteLength },
  );
}
