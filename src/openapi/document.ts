import { z } from 'zod';
import { expandParam, honoursIdempotencyKey, isWrite, type Operation } from '../http/operation.ts';
import { ErrorEnvelope, type Failure, listFailures } from './failures.ts';
import { describeHeaders, HEADERS } from './headers.ts';
import { createSchemas, type Schemas } from './schemas.ts';
import { INTRODUCTION, LEVELS, PARAMETERS, TAGS } from './texts.ts';

/** The documents of the API by file name: the whole one, and what an app uses. Clients are generated from the second. */
export const DOCUMENTS: Readonly<Record<string, (operation: Operation) => boolean>> = {
  'openapi.json': () => true,
  'openapi.app.json': ({ tag }) => tag !== 'Staff',
};

/**
 * Returns the OpenAPI 3.1 document of these operations, each with its errors and an example.
 * @param publicUrl the URL of the service; without it the document names the path alone
 */
export function openApiDocument(operations: readonly Operation[], publicUrl = ''): object {
  const schemas = createSchemas();
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of operations) {
    paths[operation.path] = { ...paths[operation.path], [operation.method]: describe(operation, schemas) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Opine',
      version: '0.3.0',
      description: INTRODUCTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: `${publicUrl.replace(/\/$/, '')}/api/v1` }],
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name, description: TAGS[name] })),
    paths,
    components: {
      securitySchemes: {
        bearer: BEARER,
        ...(operations.some(({ auth }) => auth === 'staff') && { staff: STAFF_COOKIE }),
      },
      headers: HEADERS,
      schemas: schemas.components(),
    },
  };
}

function describe(operation: Operation, schemas: Schemas): object {
  const { id, tag, summary, description, level, body, data, status, message, example } = operation;
  const parameters = listParameters(operation, schemas);
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: [description, describeAccess(operation)].filter(Boolean).join('\n\n'),
    ...(level && { 'x-level': level }),
    security: SECURITY[operation.auth],
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: !body.safeParse({}).success,
        ...json({
          schema: schemas.named(`${pascalCase(id)}Request`, schemas.ofInput(body)),
          example: example.body,
        }),
      },
    }),
    responses: {
      [status]: {
        description: message,
        headers: describeHeaders(
          status,
          ...(honoursIdempotencyKey(operation) ? (['Idempotency-Replayed'] as const) : []),
          ...(isWrite(operation) && operation.auth !== 'staff' ? (['X-Opine-Position'] as const) : []),
          ...(operation.fileName === undefined ? [] : (['Content-Disposition'] as const)),
        ),
        ...(operation.eventPayload
          ? eventStream(operation, schemas.ofOutput(operation.eventPayload))
          : json({
              schema: successEnvelope(id, data, schemas),
              example: { success: true, message, data: example.data },
            })),
      },
      ...Object.fromEntries(
        [...listFailures(operation)].map(([status, failures]) => [
          status,
          describeFailures(status, failures, schemas),
        ]),
      ),
    },
  };
}

const BEARER = {
  type: 'http',
  scheme: 'bearer',
  bearerFormat: 'JWT',
  description: 'The `accessToken` of a session, without the word Bearer.',
};

const STAFF_COOKIE = {
  type: 'apiKey',
  in: 'cookie',
  name: '__Host-staff_session',
  description: 'The cookie that staff sign-in sets.',
};

/** Names the envelope by its data, so that operations with the same data share it: `HubResponse`. */
function successEnvelope(id: string, data: z.ZodType, schemas: Schemas): object {
  const reference = schemas.named(`${pascalCase(id)}Result`, schemas.ofOutput(data));
  const name = reference.$ref?.split('/').at(-1) ?? '';
  return schemas.named(`${name}Response`, {
    description: `A success with ${name}.`,
    type: 'object',
    properties: {
      success: { type: 'boolean', description: 'Always true.' },
      message: { type: 'string', description: 'A text for people.' },
      data: reference,
    },
    required: ['success', 'message', 'data'],
    additionalProperties: false,
  });
}

/** `cast_vote` becomes `CastVote`. */
function pascalCase(id: string): string {
  return id.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

const SECURITY = {
  none: [],
  optional: [{ bearer: [] }, {}],
  checked: [{ bearer: [] }, {}],
  required: [{ bearer: [] }],
  staff: [{ staff: [] }],
};

function describeAccess({ auth, level = 1 }: Operation): string {
  if (auth === 'none') return 'Needs no session.';
  if (auth === 'staff') return 'Needs a staff session.';
  if (auth === 'optional') return 'A session is optional.';
  if (auth === 'checked') return 'A session is optional; a sent one must be valid.';
  return `Needs level ${level}, ${LEVELS[level]}.`;
}

function listParameters(operation: Operation, schemas: Schemas): object[] {
  const { params = {}, query = z.object() } = operation;
  const { properties = {}, required = [] } = schemas.ofInput(query);
  return [
    ...Object.entries(params).map(([name, param]) => ({
      name,
      in: 'path',
      required: true,
      description: PARAMETERS[name],
      schema: schemas.ofInput(expandParam(param).form),
    })),
    ...Object.entries(properties).map(([name, schema]) => {
      const { description, ...rest } = Object(schema);
      return { name, in: 'query', required: required.includes(name), description, schema: rest };
    }),
    ...(honoursIdempotencyKey(operation) ? [IDEMPOTENCY_KEY] : []),
  ];
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'A repeat of key, caller and request within 24 hours creates nothing, and answers what the first one created as the caller may see it now: 404 if they cannot see it any more.',
  schema: { type: 'string', pattern: '^[!-~]{1,128}$' },
};

function describeFailures(status: number, failures: readonly Failure[], schemas: Schemas): object {
  return {
    description: failures.map(({ code, message }) => `- \`${code}\`: ${message}`).join('\n'),
    headers: describeHeaders(status),
    ...json({
      schema: schemas.ofOutput(ErrorEnvelope),
      examples: Object.fromEntries(failures.map(({ code, example }) => [code, { value: example }])),
    }),
  };
}

/** @param payload the data of each event after the first, which no generator of clients reads from a text */
function eventStream({ example }: Operation, payload: object): object {
  const first = `event: ready\ndata: ${JSON.stringify(example.data)}\n\n`;
  const schema = { type: 'string', contentMediaType: 'application/json', contentSchema: payload };
  return { content: { 'text/event-stream': { schema, example: first } } };
}

function json(content: object): object {
  return { content: { 'application/json': content } };
}
