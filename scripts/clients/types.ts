import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { ROOT } from '../db/paths.ts';
import type { DocumentedOperation, OpenApiDocument } from './document.ts';

const PACKAGE = path.join(ROOT, 'clients/typescript');

// It needs the API of TypeScript 5, which lies beside it and not in the root's packages.
const GENERATOR = path.join(PACKAGE, 'node_modules/.bin/openapi-typescript');

/**
 * TypeScript that says what each operation takes and answers. Refusals are left out: they are all one class in the client.
 * @throws Error with what the generator wrote where it fails
 */
export async function clientTypes(document: OpenApiDocument): Promise<string> {
  const child = spawn(GENERATOR, ['--root-types', '--root-types-no-schema-prefix'], { cwd: PACKAGE });
  child.stdin.end(JSON.stringify(withoutRefusals(document)));
  const [written, complaint, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  if (code !== 0) throw new Error(`openapi-typescript ended with code ${code}: ${complaint}`);
  return written;
}

function withoutRefusals({ paths, ...rest }: OpenApiDocument): OpenApiDocument {
  return { ...rest, paths: mapValues(paths, (methods) => mapValues(methods, withSuccessAlone)) };
}

function withSuccessAlone(operation: DocumentedOperation): DocumentedOperation {
  const successes = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'));
  return { ...operation, responses: Object.fromEntries(successes) };
}

function mapValues<T>(record: Record<string, T>, change: (value: T) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
