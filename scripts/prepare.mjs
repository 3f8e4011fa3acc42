import fs from 'node:fs';
import path from 'node:path';

// `npm ci` runs this. It is JavaScript because Node 24 is a development package: without those, an older Node may run it.
const MODULES = path.join(import.meta.dirname, '../node_modules');
const OLDEST = 24;

if (Number.parseInt(process.versions.node, 10) < OLDEST) {
  process.stderr.write(
    `Opine needs Node ${OLDEST} or newer without development packages: this is ${process.version}.\n`,
  );
  process.exitCode = 1;
} else if (fs.existsSync(path.join(MODULES, 'esbuild'))) {
  // 67 MB, which only compilers of native modules read.
  for (const headers of fs.globSync('node/node_modules/*/include', { cwd: MODULES }))
    fs.rmSync(path.join(MODULES, headers), { recursive: true });
  const { buildFunctions } = await import('./build-functions.ts');
  const { buildWebApp } = await import('./web-app.ts');
  await Promise.all([buildFunctions(), buildWebApp()]);
}
