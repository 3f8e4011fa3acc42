select plan(9);

select tests.elm();
select tests.hub('ash', 'jonas');
select tests.post('trams', 'lena');
select tests.post('among us', 'lena', 'public_hub');
select tests.post('locked', 'lena', 'private_locked_hub');
delete from app.feed_events;

create function pg_temp.events()
returns table (source_id uuid, post_id uuid, kind text, occurred_at timestamptz)
language sql
as $$ select source_id, post_id, kind, occurred_at from app.feed_events where actor_id = tests.id('jonas') and lost_at is null $$;
create function pg_temp.in_streams(p_post text, p_kind text, p_at timestamptz, variadic p_sources text[])
returns table (source_id uuid, post_id uuid, kind text, occurred_at timestamptz)
language sql
as $$ select source, tests.id(p_post), p_kind, p_at from unnest(tests.ids(variadic p_sources)) as source $$;

select tests.did('voted', 'jonas', 'trams', tests.ago(5));
select set_eq(
  'select * from pg_temp.events()', $$ select * from pg_temp.in_streams('trams', 'voted', tests.ago(5), 'jonas', 'elm', 'ash') $$, 'their own and those of the Hubs they are in'
);
select tests.did('voted', 'jonas', 'trams', tests.ago(3));
select set_eq(
  'select * from pg_temp.events()', $$ select * from pg_temp.in_streams('trams', 'voted', tests.ago(3), 'jonas', 'elm', 'ash') $$, 'once, at its newest time'
);
select tests.did('voted', 'jonas', 'trams', tests.ago(4));
select set_eq(
  'select * from pg_temp.events()', $$ select * from pg_temp.in_streams('trams', 'voted', tests.ago(3), 'jonas', 'elm', 'ash') $$, 'which an older one leaves'
);
select tests.did('commented', 'jonas', 'trams', tests.ago(4));
select is(count(*), 6::bigint, 'another kind is another') from pg_temp.events();
delete from app.feed_events;
select tests.did('voted', 'jonas', 'locked');
select is_empty('select from app.feed_events', 'private posts are in none');
select tests.did('voted', 'jonas', 'gone');
select is_empty('select from app.feed_events', 'nor is what was deleted');
select tests.did('voted', 'jonas', 'among us');
select is(count(*), 3::bigint, 'what is public and in Hubs is') from pg_temp.events();
update app.feed_events set lost_at = app.now(), lost_by = '3';
select tests.did('voted', 'jonas', 'among us', tests.ago(9));
select set_eq(
  'select * from pg_temp.events()', $$ select * from pg_temp.in_streams('among us', 'voted', tests.ago(9), 'jonas', 'elm', 'ash') $$, 'what is lost is not found again'
);
select is(count(*), 3::bigint, 'and is kept') from app.feed_events where lost_at is not null;

select * from finish();
