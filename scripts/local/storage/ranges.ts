import { invalidRange } from './errors.ts';

/** The bytes `start` to `end`, both included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** What a `Range` header asks for of a file of `size` bytes; raises where that is not one range within it. */
export function parseRange(header: string, size: number): ByteRange {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(header) ?? [];
  if (from === '' && to === '') {
    throw invalidRange();
  }
  const range =
    from === ''
      ? { start: Math.max(size - Number(to), 0), end: size - 1 }
      : { start: Number(from), end: to === '' ? size - 1 : Math.min(Number(to), size - 1) };
  if (range.start > range.end) {
    throw invalidRange();
  }
  return range;
}
