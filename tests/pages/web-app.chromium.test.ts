import { describe, expect, onTestFinished, test } from 'vitest';
import { anAudience, audienceVotes } from '../support/audience.ts';
import { axeViolations, tabTo } from '../support/chromium.ts';
import { expectOk } from '../support/client.ts';
import {
  aHub,
  aHubPost,
  aJoinRequest,
  aMessage,
  anInvitation,
  discussionOf,
  join,
  requestMessageDeletion,
} from '../support/hubs.ts';
import { confirmedPerson, hubReadyPerson, newPhoneNumber, type Person } from '../support/people.ts';
import { aJpeg } from '../support/pictures.ts';
import { aComment, aReply, aSlider, aThought, seenBy, thoughts } from '../support/posts.ts';
import { anUpload } from '../support/uploads.ts';
import { castVote } from '../support/votes.ts';
import {
  card,
  dialog,
  fromMenu,
  heading,
  press,
  status,
  type WebApp,
  withWebApp,
} from '../support/web-app.ts';
import { foldAllVotes } from '../support/worker.ts';

let app: WebApp;
let opine: WebApp['opine'];
let maya: Person;
let jonas: Person;
let openApp: WebApp['openApp'];
let openAs: WebApp['openAs'];
let forgive: WebApp['forgive'];

withWebApp((started) => {
  app = started;
  ({ opine, maya, jonas, openApp, openAs, forgive } = started);
});

describe('two people in two windows', () => {
  test('a vote of one changes the result and the badge of the other without a reload', async () => {
    const post = await aSlider(maya, { sliderText: 'Is this alive?' });
    await audienceVotes(opine, await anAudience(opine, 99), post, 4);
    const [hers, his] = [await openAs(maya), await openAs(jonas, `/posts/${post.id}`)];
    await card(hers, 'Is this alive?').getByText('99 votes').waitFor();
    await hers.evaluate(() => Object.assign(globalThis, { isSame: true }));
    const badge = hers.getByRole('link', { name: 'Inbox' });
    expect(await badge.textContent()).not.toContain('unread');

    await his.getByRole('radio', { name: 'Agree, strongly', exact: true }).check();
    await press(his, 'Vote: Agree, strongly');
    await status(his, 'You have voted. 100 votes').waitFor();
    await foldAllVotes(opine);
    await his
      .getByRole('listitem')
      .filter({ hasText: /^Agree, strongly: 20$/ })
      .waitFor();
    await card(hers, 'Is this alive?').getByText('100 votes').waitFor();
    await badge.filter({ hasText: '1 unread' }).waitFor();
    expect(await hers.evaluate(() => 'isSame' in globalThis)).toBe(true);

    await badge.click();
    await press(hers, /A question has 100 votes now/);
    await heading(hers, 'Post').waitFor();
    await badge.filter({ hasNotText: 'unread' }).waitFor();
  });

  test('a comment of one appears in the open post of the other', async () => {
    const post = await aThought(maya, 'Who is there?');
    const [hers, his] = [await openAs(maya, `/posts/${post.id}`), await openAs(jonas, `/posts/${post.id}`)];
    await hers.getByText('No comment yet.').waitFor();
    await his.getByLabel('Your comment').fill('Me.');
    await press(his, 'Send');
    await card(hers, 'Me.').getByText(`@${jonas.username}`).waitFor();
  });
});

describe('a newcomer', () => {
  test('a newcomer signs in, chooses a name, and publishes a picture, which is in the feed', async () => {
    const page = await openApp('/sign-in');
    await page.getByText('phones like +1202555… have the code 4242').waitFor();
    await page.getByLabel('Your phone').fill(newPhoneNumber());
    await press(page, 'Send me a code');
    await page.getByRole('button', { name: /^Another code in \d+ s$/ }).waitFor();
    await page.getByLabel('The code').fill('4242');
    await press(page, 'Sign in');
    await heading(page, 'Who are you?').waitFor();
    await page.getByLabel('Your name').fill('Nora Quist');
    await page.getByLabel('Username').fill(maya.username);
    await page.getByLabel('I accept').check();
    await status(page, 'That one is not free').waitFor();
    await page.getByLabel('Username').fill('nora_quist');
    await press(page, 'Go on');
    await heading(page, 'Your photo').waitFor();
    await press(page, 'Go on without a photo');
    await heading(page, 'Opine').waitFor();

    await page.getByRole('link', { name: 'Post', exact: true }).click();
    await page.getByLabel('Your thought').fill('My first picture.');
    const buffer = Buffer.from(await aJpeg({ width: 60, height: 40 }));
    await page.getByLabel('Add a picture').setInputFiles({ name: 'a.jpg', mimeType: 'image/jpeg', buffer });
    await page.getByRole('img', { name: 'Picture by you' }).waitFor();
    await page.getByLabel('What picture 1 shows').fill('A gradient');
    await press(page, 'Publish');
    await page.getByRole('link', { name: 'Home' }).click();
    const picture = card(page, 'My first picture.').getByRole('img', { name: 'A gradient' });
    await picture.waitFor();
    expect(
      await picture.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth)),
    ).toBe(60);
  });

  test('a reload continues the session, and another tab has none', async () => {
    const tokens = { ...maya.session, userId: maya.id, freshUntil: Date.now() + 600_000 };
    const context = await app.browser.newContext();
    onTestFinished(() => context.close());
    const [page, tab] = [await context.newPage(), await context.newPage()];
    await page.goto(opine.url);
    await page.evaluate((item) => sessionStorage.setItem('opine.session', item), JSON.stringify(tokens));
    await page.reload();
    await page.getByRole('link', { name: 'Profile' }).waitFor();
    await tab.goto(opine.url);
    await tab.getByRole('link', { name: 'Sign in' }).first().waitFor();
  });

  test('a guest sees the pictures of the default feed, and is asked to sign in to vote', async () => {
    const articleWith = async (altText: string) => {
      const { assetId } = await anUpload(maya, await aJpeg(), 'post_image');
      return { media: [{ assetId, altText }] };
    };
    await aSlider(maya, { sliderText: 'May guests look?', article: await articleWith('A harbour') });
    const article = await articleWith('A sunset');
    const post = await aSlider(maya, { sliderText: 'May guests vote?', article });
    const page = await openApp();
    await card(page, 'May guests vote?').getByRole('img', { name: 'A sunset' }).waitFor();
    await card(page, 'May guests look?').getByRole('img', { name: 'A harbour' }).waitFor();
    const requests = await page.evaluate(() =>
      performance.getEntriesByType('resource').map(({ name }) => name),
    );
    expect(requests.filter((name) => name.endsWith('/uploads/download-urls'))).toHaveLength(1);
    await card(page, 'May guests vote?').getByRole('radio', { name: 'In between' }).check();
    await press(page, 'Vote: In between');
    await heading(page, 'Sign in').waitFor();
    forgive();
    expect((await seenBy(jonas, post)).voteSummary.totalVotes).toBe(0);
  });
});

describe('a person', () => {
  test('a person follows, comments and reposts, and the author is notified of each', async () => {
    const amara = await hubReadyPerson(opine, 'Amara');
    const post = await aThought(amara, 'Benches for all.');
    const page = await openAs(jonas, '/people');
    await page.getByLabel('Name or username').fill(amara.username);
    await page.getByRole('link', { name: `@${amara.username}` }).click();
    await press(page, 'Follow');
    await page.getByRole('button', { name: 'Unfollow' }).waitFor();
    await card(page, 'Benches for all.').getByRole('link', { name: 'Comments: 0' }).click();
    await page.getByLabel('Your comment').fill('And shade.');
    await press(page, 'Send');
    await card(page, 'And shade.').first().waitFor();
    await page.getByRole('link', { name: 'Repost: 0' }).click();
    await page.getByLabel('A question to vote on').fill('Shade too?');
    await press(page, 'Repost');
    await card(page, 'Shade too?').getByText('Benches for all.').waitFor();
    expect(await seenBy(jonas, post)).toMatchObject({ commentCount: 1, repostCount: 1 });

    const hers = await openAs(amara, '/notifications');
    await hers.getByRole('link', { name: 'Inbox 3 unread' }).waitFor();
    for (const text of ['follows you', 'commented on your post', 'reposted your post'])
      await hers.getByRole('button', { name: text }).waitFor();
    await press(hers, 'Mark all as read');
    await hers.getByRole('link', { name: 'Inbox', exact: true }).waitFor();
  });

  test('an invited person allows contacts, accepts, and writes in the discussion', async () => {
    const hub = await aHub(maya, { name: 'Oak Street' });
    await aHubPost(maya, [hub], { thoughtText: 'Who has a ladder?' });
    const lena = await confirmedPerson(opine, 'Lena');
    const { inviteUrl } = await anInvitation(maya, hub, lena);
    const page = await openAs(lena, new URL(inviteUrl).pathname);
    await press(page, 'Accept');
    await press(page, 'Allow and go on');
    forgive();
    await heading(page, 'Invitation').waitFor();
    await press(page, 'Accept');
    await heading(page, 'Oak Street').waitFor();
    await page.getByRole('link', { name: 'Discussions' }).click();
    await page.getByRole('link', { name: 'Who has a ladder?' }).click();
    await page.getByLabel('Your message').fill('I have one.');
    await press(page, 'Send');
    await card(page, 'I have one.').getByText(lena.phoneNumber).waitFor();
  });

  test('a reply and a mention lead from the inbox to the post, and a mention to the profile', async () => {
    const lena = await confirmedPerson(opine, 'Lena');
    const post = await aThought(maya, 'Which tree?');
    await aReply(maya, post, await aComment(lena, post), 'Rather not.');
    const name = `@${lena.username}`;
    await aThought(
      maya,
      `Ask ${name}, 你好${name}さん. Not a${name}, /${name}, ${name}é or ${name}@b.example.`,
    );
    const page = await openAs(lena, '/notifications');
    await press(page, 'replied to your comment');
    await card(page, 'Which tree?').waitFor();
    await page.getByRole('link', { name: 'Inbox' }).click();
    await press(page, 'mentioned you');
    await card(page, 'Ask').waitFor();
    const mention = card(page, 'Ask').getByRole('link', { name, exact: true });
    expect(await mention.count()).toBe(2);
    await mention.first().click();
    await heading(page, 'Lena').waitFor();
    await page.getByRole('link', { name: 'Settings' }).waitFor();
  });

  test('a person chooses what their phone shows and when, and a reload keeps it', async () => {
    const lena = await confirmedPerson(opine, 'Lena');
    const page = await openAs(lena, '/notifications');
    await page.getByRole('link', { name: 'Settings' }).click();
    await heading(page, 'Notifications').waitFor();
    const switches = page.getByRole('switch');
    await expect.poll(() => switches.count()).toBe(17);
    await page.getByRole('switch', { name: 'Somebody joined a Hub' }).uncheck();
    await page.getByRole('switch', { name: 'Somebody mentioned you' }).uncheck();
    await page.getByRole('switch', { name: 'Somebody mentioned you' }).check();
    const zone = page.getByLabel('Time zone');
    const own = await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone);
    expect(await zone.inputValue()).toBe(own);
    const [from, to] = [page.getByLabel('From', { exact: true }), page.getByLabel('To', { exact: true })];
    await from.fill('23:30');
    await to.fill('23:30');
    await press(page, 'Turn on');
    await page.getByRole('form').getByText('Must not be the time at which they begin.').waitFor();
    expect(await to.getAttribute('aria-invalid')).toBe('true');
    expect(await axeViolations(page, undefined)).toEqual([]);
    forgive();
    await to.fill('06:15');
    await zone.fill('Asia/Tokyo');
    await press(page, 'Turn on');
    await status(page, 'Quiet hours are saved.').waitFor();

    await page.reload();
    await page.getByRole('button', { name: 'Turn off' }).waitFor();
    expect(await Promise.all([from, to, zone].map((field) => field.inputValue()))).toEqual([
      '23:30',
      '06:15',
      'Asia/Tokyo',
    ]);
    const isOff = (input: Element) => !(input as HTMLInputElement).checked;
    expect(await switches.evaluateAll((all) => all.length)).toBe(17);
    expect(await Promise.all((await switches.all()).map((one) => one.evaluate(isOff)))).toEqual(
      (await switches.all()).map((_, index) => index === 14),
    );
    await press(page, 'Turn off');
    await page.getByRole('heading', { name: 'Quiet hours: off' }).waitFor();
    await page.getByRole('link', { name: 'Back' }).click();
    await heading(page, 'Inbox').waitFor();
  });

  test('of two turns of a switch the later one wins, even if the first request takes longer', async () => {
    const page = await openAs(await confirmedPerson(opine, 'Noor'), '/notifications/preferences');
    const first = Promise.withResolvers<void>();
    const sent: string[] = [];
    await page.route('**/users/me/notification-preferences', async (route) => {
      if (route.request().method() === 'PATCH' && sent.push(route.request().postData() ?? '') === 1)
        await first.promise;
      await route.continue();
    });
    const mentions = page.getByRole('switch', { name: 'Somebody mentioned you' });
    await mentions.uncheck();
    await mentions.check();
    // A later request of the page comes after whatever the two turns have sent.
    await page.evaluate(() => fetch('/healthz').then(({ status }) => status));
    expect(sent.length).toBe(1);
    const bodies = [false, true].map((on) => JSON.stringify({ push: { user_mentioned: on } }));
    const answer = page.waitForResponse((response) => response.request().postData() === bodies[1]);
    first.resolve();
    await answer;
    expect(sent).toEqual(bodies);
    await page.unroute('**/users/me/notification-preferences');
    await page.reload();
    expect(await mentions.isChecked()).toBe(true);
  });

  test('an admin founds a Hub, invites, lets somebody in, and posts in it', async () => {
    const page = await openAs(maya, '/hubs');
    await page.getByRole('link', { name: 'New Hub' }).click();
    await page.getByLabel('Name').fill('Elm Street');
    await press(page, 'Found the Hub');
    await press(page, 'Make a link for several people');
    const url = await page.getByLabel('Link into the Hub').inputValue();
    const his = await openAs(jonas, new URL(url).pathname);
    await press(his, 'Ask to join');
    await page.getByRole('link', { name: 'Members' }).click();
    await press(page, 'Let in');
    await page.getByRole('button', { name: 'Let in' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: `@${jonas.username}` }).waitFor();
    await his.getByRole('link', { name: 'Elm Street' }).click();
    await his.getByRole('link', { name: 'Post in this Hub' }).click();
    await his.getByLabel('A question to vote on').fill('A party in June?');
    await press(his, 'Publish');
    await his.getByRole('radio', { name: 'Agree', exact: true }).check();
    await press(his, 'Vote: Agree');
    await his.getByText('1 vote: 0 Disagree, 0 in between, 1 Agree.').first().waitFor();
  });

  test('a person votes by keyboard alone, and screen readers hear the result', async () => {
    const post = await aSlider(maya, { sliderText: 'No mouse?' });
    const page = await openAs(jonas, `/posts/${post.id}`);
    await card(page, 'No mouse?').waitFor();
    await tabTo(page, 'Disagree, strongly');
    for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowLeft', 'ArrowRight'])
      await page.keyboard.press(key);
    await tabTo(page, 'Vote: Agree');
    await page.keyboard.press('Enter');
    await status(page, 'You have voted. 1 vote: 0 Disagree, 0 in between, 1 Agree.').waitFor();
  });

  test('the feed reads on as one scrolls, and goes on where one left it', async () => {
    const author = await confirmedPerson(opine, 'Otto');
    const [oldest] = await thoughts(author, 45);
    const page = await openAs(author);
    const last = page.getByRole('listitem').nth(44);
    while ((await last.count()) === 0) await page.mouse.wheel(0, 2_000);
    await last.getByRole('link', { name: 'Comments: 0' }).focus();
    const position = await page.evaluate(() => scrollY);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/#/posts/${oldest.id}`);
    await page.goBack();
    await last.waitFor();
    expect(await page.evaluate(() => scrollY)).toBe(position);
  });
});

describe('a Hub', () => {
  test('an admin deletes a message, and its author sees that and deletes another one', async () => {
    const hub = await aHub(maya, { name: 'Fir Street' });
    await join(maya, hub, [jonas]);
    const discussion = await discussionOf(maya, hub, await aHubPost(maya, [hub]));
    const root = await aMessage(jonas, discussion, 'Sell you my car.');
    await aMessage(maya, discussion, 'No adverts.', { parentMessageId: root.id });
    await aMessage(jonas, discussion, 'Sorry.');
    const path = `/hubs/${hub.id}/posts/${discussion.postId}/${discussion.id}`;
    const [hers, his] = [await openAs(maya, path), await openAs(jonas, path)];
    await card(his, 'Sell you my car.').waitFor();
    await fromMenu(card(hers, 'Sell you my car.'), 'Delete');
    await dialog(hers).getByRole('button', { name: 'Delete' }).click();
    await hers.getByText('Message deleted').waitFor();
    await his.getByText('Message deleted').waitFor();
    expect(await card(his, 'Sell you my car.').count()).toBe(0);
    await press(his, 'Replies: 1');
    await card(his, 'No adverts.').waitFor();
    expect(await his.getByLabel('Your reply').count()).toBe(0);
    await card(his, 'No adverts.').getByRole('button', { name: 'More about this message' }).click();
    await dialog(his).getByRole('button', { name: 'Report this message' }).waitFor();
    expect(await dialog(his).getByRole('button', { name: 'Delete' }).count()).toBe(0);
    await his.keyboard.press('Escape');
    await fromMenu(card(his, 'Sorry.'), 'Delete');
    await dialog(his).getByRole('button', { name: 'Delete' }).click();
    await card(hers, 'Sorry.').waitFor({ state: 'detached' });
  });

  test('a discussion shows what is unread until it is opened', async () => {
    const hub = await aHub(maya, { name: 'Yew Street' });
    await join(maya, hub, [jonas]);
    const discussion = await discussionOf(maya, hub, await aHubPost(maya, [hub], { thoughtText: 'Bins?' }));
    for (const text of ['Tuesday.', 'No, Friday.']) await aMessage(maya, discussion, text);
    const page = await openAs(jonas, `/hubs/${hub.id}/discussions`);
    const entry = page.getByRole('link', { name: 'Bins?' });
    await entry.filter({ hasText: '2 unread' }).click();
    await card(page, 'No, Friday.').waitFor();
    await aMessage(maya, discussion, 'Or Sunday.');
    await card(page, 'Or Sunday.').waitFor();
    await page.goBack();
    await entry.filter({ hasText: '3 messages' }).filter({ hasNotText: 'unread' }).waitFor();
  });

  test('an applicant withdraws a request to join', async () => {
    const hub = await aHub(maya, { name: 'Oak Hill' });
    const lena = await hubReadyPerson(opine, 'Lena');
    await aJoinRequest(maya, hub, lena);
    const [hers, admins] = [await openAs(lena, '/hubs'), await openAs(maya, `/hubs/${hub.id}/members`)];
    await admins.getByRole('button', { name: 'Let in' }).waitFor();
    await press(hers, 'Withdraw the request');
    await dialog(hers).getByRole('button', { name: 'Withdraw' }).click();
    await hers.getByText('You are in no Hub.').waitFor();
    await admins.reload();
    await admins.getByRole('link', { name: `@${maya.username}` }).waitFor();
    expect(await admins.getByRole('button', { name: 'Let in' }).count()).toBe(0);
  });

  test('an admin takes a post out of the Hub, and closes the Hub', async () => {
    const hub = await aHub(maya, { name: 'Ivy Street' });
    await join(maya, hub, [jonas]);
    await aHubPost(jonas, [hub], { thoughtText: 'Buy my car.' });
    const path = `/hubs/${hub.id}`;
    const [hers, his] = [await openAs(maya, path), await openAs(jonas, path)];
    await card(his, 'Buy my car.').waitFor();
    await card(his, 'Buy my car.').getByRole('button', { name: 'More about this post' }).click();
    await dialog(his).getByRole('button', { name: 'Delete' }).waitFor();
    expect(await dialog(his).getByRole('button', { name: 'Take out of the Hub' }).count()).toBe(0);
    await fromMenu(card(hers, 'Buy my car.'), 'Take out of the Hub');
    await dialog(hers).getByRole('button', { name: 'Take out' }).click();
    await card(hers, 'Buy my car.').waitFor({ state: 'detached' });
    await his.reload();
    await his.getByText('No posts yet.').waitFor();
    await his.goto(`${opine.url}/#${path}/settings`);
    await his.getByRole('button', { name: 'Leave the Hub' }).waitFor();
    expect(await his.getByText('Close the Hub').count()).toBe(0);
    await his.goto(`${opine.url}/#${path}`);

    await hers.goto(`${opine.url}/#${path}/settings`);
    await press(hers, 'Close the Hub');
    await press(hers, 'Close it for everybody');
    await status(hers, 'The Hub is closed.').waitFor();
    await heading(hers, 'Hubs').waitFor();
    expect(await hers.getByRole('link', { name: 'Ivy Street' }).count()).toBe(0);
    await his.reload();
    await his.getByRole('alert').getByRole('link', { name: 'Go to the feed' }).waitFor();
    // The browser may report a 404 after the page has shown it.
    await his.close();
    forgive();
  });
});

describe('errors', () => {
  test('an error of the service shows its number and a button that tries again', async () => {
    const page = await openApp('/sign-in');
    await page.route('**/api/v1/posts?*', (route) =>
      route.fulfill({
        status: 500,
        headers: { 'X-Request-Id': 'r-17' },
        json: { error: { code: 'INTERNAL_ERROR' } },
      }),
    );
    await page.getByRole('link', { name: 'Home' }).click();
    await page.getByRole('alert').filter({ hasText: 'quote this number: r-17' }).waitFor();
    forgive();
    await page.unroute('**/api/v1/posts?*');
    await press(page, 'Try again');
    await page.getByRole('article').first().waitFor();
  });

  test('a person who is offline keeps what they read, and hears of it', async () => {
    await aThought(maya, 'Still here.');
    const page = await openAs(maya);
    await card(page, 'Still here.').waitFor();
    await page.context().setOffline(true);
    await page.getByRole('alert').filter({ hasText: 'You are offline' }).waitFor();
    expect(await card(page, 'Still here.').count()).toBe(1);
    await page.context().setOffline(false);
    await page.getByRole('alert').filter({ hasText: 'You are offline' }).waitFor({ state: 'detached' });
    forgive();
  });

  test('an unknown path and a hidden post say so, and the post leads to the feed', async () => {
    const page = await openApp('/no/such/page');
    await heading(page, 'There is no such page').waitFor();
    await page.goto(`${opine.url}/#/posts/01900000-0000-7000-8000-0000000000ff`);
    await page.getByRole('alert').getByRole('link', { name: 'Go to the feed' }).click();
    await heading(page, 'Opine').waitFor();
    forgive();
  });

  test.each([
    ['public_hub', 'Go to the public post', 'Post'],
    ['private_locked_hub', 'Go to the Hub', 'Quince Street'],
  ])('a non-member finds the way out of a Hub from its post that is %s', async (visibility, way, title) => {
    const hub = await aHub(maya, { name: 'Quince Street' });
    const post = await aHubPost(maya, [hub], { visibility });
    const page = await openAs(jonas, `/hubs/${hub.id}/posts/${post.id}`);
    await page.getByRole('alert').getByText('You are not allowed to do this.').waitFor();
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    await page.getByRole('link', { name: way }).click();
    await heading(page, title).waitFor();
    forgive();
  });

  test('the settings of a Hub show a non-member nothing to leave', async () => {
    const hub = await aHub(maya, { name: 'Medlar Street' });
    const page = await openAs(jonas, `/hubs/${hub.id}/settings`);
    await page.getByText('Only members see what is in Medlar Street.').waitFor();
    expect(await page.getByRole('button', { name: 'Leave the Hub' }).count()).toBe(0);
  });
});

const LONG_NAME = 'Donaudampfschifffahrtsgesellschaftskapitän e. V.';

test.each([
  ['light', 360],
  ['dark', 1280],
] as const)(
  'no screen violates a rule of axe or is wider than the window: %s, %i pixels',
  async (colorScheme, width) => {
    const hub = await aHub(maya, { name: LONG_NAME });
    await join(maya, hub, [jonas], 'admin');
    const slider = { leftLabel: 'l'.repeat(40), rightLabel: 'r'.repeat(40) };
    const post = await aSlider(maya, {
      sliderText: `${'A very long question '.repeat(11)}${'x'.repeat(20)}?`,
      slider,
      visibility: 'public_hub',
      hubIds: [hub.id],
    });
    for (const author of [maya, jonas]) await aSlider(author, { sliderText: 'Again?', slider });
    const { assetId } = await anUpload(maya, await aJpeg(), 'post_image');
    await aThought(maya, 'x'.repeat(300));
    await expectOk(
      maya.post('/posts', { visibility: 'public', article: { title: 'Look', assetIds: [assetId] } }),
    );
    await castVote(jonas, post);
    for (const author of [maya, jonas]) await aComment(author, post);
    const thoughtText = 'x'.repeat(300);
    const discussion = await discussionOf(jonas, hub, await aHubPost(maya, [hub], { thoughtText }));
    const root = await aMessage(maya, discussion);
    await aMessage(jonas, discussion, 'Yes.', { parentMessageId: root.id });
    await expectOk(requestMessageDeletion(jonas, discussion, root));
    await aMessage(maya, discussion, `Ask @${jonas.username}.`);
    await aJoinRequest(maya, hub, await hubReadyPerson(opine, LONG_NAME));
    const hubPath = `/hubs/${hub.id}`;
    const paths = [
      '/',
      '/trending',
      '/new',
      `/posts/${post.id}`,
      `/posts/${post.id}/repost`,
      '/people',
      '/hubs',
      '/hubs/new',
    ];
    paths.push(
      `/users/${maya.id}`,
      `/users/${maya.id}/followers`,
      `/posts/${post.id}/frames`,
      '/search/posts',
      '/search/hubs',
      '/saved',
      '/saved/discussions',
      '/decisions',
      '/reports',
      '/settings',
      '/settings/profile',
      '/settings/hub-profile',
      '/settings/phone',
      '/settings/sessions',
      '/settings/blocks',
      '/notifications',
      '/notifications/preferences',
      hubPath,
      `${hubPath}/discussions`,
      `${hubPath}/members`,
      `${hubPath}/invite`,
      `${hubPath}/settings`,
    );
    paths.push(`${hubPath}/posts/${discussion.postId}/${discussion.id}`);
    const page = await openAs(jonas, '/', { colorScheme, width });
    const guest = await openApp('/sign-in', { colorScheme, width });
    const found = [...(await axeViolations(guest, undefined))];
    const inspect = async (what: string) => {
      found.push(...(await axeViolations(page, undefined)).map((line) => `${what} ${line}`));
      const widths = await page
        .locator('html, dialog[open]')
        .evaluateAll((boxes) => boxes.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth));
      if (widths.some((beyond) => beyond > 0)) found.push(`${what} is too wide`);
    };
    for (const path of paths) {
      await page.goto(`${opine.url}/#${path}`);
      await page.getByText('Loading…').waitFor({ state: 'detached' });
      for (const summary of await page.locator('summary').all()) await summary.click();
      const results = page.getByText('Results by Hub');
      if (await results.isVisible()) await page.getByRole('region', { name: LONG_NAME }).waitFor();
      for (const radio of await page.getByRole('radio', { name: /^r/, exact: true }).all())
        await radio.check();
      const replies = page.getByRole('button', { name: /^Repl(y|ies)/ });
      while ((await replies.count()) > 0) await replies.first().click();
      await inspect(path);
    }
    await page.goto(`${opine.url}/#/posts/${post.id}`);
    await card(page, 'A very long question').getByRole('button', { name: 'Share' }).click();
    await dialog(page).getByLabel(LONG_NAME).first().waitFor();
    await inspect('the share sheet');
    expect(found).toEqual([]);
  },
);
