export { isOpineError, OpineError, RealtimeError } from './error.ts';
export type { InboxState, Payload, StreamEvent } from './events.ts';
export type { Data, Init, Item, ListPath, PathOf, Send } from './operations.ts';
export { createOpine, type Opine, type OpineOptions, type Pages } from './opine.ts';
export {
  type Digest,
  type Fetch,
  type FetchInit,
  type FetchResponse,
  PlatformError,
  type PlatformOptions,
  type ReadFile,
  type StreamedBody,
  type UploadFile,
} from './platform.ts';
export type {
  CreateSupabaseClient,
  RealtimeOptions,
  SupabaseChannel,
  SupabaseClient,
} from './realtime.ts';
export { inMemory, inSecureStore, type SecureStore, type TokenStore, type Tokens } from './tokens.ts';
export type { UploadOptions } from './upload.ts';
export type { OnProgress } from './xhr.ts';
