import net from 'node:net';

/**
 * Finds a free TCP port.
 * @param port the port to try, or 0 for any
 * @returns the free port, or `null` if it is taken
 * @throws the system's error for another reason, for example a privileged port
 */
export function freePort(port = 0, host = '127.0.0.1'): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const server = net.createServer();
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(null) : reject(error),
    );
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address();
      server.close(() => resolve(address !== null && typeof address === 'object' ? address.port : port));
    });
  });
}
