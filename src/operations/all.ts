import type { Route } from '../http/handler.ts';
import { onboarding } from './onboarding.ts';
import { posts } from './posts.ts';
import { sessions } from './sessions.ts';
import { votes } from './votes.ts';

/** Every operation of the API, in the order of the document. */
export const ROUTES: readonly Route[] = [...sessions, ...onboarding, ...posts, ...votes];
