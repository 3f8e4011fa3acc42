import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** JSON Schema of one document. */
export interface Schemas {
  /** What a client may send. */
  ofInput(schema: z.ZodType): JsonSchema;
  /** What the service answers. */
  ofOutput(schema: z.ZodType): JsonSchema;
  /** The schemas with an id that those above refer to, by name. */
  components(): object;
}

/** Collects the schemas of a document: one with an id is described once, as a component, and referred to. */
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
        throw new Error(`The schema ${name} differs between what is sent and what is answered.`);
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

/** JSON Schema keeps shared parts in `$defs`, OpenAPI in its components. */
function referringToComponents(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'));
}

/**
 * Drops what tells a reader nothing: the pattern behind a format or a number, the bounds of JavaScript's integers.
 * Puts back a default, which zod leaves out where the value is transformed.
 */
function tidy({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodType; jsonSchema: JsonSchema }): void {
  if (jsonSchema.format !== undefined || jsonSchema.type !== 'string') delete jsonSchema.pattern;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  const { default: fallback } = z.globalRegistry.get(zodSchema) ?? {};
  if (fallback !== undefined) jsonSchema.default = fallback;
}
