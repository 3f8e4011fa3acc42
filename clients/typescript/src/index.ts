export * from './api.ts';
export type * from './schema.ts';
