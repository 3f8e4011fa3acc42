import { randomInt } from 'node:crypto';
import net from 'node:net';

/**
 * Finds a free TCP port.
 * @param port the port to try, or 0 for any
 * @returns the free port, or `null` if it is taken
 * @throws the system's error for another reason, for example a privileged port
 */
export async function freePort(port = 0, host = '127.0.0.1'): Promise<number | null> {
  if (port !== 0) return (await isFree(port, host)) ? port : null;
  // Below the ports that systems give to sockets by themselves: another program might get one before the caller uses it.
  const any = randomInt(10_000, 32_000);
  return (await isFree(any, host)) ? any : freePort(0, host);
}

function isFree(port: number, host: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = net.createServer();
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(false) : reject(error),
    );
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}
