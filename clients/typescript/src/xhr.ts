import type { FetchInit, FetchResponse } from './platform.ts';
import { createQueue } from './queue.ts';

/** Reports how many of the bytes of a body have been sent. */
export type OnProgress = (sent: number, total: number) => void;

const HEADERS_RECEIVED = 2;

/** Whether this platform has `XMLHttpRequest`: browsers and React Native have it. */
export function hasXhr(): boolean {
  return typeof XMLHttpRequest === 'function';
}

/**
 * Sends a request by `XMLHttpRequest`, which can do two things that React Native's `fetch` cannot: read a body while it
 * arrives, and report the progress of an upload. The body is text.
 */
export function fetchByXhr(
  url: string,
  { method, headers, body, signal }: FetchInit,
  onProgress?: OnProgress,
): Promise<FetchResponse> {
  return new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest();
    const chunks = createQueue<string>();
    const abort = () => xhr.abort();
    let received = 0;
    const receive = () => {
      if (xhr.readyState < HEADERS_RECEIVED || xhr.status === 0) return;
      resolve(responseOf(xhr, chunks.items));
      const text = xhr.responseText;
      if (text.length > received) chunks.add(text.slice(received));
      received = text.length;
    };
    const finish = (error?: Error) => {
      signal?.removeEventListener('abort', abort);
      chunks.end(error);
      if (error !== undefined) reject(error);
    };
    xhr.open(method, url);
    for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value);
    // React Native delivers parts of a body only to a request with this listener.
    xhr.onreadystatechange = receive;
    xhr.onprogress = receive;
    xhr.onload = () => finish();
    xhr.onerror = () => finish(new TypeError('The connection is lost.'));
    xhr.onabort = () => finish(new Error('The request was aborted.'));
    if (onProgress !== undefined && xhr.upload) {
      xhr.upload.onprogress = ({ loaded, total }) => onProgress(loaded, total);
    }
    signal?.addEventListener('abort', abort);
    xhr.send(body ?? null);
    if (signal?.aborted) abort();
  });
}

function responseOf(xhr: XMLHttpRequest, body: AsyncGenerator<string>): FetchResponse {
  return {
    ok: xhr.status >= 200 && xhr.status < 300,
    status: xhr.status,
    headers: { get: (name) => xhr.getResponseHeader(name) },
    body,
    text: async () => {
      let text = '';
      for await (const chunk of body) text += chunk;
      return text;
    },
  };
}
