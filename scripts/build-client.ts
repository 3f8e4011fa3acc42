import path from 'node:path';
import { ROOT } from './db/paths.ts';
import { runScript } from './db/run-script.ts';
import { runTool } from './tools.ts';

/** Builds the npm package of the client, with its types, into `clients/typescript/dist`. `npm pack` runs it. */
async function main(): Promise<void> {
  const options = { cwd: path.join(ROOT, 'clients/typescript') };
  const { code, output } = await runTool('tsdown', ['--log-level', 'warn'], options);
  if (code !== 0) throw new Error(`tsdown ended with code ${code}: ${output}`);
}

runScript(main);
