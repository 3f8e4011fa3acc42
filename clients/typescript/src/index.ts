export { OpineError, RealtimeError } from './error.ts';
export type { InboxState, Payload, StreamEvent } from './events.ts';
export { createOpine, type Opine, type OpineOptions, type Pages } from './opine.ts';
export type { RealtimeOptions } from './realtime.ts';
export type { Data, Init, ListPath, PathOf, Send } from './requests.ts';
export type * from './schema.ts';
export { inMemory, type TokenStore, type Tokens } from './tokens.ts';
export type { UploadOptions } from './upload.ts';
