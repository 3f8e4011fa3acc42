import { supabaseCli } from './local/dev-cli.ts';
import { startDevStack } from './local/dev-stack.ts';
import { runInForeground } from './local/foreground.ts';

await runInForeground((overrides, signal) => startDevStack(overrides, signal, supabaseCli));
