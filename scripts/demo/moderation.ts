import { STAFF_CLIENT_ID, staffEmail } from '../local/staff-provider.ts';
import type { Story } from './story.ts';

/** Has a moderator remove a comment, its author appeal, and leaves the appeal and another report to staff. */
export async function moderate(story: Story, postId: string): Promise<void> {
  const { staffProviderUrl, pia, output } = story;
  if (staffProviderUrl === null) return;
  const decisionId = await removeComment(story, staffProviderUrl, postId);
  await appeal(story, decisionId);
  await pia.opine.post('/reports/posts/{postId}', {
    params: { path: { postId } },
    body: { reason: 'misinformation', details: 'Half of a sandwich is still a sandwich.' },
  });
  output.line('Pia reports the post');
}

/** @returns the id of the decision, as its author reads it */
async function removeComment(story: Story, staffProviderUrl: string, postId: string): Promise<string> {
  const { url, nora, idris, deliveries, output } = story;
  await output.section('Idris comments, Nora reports it, and a moderator removes it');
  const text = 'Only lazy people eat lunch.';
  const { id } = await idris.opine.post('/posts/{postId}/comments', {
    params: { path: { postId } },
    body: { text },
  });
  output.line(`“${text}”`);
  await deliveries.expect(nora, 'post_commented', 2);
  const { reportId } = await nora.opine.post('/reports/comments/{commentId}', {
    params: { path: { commentId: id } },
    body: { reason: 'harassment' },
  });
  const act = await signInAsModerator(url, staffProviderUrl);
  await act(`/admin/reports/${reportId}/claim`);
  await act(`/admin/reports/${reportId}/remove`, {
    reason: 'harassment',
    statement: 'Your comment insults the people who read it.',
  });
  await act('/admin/auth/logout');
  await deliveries.expect(idris, 'moderation_decided');
  const { items } = await idris.opine.get('/users/me/moderation-decisions');
  const [decision] = items;
  if (decision === undefined) throw new Error('Idris sees no decision.');
  output.line(`${staffEmail('moderator')}: “${decision.statement}”`);
  return decision.id;
}

async function appeal({ idris, output }: Story, decisionId: string): Promise<void> {
  await output.section('Idris appeals; another member of staff decides about it');
  const text = 'I meant myself: I am too lazy to cook.';
  await idris.opine.post('/moderation-decisions/{decisionId}/appeal', {
    params: { path: { decisionId } },
    body: { text },
  });
  output.line(`“${text}”`);
}

/** Signs in at the local staff provider. @returns sends a POST as the moderator */
async function signInAsModerator(url: string, staffProviderUrl: string) {
  const request = new URLSearchParams({
    response_type: 'id_token',
    scope: 'openid email',
    client_id: STAFF_CLIENT_ID,
    redirect_uri: `${url}/admin`,
    nonce: crypto.randomUUID(),
  });
  const signedIn = await fetch(`${staffProviderUrl}/authorize?${request}`, {
    method: 'POST',
    headers: { Origin: staffProviderUrl },
    body: new URLSearchParams({ role: 'moderator' }),
    redirect: 'manual',
  });
  const { hash } = new URL(signedIn.headers.get('location') ?? url);
  const idToken = new URLSearchParams(hash.slice(1)).get('id_token');
  const { headers } = await send(`${url}/api/v1/admin/auth/idp`, { idToken });
  const [cookie = ''] = headers.getSetCookie().map((line) => line.split(';', 1)[0] ?? '');
  return (path: string, body: object = {}) => send(`${url}/api/v1${path}`, body, { Cookie: cookie });
}

/** @throws Error unless the answer is a success */
async function send(url: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${url} answers ${response.status}: ${await response.text()}`);
  return response;
}
