// @ts-types="../../../src/edge-tasks.ts"
import { createTaskFunction } from './tasks.js';

const upkeep = createTaskFunction('upkeep', Deno.env.toObject(), (text: string) => {
  // biome-ignore lint/suspicious/noConsole: the platform collects logs from the console only.
  console.log(text.trimEnd());
});

Deno.serve(upkeep);
