/** Whether an answer is a stream of events, which has no end to wait for. */
export function isStream({ headers }: Response): boolean {
  return headers.get('content-type') === 'text/event-stream';
}

/** The data of the first event of a stream, which is closed then. */
export async function firstEventOf(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of response.body ?? []) {
    text += decoder.decode(bytes, { stream: true });
    const data = /^data: (.*)\n\n/m.exec(text)?.[1];
    if (data !== undefined) return data;
  }
  throw new Error(`A stream without an event: ${text}`);
}
