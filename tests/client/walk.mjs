/**
 * Uses every part of the client, in any runtime.
 * @param {typeof import('@opine/client')} client the package as this runtime loads it
 * @param {{ baseUrl: string, phoneNumber: string, picture: number[], options?: object }} given
 */
export async function walk({ createOpine, isOpineError }, { baseUrl, phoneNumber, picture, options }) {
  const opine = createOpine({ baseUrl, ...options });
  await opine.post('/auth/otp/request', { body: { phoneNumber } });
  await opine.signIn(await opine.post('/auth/otp/verify', { body: { phoneNumber, code: '4242' } }));

  const { items } = await opine.get('/posts');
  const [post] = items;
  const vote = () =>
    opine.post('/posts/{postId}/vote', {
      params: { path: { postId: post.id } },
      body: { position: 'right' },
    });
  const { summary } = await vote();
  const again = await vote().catch((error) => isOpineError(error, 'VOTE_ALREADY_CAST') && error.code);

  let progress;
  const asset = await opine.upload(new Uint8Array(picture), {
    purpose: 'profile_photo',
    contentType: 'image/png',
    onProgress: (...sentAndTotal) => {
      progress = sentAndTotal;
    },
  });

  const leaving = new AbortController();
  let inbox;
  for await (const event of opine.events({ signal: leaving.signal })) {
    inbox = event;
    leaving.abort();
  }
  await opine.signOut();
  return {
    votedOn: post.id,
    totalVotes: summary.totalVotes,
    again,
    width: asset.width,
    progress,
    inbox,
  };
}
