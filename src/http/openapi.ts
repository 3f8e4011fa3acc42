import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi';
import { ERRORS, type ErrorCode } from '../contract/errors.ts';
import { errorsOf, honoursIdempotencyKey, type Operation } from '../contract/operation.ts';
import { id } from '../contract/values.ts';

const JSON_TYPE = 'application/json';

const ErrorEnvelope = z
  .strictObject({
    success: z.literal(false),
    error: z.strictObject({ code: z.string(), message: z.string(), details: z.looseObject({}) }),
  })
  .meta({ id: 'ErrorEnvelope' });

/** The OpenAPI 3.1 document of these operations, each with its errors and an example. */
export function openApiDocument(operations: readonly Operation[]): object {
  const document = new OpenAPIHono();
  document.openAPIRegistry.registerComponent('securitySchemes', 'bearer', {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
  });
  for (const operation of operations) document.openAPIRegistry.registerPath(describe(operation));
  return document.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Opine',
      version: '0.3.0',
      description: 'Posts with anonymous slider votes.',
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
    },
    servers: [{ url: '/api/v1' }],
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name })),
  });
}

function describe(operation: Operation) {
  const { method, path, summary, description, tag, params, query, body, data, status, message, example } =
    operation;
  return createRoute({
    operationId: operation.id,
    method,
    path,
    tags: [tag],
    summary,
    ...(description && { description }),
    security: securityOf(operation),
    request: {
      ...(params && { params: z.object(Object.fromEntries(Object.keys(params).map((name) => [name, id]))) }),
      ...(query && { query }),
      ...(honoursIdempotencyKey(operation) && { headers: IdempotencyHeader }),
      ...(body && {
        body: { required: true, content: { [JSON_TYPE]: { schema: body, example: example.body } } },
      }),
    },
    responses: {
      [status]: {
        description: message,
        content: {
          [JSON_TYPE]: {
            schema: z.strictObject({ success: z.literal(true), message: z.string(), data }),
            example: { success: true, message, data: example.data },
          },
        },
      },
      ...failuresOf(operation),
    },
  });
}

const IdempotencyHeader = z.object({
  'Idempotency-Key': z.string().optional().meta({
    minLength: 1,
    maxLength: 128,
    description: 'The same key, caller and request within 24 hours replay the first answer.',
  }),
});

function securityOf({ auth }: Operation): Record<string, string[]>[] {
  if (auth === 'none') return [];
  return auth === 'required' ? [{ bearer: [] }] : [{ bearer: [] }, {}];
}

/** One response a status, with an example for each code that it may carry. */
function failuresOf(operation: Operation) {
  const byStatus = Map.groupBy(errorsOf(operation), (code) => ERRORS[code].status);
  return Object.fromEntries(
    [...byStatus].sort(([a], [b]) => a - b).map(([status, codes]) => [status, failureOf(codes)]),
  );
}

function failureOf(codes: readonly ErrorCode[]) {
  const examples = codes.map((code) => {
    const value = { success: false, error: { code, message: ERRORS[code].message, details: {} } };
    return [code, { value }] as const;
  });
  return {
    description: codes.map((code) => `\`${code}\`: ${ERRORS[code].message}`).join(' '),
    content: { [JSON_TYPE]: { schema: ErrorEnvelope, examples: Object.fromEntries(examples) } },
  };
}
