import type { Context } from 'hono';
import { html } from 'hono/html';
import type { z } from 'zod';
import type { StaffRole } from '../domains/moderation/schemas.ts';
import type { Variables } from '../http/requests.ts';

/** A request for a staff page, or from one. */
export type PageContext = Context<{ Variables: Variables }>;

/** A piece of a page. It escapes interpolated values, except other pieces. */
export type Html = ReturnType<typeof html>;

/** The staff member who views a page. */
export interface Viewer {
  readonly email: string;
  readonly role: z.infer<typeof StaffRole>;
}

/** The result of the last action. */
export interface Notice {
  readonly text: string;
  readonly isRefusal: boolean;
}

/** An entry of the menu, with the lowest role that may open it. */
export interface Entry {
  readonly path: string;
  readonly name: string;
  readonly role: Viewer['role'];
}

/** The pages in the menu. */
export const PAGES = {
  reports: { path: '/admin', name: 'Reports', role: 'moderator' },
  closedReports: { path: '/admin/closed-reports', name: 'Closed reports', role: 'moderator' },
  appeals: { path: '/admin/appeals', name: 'Appeals', role: 'moderator' },
  accounts: { path: '/admin/accounts', name: 'Accounts', role: 'support' },
  visibility: { path: '/admin/visibility', name: 'Who sees what', role: 'moderator' },
  blockedTerms: { path: '/admin/blocked-terms', name: 'Blocked terms', role: 'moderator' },
  defaultFeedUsers: { path: '/admin/default-feed-users', name: 'Default feed', role: 'support' },
  staff: { path: '/admin/staff', name: 'Staff', role: 'admin' },
  auditLog: { path: '/admin/audit-log', name: 'Audit log', role: 'admin' },
  deadLetters: { path: '/admin/dead-letters', name: 'Dead letters', role: 'admin' },
  health: { path: '/admin/health', name: 'Health', role: 'support' },
} as const satisfies Record<string, Entry>;

const RANKS: readonly Viewer['role'][] = ['support', 'moderator', 'admin'];

/** Whether a page offers a viewer what needs this role. Postgres enforces the role. */
export function may(viewer: Viewer, role: Viewer['role']): boolean {
  return RANKS.indexOf(viewer.role) >= RANKS.indexOf(role);
}

/** The parts of a page. */
export interface Parts {
  readonly title: string;
  readonly main: Html;
  /** Absent on the sign-in page and on error pages. */
  readonly viewer?: Viewer;
  /** The path of the page's entry in the menu. */
  readonly path?: string;
  readonly notice?: Notice | undefined;
  readonly scripts?: Html;
}

/** Renders a page. */
export function layout({ title, main, viewer, path, notice, scripts }: Parts): Html {
  return html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>${title} · Opine staff</title>
  <link rel="icon" href="data:,">
  <link rel="stylesheet" href="/admin/page.css">
  ${scripts}
</head>
<body>
  <a class="skip" href="#main">Skip to the content</a>
  <header>
    <p class="name">Opine staff</p>
    ${viewer && menu(viewer, path)}
  </header>
  <main id="main" tabindex="-1">
    <h1>${title}</h1>
    ${notice && noticeView(notice)}
    ${main}
  </main>
</body>
</html>
`;
}

function menu(viewer: Viewer, path: string | undefined): Html {
  const pages = Object.values(PAGES).filter(({ role }) => may(viewer, role));
  return html`
    <nav aria-label="Pages">
      <ul>${pages.map(
        (page) =>
          html`<li><a href="${page.path}"${page.path === path && html` aria-current="page"`}>${page.name}</a></li>`,
      )}</ul>
    </nav>
    <form method="post" action="/admin/auth/logout">
      <span class="quiet">${viewer.email} (${viewer.role})</span>
      <button>Sign out</button>
    </form>`;
}

// Focus lets screen readers announce the notice, and the keyboard continue from here.
function noticeView({ text, isRefusal }: Notice): Html {
  return isRefusal
    ? html`<p class="notice refusal" role="alert" tabindex="-1" autofocus>${text}</p>`
    : html`<p class="notice" role="status" tabindex="-1" autofocus>${text}</p>`;
}
