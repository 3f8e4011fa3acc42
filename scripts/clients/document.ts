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

/** An operation, as far as clients are made from it. */
export type DocumentedOperation = {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  security: Record<string, unknown>[];
  parameters?: Parameter[];
  requestBody?: { content: { 'application/json': { example: object } } };
  /** By status; the success is the first. */
  responses: Record<string, { content: Record<string, { example?: unknown }> }>;
};

/** `docs/openapi.json`, as far as clients are made from it. */
export type OpenApiDocument = {
  info: { title: string; description: string };
  servers: [{ url: string }];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, DocumentedOperation>>;
};

/** The committed document: clients are made from what is published. */
export function readDocument(): OpenApiDocument {
  return JSON.parse(readFileSync(path.join(ROOT, 'docs/openapi.json'), 'utf8'));
}

/** What an operation answers, as an example; undefined where that is a stream. */
export function exampleOf({ responses }: DocumentedOperation): Answer | undefined {
  const [success] = Object.values(responses);
  return success?.content['application/json']?.example as Answer | undefined;
}

type Answer = { data: Record<string, unknown> };
