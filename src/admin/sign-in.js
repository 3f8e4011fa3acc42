const NONCE = 'staff-sign-in-nonce';

/** Starts the session of whom the provider's ID token names, and opens the first page. */
async function startSession(idToken) {
  refuse('');
  try {
    const response = await fetch('/api/v1/admin/auth/idp', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ idToken }),
    });
    if (response.ok) return location.assign('/admin');
    refuse((await response.json()).error.message);
  } catch {
    refuse('The server cannot be reached. Try again.');
  }
}

function refuse(text) {
  document.getElementById('refusal').textContent = text;
}

// What Google's button calls.
globalThis.signInAsStaff = ({ credential }) => startSession(credential);

/** Leads to another provider, which leads back here with an ID token in the fragment. */
function leave({ clientId, authorizationUrl }) {
  const nonce = crypto.randomUUID();
  sessionStorage.setItem(NONCE, nonce);
  const url = new URL(authorizationUrl);
  const request = {
    response_type: 'id_token',
    scope: 'openid email',
    client_id: clientId,
    redirect_uri: `${location.origin}/admin`,
    nonce,
  };
  for (const [name, value] of Object.entries(request)) url.searchParams.set(name, value);
  location.assign(url);
}

/** Takes the ID token out of the address. Login CSRF: another site may lead here with a token of its own. */
async function comeBack(idToken) {
  const nonce = sessionStorage.getItem(NONCE);
  sessionStorage.removeItem(NONCE);
  history.replaceState(null, '', '/admin');
  if (nonce === null || nonce !== nonceOf(idToken)) return refuse('This sign-in began elsewhere. Try again.');
  await startSession(idToken);
}

function nonceOf(idToken) {
  try {
    const [, payload = ''] = idToken.split('.');
    return JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))).nonce;
  } catch {
    return null;
  }
}

addEventListener('DOMContentLoaded', () => {
  const button = document.getElementById('sign-in');
  if (button === null) return;
  button.addEventListener('click', () => leave(button.dataset));
  const answer = new URLSearchParams(location.hash.slice(1));
  if (answer.has('id_token')) comeBack(answer.get('id_token'));
  else if (answer.has('error')) refuse('The provider did not sign you in. Try again.');
});
