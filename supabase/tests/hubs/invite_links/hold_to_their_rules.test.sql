select plan(12);

select tests.elm();
insert into app.invite_links (id, hub_id, token_hash, expires_at) values (tests.id('door'), tests.id('elm'), tests.hash('door'), app.now());
select results_eq(
  'select use_count, max_uses, created_at from app.invite_links', 'values (0, null::integer, app.now())', 'a link is not used yet, and not limited'
);

create function pg_temp.violation(p_change text)
returns text
language sql
as $$ select tests.violation_of('update app.invite_links set ' || p_change) $$;

select is(
  tests.violation_of($$ insert into app.invite_links (hub_id, token_hash, expires_at) values (tests.id('elm'), tests.hash('door'), app.now()) $$),
  'invite_links_token_hash_key', 'a token is one link''s'
);
select is(pg_temp.violation($$ token_hash = 'short' $$), 'invite_links_token_hash_is_sha256', 'and kept as its hash alone');
select is(pg_temp.violation('max_uses = 0'), 'invite_links_max_uses_is_within_limit', 'its uses are limited to one');
select is(pg_temp.violation('max_uses = 1'), null, 'at least');
select is(pg_temp.violation('max_uses = 1000'), null, 'to 1,000');
select is(pg_temp.violation('max_uses = 1001'), 'invite_links_max_uses_is_within_limit', 'or not at all');
select is(pg_temp.violation('use_count = -1'), 'invite_links_are_used_within_limit', 'none is used less than never');
select is(pg_temp.violation('use_count = 2, max_uses = 1'), 'invite_links_are_used_within_limit', 'or more than it may be');
select is(pg_temp.violation($$ expires_at = created_at + interval '30 days' $$), null, 'none is open for more than 30 days');
select is(
  pg_temp.violation($$ expires_at = created_at + interval '30 days 1 microsecond' $$), 'invite_links_expire_within_30_days', 'not even a moment'
);
select is(pg_temp.violation('use_count = 2000, max_uses = null'), null, 'but without end where it has none');

select * from finish();
