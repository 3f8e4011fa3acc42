select plan(6);

select tests.elm();
select tests.hub('ash', 'amara');
select tests.membership('ash', 'maya');
select tests.membership('ash', 'jonas');
select tests.post('trams', 'lena');
select tests.discussion('locked', 'maya', 'elm');
select tests.placed('trams', 'elm', p_kind => 'shared', p_by => 'maya');
select tests.did('voted', name, 'trams') from unnest(array['maya', 'jonas']) as name;
select tests.did('reposted', 'maya', 'trams');
update app.feed_events set lost_at = tests.ago(1), lost_by = '3' where kind = 'reposted';

delete from app.memberships where (hub_id, user_id) in ((tests.id('elm'), tests.id('maya')), (tests.id('ash'), tests.id('jonas')));
select set_eq(
  $$ select tests.acts('trams') $$,
  array['published by lena', 'voted by maya', 'voted by maya in ash', 'voted by jonas', 'voted by jonas in elm', 'shared_to_hub by maya in elm'],
  'what they did is no more in the stream of the Hub that they left; what they shared into it is'
);
select set_eq($$ select tests.acts('locked') $$, array['targeted by maya in elm'], 'and what they published there');
select set_eq(
  'select hub_id, actor_id, lost_at, lost_by from app.feed_events where kind = ''voted'' and lost_at is not null',
  $$
    select hub, actor, app.now() as at, pg_current_xact_id() as by
    from (values (tests.id('elm'), tests.id('maya')), (tests.id('ash'), tests.id('jonas'))) as left_by (hub, actor)
  $$,
  'it is lost, from now on'
);
select is(count(*), 3::bigint, 'what was lost before is so by whom it was') from app.feed_events where lost_by = '3' and lost_at = tests.ago(1);
select tests.membership('elm', 'maya');
select ok('voted by maya in elm' in (select tests.acts('trams')), 'who comes back brings it again');
select is(count(*), 2::bigint, 'beside what was lost') from app.feed_events where actor_id = tests.id('maya') and hub_id = tests.id('elm') and kind = 'voted';

select * from finish();
