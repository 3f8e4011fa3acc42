/**
 * Shows the client: signs in as a demo person, reads the feed, votes, and prints notifications until Ctrl-C. Run it with
 * `npm run example` while `npm start` runs.
 */
import { createOpine, OpineError } from '@opine/client';

const MAYA = { phoneNumber: '+12025550101', code: '4242' };

const baseUrl = process.env.OPINE_URL || `http://localhost:${process.env.PORT || 8787}`;
const opine = createOpine({ baseUrl });

const { phoneNumber, code } = MAYA;
await opine.post('/auth/otp/request', { body: { phoneNumber } }).catch((error: unknown) => {
  // What `fetch` throws if nobody answers.
  if (!(error instanceof TypeError)) throw error;
  process.stderr.write(`No service answers at ${baseUrl}: run npm start first, or set PORT.\n`);
  process.exit(1);
});
const session = await opine.post('/auth/otp/verify', { body: { phoneNumber, code } });
await opine.signIn(session);
say(`Signed in as ${session.user.fullName}.`);

for await (const { items } of opine.pages('/posts')) {
  for (const { id: postId, author, sliderText } of items) {
    say(`${author.name}: ${sliderText ?? '(no slider)'}`);
    if (sliderText !== null) await vote(postId);
  }
}

say('Listening. Follow Maya or comment on one of her posts as another person. Press Ctrl-C to stop.');
for await (const event of opine.events()) {
  if (event.type === 'ready') say(`${event.inbox.unreadCount} notifications are unread.`);
  else say(`New notification: ${event.payload.type}`);
}

async function vote(postId: string): Promise<void> {
  try {
    const { summary } = await opine.post('/posts/{postId}/vote', {
      params: { path: { postId } },
      body: { position: 'right' },
    });
    say(`  voted; the post has ${summary.totalVotes} votes`);
  } catch (error) {
    if (!(error instanceof OpineError && error.code === 'VOTE_ALREADY_CAST')) throw error;
    say('  voted already');
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
