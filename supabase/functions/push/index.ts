import { createPushDrain } from './drain.js';

const drain = createPushDrain(Deno.env.toObject(), (text: string) => {
  // biome-ignore lint/suspicious/noConsole: the platform keeps what is written to the console, and nothing else.
  console.log(text.trimEnd());
});

Deno.serve(drain);
