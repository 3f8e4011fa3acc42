import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import type { Page } from '../../tools/playwright.ts';
import { axeViolations } from '../support/chromium.ts';
import { expectOk } from '../support/client.ts';
import { follow, profileSeenBy } from '../support/graph.ts';
import {
  aHub,
  aHubPost,
  aJoinRequest,
  aMessage,
  anInvitation,
  anInviteLink,
  discussionOf,
  join,
  rolesIn,
} from '../support/hubs.ts';
import {
  confirmedPerson,
  hubReadyPerson,
  newPhoneNumber,
  type Person,
  registeredPerson,
  signIn,
} from '../support/people.ts';
import { aJpeg } from '../support/pictures.ts';
import {
  aComment,
  aRepost,
  aSlider,
  aThought,
  commentsOn,
  requestSavePost,
  savedPosts,
} from '../support/posts.ts';
import { queuedCounts } from '../support/pushes.ts';
import { logOut } from '../support/sign-in.ts';
import { removeReported, runStaffAction } from '../support/staff.ts';
import { castVote } from '../support/votes.ts';
import {
  card,
  dialog,
  fromMenu,
  heading,
  press,
  signInOn,
  status,
  type WebApp,
  withWebApp,
} from '../support/web-app.ts';
import { foldAllVotes } from '../support/worker.ts';

let opine: WebApp['opine'];
let maya: Person;
let jonas: Person;
let openApp: WebApp['openApp'];
let openAs: WebApp['openAs'];
let forgive: WebApp['forgive'];

withWebApp((started) => {
  ({ opine, maya, jonas, openApp, openAs, forgive } = started);
});

/** The list item of a comment, with its replies. */
const item = (page: Page, text: string) => page.getByRole('listitem').filter({ has: card(page, text) });

/** Fills in the forms of sign-in. */
async function enterCode(page: Page, { phoneNumber }: Pick<Person, 'phoneNumber'>): Promise<void> {
  await page.getByLabel('Your phone').fill(phoneNumber);
  await press(page, 'Send me a code');
  await page.getByLabel('The code').fill('4242');
  await press(page, 'Sign in');
}

/** Ends a session at the first POST to `path`. No earlier: the app leaves a page when any request finds the session ended. */
async function endSessionAtPost(page: Page, { session }: Person, path: string): Promise<void> {
  let hasEnded = false;
  await page.route(path, async (route) => {
    if (route.request().method() === 'POST' && !hasEnded) {
      hasEnded = true;
      await logOut(opine, session);
    }
    await route.fallback();
  });
}

describe('safety', () => {
  test('a person reports a post, a comment, a message, a person and a Hub, and sees each report', async () => {
    const [lena, hub] = [await hubReadyPerson(opine, 'Lena'), await aHub(maya, { name: 'Ash Street' })];
    await join(maya, hub, [lena]);
    const post = await aThought(jonas, 'Buy my pills.');
    await aComment(jonas, post, 'Really, buy them.');
    const discussion = await discussionOf(maya, hub, await aHubPost(maya, [hub]));
    await aMessage(maya, discussion, 'Buy mine.');
    const page = await openAs(lena, `/posts/${post.id}`);
    const report = async (thing: string, place = page.locator('main')) => {
      await fromMenu(place, `Report this ${thing}`);
      await dialog(page).getByLabel('Spam or advertising').check();
      expect(await axeViolations(page, undefined)).toEqual([]);
      await press(dialog(page), 'Send the report');
      await page.getByRole('dialog').first().waitFor({ state: 'detached' });
    };
    await report('post', card(page, 'Buy my pills.'));
    await report('comment', card(page, 'Really, buy them.'));
    await page.goto(`${opine.url}/#/users/${jonas.id}`);
    await heading(page, 'Jonas').waitFor();
    await report('person', page.locator('main > header'));
    await page.goto(`${opine.url}/#/hubs/${hub.id}/posts/${discussion.postId}/${discussion.id}`);
    await report('message', card(page, 'Buy mine.'));
    await page.goto(`${opine.url}/#/hubs/${hub.id}/members`);
    await report('Hub', page.locator('main > header'));
    await page.goto(`${opine.url}/#/reports`);
    for (const thing of ['post', 'comment', 'person', 'message', 'Hub'])
      await page.getByText(`A ${thing}: Spam or advertising`).waitFor();
  });

  test('a blocked person disappears at once, and comes back from the settings', async () => {
    const [lena, otto] = [await confirmedPerson(opine, 'Lena'), await confirmedPerson(opine, 'Otto')];
    await aThought(otto, 'I know better.');
    await follow(lena, otto);
    const page = await openAs(lena);
    await fromMenu(card(page, 'I know better.'), 'Block Otto');
    await press(dialog(page), 'Block');
    await card(page, 'I know better.').waitFor({ state: 'detached' });
    await page.goto(`${opine.url}/#/settings/blocks`);
    await press(page, 'Unblock Otto');
    await page.getByText('You have blocked nobody.').waitFor();
    // The open post was read again, and was not there.
    forgive();
    expect((await profileSeenBy(lena, otto)).viewer.blocking).toBe(false);
  });

  test('an open post of a person whom one blocks disappears, also from what is saved', async () => {
    const [lena, otto] = [await confirmedPerson(opine, 'Lena'), await confirmedPerson(opine, 'Otto')];
    const post = await aThought(otto, 'I know best.');
    await expectOk(requestSavePost(lena, post));
    const page = await openAs(lena, '/saved');
    await card(page, 'I know best.').getByRole('link', { name: 'Comments: 0' }).click();
    await heading(page, 'Post').waitFor();
    await fromMenu(card(page, 'I know best.'), 'Block Otto');
    await press(dialog(page), 'Block');
    await page.getByRole('alert').getByRole('link', { name: 'Go to the feed' }).waitFor();
    await card(page, 'I know best.').waitFor({ state: 'detached' });
    await page.goBack();
    await page.getByText('You have saved no post.').waitFor();
    forgive();
  });

  test('the notification of a decision leads to its reasons, and the appeal stays with it', async () => {
    const lena = await confirmedPerson(opine, 'Lena');
    const post = await aThought(lena, 'These pills help.');
    await removeReported(opine, maya, 'posts', post, lena);
    const page = await openAs(lena, '/notifications');
    await press(page, 'A moderation decision concerns you');
    const decision = card(page, 'Your post was removed');
    await decision.getByText('It sells pills.').waitFor();
    await decision.getByText('Appeal', { exact: true }).click();
    await page.getByLabel('Why is the decision wrong?').fill('It quotes.');
    await press(page, 'Send the appeal');
    await decision.getByText('Somebody else of our staff decides about it.').waitFor();
    await decision.getByText('It quotes.').waitFor();
  });

  test('a suspended person reads the statement of reasons at sign-in, and appeals once', async () => {
    const lena = await confirmedPerson(opine, 'Lena');
    await runStaffAction(opine, 'suspend_user', lena);
    const page = await openApp('/sign-in');
    await enterCode(page, lena);
    await page.getByText('a test', { exact: true }).waitFor();
    expect(await axeViolations(page, undefined)).toEqual([]);
    await page.getByLabel('Why is the decision wrong?').fill('The account was stolen.');
    await press(page, 'Send the appeal');
    await status(page, 'Your appeal is open.').waitFor();
    await page.reload();
    await enterCode(page, lena);
    await status(page, 'Your appeal is open.').waitFor();
    expect(await page.getByLabel('Why is the decision wrong?').count()).toBe(0);
    forgive();
  });

  test('a suspended person whose appeal has failed reads so at sign-in', async () => {
    const page = await openApp('/sign-in');
    const details = { statement: 'You sell pills.', appealToken: 'a', appealState: 'upheld' };
    await page.route('**/auth/otp/verify', (route) =>
      route.fulfill({ status: 403, json: { error: { code: 'ACCOUNT_SUSPENDED', message: '', details } } }),
    );
    await enterCode(page, { phoneNumber: newPhoneNumber() });
    await status(page, 'We have looked again. The decision stays.').waitFor();
    expect(await page.getByLabel('Why is the decision wrong?').count()).toBe(0);
    forgive();
  });
});

describe('an account', () => {
  test('a person changes their profile, and sees an error beside its field', async () => {
    const lena = await confirmedPerson(opine, 'Lena');
    const page = await openAs(lena, `/users/${lena.id}`);
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByLabel('Username').fill(maya.username);
    await page.getByLabel('About you').fill('I plant trees.');
    await press(page, 'Save');
    await page.getByText('taken').waitFor();
    expect(await page.getByLabel('Username').getAttribute('aria-invalid')).toBe('true');
    forgive();
    await page.getByLabel('Username').fill('lena_plants');
    await press(page, 'Save');
    await page.getByText('@lena_plants').waitFor();
    await page.getByText('I plant trees.').waitFor();
  });

  test.each([
    ['End', null],
    ['End all others', 'End them'],
  ])('a person ends another session by %s, and keeps this one', async (name, answer) => {
    const lena = await confirmedPerson(opine, 'Lena');
    await signIn(opine, lena.phoneNumber);
    const page = await openAs(lena, '/settings/sessions');
    const end = page.getByRole('button', { name: 'End', exact: true });
    await end.waitFor();
    await page.getByRole('button', { name, exact: true }).click();
    if (answer !== null) await press(dialog(page), answer);
    await end.waitFor({ state: 'detached' });
    const { items } = await expectOk(lena.get('/users/me/sessions'));
    expect(items).toMatchObject([{ isCurrent: true }]);
  });

  test('a person changes their number, downloads their data, and deletes the account', async () => {
    const lena = await confirmedPerson(opine, 'Lena');
    await aThought(lena, 'Mine alone.');
    const phoneNumber = newPhoneNumber();
    const page = await openAs(lena, '/settings/phone');
    await page.getByLabel('New number, with').fill(phoneNumber);
    await press(page, 'Send me a code');
    await page.getByLabel('The code').fill('4242');
    await press(page, 'Change the number');
    await status(page, `You sign in with ${phoneNumber} from now on.`).waitFor();

    const download = page.waitForEvent('download');
    await press(page, 'Download your data');
    const data = JSON.parse(await readFile(await (await download).path(), 'utf8'));
    expect([data.account.phoneNumber, data.posts[0].thoughtText]).toEqual([phoneNumber, 'Mine alone.']);

    await press(page, 'Delete your account');
    expect(await axeViolations(page, undefined)).toEqual([]);
    await press(dialog(page), 'Delete it for ever');
    await status(page, 'Your account is deleted.').waitFor();
    await page.getByRole('link', { name: 'Sign in' }).first().waitFor();
    forgive();
    expect((await maya.get(`/users/${lena.id}/profile`)).status).toBe(404);
  });
});

describe('sign-in', () => {
  const CODE = '**/auth/otp/request';

  test('a failure to send another code is shown beside the first one, which still counts', async () => {
    const page = await openApp('/sign-in');
    await page.route(CODE, async (route) => {
      const { data } = await (await route.fetch()).json();
      await route.fulfill({ json: { data: { ...data, resendAfterSeconds: 0 } } });
    });
    await page.getByLabel('Your phone').fill(newPhoneNumber());
    await press(page, 'Send me a code');
    await page.route(CODE, (route) =>
      route.fulfill({ status: 500, json: { error: { code: 'INTERNAL_ERROR' } } }),
    );
    await press(page, 'Send another code');
    await page.getByRole('alert').filter({ hasText: 'Opine has a problem.' }).waitFor();
    forgive();
    await page.getByLabel('The code').fill('4242');
    await press(page, 'Sign in');
    await status(page, 'Welcome').waitFor();
  });

  test('a phone that must wait for a code sees for how long, and another one is asked afresh', async () => {
    const page = await openApp('/sign-in');
    await page.route(CODE, (route) =>
      route.fulfill({
        status: 429,
        headers: { 'Retry-After': '3600' },
        json: { error: { code: 'RATE_LIMITED', message: '', details: {} } },
      }),
    );
    await page.getByLabel('Your phone').fill(newPhoneNumber());
    await press(page, 'Send me a code');
    await page
      .getByRole('alert')
      .filter({ hasText: 'That was too often. Try again in 60 minutes.' })
      .waitFor();
    await page.getByRole('button', { name: 'Another code in' }).waitFor();
    await press(page, 'Another phone');
    await page.getByLabel('Your phone').waitFor();
    expect(await page.getByText('That was too often.').count()).toBe(0);
    forgive();
  });
});

describe('posts', () => {
  test('a saved post and a saved discussion are in the lists of the person until they are no longer saved', async () => {
    const lena = await hubReadyPerson(opine, 'Lena');
    const hub = await aHub(maya, { name: 'Elm Street' });
    await join(maya, hub, [lena]);
    const post = await aHubPost(maya, [hub], { thoughtText: 'Keep this.' });
    // A signal about the post would take the place of what the page says.
    await expect.poll(() => queuedCounts(opine)).toMatchObject({ outbox: 0 });
    const page = await openAs(lena, `/hubs/${hub.id}/posts/${post.id}`);
    await press(page, 'Save the discussion');
    await status(page, 'The discussion is saved.').waitFor();
    const save = page.getByRole('button', { name: 'Save', exact: true });
    await save.click();
    await expect.poll(() => save.getAttribute('aria-pressed')).toBe('true');
    await page.goto(`${opine.url}/#/saved/discussions`);
    await page.getByRole('link', { name: 'Keep this.' }).filter({ hasText: 'Elm Street' }).waitFor();
    await page.getByRole('link', { name: 'Posts', exact: true }).click();
    await card(page, 'Keep this.').getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('You have saved no post.').waitFor();
    expect(await savedPosts(lena)).toEqual([]);
  });

  test('a person copies the link of a post, and shares it into a Hub', async () => {
    const hub = await aHub(jonas, { name: 'Pine Street' });
    const post = await aThought(maya, 'For everybody.');
    const page = await openAs(jonas, `/posts/${post.id}`);
    await card(page, 'For everybody.').getByRole('button', { name: 'Share' }).click();
    const field = dialog(page).getByLabel('Link to the post');
    await expect.poll(() => field.inputValue()).toContain('/posts/');
    const link = await field.inputValue();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await press(dialog(page), 'Copy');
    await status(page, 'Copied.').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link);
    await dialog(page).getByLabel('Pine Street').check();
    expect(await axeViolations(page, undefined)).toEqual([]);
    await press(dialog(page), 'Share into these Hubs');
    await status(page, 'Shared into 1 Hub.').waitFor();
    await page.goto(`${opine.url}/#/hubs/${hub.id}`);
    await card(page, 'For everybody.').waitFor();
    await page.goto(opine.url + new URL(link).pathname);
    await card(page, 'For everybody.').waitFor();
    expect(page.url()).toBe(`${opine.url}/#/posts/${post.id}`);
  });

  test('a share into Hubs waits until one is chosen', async () => {
    await aHub(jonas, { name: 'Pear Street' });
    const post = await aThought(maya, 'For some.');
    const page = await openAs(jonas, `/posts/${post.id}`);
    await card(page, 'For some.').getByRole('button', { name: 'Share' }).click();
    const share = dialog(page).getByRole('button', { name: 'Share into these Hubs' });
    await share.waitFor();
    expect(await share.isDisabled()).toBe(true);
    await dialog(page).getByLabel('Pear Street').check();
    await expect.poll(() => share.isEnabled()).toBe(true);
    await dialog(page).getByLabel('Pear Street').uncheck();
    await expect.poll(() => share.isDisabled()).toBe(true);
  });

  test('a guest copies the link of a post, and signs in to share it otherwise', async () => {
    const post = await aThought(maya, 'For guests.');
    const page = await openApp(`/posts/${post.id}`);
    await card(page, 'For guests.').getByRole('button', { name: 'Share' }).click();
    const link = await dialog(page).getByLabel('Link to the post').inputValue();
    expect(link).toBe(`${opine.url}/posts/${post.id}`);
    expect(
      await dialog(page)
        .getByRole('button', { name: /^Sign in/ })
        .count(),
    ).toBe(1);
    await press(dialog(page), 'Sign in to share it');
    await signInOn(page, jonas);
    await card(page, 'For guests.').waitFor();
    expect(page.url()).toBe(`${opine.url}/#/posts/${post.id}`);
  });

  test('a post shows its results by Hub and leads to its discussion, and a repost shows the post it is of', async () => {
    const hub = await aHub(maya, { name: 'Larch Street' });
    await join(maya, hub, [jonas]);
    const post = await aSlider(maya, { visibility: 'public_hub', hubIds: [hub.id], sliderText: 'Trams?' });
    await castVote(jonas, post);
    await foldAllVotes(opine);
    await aRepost(jonas, post, { thoughtText: 'I wonder.' });
    const page = await openAs(jonas, `/posts/${post.id}`);
    await page.getByText('Results by Hub').click();
    await page.getByRole('region', { name: 'Larch Street' }).getByText('1 vote').waitFor();
    await page.getByRole('link', { name: 'Its discussion in Larch Street' }).click();
    await page.getByRole('link', { name: 'Its discussion in this Hub' }).click();
    await page.getByLabel('Your message').waitFor();
    await page.goto(`${opine.url}/#/posts/${post.id}/frames`);
    await card(page, 'I wonder.').getByRole('blockquote').filter({ hasText: 'Trams?' }).waitFor();
  });

  test('a post and a Hub are found by their words', async () => {
    await aHub(jonas, { name: 'Zebra crossing' });
    await aThought(maya, 'A quokka sat in my garden.');
    const page = await openAs(jonas, '/search/posts');
    await page.getByLabel('Words in a post').fill('quokka');
    await card(page, 'A quokka sat').waitFor();
    await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Hubs' }).click();
    await page.getByLabel('Name or link of a Hub').fill('zebra');
    await page.getByRole('link', { name: 'Zebra crossing' }).waitFor();
  });
});

describe('people', () => {
  test('a newcomer finds people to follow where nobody is searched for', async () => {
    await aThought(maya, 'Good morning.');
    const page = await openAs(await confirmedPerson(opine, 'Noor'), '/people');
    await press(page, 'Follow Maya');
    await page.getByRole('button', { name: 'Follow Maya' }).waitFor({ state: 'detached' });
    await page.goto(`${opine.url}/#/users/${maya.id}`);
    await page.getByRole('link', { name: /followers?$/ }).click();
    await page.getByRole('link', { name: 'Noor' }).waitFor();
  });
});

describe('notifications', () => {
  test('what a suspended person did has a subject, and leads to no post that is gone', async () => {
    const [hub, lena] = [await aHub(maya, { name: 'Elm Street' }), await hubReadyPerson(opine, 'Lena')];
    await join(maya, hub, [jonas, lena]);
    await aHubPost(lena, [hub]);
    await runStaffAction(opine, 'suspend_user', lena);
    const page = await openAs(jonas, '/notifications');
    await press(page, 'Somebody published a post in Elm Street.');
    await heading(page, 'Elm Street').waitFor();
  });
});

describe('Back', () => {
  test('Back leads to the page before, also past a sign-in, and without one to the page above', async () => {
    const post = await aThought(maya, 'Come back.');
    const lena = await confirmedPerson(opine, 'Lena');
    const page = await openApp(`/posts/${post.id}`);
    const back = page.getByRole('link', { name: 'Back' });
    await back.click();
    await heading(page, 'Opine').waitFor();
    await page.getByRole('link', { name: 'Trending' }).click();
    await card(page, 'Come back.').getByRole('link', { name: 'Comments: 0' }).click();
    await page.getByLabel('Your comment').fill('I am.');
    await press(page, 'Send');
    await signInOn(page, lena);
    await heading(page, 'Post').waitFor();
    forgive();
    await back.click();
    await expect.poll(() => page.url()).toBe(`${opine.url}/#/trending`);
  });
});

describe('a Hub', () => {
  test('the notification of a request leads to it, and an admin rejects it after a question', async () => {
    const hub = await aHub(maya, { name: 'Beech Street' });
    await aJoinRequest(maya, hub, await hubReadyPerson(opine, 'Lena'));
    const page = await openAs(maya, '/notifications');
    await press(page, 'wants to join Beech Street');
    await press(page, 'Reject');
    await dialog(page).getByText('The person learns it.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Let in' }).waitFor();
    await press(page, 'Reject');
    await press(dialog(page), 'Reject');
    await page.getByRole('button', { name: 'Let in' }).waitFor({ state: 'detached' });
    expect(await rolesIn(maya, hub)).toEqual({ Maya: 'admin' });
  });

  test.each([
    ['a member', 'Go to the Hub', 'link'],
    ['an applicant', 'Withdraw the request', 'button'],
    ['a stranger', 'Ask to join', 'button'],
  ] as const)('the link into a Hub offers %s: %s', async (who, offer, role) => {
    const [hub, lena] = [await aHub(maya, { name: 'Box Street' }), await hubReadyPerson(opine, 'Lena')];
    const link = await anInviteLink(maya, hub);
    if (who === 'a member') await join(maya, hub, [lena]);
    if (who === 'an applicant') await aJoinRequest(maya, hub, lena);
    const page = await openAs(lena, `/join/${link.token}`);
    await page.getByRole(role, { name: offer }).waitFor();
    const others = page.locator('main').getByRole('button').filter({ hasNotText: offer });
    expect(await others.count()).toBe(0);
    await page.getByRole('link', { name: 'Box Street' }).click();
    await heading(page, 'Box Street').waitFor();
    expect(await page.getByText('An admin decides on your request.').count()).toBe(
      who === 'an applicant' ? 1 : 0,
    );
    expect(await page.getByText('Ask one of them').count()).toBe(who === 'a stranger' ? 1 : 0);
  });

  test('an invitation of another phone says so, and one of a Hub that one is in leads there', async () => {
    const [hub, lena] = [await aHub(maya, { name: 'Oak Lane' }), await hubReadyPerson(opine, 'Lena')];
    const { inviteUrl } = await anInvitation(maya, hub, { phoneNumber: newPhoneNumber() });
    const { pathname } = new URL(inviteUrl);
    const [hers, members] = [await openAs(lena, pathname), await openAs(maya, pathname)];
    await press(hers, 'Accept');
    await hers
      .getByRole('alert')
      .filter({ hasText: 'This invitation is for another phone number.' })
      .waitFor();
    forgive();
    await members.getByRole('link', { name: 'Go to the Hub' }).click();
    await heading(members, 'Oak Lane').waitFor();
  });

  test('the notification of a request leads to it, and an admin lets the person in', async () => {
    const hub = await aHub(maya, { name: 'Birch Street' });
    const lena = await hubReadyPerson(opine, 'Lena');
    await aJoinRequest(maya, hub, lena);
    const page = await openAs(maya, '/notifications');
    await press(page, 'wants to join Birch Street');
    await press(page, 'Let in');
    await page.getByRole('button', { name: 'Let in' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: `@${lena.username}` }).waitFor();
    await expect.poll(() => rolesIn(maya, hub)).toMatchObject({ Lena: 'member' });
  });

  test('a manager sees who wants to join, and leaves the decision to admins', async () => {
    const hub = await aHub(maya, { name: 'Alder Street' });
    await join(maya, hub, [jonas], 'manager');
    const lena = await hubReadyPerson(opine, 'Lena');
    await aJoinRequest(maya, hub, lena);
    const page = await openAs(jonas, `/hubs/${hub.id}/members`);
    const requests = page.getByRole('region', { name: 'Requests to join' });
    await requests.getByRole('link', { name: `@${lena.username}` }).waitFor();
    await requests.getByText('Admins decide on them.').waitFor();
    expect(await requests.getByRole('button').count()).toBe(0);
  });

  test('an admin edits and mutes the Hub, appoints a manager, and removes them with their posts', async () => {
    const hub = await aHub(maya, { name: 'Oak Row' });
    const lena = await hubReadyPerson(opine, 'Lena');
    await join(maya, hub, [lena]);
    await aHubPost(lena, [hub], { thoughtText: 'Cheap cars.' });
    const path = `${opine.url}/#/hubs/${hub.id}`;
    const page = await openAs(maya, `/hubs/${hub.id}/settings`);
    await page.getByRole('switch', { name: 'Notify me' }).uncheck();
    await page.getByLabel('Name', { exact: true }).fill('Oak Avenue');
    await press(page, 'Save');
    await heading(page, 'Oak Avenue').waitFor();
    await card(page, 'Cheap cars.').waitFor();
    await page.goto(`${path}/settings`);
    expect(await page.getByRole('switch', { name: 'Notify me' }).isChecked()).toBe(false);
    await page.goto(`${path}/members`);
    const row = page.getByRole('listitem').filter({ hasText: 'Lena' });
    await fromMenu(row, 'Make manager');
    await row.getByText('manager').waitFor();
    await fromMenu(row, 'Remove from the Hub');
    await dialog(page).getByLabel('Remove what they posted').check();
    await press(dialog(page), 'Remove');
    await row.waitFor({ state: 'detached' });
    await page.goto(path);
    await page.getByText('No posts yet.').waitFor();
  });

  test('a withdrawn link leads nowhere', async () => {
    const hub = await aHub(maya, { name: 'Elder Street' });
    const { token } = await anInviteLink(maya, hub);
    const page = await openAs(maya, `/hubs/${hub.id}/invite`);
    await press(page, 'Withdraw');
    await press(dialog(page), 'Withdraw');
    await status(page, 'The link leads nowhere any more.').waitFor();
    expect((await jonas.get(`/hub-invite-links/${token}`)).status).toBe(404);
  });

  test('a private post leads to its discussion', async () => {
    const hub = await aHub(maya, { name: 'Rowan Street' });
    await aHubPost(maya, [hub], { thoughtText: 'Among us alone.' });
    const page = await openAs(maya);
    await card(page, 'Among us alone.').getByRole('link', { name: 'Discuss' }).click();
    await page.getByLabel('Your message').fill('Hello.');
    await press(page, 'Send');
    await card(page, 'Hello.').waitFor();
  });
});

describe('forms', () => {
  test('an empty post says what it needs in the form, and a wrong field beside the field', async () => {
    const page = await openAs(jonas, '/new');
    await press(page, 'Publish');
    const form = page.getByRole('form');
    await form.getByRole('alert').filter({ hasText: 'Write a thought, ask a question' }).waitFor();
    await page.getByText('Link', { exact: true }).click();
    await page.getByLabel('Address').fill('ftp://files.example');
    await press(page, 'Publish');
    await form.getByText('Must be the address of a web page.').waitFor();
    expect(await page.getByLabel('Address').evaluate((field) => field === document.activeElement)).toBe(true);
    forgive();
  });

  test('what a person has written survives the onboarding in between', async () => {
    const page = await openAs(await registeredPerson(opine, 'Lena'), '/new');
    await page.getByLabel('Your thought').fill('I will, and at length.');
    await page.getByLabel('A question to vote on').fill('Will you?');
    await page.getByLabel('Left end').fill('Never');
    await press(page, 'Publish');
    await press(page, 'Go on without a photo');
    forgive();
    const [thought, left] = [page.getByLabel('Your thought'), page.getByLabel('Left end')];
    await left.waitFor();
    expect([await thought.inputValue(), await left.inputValue()]).toEqual([
      'I will, and at length.',
      'Never',
    ]);
  });

  test('what a person has written when their session ends is there after the next sign-in', async () => {
    const lena = await confirmedPerson(opine, 'Lena');
    const page = await openAs(lena, '/new');
    await page.getByLabel('Your thought').fill('I had so much to say.');
    await endSessionAtPost(page, lena, '**/api/v1/posts');
    await press(page, 'Publish');
    await signInOn(page, lena);
    const thought = page.getByLabel('Your thought');
    await expect.poll(() => thought.inputValue()).toBe('I had so much to say.');
    forgive();
    await press(page, 'Publish');
    await card(page, 'I had so much to say.').waitFor();
    await page.getByRole('link', { name: 'Post', exact: true }).click();
    expect(await thought.inputValue()).toBe('');
  });

  test('who signs in after somebody else finds nothing that they wrote, searched for or were told', async () => {
    const [lena, otto] = [await confirmedPerson(opine, 'Lena'), await confirmedPerson(opine, 'Otto')];
    const page = await openAs(lena, '/people');
    const search = page.getByLabel('Name or username');
    await search.fill('amara');
    await page.getByRole('link', { name: 'Home' }).click();
    await page.getByRole('link', { name: 'Post', exact: true }).click();
    const thought = page.getByLabel('Your thought');
    await thought.fill('A secret.');
    await endSessionAtPost(page, lena, '**/api/v1/posts');
    await press(page, 'Publish');
    await heading(page, 'Sign in').waitFor();
    await signInOn(page, otto);
    await heading(page, 'Opine').waitFor();
    expect(page.url()).toBe(`${opine.url}/#/`);
    await page.getByRole('link', { name: 'Post', exact: true }).click();
    expect(await thought.inputValue()).toBe('');
    await page.getByRole('link', { name: 'Home' }).click();
    await page.getByRole('link', { name: 'Search' }).click();
    expect(await search.inputValue()).toBe('');
    forgive();
  });

  test('a post waits for its picture', async () => {
    const page = await openAs(await confirmedPerson(opine, 'Noor'), '/new');
    const upload = Promise.withResolvers<void>();
    await page.route('**/uploads/presign', async (route) => {
      await upload.promise;
      await route.continue();
    });
    await page.getByLabel('Your thought').fill('Look at this.');
    const file = { name: 'a.jpg', mimeType: 'image/jpeg', buffer: Buffer.from(await aJpeg()) };
    await page.getByLabel('Add a picture').setInputFiles(file);
    const publish = page.getByRole('button', { name: 'Publish' });
    await page.getByLabel('Upload').waitFor();
    expect(await publish.isDisabled()).toBe(true);
    upload.resolve();
    await publish.click();
    await heading(page, 'Post').waitFor();
    await card(page, 'Look at this.').getByRole('img', { name: 'Picture by Noor' }).waitFor();
  });

  test('a tap beside a dialog closes a menu, and keeps a form with what is written in it', async () => {
    const post = await aThought(maya, 'Tap beside me.');
    const page = await openAs(jonas, `/posts/${post.id}`);
    await card(page, 'Tap beside me.')
      .getByRole('button', { name: /^More about/ })
      .click();
    await dialog(page).waitFor();
    await page.mouse.click(5, 5);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await fromMenu(card(page, 'Tap beside me.'), 'Report this post');
    const details = dialog(page).getByLabel('What should our staff know?');
    await details.fill('It is long.');
    await page.mouse.click(5, 5);
    await dialog(page).getByLabel('Spam or advertising').check();
    expect(await details.inputValue()).toBe('It is long.');
    await press(dialog(page), 'Send the report');
    await status(page, 'Thank you.').waitFor();
  });

  test('what a guest has written survives the sign-in, and is sent once', async () => {
    const post = await aThought(maya, 'Write to me.');
    const lena = await confirmedPerson(opine, 'Lena');
    const page = await openApp(`/posts/${post.id}`);
    await page.getByLabel('Your comment').fill('I will.');
    await press(page, 'Send');
    await signInOn(page, lena);
    const comment = page.getByLabel('Your comment');
    await expect.poll(() => comment.inputValue()).toBe('I will.');
    forgive();
    await press(page, 'Send');
    await card(page, 'I will.').waitFor();
    expect(await comment.inputValue()).toBe('');
  });

  test.each(['reply', 'report', 'share'] as const)(
    'a %s that a sign-in interrupts is in its own form afterwards, and in no other',
    async (kind) => {
      const lena = await hubReadyPerson(opine, 'Lena');
      await aHub(lena, { name: 'Plum Street' });
      const post = await aThought(maya, 'Two comments.');
      for (const text of ['First.', 'Second.']) await aComment(jonas, post, text);
      const page = await openAs(lena, `/posts/${post.id}`);
      const [first, second] = [item(page, 'First.'), item(page, 'Second.')];
      await card(page, 'Second.').waitFor();
      if (kind === 'reply') {
        await press(first, 'Reply');
        await press(second, 'Reply');
        await second.getByLabel('Your reply').fill('Only to the second.');
      } else if (kind === 'report') {
        await fromMenu(card(page, 'Second.'), 'Report this comment');
        await dialog(page).getByLabel('Hate').check();
        await dialog(page).getByLabel('What should our staff know?').fill('The second one.');
      } else {
        await card(page, 'Two comments.').getByRole('button', { name: 'Share' }).click();
        await dialog(page).getByLabel('Plum Street').check();
      }
      await endSessionAtPost(
        page,
        lena,
        `**/${{ reply: 'comments', report: 'reports/comments/*', share: 'share/hubs' }[kind]}`,
      );
      await page
        .getByRole('button', { name: /^(Send|Send the report|Share into these Hubs)$/ })
        .nth(kind === 'reply' ? 1 : 0)
        .click();
      await signInOn(page, lena);
      forgive();
      await card(page, 'Second.').waitFor();
      if (kind === 'reply') {
        await expect.poll(() => second.getByLabel('Your reply').inputValue()).toBe('Only to the second.');
        await press(first, 'Reply');
        expect(await first.getByLabel('Your reply').inputValue()).toBe('');
        await press(second, 'Send');
        await card(page, 'Only to the second.').waitFor();
        expect((await commentsOn(lena, post)).map(({ text, replyCount }) => [text, replyCount])).toEqual([
          ['First.', 0],
          ['Second.', 1],
        ]);
      } else if (kind === 'report') {
        const details = dialog(page).getByLabel('What should our staff know?');
        await expect.poll(() => details.inputValue()).toBe('The second one.');
        expect(await dialog(page).getByLabel('Hate').isChecked()).toBe(true);
        await press(dialog(page), 'Close');
        await press(dialog(page), 'Close');
        await fromMenu(card(page, 'First.'), 'Report this comment');
        expect(await details.inputValue()).toBe('');
        await press(dialog(page), 'Close');
        await press(dialog(page), 'Close');
        await page.getByRole('link', { name: 'Home' }).click();
        await heading(page, 'Opine').waitFor();
        await page.goBack();
        await card(page, 'Second.').waitFor();
        expect(await page.getByRole('dialog').count()).toBe(0);
      } else {
        await expect.poll(() => dialog(page).getByLabel('Plum Street').isChecked()).toBe(true);
        await press(dialog(page), 'Share into these Hubs');
        await status(page, 'Shared into 1 Hub.').waitFor();
      }
    },
  );

  test('a file that is no picture is refused beside its field until another one is there', async () => {
    const page = await openAs(await confirmedPerson(opine, 'Noor'), '/new');
    const field = page.getByLabel('Add a picture');
    for (const [mimeType, said] of [
      ['image/jpeg', 'This file is not a picture that we can read.'],
      ['image/gif', 'Choose a JPEG, PNG or WebP picture.'],
    ] as const) {
      await field.setInputFiles({ name: 'a.jpg', mimeType, buffer: Buffer.from('no picture') });
      await page.getByRole('form').getByRole('alert').filter({ hasText: said }).waitFor();
      expect(await field.getAttribute('aria-invalid')).toBe('true');
    }
    forgive();
    const buffer = Buffer.from(await aJpeg());
    await field.setInputFiles({ name: 'a.jpg', mimeType: 'image/jpeg', buffer });
    await page.getByRole('img', { name: 'Picture by you' }).waitFor();
    expect(await page.getByText('Choose a JPEG, PNG or WebP picture.').count()).toBe(0);
    await page.getByRole('link', { name: 'Home' }).click();
    await heading(page, 'Opine').waitFor();
    expect(await page.getByRole('alert').filter({ hasText: /./ }).count()).toBe(0);
  });

  test('an address that no browser can read is text, and the page stays', async () => {
    const post = await aThought(maya, 'Look here.');
    const page = await openAs(jonas, '/hubs');
    await page.route('**/api/v1/posts/*', async (route) => {
      const answer = await (await route.fetch()).json();
      const article = { id: answer.data.id, title: 'Odd', text: null, url: 'http://[', media: [] };
      await route.fulfill({ json: { ...answer, data: { ...answer.data, article } } });
    });
    await page.goto(`${opine.url}/#/posts/${post.id}`);
    await card(page, 'Look here.').getByText('http://[').waitFor();
    expect(await card(page, 'Look here.').getByRole('link', { name: 'http://[' }).count()).toBe(0);
    // A request of the page may still be under way.
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  test('a page that cannot show an answer says so, and the navigation stays', async () => {
    const post = await aThought(maya, 'Look there.');
    const page = await openAs(jonas, '/hubs');
    await page.route('**/api/v1/posts/*', (route) => route.fulfill({ json: { data: { id: post.id } } }));
    await page.goto(`${opine.url}/#/posts/${post.id}`);
    await heading(page, 'This page is broken').waitFor();
    forgive();
    await page.getByRole('link', { name: 'Hubs' }).click();
    await heading(page, 'Hubs').waitFor();
  });
});
