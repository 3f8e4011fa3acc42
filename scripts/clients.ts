import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './db/paths.ts';
import { runScript } from './db/run-script.ts';
import { runTool } from './tools.ts';

const PACKAGE = path.join(ROOT, 'clients/typescript');

const TYPES = path.join(PACKAGE, 'src/schema.ts');

/** The parts of an operation that the client's types depend on. */
type DocumentedOperation = {
  parameters?: { name: string }[];
  /** By status. */
  responses: Record<string, unknown>;
};

type OpenApiDocument = { paths: Record<string, Record<string, DocumentedOperation>> };

/** Writes the types of the client, generated from the app's document; with `--check` fails if they differ. */
async function main(): Promise<void> {
  const document: OpenApiDocument = JSON.parse(
    readFileSync(path.join(ROOT, 'docs/openapi.app.json'), 'utf8'),
  );
  const types = await clientTypes(document);
  if (!process.argv.includes('--check')) writeFileSync(TYPES, types);
  else if (!existsSync(TYPES) || readFileSync(TYPES, 'utf8') !== types)
    throw new Error(
      'clients/typescript/src/schema.ts differs from docs/openapi.app.json. Run `npm run clients`.',
    );
}

/**
 * Generates TypeScript types of requests and successes, and the list of POSTs with an idempotency key. The client has one class for
 * all errors, so they are left out.
 * @throws Error with the generator's stderr if it fails
 */
async function clientTypes(document: OpenApiDocument): Promise<string> {
  const { code, stdout, stderr } = await runTool(
    'openapi-typescript',
    ['--root-types', '--root-types-no-schema-prefix', '--default-non-nullable=false'],
    { cwd: PACKAGE, input: JSON.stringify(withoutErrors(document)) },
  );
  if (code !== 0) throw new Error(`openapi-typescript ended with code ${code}: ${stderr}`);
  return `${stdout}
/** The paths whose POST honours an Idempotency-Key. */
export const creatingPaths: ReadonlySet<string> = new Set(${JSON.stringify(creatingPaths(document))});
`;
}

function creatingPaths({ paths }: OpenApiDocument): string[] {
  const honoursKey = ({ post }: (typeof paths)[string]) =>
    post?.parameters?.some(({ name }) => name === 'Idempotency-Key');
  return Object.keys(paths).filter((path) => honoursKey(paths[path] ?? {}));
}

function withoutErrors({ paths, ...rest }: OpenApiDocument): OpenApiDocument {
  return { ...rest, paths: mapValues(paths, (methods) => mapValues(methods, withSuccessOnly)) };
}

function withSuccessOnly(operation: DocumentedOperation): DocumentedOperation {
  const successes = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'));
  return { ...operation, responses: Object.fromEntries(successes) };
}

function mapValues<T>(record: Record<string, T>, change: (value: T) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}

runScript(main);
