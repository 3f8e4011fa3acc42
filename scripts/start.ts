import { runInForeground } from './local/foreground.ts';
import { startStack } from './local/stack.ts';

await runInForeground(startStack);
