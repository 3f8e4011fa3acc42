import { html } from 'hono/html';
import type { Html } from './layout.ts';

/** Renders the button of Google Identity Services, or a note for an undefined client id: sign-in is not configured. */
export function signInView(clientId: string | undefined): Html {
  return html`
    ${clientId === undefined ? html`<p>Staff sign-in is not configured. It needs <code>STAFF_IDP_CLIENT_ID</code> and <code>STAFF_ALLOWED_DOMAIN</code>.</p>` : googleButton(clientId)}
    <p>Already signed in, and here by a link of another site? <a href="/admin">Continue</a>.</p>`;
}

/** The scripts of the sign-in page: Google's, and ours, which sends its ID token to the service. */
export const SIGN_IN_SCRIPTS = html`<script src="/admin/sign-in.js"></script>
  <script src="https://accounts.google.com/gsi/client" async></script>`;

function googleButton(clientId: string): Html {
  return html`
    <div id="g_id_onload" data-client_id="${clientId}" data-callback="signInAsStaff" data-auto_prompt="false"></div>
    <div class="g_id_signin" data-type="standard" data-text="signin_with"></div>
    <p id="refusal" role="alert"></p>
    <noscript><p>Google's sign-in button needs JavaScript. The other pages do not.</p></noscript>`;
}
