import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, clientOf, expectOk, type Json, refusal } from '../support/client.ts';
import {
  aHub,
  aHubPost,
  aMessage,
  anInvitation,
  discussionOf,
  join,
  requestAccept,
} from '../support/hubs.ts';
import { advanceTime, type Opine, startOpine } from '../support/opine.ts';
import {
  aGuest,
  confirmedPerson,
  hubReadyPerson,
  newPhoneNumber,
  newRealPhoneNumber,
  type Person,
  registeredPerson,
  signIn,
} from '../support/people.ts';
import { anOpineWithSms, enterCode, type OpineWithSms, otherCode, requestOtp } from '../support/sign-in.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

const requestChange = (person: Client, phoneNumber: string) =>
  person.post('/users/me/phone/request', { phoneNumber });
const verifyChange = (person: Client, phoneNumber: string, code = '4242') =>
  person.post('/users/me/phone/verify', { phoneNumber, code });

async function change(person: Person, phoneNumber: string): Promise<void> {
  await expectOk(requestChange(person, phoneNumber));
  expect(await verifyChange(person, phoneNumber)).toMatchObject({ status: 200, data: { phoneNumber } });
}

// docs/product.md I22
test('the new number signs in to the account, and the old one to a new account', async () => {
  const maya = await confirmedPerson(opine);
  const phone = newPhoneNumber();
  const requested = await requestChange(maya, phone);
  expect(requested.data).toEqual({
    phoneNumber: phone,
    resendAfterSeconds: 60,
    expiresAt: expect.any(String),
  });
  expect(await verifyChange(maya, phone)).toMatchObject({ status: 200, data: { phoneNumber: phone } });
  await advanceTime(opine, '61 seconds');
  expect((await signIn(opine, phone)).user.id).toBe(maya.id);
  expect(await signIn(opine, maya.phoneNumber)).toMatchObject({ isNewUser: true });
});

// docs/product.md I22
test('other sessions end, and the session of the change stays', async () => {
  const maya = await confirmedPerson(opine);
  await advanceTime(opine, '61 seconds');
  const other = clientOf(opine.url, (await signIn(opine, maya.phoneNumber)).accessToken);
  expect((await other.get('/users/me/profile')).status).toBe(200);
  await change(maya, newPhoneNumber());
  expect((await other.get('/users/me/profile')).status).toBe(401);
  expect((await maya.get('/users/me/profile')).status).toBe(200);
});

// docs/product.md I22
describe('a number that has an account', () => {
  test('its request and a wrong code answer as for any number, and the right code is 409', async () => {
    const [maya, jonas] = [await confirmedPerson(opine), await confirmedPerson(opine)];
    await advanceTime(opine, '61 seconds');
    const free = newPhoneNumber();
    const answers: Json[] = [];
    for (const phone of [jonas.phoneNumber, free]) {
      const asked = await expectOk(requestChange(maya, phone));
      const wrong = await verifyChange(maya, phone, otherCode('4242'));
      answers.push({ keys: Object.keys(asked), status: wrong.status, code: wrong.error.code });
    }
    expect(answers[0]).toEqual(answers[1]);
    expect(await verifyChange(maya, jonas.phoneNumber)).toMatchObject(refusal(409, 'PHONE_TAKEN'));
    expect((await verifyChange(maya, jonas.phoneNumber)).error.code).toBe('OTP_INVALID');
    await advanceTime(opine, '61 seconds');
    expect((await signIn(opine, jonas.phoneNumber)).user.id).toBe(jonas.id);
  });

  test("one's own number is 409", async () => {
    const maya = await confirmedPerson(opine);
    await advanceTime(opine, '61 seconds');
    await expectOk(requestChange(maya, maya.phoneNumber));
    expect(await verifyChange(maya, maya.phoneNumber)).toMatchObject(refusal(409, 'PHONE_TAKEN'));
  });

  test('of two people who prove one number at once, one gets it', async () => {
    const people = [await confirmedPerson(opine), await confirmedPerson(opine)];
    const phone = newPhoneNumber();
    const [first] = people;
    if (first === undefined) throw new Error('Nobody is there.');
    await expectOk(requestChange(first, phone));
    const replies = await Promise.all(people.map((person) => verifyChange(person, phone)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    await advanceTime(opine, '61 seconds');
    expect(people.map(({ id }) => id)).toContain((await signIn(opine, phone)).user.id);
  });
});

// docs/product.md I22
test.each(['/users/me/phone/request', '/users/me/phone/verify'])(
  '%s is 403 below level 3 and 401 for a guest',
  async (path) => {
    const body = { phoneNumber: newPhoneNumber(), ...(path.endsWith('verify') && { code: '4242' }) };
    expect(await (await registeredPerson(opine)).post(path, body)).toMatchObject({ status: 403 });
    expect(await clientOf(opine.url).post(path, body)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
  },
);

test('a request for a change counts for the phone as one for sign-in does', async () => {
  const [maya, phone] = [await confirmedPerson(opine), newPhoneNumber()];
  await expectOk(requestChange(maya, phone));
  expect(await requestOtp(clientOf(opine.url), phone)).toMatchObject(refusal(429, 'RATE_LIMITED'));
});

// docs/product.md W26
test('an account gets five codes a day for numbers that it wants, test numbers aside', async () => {
  const sms = await anOpineWithSms({});
  const [maya, jonas] = [await confirmedPerson(sms), await confirmedPerson(sms)];
  for (const _ of [1, 2, 3, 4, 5]) expect((await requestChange(maya, newRealPhoneNumber())).status).toBe(200);
  const refused = await requestChange(maya, newRealPhoneNumber());
  expect(refused).toMatchObject(refusal(429, 'RATE_LIMITED'));
  expect(refused.error.details.retryAfterSeconds).toBeLessThanOrEqual(86_400 / 5);
  expect((await requestChange(maya, newPhoneNumber())).status).toBe(200);
  expect((await requestChange(jonas, newRealPhoneNumber())).status).toBe(200);
});

// docs/product.md I22
describe('the old number', () => {
  /** Signs a real phone up to level 3. */
  async function aRealPhone(sms: OpineWithSms): Promise<Person> {
    const maya = await confirmedPerson(sms);
    const phone = newRealPhoneNumber();
    await expectOk(requestChange(maya, phone));
    await expectOk(verifyChange(maya, phone, sms.codeSentTo(phone)));
    return { ...maya, phoneNumber: phone };
  }

  const textsTo = ({ twilio }: OpineWithSms, phone: string) =>
    twilio.requests.filter(({ form }) => form.To === phone).map(({ form }) => form.Body);

  test('the old number gets a message that the number of its account was changed, without a number', async () => {
    const sms = await anOpineWithSms({});
    const maya = await aRealPhone(sms);
    const phone = newRealPhoneNumber();
    await expectOk(requestChange(maya, phone));
    const code = sms.codeSentTo(phone);
    expect((await verifyChange(maya, phone, otherCode(code))).status).toBe(400);
    expect(textsTo(sms, maya.phoneNumber)).toHaveLength(1);
    expect((await verifyChange(maya, phone, code)).data).toEqual({ phoneNumber: phone });
    const texts = textsTo(sms, maya.phoneNumber);
    expect(texts).toHaveLength(2);
    expect(texts[1]).toMatch(/number of your Opine account was changed/);
    expect(texts[1]).not.toMatch(/\d/);
    expect(textsTo(sms, phone)).toHaveLength(1);
  });

  test('a number is changed although the text message to the old one fails', async () => {
    const sms = await anOpineWithSms({});
    const maya = await aRealPhone(sms);
    const phone = newRealPhoneNumber();
    await expectOk(requestChange(maya, phone));
    const code = sms.codeSentTo(phone);
    sms.twilio.answerNext({ status: 500 }, { status: 500 }, { status: 500 });
    expect(await verifyChange(maya, phone, code)).toMatchObject({
      status: 200,
      data: { phoneNumber: phone },
    });
    expect(textsTo(sms, maya.phoneNumber)).toHaveLength(1 + 3);
    await advanceTime(sms, '61 seconds');
    await requestOtp(aGuest(sms), phone);
    expect((await enterCode(aGuest(sms), phone, sms.codeSentTo(phone))).data.user.id).toBe(maya.id);
  });

  test('an old number that is a test number gets no text message', async () => {
    const sms = await anOpineWithSms({});
    const maya = await confirmedPerson(sms);
    const phone = newPhoneNumber();
    await expectOk(requestChange(maya, phone));
    await expectOk(verifyChange(maya, phone));
    expect(sms.twilio.requests).toEqual([]);
  });
});

describe('what has the number', () => {
  test('members of a Hub see the new number beside the messages of the person', async () => {
    const [maya, jonas] = [await hubReadyPerson(opine, 'Maya'), await hubReadyPerson(opine, 'Jonas')];
    const hub = await aHub(maya);
    await join(maya, hub, [jonas]);
    const discussion = await discussionOf(maya, hub, await aHubPost(maya, [hub]));
    await aMessage(jonas, discussion);
    const phone = newPhoneNumber();
    await change(jonas, phone);
    const messages = await expectOk(maya.get(`/hubs/${hub.id}/discussions/${discussion.id}/messages`));
    expect(messages.items[0].author.phoneNumber).toBe(phone);
    const members = await expectOk(maya.get(`/hubs/${hub.id}/members`));
    expect(members.items.map(({ phoneNumber }: Json) => phoneNumber)).toContain(phone);
  });

  // docs/product.md I22
  test('open invitations stay with the old number, and their notifications go', async () => {
    const [maya, jonas] = [await hubReadyPerson(opine, 'Maya'), await hubReadyPerson(opine, 'Jonas')];
    const hub = await aHub(maya);
    const invitation = await anInvitation(maya, hub, jonas);
    const typesOf = async () => (await jonas.get('/notifications')).data.items.map(({ type }: Json) => type);
    expect(await typesOf()).toContain('hub_invite_received');
    await change(jonas, newPhoneNumber());
    expect(await typesOf()).not.toContain('hub_invite_received');
    expect((await jonas.get('/notifications')).data.unreadCount).toBe(0);
    expect(await requestAccept(jonas, invitation)).toMatchObject(refusal(404, 'INVITATION_NOT_FOUND'));
    const listed = await expectOk(maya.get(`/hubs/${hub.id}/invitations`));
    expect(listed.items).toMatchObject([{ phoneNumber: jonas.phoneNumber, state: 'pending' }]);
  });

  test('invitations to the new number are open to the person, and settled ones of the old number to nobody', async () => {
    const [maya, jonas] = [await hubReadyPerson(opine, 'Maya'), await hubReadyPerson(opine, 'Jonas')];
    const [hub, other] = [await aHub(maya), await aHub(maya)];
    await join(maya, other, [jonas]);
    const phone = newPhoneNumber();
    const invitation = await anInvitation(maya, hub, { phoneNumber: phone });
    await change(jonas, phone);
    expect((await requestAccept(jonas, invitation)).status).toBe(200);
    const settled = await expectOk(maya.get(`/hubs/${other.id}/invitations`));
    expect(settled.items).toEqual([]);
  });
});
