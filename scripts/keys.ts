import { makeSigningKey } from './signing-key.ts';

process.stdout.write(`${JSON.stringify(await makeSigningKey())}\n`);
