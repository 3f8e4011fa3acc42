import jpeg from '@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm' with { type: 'bytes' };
import png from '@jsquash/png/codec/pkg/squoosh_png_bg.wasm' with { type: 'bytes' };
import webp from '@jsquash/webp/codec/dec/webp_dec.wasm' with { type: 'bytes' };
import webpEncoder from '@jsquash/webp/codec/enc/webp_enc.wasm' with { type: 'bytes' };
import { Hono } from 'hono';
import { createApp } from './app.ts';
import { ConfigError, type Environment } from './config.ts';
import { ApiError } from './contract/errors.ts';
import { readEdgeConfig } from './edge-config.ts';
import { fail } from './http/answer.ts';
import type { Variables } from './http/requests.ts';
import { requestId } from './http/requests.ts';
import { createEdgePreviews } from './images/edge/previews.ts';
import { createImages } from './images/images.ts';
import type { Write } from './log.ts';
import { createServices } from './services.ts';
import { createStreams } from './stream/streams.ts';

/** Handles a request. */
export type Fetch = (request: Request) => Response | Promise<Response>;

/**
 * Creates the app for a runtime with a listener of its own, such as the edge functions of Supabase. It has no worker and no
 * docs page. After a wrong environment it logs one line and answers each request `SERVICE_UNAVAILABLE`, because a function
 * that does not start would answer without the error envelope.
 * @param write writes to the log
 */
export async function createEdgeApp(env: Environment, write: Write): Promise<Fetch> {
  try {
    const config = readEdgeConfig(env);
    const images = createImages(createEdgePreviews({ jpeg, png, webp, webpEncoder }));
    const services = await createServices(config, images, { write });
    const { gateway } = services;
    const streams = createStreams({ gateway, listenUrl: config.DATABASE_LISTEN_URL });
    return createApp(services, { streams }).fetch;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    write(`${error.message}\n`);
    return new Hono<{ Variables: Variables }>()
      .use(requestId)
      .notFound((c) => fail(c, new ApiError('SERVICE_UNAVAILABLE'))).fetch;
  }
}
