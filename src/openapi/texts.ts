/** What the document says before its operations. */
export const INTRODUCTION = `
People publish posts with an article, a thought and a slider of five positions, and vote on the sliders
**anonymously**: where somebody voted is stored with nobody.

**Sessions.** \`POST /auth/otp/request\` sends a code to a phone, \`POST /auth/otp/verify\` exchanges it for a session;
\`POST /auth/anonymous/session\` needs no phone. Send the session's \`accessToken\` as \`Authorization: Bearer …\`. It is
good for 15 minutes; \`POST /auth/session/refresh\` makes the next one.

**Levels.** What a person may do grows with their profile: 1 any session, 2 registered profile, 3 confirmed phone,
4 synced contacts. Below the level of an operation the answer is \`403 FORBIDDEN\`, and its \`details.nextStep\` is the
step of onboarding to take.

**Answers.** Success is \`{ "success": true, "message", "data" }\`, failure
\`{ "success": false, "error": { "code", "message", "details" } }\`. Programs read \`code\`; \`message\` is for people.
An unknown address is \`404 ROUTE_NOT_FOUND\`, a known one with another method \`405 METHOD_NOT_ALLOWED\`.

**Lists.** A page has \`items\` and \`nextCursor\`: pass it as \`cursor\` for the next page; null ends the list.

**Trying again.** After \`429\` and \`503\` wait for \`Retry-After\`. A POST that creates takes an \`Idempotency-Key\`: sent
again with the same key it creates nothing twice. A vote needs none, as nobody can vote twice.
`.trim();

/** What each tag is about. */
export const TAGS: Readonly<Record<string, string>> = {
  Sessions: 'Signing in by phone or without one, and staying signed in.',
  Onboarding: 'The steps from an anonymous person to a full profile.',
  Uploads: 'Uploading files straight to storage, and reading them.',
  People: 'Who is on Opine, finding, following and blocking them.',
  Posts: 'Publishing, reposting, reading and deleting posts, and the feeds that show them.',
  Comments: 'What people say under posts that are not private.',
  Votes: 'Voting on a slider, and its results.',
  Shares: "Sharing posts to one's feed and into Hubs, handing them on, saving them.",
  Reports: 'Reporting people, posts and Hubs to staff.',
  Hubs: 'Private groups: founding, finding, reading and changing them.',
  'Hub members': 'Who is in a Hub, and with which role.',
  'Hub invitations': 'Inviting phone numbers, and accepting.',
  'Joining Hubs': 'Invite links, and the requests that they lead to.',
  'Hub discussions': 'What members say about the posts in a Hub.',
  Notifications: 'Which devices get push messages.',
  Staff: 'Signing in as staff, and what staff decides about. Not for the mobile app.',
};

/** What a person of each level has. */
export const LEVELS = {
  1: 'any session',
  2: 'a registered profile',
  3: 'a confirmed phone',
  4: 'synced contacts',
};
