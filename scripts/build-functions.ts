import path from 'node:path';
import { build } from 'esbuild';
import { ROOT, SUPABASE_DIRECTORY } from './db/paths.ts';
import { runScript } from './db/run-script.ts';

/**
 * Bundles each function's app with its dependencies beside the function that serves it: `supabase functions deploy
 * --use-api` takes no file outside supabase/functions. Names and lines stay, for the places that the log tells.
 */
async function main(): Promise<void> {
  await build({
    absWorkingDir: ROOT,
    entryPoints: { 'api/app': 'src/edge.ts', 'push/drain': 'src/edge-push.ts' },
    outdir: path.join(SUPABASE_DIRECTORY, 'functions'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    loader: { '.wasm': 'binary' },
    // Not esnext: what esbuild then makes of the decoders asks for more than the runtimes have.
    target: 'es2024',
    // Packages in CommonJS ask for Node's modules by require(), which modules in ESM have not.
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
    logLevel: 'warning',
  });
}

runScript(main);
