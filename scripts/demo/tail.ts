import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

const READ_BYTES = 65_536;

/**
 * Follows a file of lines, which may not exist yet and may be replaced by its newest lines.
 * @returns returns the complete lines since the last call, or since now for the first one; all lines of a file that replaced the last one
 */
export function tailOf(file: string): () => string[] {
  let { inode, position } = stateOf(file);
  let rest = Buffer.alloc(0);
  return () => {
    const fd = open(file);
    if (fd === null) return [];
    try {
      const { ino, size } = fstatSync(fd);
      if (ino !== inode || size < position) [inode, position, rest] = [ino, 0, Buffer.alloc(0)];
      const bytes = readFrom(fd, position);
      position += bytes.length;
      const all = Buffer.concat([rest, bytes]);
      const end = all.lastIndexOf('\n') + 1;
      rest = all.subarray(end);
      return all.subarray(0, end).toString().split('\n').slice(0, -1);
    } finally {
      closeSync(fd);
    }
  };
}

function stateOf(file: string): { inode: number | null; position: number } {
  const fd = open(file);
  if (fd === null) return { inode: null, position: 0 };
  const { ino, size } = fstatSync(fd);
  closeSync(fd);
  return { inode: ino, position: size };
}

function open(file: string): number | null {
  try {
    return openSync(file, 'r');
  } catch {
    return null;
  }
}

function readFrom(fd: number, from: number): Buffer {
  const pieces: Buffer[] = [];
  for (let position = from; ; ) {
    const piece = Buffer.alloc(READ_BYTES);
    const size = readSync(fd, piece, 0, READ_BYTES, position);
    if (size === 0) return Buffer.concat(pieces);
    pieces.push(piece.subarray(0, size));
    position += size;
  }
}
