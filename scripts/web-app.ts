import path from 'node:path';
import { build } from 'esbuild';
import { ROOT } from './db/paths.ts';
import { runScript } from './db/run-script.ts';

const DIRECTORY = path.join(ROOT, 'clients/web');

/**
 * Bundles the reference app into `clients/web/dist`, which the service serves with WEB_APP. tsconfig.json leads `@opine/client`
 * to its source, so that the package need not be built first.
 */
export async function buildWebApp(): Promise<void> {
  const source = (file: string) => path.join(DIRECTORY, 'src', file);
  await build({
    absWorkingDir: ROOT,
    entryPoints: [
      { in: source('main.tsx'), out: 'app' },
      { in: source('app.css'), out: 'app' },
      { in: source('index.html'), out: 'index' },
      { in: source('favicon.svg'), out: 'favicon' },
      { in: source('manifest.webmanifest'), out: 'manifest' },
      { in: source('robots.txt'), out: 'robots' },
    ],
    outdir: path.join(DIRECTORY, 'dist'),
    loader: { '.html': 'copy', '.svg': 'copy', '.webmanifest': 'copy', '.txt': 'copy' },
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    define: { 'process.env.NODE_ENV': '"production"' },
    legalComments: 'none',
    logLevel: 'warning',
  });
}

if (import.meta.main) runScript(buildWebApp);
