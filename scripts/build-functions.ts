import { renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { ROOT, SUPABASE_DIRECTORY } from './db/paths.ts';
import { runScript } from './db/run-script.ts';

// CommonJS packages call require(), which ESM lacks, and use Node's globals, which Deno 2.1 lacks. Supabase's Edge Runtime is at
// that level.
const BANNER = `
import { createRequire } from 'node:module';
import { Buffer as NodeBuffer } from 'node:buffer';
import { clearImmediate as nodeClearImmediate, setImmediate as nodeSetImmediate } from 'node:timers';
const require = createRequire(import.meta.url);
globalThis.global ??= globalThis;
globalThis.Buffer ??= NodeBuffer;
globalThis.setImmediate ??= nodeSetImmediate;
globalThis.clearImmediate ??= nodeClearImmediate;
`;

/**
 * Bundles each function's app with its dependencies into the function's folder: `supabase functions deploy --use-api`
 * takes no file outside supabase/functions. Names and lines stay, so that stack traces in the log are readable.
 */
export async function buildFunctions(): Promise<void> {
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: {
      'api/app': 'src/edge.ts',
      'push/tasks': 'src/edge-tasks.ts',
      'upkeep/tasks': 'src/edge-tasks.ts',
    },
    outdir: path.join(SUPABASE_DIRECTORY, 'functions'),
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    // Not esnext: esbuild then leaves syntax in the decoders that the runtimes lack.
    target: 'es2024',
    banner: { js: BANNER },
    logLevel: 'warning',
  });
  for (const { path: file, contents } of outputFiles) {
    // A rename, because another process may read the bundle of an earlier build. The new one begins outside of its folder: a
    // copy of the folder would otherwise meet a file that is gone.
    const temporary = `${path.dirname(file)}.${path.basename(file)}.${process.pid}`;
    writeFileSync(temporary, contents);
    renameSync(temporary, file);
  }
}

if (import.meta.main) runScript(buildFunctions);
