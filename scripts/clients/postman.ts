import { type DocumentedOperation, exampleOf, type OpenApiDocument, type Parameter } from './document.ts';

/** The origin of the API of `npm start`. */
const LOCALHOST = 'http://localhost:8787';

/** Script that stores the tokens of a sign-in for later requests. Postman defines a `data` of its own. */
const KEEP_TOKENS = [
  'const session = pm.response.json().data;',
  'if (session) {',
  "  pm.collectionVariables.set('accessToken', session.accessToken);",
  "  pm.collectionVariables.set('refreshToken', session.refreshToken);",
  '}',
];

/**
 * Returns a Postman collection in format 2.1, which Bruno and Insomnia import too: each operation in the folder of its
 * tag, with its example as body. Path parameters are variables, with values from the examples.
 */
export function postmanCollection(document: OpenApiDocument): string {
  const requests = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      tags: operation.tags,
      item: requestOf(method.toUpperCase(), path, operation),
    })),
  );
  return json({
    info: {
      name: `${document.info.title} API`,
      description: document.info.description,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: bearer('{{accessToken}}'),
    variable: [
      { key: 'baseUrl', value: `${LOCALHOST}${document.servers[0].url}` },
      { key: 'accessToken', value: '' },
      { key: 'refreshToken', value: '' },
      ...pathVariables(document),
    ],
    item: document.tags.map(({ name, description }) => ({
      name,
      description,
      item: requests.filter(({ tags }) => tags.includes(name)).map(({ item }) => item),
    })),
  });
}

/** Returns the Postman environment of `npm start`. */
export function postmanEnvironment(document: OpenApiDocument): string {
  return json({
    name: `${document.info.title} on localhost`,
    values: [{ key: 'baseUrl', value: `${LOCALHOST}${document.servers[0].url}`, enabled: true }],
    _postman_variable_scope: 'environment',
  });
}

function requestOf(method: string, path: string, operation: DocumentedOperation): object {
  const { operationId, summary, description, security, parameters = [], requestBody } = operation;
  const isSignIn = exampleOf(operation)?.data.accessToken !== undefined;
  // A sign-in refuses a bearer that is empty or has expired, as that of the collection may be.
  const isGuest = isSignIn || security.every((scheme) => !('bearer' in scheme));
  return {
    name: summary,
    ...(isSignIn && {
      event: [{ listen: 'test', script: { type: 'text/javascript', exec: KEEP_TOKENS } }],
    }),
    request: {
      method,
      description: `${operationId}: ${description}`,
      ...(isGuest && { auth: { type: 'noauth' } }),
      header: parameters.filter((parameter) => parameter.in === 'header').map(optionalHeader),
      url: urlOf(path, parameters),
      ...(requestBody && { body: bodyOf(requestBody.content['application/json'].example) }),
    },
  };
}

function urlOf(path: string, parameters: readonly Parameter[]): object {
  const segments = path
    .slice(1)
    .replaceAll(/\{(\w+)\}/g, ':$1')
    .split('/');
  const inPath = parameters.filter((parameter) => parameter.in === 'path');
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  return {
    raw: `{{baseUrl}}/${segments.join('/')}`,
    host: ['{{baseUrl}}'],
    path: segments,
    query: inQuery.map(({ name, description, required = false, schema }) => ({
      key: name,
      value: String(schema.default ?? ''),
      ...(description !== undefined && { description }),
      disabled: !required,
    })),
    variable: inPath.map(({ name }) => ({ key: name, value: `{{${name}}}` })),
  };
}

function optionalHeader({ name, description }: Parameter): object {
  return { key: name, value: '{{$guid}}', description, disabled: true };
}

function bodyOf(example: object): object {
  const body = 'refreshToken' in example ? { ...example, refreshToken: '{{refreshToken}}' } : example;
  return { mode: 'raw', raw: JSON.stringify(body, null, 2), options: { raw: { language: 'json' } } };
}

function pathVariables({ paths }: OpenApiDocument): object[] {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const parameters = operations.flatMap((operation) => operation.parameters ?? []);
  const names = new Set(parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name));
  const examples = operations.map(exampleOf);
  return [...names].map((key) => ({ key, value: firstNamed(key, examples) ?? '' }));
}

/** Returns the first string property named `name` at any depth. */
function firstNamed(name: string, value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    const found = key === name && typeof inner === 'string' ? inner : firstNamed(name, inner);
    if (found !== undefined) return found;
  }
}

function bearer(token: string): object {
  return { type: 'bearer', bearer: [{ key: 'token', value: token, type: 'string' }] };
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
