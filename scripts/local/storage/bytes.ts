/** All of `chunks` as one buffer; undefined, with the rest unread, where they have more than `maxBytes`. */
export async function collect(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<Buffer | undefined> {
  const collected: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > maxBytes) {
      return undefined;
    }
    collected.push(chunk);
  }
  return Buffer.concat(collected);
}
