import { vi } from 'vitest';

/**
 * Runs `use` while whoever waits by `AbortSignal.timeout` in this process is `times` less patient: client, server and
 * libraries alike, so that who gives up before whom stays as it is.
 */
export async function withShortTimeouts<T>(times: number, use: () => Promise<T>): Promise<T> {
  const { timeout } = AbortSignal;
  const spy = vi
    .spyOn(AbortSignal, 'timeout')
    .mockImplementation((milliseconds) => timeout.call(AbortSignal, milliseconds / times));
  try {
    return await use();
  } finally {
    spy.mockRestore();
  }
}
