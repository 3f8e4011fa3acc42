begin;
select plan(2);

-- Staff reads no secrets, and reported content alone.
-- Staff roles cannot use the schemas app and gateway. Grants and policies must hold even if they could.
-- docs/product.md S5
grant usage on schema app, gateway to staff_support;

create temporary table statements as
select format('select %s from %s', columns, name) as statement
from (values
  ('user_id', 'app.vote_receipts'), ('post_id', 'app.vote_receipts'), ('xmin', 'app.vote_receipts'),
  ('ctid', 'app.vote_receipts'), ('xmin', 'app.vote_pools'), ('ctid', 'app.vote_pools'), ('1', 'app.vote_pools'),
  ('1', 'app.vote_slots'), ('1', 'app.pending_ballots'), ('1', 'app.pending_totals'), ('1', 'app.fresh_votes'),
  ('vote_count', 'app.posts'),
  ('xmin', 'app.posts'), ('token_hash', 'app.refresh_tokens'), ('1', 'app.sessions'),
  ('sealed_token', 'app.device_tokens'),
  ('token_hash', 'app.dead_letters'), ('token_hash', 'staff.sessions'), ('token_hash', 'app.invite_links'),
  ('token_hash', 'app.hub_invitations'), ('1', 'app.otp_codes'), ('phone', 'app.users'), ('device_hash', 'app.users'),
  ('1', 'app.contacts'), ('1', 'app.contact_snapshots'), ('1', 'gateway.idempotent_answers'), ('1', 'app.follows'),
  ('1', 'app.blocks'), ('1', 'app.memberships'), ('1', 'app.saved_posts')
) as secret (columns, name);
select is_empty(
  $$
    select statement from statements cross join lateral tests.permitted_roles(statement) as role where role ~ '^staff_'
  $$,
  'no staff role reads votes, tokens, codes, contacts, phones or relations of people'
);

select tests.elm();
select tests.discussion('in elm', 'amara', 'elm');
select tests.message('said', 'maya', 'in elm in elm'), tests.message('reported', 'maya', 'in elm in elm');
select tests.post('trams', 'maya'), tests.post('bikes', 'maya');
select tests.comment('quiet', 'jonas', 'trams'), tests.comment('loud', 'jonas', 'trams');
select tests.report('jonas', p_message => 'reported'), tests.report('maya', p_comment => 'loud');
select tests.report('lena', p_post => 'bikes');
create temporary table seen (kind text, id uuid);
grant all on seen to public;
select tests.log_in_as('nina', 'staff_admin');
insert into seen select 'message', m.id from app.messages as m;
insert into seen select 'comment', c.id from app.comments as c;
insert into seen select 'post', p.id from app.posts as p;
reset session authorization;
select bag_eq(
  'select kind, id from seen',
  $$ values ('message', tests.id('reported')), ('comment', tests.id('loud')), ('post', tests.id('bikes')) $$,
  'the policies for staff show reported posts, comments and messages alone'
);

select * from finish();
rollback;
