select plan(5);

select tests.elm();
select tests.hub('ash', 'amara');
select tests.hub('oak', 'amara');
select tests.post('trams', 'lena');
select tests.post('bikes', 'maya');
select tests.placed('trams', 'elm', p_kind => 'shared', p_by => 'maya');
select tests.did('voted', 'maya', 'trams', tests.ago(5));
select tests.did('commented', 'jonas', 'trams', tests.ago(3));
select tests.did('reposted', 'maya', 'trams');
update app.feed_events set lost_at = app.now(), lost_by = '3' where kind = 'reposted';

select tests.membership('ash', 'maya');
select set_eq(
  $$ select actor_id, post_id, kind::text, occurred_at from app.feed_events where hub_id = tests.id('ash') $$,
  $$ values (tests.id('maya'), tests.id('trams'), 'voted', tests.ago(5)), (tests.id('maya'), tests.id('bikes'), 'published', app.now()) $$,
  'what is in their own stream comes into that of the Hub, at its time'
);
select results_eq(
  $$ select hub_id from app.feed_events where actor_id = tests.id('maya') and kind = 'voted' and hub_id is not null order by hub_id $$,
  'select id from unnest(tests.ids(''elm'', ''ash'')) as id order by id', 'and into no other'
);
insert into app.memberships (hub_id, user_id, role)
values (tests.id('oak'), tests.id('jonas'), 'member'), (tests.id('oak'), tests.id('maya'), 'member'), (tests.id('ash'), tests.id('jonas'), 'member');
select set_eq(
  $$ select tests.acts('trams') $$,
  array[
    'published by lena', 'voted by maya', 'voted by maya in elm', 'voted by maya in ash', 'voted by maya in oak', 'shared_to_hub by maya in elm',
    'commented by jonas', 'commented by jonas in elm', 'commented by jonas in ash', 'commented by jonas in oak'
  ],
  'of each who joins, into each Hub that they join'
);
alter table app.feed_events drop constraint feed_events_post_id_fkey;
delete from app.memberships where hub_id = tests.id('ash') and user_id = tests.id('jonas');
update app.feed_events set post_id = tests.id('gone') where actor_id = tests.id('jonas') and hub_id is null;
alter table app.feed_events add constraint feed_events_post_id_fkey foreign key (post_id) references app.posts (id) on delete cascade not valid;
select throws_ok(
  $$ select tests.membership('ash', 'jonas') $$, '40001', 'A post went while acts were brought into a Hub.', 'where a post has just gone it is tried again'
);
select is_empty($$ select from app.memberships where hub_id = tests.id('ash') and user_id = tests.id('jonas') $$, 'and nothing of it is there');

select * from finish();
