import type { Socket } from 'node:net';

/** Members of Node's handle of a socket, by which Node measures the progress of its own writes. */
interface Handle {
  /** Bytes that the socket has passed on. */
  readonly bytesWritten: number;
  /** Those of them that the system has not taken. */
  readonly writeQueueSize: number;
}

/** How many looks without progress make a stalled client. Not a time: after a pause of the machine a client would look stalled at once. */
const LOOKS = 10;

/**
 * Destroys connections whose clients take no byte for `limitMs` while bytes wait for them, so that nobody makes the process keep answers.
 * A slow client that reads on stays.
 * @param connections the open connections, at each look
 */
export function closeStalled(connections: () => Iterable<Socket>, limitMs: number): Disposable {
  const seen = new WeakMap<Socket, { readonly taken: number; readonly looks: number }>();
  const look = () => {
    for (const socket of connections()) {
      const taken = takenBytes(socket);
      const last = seen.get(socket);
      const looks = last !== undefined && last.taken === taken ? last.looks + 1 : 0;
      if (taken === null) seen.delete(socket);
      else if (looks < LOOKS) seen.set(socket, { taken, looks });
      else socket.destroy();
    }
  };
  const timer = setInterval(look, limitMs / LOOKS).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

/** Returns how many bytes the system has taken for a client, null if none wait. */
function takenBytes(socket: Socket): number | null {
  const { _handle: handle } = socket as Socket & { readonly _handle?: Handle | null };
  if (socket.writableLength === 0 || !handle) return null;
  return handle.bytesWritten - handle.writeQueueSize;
}
