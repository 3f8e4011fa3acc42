import { z } from 'zod';
import type { Json } from './client.ts';

type JsonSchema = Parameters<typeof z.fromJSONSchema>[0];

/** The OpenAPI document of a server. */
export interface ApiDocument {
  readonly paths: Json;
  /** Returns the schema violations of `value`. */
  problemsOf(schema: JsonSchema, value: unknown): string[];
  /** Follows a `$ref`. */
  resolve(schema: Json): Json;
}

/** Reads the document of the server at `url`. */
export async function readDocument(url: string): Promise<ApiDocument> {
  const response = await fetch(`${url}/api/v1/openapi.json`);
  const text = await response.text();
  // zod expects JSON Schema's `$defs`, OpenAPI uses `components`.
  const { paths, components } = JSON.parse(text.replaceAll('#/components/schemas/', '#/$defs/'));
  const $defs = components.schemas;
  return {
    paths,
    problemsOf: (schema, value) => {
      const { error } = z.fromJSONSchema({ $defs, ...Object(schema) }).safeParse(value);
      return error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];
    },
    resolve: (schema) => ('$ref' in schema ? $defs[schema.$ref.split('/').at(-1)] : schema),
  };
}
