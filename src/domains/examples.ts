/** Example values of the OpenAPI document. The ids are those of the demo data. */
export const POST_ID = '01900000-0000-7000-8000-0000000000b3';
export const AT = '2026-03-01T09:30:00.000Z';

export const author = {
  id: '01900000-0000-7000-8000-000000000003',
  username: 'amara',
  name: 'Amara Castellanos',
  profilePhotoUrl: null,
  isAnonymous: false,
};

export const ASSET_ID = '01900000-0000-7000-8000-0000000000e2';
export const SESSION_ID = '01900000-0000-7000-8000-0000000000a1';
export const PHOTO_URL = `https://project.supabase.co/storage/v1/object/public/photos/${ASSET_ID}`;

export const publicProfile = {
  id: author.id,
  name: author.name,
  username: author.username,
  bio: 'Libraries first.',
  profilePhotoUrl: PHOTO_URL,
  isAnonymous: false,
  counts: { followers: 12, following: 3 },
  activity: { posts: 2, reposts: 0, comments: 0, votes: 7 },
  adminHubs: [],
  viewer: { follows: true, followedBy: false, blocking: false, publicPostsMuted: false },
};

export const ownProfile = {
  ...publicProfile,
  viewer: { follows: false, followedBy: false, blocking: false, publicPostsMuted: false },
  fullName: author.name,
  phoneNumber: '+12025550103',
  level: 3,
  createdAt: AT,
  editable: {
    fullName: author.name,
    username: author.username,
    bio: publicProfile.bio,
    profileAssetId: ASSET_ID,
  },
};

export const session = {
  accessToken: 'eyJhbGciOiJFUzI1NiIsImtpZCI6Ii4uLiJ9.eyJzdWIiOiIuLi4ifQ.c2lnbmF0dXJl',
  refreshToken: 'pX3n0b5sZ0u3b6v5m1m4rWk2b9n0c8d7e6f5a4b3c2d',
  tokenType: 'Bearer',
  expiresIn: 900,
  expiresAt: AT,
  user: { id: author.id, username: 'amara', fullName: author.name, isAnonymous: false, level: 3 },
};

export const status = {
  profileBasics: true,
  mediaCompleted: true,
  phoneConfirmed: true,
  contactsSynced: false,
  contactsSyncedAt: null,
  level: 3,
  completed: false,
  nextStep: 'contacts',
};

export const summary = { totalVotes: 12, resultsVisible: true, leftCount: 3, neutralCount: 1, rightCount: 8 };

export const distribution = [
  { position: 'strong_left', count: 1 },
  { position: 'left', count: 2 },
  { position: 'neutral', count: 1 },
  { position: 'right', count: 3 },
  { position: 'strong_right', count: 5 },
];

export const globalScope = { type: 'global', hubId: null };

export const card = {
  id: POST_ID,
  author,
  createdAt: AT,
  article: null,
  thoughtText: null,
  sliderText: 'Four working days are enough',
  slider: { leftLabel: 'Disagree', rightLabel: 'Agree' },
  visibility: 'public',
  hubs: [],
  sourcePostId: null,
  sourcePost: null,
  isShareable: true,
  viewerVote: { hasVoted: true, votedAt: AT },
  voteScope: globalScope,
  voteSummary: summary,
  voteDistribution: distribution,
  commentCount: 0,
  repostCount: 0,
  viewerSaved: false,
};

export const HUB_ID = '01900000-0000-7000-8000-0000000000c1';
export const INVITATION_ID = '01900000-0000-7000-8000-0000000000c2';
export const JOIN_REQUEST_ID = '01900000-0000-7000-8000-0000000000c3';
export const DISCUSSION_ID = '01900000-0000-7000-8000-0000000000d1';
/** Has the length of a real token. */
export const INVITE_TOKEN = 'tB3n0b5sZ0u3b6v5m1m4rWk2b9n0c8d7e6f5a4b3c2d';

export const hubPreview = {
  id: HUB_ID,
  name: 'Elm Street',
  description: 'Everybody between the bakery and the park.',
  profilePhotoUrl: null,
  memberCount: 12,
  viewerStatus: 'none',
  viewerRole: null,
};

export const hub = {
  ...hubPreview,
  customLink: 'elm-street',
  activeUsers24h: 5,
  viewerStatus: 'member',
  viewerRole: 'admin',
};
