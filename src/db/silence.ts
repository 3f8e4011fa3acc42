import { Socket } from 'node:net';
import pg from 'pg';

/** The open connections of this process to one Postgres. */
export interface Link {
  /** Adds a connection until it closes. */
  add(socket: Socket): void;
  /** Returns a function that drops those of the present connections that have received nothing until it is called. */
  mark(): () => void;
}

/** Creates a link without connections. */
export function createLink(): Link {
  const sockets = new Set<Socket>();
  return {
    add: (socket) => {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    },
    mark: () => {
      const received = new Map([...sockets].map((socket) => [socket, socket.bytesRead]));
      return () => {
        for (const [socket, bytesRead] of received) if (socket.bytesRead === bytesRead) drop(socket);
      };
    },
  };
}

/**
 * Returns the socket of an open connection, or its TLS socket.
 * @throws Error in a runtime whose sockets are others
 */
export function findSocket(client: pg.ClientBase): Socket {
  if (client instanceof pg.Client && client.connection.stream instanceof Socket)
    return client.connection.stream;
  throw new Error('The connection has no socket.');
}

/**
 * Drops a connection on which nothing is sent or received for `timeoutMs`, which `socket.setTimeout` changes. The statement
 * that waits for it fails.
 * @param isInUse an idle connection is silent, unless it is being closed
 */
export function dropWhenSilent(socket: Socket, timeoutMs: number, isInUse: () => boolean = () => true): void {
  socket.setTimeout(timeoutMs);
  socket.on('timeout', () => {
    if (isInUse() || socket.writableEnded) drop(socket);
  });
}

function drop(socket: Socket): void {
  socket.destroy(new Error('Postgres does not answer.'));
}
