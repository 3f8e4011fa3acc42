import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../db/paths.ts';

/** A parameter of an operation. */
export type Parameter = {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description?: string;
  schema: { default?: unknown };
};

/** The parts of an operation that the generators use. */
export type DocumentedOperation = {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  security: Record<string, unknown>[];
  parameters?: Parameter[];
  requestBody?: { content: { 'application/json': { example: object } } };
  /** By status; the success comes first. */
  responses: Record<string, { content: Record<string, { example?: unknown }> }>;
};

/** The parts of `docs/openapi.json` that the generators use. */
export type OpenApiDocument = {
  info: { title: string; description: string };
  servers: [{ url: string }];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, DocumentedOperation>>;
};

/** Reads the committed document, so that clients match the published one. */
export function readDocument(): OpenApiDocument {
  return JSON.parse(readFileSync(path.join(ROOT, 'docs/openapi.json'), 'utf8'));
}

/** Returns the example of an operation's success; undefined for a stream. */
export function exampleOf({ responses }: DocumentedOperation): { data: Record<string, unknown> } | undefined {
  const [success] = Object.values(responses);
  return success?.content['application/json']?.example as ReturnType<typeof exampleOf>;
}
