// What Google's button calls with the ID token of who signed in there.
globalThis.signInAsStaff = async ({ credential }) => {
  const refusal = document.getElementById('refusal');
  refusal.textContent = '';
  try {
    const response = await fetch('/api/v1/admin/auth/idp', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ idToken: credential }),
    });
    if (response.ok) return location.assign('/admin');
    refusal.textContent = (await response.json()).error.message;
  } catch {
    refusal.textContent = 'The server cannot be reached. Try again.';
  }
};
