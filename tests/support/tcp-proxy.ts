import { connect, createServer, type Socket } from 'node:net';
import { listen } from './loopback.ts';

/** A TCP proxy on a loopback port that can be cut. */
export interface TcpProxy {
  readonly port: number;
  /** Resets every connection and refuses new ones. */
  cut(): Promise<void>;
  mend(): Promise<void>;
  /** Leads new connections to another port. */
  turn(targetPort: number): void;
  /** Carries nothing more on the open connections, and does not close them. New ones work, unless `isForNew`. */
  silence(isForNew?: boolean): void;
}

/** Starts a proxy to a loopback port; `cut` stops it. */
export async function startTcpProxy(targetPort: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let target = targetPort;
  let isDeaf = false;
  const server = createServer((incoming) => {
    if (isDeaf) sockets.add(incoming.on('error', () => {}));
    else join(incoming, connect(target, '127.0.0.1'));
  });

  function join(incoming: Socket, outgoing: Socket): void {
    for (const [from, to] of [[incoming, outgoing] as const, [outgoing, incoming] as const]) {
      sockets.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => sockets.delete(from));
      from.pipe(to);
    }
  }

  const port = await listen(server);
  return {
    port,
    mend: async () => void (await listen(server, port)),
    turn: (next) => {
      target = next;
    },
    silence: (isForNew = false) => {
      isDeaf = isForNew;
      for (const socket of sockets) socket.unpipe().pause();
    },
    cut: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.resetAndDestroy();
      }),
  };
}
