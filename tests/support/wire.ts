import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A loopback port that leads to another, and can be cut. */
export interface Wire {
  readonly port: number;
  /** Ends every connection and takes no more. */
  cut(): Promise<void>;
  mend(): Promise<void>;
}

/** Lays a wire to a loopback port. It ends by being cut. */
export async function layWire(targetPort: number): Promise<Wire> {
  const sockets = new Set<Socket>();
  const server = createServer((incoming) => join(incoming, connect(targetPort, '127.0.0.1')));

  function join(incoming: Socket, outgoing: Socket): void {
    for (const [from, to] of [[incoming, outgoing] as const, [outgoing, incoming] as const]) {
      sockets.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => sockets.delete(from));
      from.pipe(to);
    }
  }

  const open = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  await open(0);
  const { port } = server.address() as AddressInfo;
  return {
    port,
    mend: () => open(port),
    cut: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.resetAndDestroy();
      }),
  };
}
