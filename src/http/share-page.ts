import { html } from 'hono/html';
import { z } from 'zod';
import { id } from '../contract/values.ts';
import type { Services } from '../services.ts';

/** What a preview shows of a public post: neither its author nor their phone. */
const PublicPost = z.object({
  visibility: z.enum(['public', 'public_hub']),
  thoughtText: z.string().nullable(),
  sliderText: z.string().nullable(),
  article: z.object({ title: z.string().nullable() }).nullable(),
});

const MAX_TITLE = 90;

// What a reader sees as one character, so that no emoji is cut.
const characters = new Intl.Segmenter();

/** Returns the page with Open Graph tags of a post; without them for a post that guests do not see. */
export async function withPreview(
  page: string,
  { gateway, config }: Services,
  { postId, requestId }: { readonly postId: string; readonly requestId: string },
): Promise<string> {
  if (!id.safeParse(postId).success) return page;
  const answer = await gateway
    .call({
      operation: 'get_post',
      mode: 'reader',
      claims: null,
      args: { postId },
      revokesAccess: false,
      requestId,
      idempotency: null,
      addressHash: null,
      treatsEndedSessionAsGuest: true,
      isWrite: false,
      // A replica may answer a guest, who has written nothing.
      replicaRead: { transactionIds: [] },
    })
    // The page itself says what is wrong, and does so to people.
    .catch(() => null);
  const { data: post } = PublicPost.safeParse(answer && JSON.parse(answer.json));
  if (post === undefined) return page;
  const text = post.sliderText ?? post.thoughtText ?? '';
  const segments = [...characters.segment(post.article?.title ?? text)].slice(0, MAX_TITLE);
  const title = segments.map(({ segment }) => segment).join('') || 'A post on Opine';
  const tags = await html`<title>${title} · Opine</title>
  <meta property="og:type" content="article">
  <meta property="og:site_name" content="Opine">
  <meta property="og:title" content="${title}">
  <meta property="og:description" content="${text}">
  <meta property="og:url" content="${config.APP_URL.replace(/\/$/, '')}/posts/${postId}">
  <meta property="og:image" content="${config.APP_LOGO_URL}">`;
  // A function, because `$` has a meaning in a text of replacement.
  return page.replace(/<title>.*<\/title>/, () => String(tags));
}
