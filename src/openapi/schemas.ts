import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Converts the schemas of one document to JSON Schema. */
export interface Schemas {
  /** Returns the schema of a request. */
  ofInput(schema: z.ZodType): JsonSchema;
  /** Returns the schema of an answer. */
  ofOutput(schema: z.ZodType): JsonSchema;
  /** Makes a schema a component, unless it refers to one already. Returns the reference. */
  named(name: string, schema: JsonSchema): JsonSchema;
  /** Returns the components to which the converted schemas refer, by name. */
  components(): object;
}

/** Creates a converter. A schema with an id becomes a component; other schemas refer to it. */
export function createSchemas(): Schemas {
  const components = new Map<string, unknown>();

  function named(name: string, schema: JsonSchema): JsonSchema {
    if (schema.$ref !== undefined) return schema;
    if (!isDeepStrictEqual(components.get(name) ?? schema, schema)) {
      throw new Error(`Two schemas have the name ${name}.`);
    }
    components.set(name, schema);
    return { $ref: `#/components/schemas/${name}` };
  }

  function convert(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
    const {
      $schema: _,
      $defs = {},
      ...root
    } = referringToComponents(z.toJSONSchema(schema, { io, override: tidy }));
    for (const [name, definition] of Object.entries($defs)) named(name, simplified(definition));
    return simplified(root);
  }

  return {
    ofInput: (schema) => convert(schema, 'input'),
    ofOutput: (schema) => convert(schema, 'output'),
    named,
    components: () => Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** Redirects references from `$defs`, where JSON Schema keeps shared parts, to the components of OpenAPI. */
function referringToComponents(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'));
}

/**
 * Drops redundant keywords: the pattern behind a format or a number, the bounds of JavaScript's integers, the name of a
 * component inside of it. Restores the default, which zod omits for transformed values.
 */
function tidy({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodType; jsonSchema: JsonSchema }): void {
  delete jsonSchema.id;
  if (jsonSchema.format !== undefined || jsonSchema.type !== 'string') delete jsonSchema.pattern;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  const { default: fallback } = z.globalRegistry.get(zodSchema) ?? {};
  if (fallback !== undefined) jsonSchema.default = fallback;
}

/**
 * Rewrites what generators of clients misread: a nullable value of a simple type becomes a list of types, a constant an enum
 * of one text, a constant boolean a boolean.
 */
function simplified(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema), (_, value: unknown) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const { anyOf, const: constant, ...rest } = value as JsonSchema;
    if (typeof constant === 'boolean') return rest;
    if (typeof constant === 'string') return { ...rest, enum: [constant] };
    const [only, ...others] = anyOf?.filter(({ type }) => type !== 'null') ?? [];
    if (only === undefined || others.length > 0 || typeof only.type !== 'string') return value;
    return { ...only, ...rest, type: [only.type, 'null'] };
  });
}
