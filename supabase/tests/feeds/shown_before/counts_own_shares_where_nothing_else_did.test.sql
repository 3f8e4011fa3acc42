select plan(3);

select tests.elm();
select tests.post('trams', 'lena');
delete from app.feed_events;
insert into app.feed_events (hub_id, actor_id, post_id, kind, occurred_at)
values (tests.id('elm'), tests.id('maya'), tests.id('trams'), 'shared_to_hub', tests.ago(4));

create function pg_temp.is_shown(p_place integer)
returns boolean
language plpgsql
as $$
declare
  v_is_shown boolean;
begin
  perform tests.act_as('maya');
  v_is_shown := app.shown_before(tests.ids('trams'), tests.behind(tests.ago(p_place), 'trams', '10:10:')) = tests.ids('trams');
  perform set_config('role', 'none', true);
  return v_is_shown;
end
$$;

select ok(pg_temp.is_shown(5), 'an own share before the place has shown the post');
select ok(not pg_temp.is_shown(3), 'an own share behind the place has not');
select tests.follow('maya', 'lena');
select tests.did('voted', 'lena', 'trams', tests.ago(9));
select ok(not pg_temp.is_shown(5), 'an own share does not count where an act of a source places the post further down');

select * from finish();
