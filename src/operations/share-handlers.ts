import { z } from 'zod';
import type { Call } from '../http/handler.ts';
import { appAddress } from './app-address.ts';

const Shared = z.object({ postId: z.string() });

/** Makes the address of a post that Postgres lets the caller hand on. */
export async function getShareLink({ args, services, run }: Call): Promise<unknown> {
  const { postId } = Shared.parse(await run(args));
  return { url: appAddress(services, `posts/${postId}`) };
}
