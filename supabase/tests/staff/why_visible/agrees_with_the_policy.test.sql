select plan(4);

select tests.elm();
select tests.person(name) from unnest(array['olaf', 'ends', 'bad']) as name;
select tests.post('public', 'maya'), tests.post('of ends', 'ends'), tests.post('of bad', 'bad');
select tests.post('locked', 'maya', 'private_locked_hub'), tests.placed('locked', 'elm');
select tests.post('hub', 'jonas', 'public_hub'), tests.placed('hub', 'elm');
insert into app.blocks (blocker_id, blocked_id) values (tests.id('maya'), tests.id('olaf')), (tests.id('jonas'), tests.id('amara'));
insert into app.departures (user_id) values (tests.id('ends'));
insert into app.suspensions (user_id) values (tests.id('bad'));
create temporary table pairs as
select viewer.name as viewer, p.id as post_id, null::boolean as sees
from unnest(array['amara', 'maya', 'jonas', 'lena', 'olaf', 'ends', 'bad', null]) as viewer (name)
cross join (select id from app.posts union all select tests.id('no post')) as p;
create function pg_temp.sees(p_viewer text, p_post_id uuid)
returns boolean
language plpgsql
as $$
declare
  v_sees boolean;
begin
  perform case when p_viewer is null then tests.act_as_guest() else tests.act_as(p_viewer) end;
  v_sees := exists (select from app.posts as p where p.id = p_post_id);
  perform set_config('role', 'none', true);
  return v_sees;
end
$$;
update pairs set sees = pg_temp.sees(viewer, post_id);
create function pg_temp.says(p_viewer text, p_post_id uuid)
returns boolean
language sql
as $$ select holds from staff.why_visible(tests.id(p_viewer), p_post_id) where rule = 'so the viewer sees it' $$;

select is_empty(
  'select viewer, post_id, sees from pairs where sees is distinct from pg_temp.says(viewer, post_id)', 'what staff is told is what people see'
);
select ok(count(*) filter (where sees) > 9 and count(*) filter (where not sees) > 9, 'of some posts, and not of others') from pairs;
select tests.log_in_as('nina', 'staff_moderator');
select set_config('request.jwt.claims', '{"email": "nina"}', true);
select bag_eq(
  format('select rule from staff.why_visible(%L, %L) where not holds', tests.id('olaf'), tests.id('public')),
  array['the viewer wrote it', 'it is in a Hub of the viewer''s', 'no block stands between author and viewer', 'so the viewer sees it'],
  'and they see which rule keeps it from somebody'
);
select is(current_setting('request.jwt.claims'), '{"email": "nina"}', 'and are themselves again');

select * from finish();
