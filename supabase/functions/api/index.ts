// @ts-types="../../../src/edge.ts"
import { createEdgeApp } from './app.js';

const app = await createEdgeApp(Deno.env.toObject(), (text: string) => {
  // biome-ignore lint/suspicious/noConsole: the platform collects logs from the console only.
  console.log(text.trimEnd());
});

Deno.serve(app);
