begin;
select plan(11);
savepoint empty;

-- reads: are what a role needs
select bag_eq(
  $$ select tests.table_privileges_of('staff_support') $$,
  array[
    'select app.users(id, created_at, ended_at)', 'select app.profiles(user_id, username, full_name, bio, created_at)',
    'select app.suspensions', 'select app.default_feed_users', 'select staff.accounts', 'select staff.default_feed_users'
  ],
  'support looks accounts up'
);
select bag_eq(
  $$ select tests.table_privileges_of('staff_moderator') $$,
  array[
    'select app.hubs(id, name, description, member_count, closed_at, suspended_at)', 'select app.reports',
    'select app.posts(id, author_id, article_id, thought_text, slider_text)', 'select app.articles(id, url, title, body)',
    'select app.comments(id, author_id, body)', 'select app.messages(id, author_id, body)', 'select staff.reports',
    'select staff.report_queue'
  ],
  'a moderator reads what was reported'
);
select bag_eq(
  $$ select tests.table_privileges_of('staff_admin') $$,
  array[
    'select app.dead_letters(id, notification_id, is_of_stream, attempt_count, failure, died_at)', 'select app.notifications(id, event_id, recipient_id)',
    'select app.events(id, type)', 'select staff.allowed_emails', 'select staff.audit_log', 'select staff.dead_letters'
  ],
  'an admin reads who is staff, what they did, and what could not be sent'
);
select bag_eq(
  $$ select tests.executable_by('staff_support', 'staff') $$,
  array['staff.actor()', 'staff.phone_hint(uuid)', 'staff.find_accounts(text)', 'staff.health()', 'staff.unmask_phone(uuid,text)'], 'what support may do'
);
select bag_eq(
  $$ select tests.executable_by('staff_moderator', 'staff') except select tests.executable_by('staff_support', 'staff') $$,
  array[
    'staff.claimed_by(uuid)', 'staff.claim_report(uuid)', 'staff.release_report(uuid)', 'staff.dismiss_report(uuid,text)', 'staff.remove_content(uuid,text)',
    'staff.suspend_user(uuid,text)', 'staff.restore_user(uuid,text)', 'staff.suspend_hub(uuid,text)', 'staff.restore_hub(uuid,text)',
    'staff.why_visible(uuid,uuid)', 'staff.requested_page(jsonb)'
  ],
  'what a moderator may beside it'
);
select bag_eq(
  $$ select tests.executable_by('staff_admin', 'staff') except select tests.executable_by('staff_moderator', 'staff') $$,
  array[
    'staff.admit(text,staff.role,text)', 'staff.dismiss(text,text)', 'staff.add_default_feed_user(text,text)',
    'staff.remove_default_feed_user(text,text)', 'staff.requeue_dead_letter(uuid)'
  ],
  'and an admin beside that'
);

rollback to empty;

-- reads: leave secrets alone
create temporary table tries as
select format('select %s from %s', columns, name) as statement
from (values
  ('user_id', 'app.vote_receipts'), ('post_id', 'app.vote_receipts'), ('xmin', 'app.vote_receipts'), ('ctid', 'app.vote_receipts'),
  ('xmin', 'app.vote_pools'), ('ctid', 'app.vote_pools'), ('1', 'app.vote_pools'), ('1', 'app.vote_slots'), ('1', 'app.pending_ballots'),
  ('1', 'app.pending_totals'), ('1', 'app.fresh_votes'), ('vote_count', 'app.posts'), ('xmin', 'app.posts'),
  ('token_hash', 'app.refresh_tokens'), ('1', 'app.sessions'), ('sealed_token', 'app.device_tokens'), ('token_hash', 'app.dead_letters'),
  ('token_hash', 'staff.sessions'), ('token_hash', 'app.invite_links'), ('token_hash', 'app.hub_invitations'),
  ('1', 'app.otp_codes'), ('phone', 'app.users'), ('device_hash', 'app.users'), ('1', 'app.contacts'), ('1', 'app.contact_snapshots'),
  ('1', 'gateway.idempotent_answers'), ('1', 'app.follows'), ('1', 'app.blocks'), ('1', 'app.memberships'), ('1', 'app.saved_posts')
) as secret (columns, name);
select is_empty(
  $$ select statement from tries cross join lateral tests.who_may(statement) as role where role ~ '^staff_' $$,
  'no staff role reads votes, tokens, codes, contacts, phones or who knows whom'
);

select tests.elm();
select tests.discussion('in elm', 'amara', 'elm');
select tests.message('said', 'maya', 'in elm in elm'), tests.message('reported', 'maya', 'in elm in elm');
select tests.post('trams', 'maya'), tests.comment('quiet', 'jonas', 'trams'), tests.comment('loud', 'jonas', 'trams');
select tests.report('jonas', p_message => 'reported'), tests.report('maya', p_comment => 'loud');
create temporary table seen (kind text, id uuid);
grant all on seen to public;
select tests.log_in_as('nina', 'staff_admin');
select throws_ok('select id from app.messages', '42501', null, 'schema app is not theirs to look around in');
reset session authorization;
grant usage on schema app to staff_support;
set local session authorization nina;
insert into seen select 'message', m.id from app.messages as m;
insert into seen select 'comment', c.id from app.comments as c;
insert into seen select 'post', p.id from app.posts as p;
reset session authorization;
select bag_eq('select kind, id from seen', $$ values ('message', tests.id('reported')), ('comment', tests.id('loud')) $$, 'and if it was, they would read what was reported alone');
select tests.log_in_as('olga', 'staff_support');
select throws_ok('select * from staff.reports', '42501', null, 'support reads no reports');
select throws_ok('select * from staff.audit_log', '42501', null, 'and not who did what');

select * from finish();
rollback;
