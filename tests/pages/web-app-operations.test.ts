import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../scripts/db/paths.ts';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** The operations of apps that the web app does not call, with the reasons. */
const NOT_CALLED = {
  log_out: 'the client calls it',
  refresh_session: 'the client calls it',
  presign_upload: 'the client calls it',
  complete_upload: 'the client calls it',
  stream_notifications: 'the client calls it',
  exchange_id_token: 'it needs the project of an identity provider',
  start_anonymous_session: 'a guest of the web app reads without a session',
  store_contacts: 'a browser has no address book',
  register_device_token: 'Android and iOS have device tokens',
  remove_device_token: 'Android and iOS have device tokens',
  get_download_url: 'the app asks for the URLs of a page at once',
  get_my_vote: 'a post has it',
  get_vote_summary: 'a post has it',
  get_vote_distribution: 'a post has it',
  list_admins: 'the list of members has their roles',
};

test('the web app calls every operation of an app but those named with a reason', () => {
  const directory = path.join(ROOT, 'clients/web/src');
  const source = readdirSync(directory)
    .map((file) => readFileSync(path.join(directory, file), 'utf8'))
    .join('\n');
  const called = new Set(
    [...source.matchAll(/\.(get|post|put|patch|delete|items)\(\s*'([^']+)'/g)].map(
      ([, method, route]) => `${method === 'items' ? 'get' : method} ${route}`,
    ),
  );
  const { paths } = JSON.parse(readFileSync(path.join(ROOT, 'docs/openapi.app.json'), 'utf8'));
  const operations = Object.entries<Record<string, { operationId: string }>>(paths).flatMap(([route, item]) =>
    METHODS.flatMap((method) => (item[method] ? [[`${method} ${route}`, item[method].operationId]] : [])),
  );
  const missing = operations.filter(([call = '']) => !called.has(call)).map(([, id]) => id);
  expect(missing.toSorted()).toEqual(Object.keys(NOT_CALLED).toSorted());
});
