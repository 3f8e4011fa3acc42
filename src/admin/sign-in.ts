import { html } from 'hono/html';
import type { Html } from './layout.ts';

/** The button of Google Identity Services for a client, or the word that there is none. */
export function signInView(clientId: string | undefined): Html {
  return html`
    ${clientId === undefined ? html`<p>Staff sign-in is not set up here: it needs <code>STAFF_IDP_CLIENT_ID</code> and <code>STAFF_ALLOWED_DOMAIN</code>.</p>` : googleButton(clientId)}
    <p>You are signed in, and a link of another site led you here? <a href="/admin">Go on</a>.</p>`;
}

/** The scripts of the page: ours, which takes what Google's brings. */
export const SIGN_IN_SCRIPTS = html`<script src="/admin/sign-in.js"></script>
  <script src="https://accounts.google.com/gsi/client" async></script>`;

function googleButton(clientId: string): Html {
  return html`
    <div id="g_id_onload" data-client_id="${clientId}" data-callback="signInAsStaff" data-auto_prompt="false"></div>
    <div class="g_id_signin" data-type="standard" data-text="signin_with"></div>
    <p id="refusal" role="alert"></p>
    <noscript><p>To sign in, Google's button needs JavaScript. Nothing behind it does.</p></noscript>`;
}
