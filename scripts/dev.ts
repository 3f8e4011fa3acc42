import { startDevStack, supabaseCli } from './local/dev-stack.ts';
import { runInForeground } from './local/foreground.ts';

await runInForeground((overrides, signal) => startDevStack(overrides, signal, supabaseCli));
