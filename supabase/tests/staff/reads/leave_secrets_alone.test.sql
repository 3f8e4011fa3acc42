select plan(5);

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
