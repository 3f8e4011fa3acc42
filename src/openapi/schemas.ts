import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Converts the schemas of one document to JSON Schema. */
export interface Schemas {
  /** Returns the schema of a request. */
  ofInput(schema: z.ZodType): JsonSchema;
  /** Returns the schema of an answer. */
  ofOutput(schema: z.ZodType): JsonSchema;
  /** Returns the schemas with an id to which the converted ones refer, by name. */
  components(): object;
}

/** Creates a converter. A schema with an id becomes a component; other schemas refer to it. */
export function createSchemas(): Schemas {
  const components = new Map<string, unknown>();

  function convert(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
    const {
      $schema: _,
      $defs = {},
      ...root
    } = referringToComponents(z.toJSONSchema(schema, { io, override: tidy }));
    for (const [name, definition] of Object.entries($defs)) {
      if (!isDeepStrictEqual(components.get(name) ?? definition, definition)) {
        throw new Error(`The schema ${name} differs between requests and answers.`);
      }
      components.set(name, definition);
    }
    return root;
  }

  return {
    ofInput: (schema) => convert(schema, 'input'),
    ofOutput: (schema) => convert(schema, 'output'),
    components: () => Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** Redirects references from `$defs`, where JSON Schema keeps shared parts, to the components of OpenAPI. */
function referringToComponents(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'));
}

/**
 * Drops redundant keywords: the pattern behind a format or a number, the bounds of JavaScript's integers.
 * Restores the default, which zod omits for transformed values.
 */
function tidy({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodType; jsonSchema: JsonSchema }): void {
  if (jsonSchema.format !== undefined || jsonSchema.type !== 'string') delete jsonSchema.pattern;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  const { default: fallback } = z.globalRegistry.get(zodSchema) ?? {};
  if (fallback !== undefined) jsonSchema.default = fallback;
}
