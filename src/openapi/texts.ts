/** The description of the API. */
export const INTRODUCTION = `
People publish posts with an article, a thought and a slider of five positions, and vote on the sliders
**anonymously**: no row links a person to a position.

**Sessions.** \`POST /auth/otp/request\` sends a code to a phone, \`POST /auth/otp/verify\` exchanges it for a session;
\`POST /auth/anonymous/session\` needs no phone. Send the session's \`accessToken\` as \`Authorization: Bearer …\`. It
lives 15 minutes; \`POST /auth/session/refresh\` returns the next one.

**Levels.** What a person may do grows with their profile: 1 any session, 2 registered profile, 3 confirmed phone,
4 synced contacts. A caller below the level of an operation gets \`403 FORBIDDEN\`; \`details.nextStep\` names the
next step of onboarding.

**Answers.** Success is \`{ "success": true, "message", "data" }\`, failure
\`{ "success": false, "error": { "code", "message", "details" } }\`. Programs read \`code\`; \`message\` is for people.
An unknown path is \`404 ROUTE_NOT_FOUND\`, a known path with another method \`405 METHOD_NOT_ALLOWED\`.

**Lists.** A page has \`items\` and \`nextCursor\`. Pass \`nextCursor\` as \`cursor\` for the next page; null ends the list.

**Retries.** Wait for \`Retry-After\` after \`429\` and \`503\`. A POST that creates takes an \`Idempotency-Key\`: a retry
with the same key creates nothing twice. A vote needs no key, because a second vote is refused.

**Your own writes.** A write answers with \`X-Opine-Position\`. Send the last one back with every request, and reads include that
write although a replica answers them. After writes at the same time, send the positions of all, separated by commas.
`.trim();

/** The description of each tag. */
export const TAGS: Readonly<Record<string, string>> = {
  Sessions: 'Sign-in with and without a phone, sessions, and the account.',
  Onboarding: 'The steps from an anonymous user to a Hub-ready one.',
  Uploads: 'Upload files straight to storage, and download them.',
  People: 'Profiles, search, follows and blocks.',
  Posts: 'Publish, repost, read and delete posts, and read feeds.',
  Comments: 'Comments on posts that are not private.',
  Votes: 'Votes on sliders, and their results.',
  Shares: 'Share posts to a feed, into Hubs or by link, and save them.',
  Reports: 'Report people, Hubs and their content to staff.',
  Moderation: 'Decisions of staff about oneself, and appeals against them.',
  Hubs: 'Private groups: create, search, read and change them.',
  'Hub members': 'The members of a Hub and their roles.',
  'Hub invitations': 'Invite phone numbers; accept and decline invitations.',
  'Joining Hubs': 'Invite links and join requests.',
  'Hub discussions': 'Discussions of the posts in a Hub, for its members.',
  Notifications: 'The inbox, its event stream, and the devices for push messages.',
  Staff: 'Staff sign-in and moderation. Not for the mobile app.',
};

/** The description of each path parameter. */
export const PARAMETERS: Readonly<Record<string, string>> = {
  assetId: 'The id of the asset.',
  commentId: 'The id of the comment.',
  deadLetterId: 'The id of the dead letter.',
  decisionId: 'The id of the decision.',
  discussionId: 'The id of the discussion in this Hub.',
  hubId: 'The id of the Hub.',
  invitationId: 'The id of the invitation.',
  inviteLinkId: 'The id of the invite link, without its token.',
  messageId: 'The id of the message.',
  postId: 'The id of the post, repost included.',
  reportId: 'The id of the report.',
  requestId: 'The id of the join request.',
  sessionId: 'The id of the session.',
  token: 'The secret at the end of the link.',
  uploadId: 'The id of the upload.',
  userId: 'The id of the person.',
  username: 'The username, in any case.',
};

/** The requirement of each level. */
export const LEVELS = {
  1: 'any session',
  2: 'a registered profile',
  3: 'a confirmed phone',
  4: 'synced contacts',
};
