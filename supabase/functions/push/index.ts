// @ts-types="../../../src/edge-tasks.ts"
import { createTaskFunction } from './tasks.js';

const push = createTaskFunction('push', Deno.env.toObject(), (text: string) => {
  // biome-ignore lint/suspicious/noConsole: the platform collects logs from the console only.
  console.log(text.trimEnd());
});

Deno.serve(push);
