import type { Socket } from 'node:net';

/** A socket with a private flag of Node: its parser has paused it, resumes it when the answers are sent, and takes no bytes until then. */
type ParsedSocket = Socket & { readonly _paused?: boolean };

const END_OF_HEAD = '\r\n\r\n';

/**
 * Hands the bytes of a connection to Node's parser one head of a request after the other, while `hasRoom`. Node by itself parses a read of
 * 64 KiB at once and pauses only behind it: a thousand pipelined requests would be in progress together.
 * @param hasRoom whether the connection may have one more request in progress
 * @returns reads on if the connection has room again
 */
export function readHeadByHead(socket: ParsedSocket, hasRoom: () => boolean): () => void {
  // Node's listener, which the server has just added.
  const listeners = socket.listeners('data') as ((bytes: Buffer) => void)[];
  let waitsForRoom = false;
  socket.removeAllListeners('data');
  socket.on('data', (bytes: Buffer) => {
    for (let at = 0; at < bytes.length && !socket.destroyed; ) {
      waitsForRoom = !socket._paused && !hasRoom();
      if (waitsForRoom || socket._paused) {
        socket.pause();
        socket.unshift(bytes.subarray(at));
        return;
      }
      const end = endOfPiece(bytes, at);
      const piece = bytes.subarray(at, end);
      for (const parse of listeners) parse(piece);
      at = end;
    }
  });
  return () => {
    if (!waitsForRoom || !hasRoom()) return;
    waitsForRoom = false;
    socket.resume();
  };
}

/** Returns the end of a piece with one end of a head at most. A read may begin amid such an end: those line ends are a piece. */
function endOfPiece(bytes: Buffer, from: number): number {
  let end = from;
  while (from === 0 && end < END_OF_HEAD.length && isLineEnd(bytes[end])) end += 1;
  if (end > from) return end;
  const head = bytes.indexOf(END_OF_HEAD, from);
  return head === -1 ? bytes.length : head + END_OF_HEAD.length;
}

function isLineEnd(byte: number | undefined): boolean {
  return byte === 0x0d || byte === 0x0a;
}
