import { z } from 'zod';
import { deviceToken } from '../contract/values.ts';
import type { Route } from '../http/handler.ts';
import { registerDeviceToken, removeDeviceToken } from './notification-handlers.ts';

const token = 'dGhlLXB1c2gtdG9rZW4tb2YtYS1kZXZpY2U:APA91b';

/** Notifications (spec.md "H. Search and notifications"). */
export const notifications: readonly Route[] = [
  {
    id: 'register_device_token',
    method: 'post',
    path: '/notifications/device-tokens',
    tag: 'Notifications',
    summary: 'Register this device for push messages',
    description:
      'A token belongs to who registered it last and goes with their session. Five a user; without a refresh for 60 days it goes.',
    auth: 'required',
    level: 2,
    body: z.strictObject({ token: deviceToken, platform: z.enum(['android', 'ios']) }),
    data: z.strictObject({ registered: z.literal(true) }),
    status: 200,
    message: 'Device registered.',
    example: { body: { token, platform: 'android' }, data: { registered: true } },
    handle: registerDeviceToken,
  },
  {
    id: 'remove_device_token',
    method: 'delete',
    path: '/notifications/device-tokens',
    tag: 'Notifications',
    summary: 'Take this device off push messages',
    auth: 'required',
    level: 1,
    body: z.strictObject({ token: deviceToken }),
    data: z.strictObject({ removed: z.boolean() }),
    status: 200,
    message: 'Device removed.',
    example: { body: { token }, data: { removed: true } },
    handle: removeDeviceToken,
  },
];
