import jpeg from '@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm' with { type: 'bytes' };
import png from '@jsquash/png/codec/pkg/squoosh_png_bg.wasm' with { type: 'bytes' };
import webp from '@jsquash/webp/codec/dec/webp_dec.wasm' with { type: 'bytes' };
import { Hono } from 'hono';
import { createApp } from './app.ts';
import { ConfigError, type Environment } from './config.ts';
import { ApiError } from './contract/errors.ts';
import { readEdgeConfig } from './edge-config.ts';
import { fail } from './http/answer.ts';
import { requestId } from './http/request-id.ts';
import type { Variables } from './http/variables.ts';
import { createImages, FEW_PIXELS } from './images/images.ts';
import type { Write } from './log.ts';
import { createServices } from './services.ts';
import { createStreams } from './stream/streams.ts';

/** Answers a request. */
export type Fetch = (request: Request) => Response | Promise<Response>;

/**
 * The app for a runtime that listens itself, as that of Supabase's edge functions: no worker, no docs page. A wrong
 * environment is told in one line, and every request then answered `SERVICE_UNAVAILABLE`: clients get the envelope
 * that they know, which a function that does not start could not give.
 * @param write writes to the log
 */
export async function createEdgeApp(env: Environment, write: Write): Promise<Fetch> {
  try {
    const config = readEdgeConfig(env);
    const services = await createServices(config, createImages({ jpeg, png, webp }, FEW_PIXELS), { write });
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
