import { html } from 'hono/html';
import type { StaffAccess } from '../services.ts';
import type { Html } from './layout.ts';

/** Renders the button of the identity provider, or a note without one: sign-in is not configured. */
export function signInView(staff: StaffAccess | null): Html {
  return html`
    ${staff === null ? html`<p>Staff sign-in is not configured. It needs <code>STAFF_IDP_CLIENT_ID</code> and <code>STAFF_ALLOWED_DOMAIN</code>.</p>` : signInButton(staff)}
    <p>Already signed in, and here by a link of another site? <a href="/admin">Continue</a>.</p>`;
}

/** Our script of the sign-in page: it sends the provider's ID token to the service. */
export const SIGN_IN_SCRIPT = html`<script src="/admin/sign-in.js"></script>`;

/** Google's script, which renders its button. */
export const GOOGLE_SCRIPT = html`
  <script src="https://accounts.google.com/gsi/client" async></script>`;

function signInButton({ clientId, authorizationUrl }: StaffAccess): Html {
  const button =
    authorizationUrl === undefined
      ? html`<div id="g_id_onload" data-client_id="${clientId}" data-callback="signInAsStaff" data-auto_prompt="false"></div>
    <div class="g_id_signin" data-type="standard" data-text="signin_with"></div>`
      : html`<button id="sign-in" data-client-id="${clientId}" data-authorization-url="${authorizationUrl}">Sign in</button>`;
  return html`
    ${button}
    <p id="refusal" role="alert"></p>
    <noscript><p>Signing in needs JavaScript. The other pages do not.</p></noscript>`;
}
