select plan(6);

select tests.elm();
select tests.hub('oak', 'jonas');
select tests.hub('ash', 'maya');
select tests.slider(name, 'lena') from unnest(array['trams', 'bikes', 'boats']) as name;
select tests.slider('locked', 'jonas', 'private_locked_hub');
select tests.placed('locked', 'elm');
delete from app.feed_events;
select tests.vote('jonas', name, 'left', '10 minutes') from unnest(array['trams', 'locked', 'boats']) as name;
select tests.vote('maya', 'bikes', 'left', '10 minutes');
select tests.did('commented', 'maya', 'trams'), tests.did('commented', 'maya', 'bikes');
delete from app.feed_events where hub_id is not null;
update app.feed_events set lost_at = app.now(), lost_by = pg_current_xact_id() where post_id = tests.id('boats');
select bag_eq($$ select tests.acts('trams') $$, array['voted by jonas', 'commented by maya'], 'a vote is in the voter''s own stream');
select app.end_membership(tests.id('elm'), tests.id('jonas'));
select tests.membership('elm', 'lena');
select app.fold_receipts();
select bag_eq(
  $$ select tests.acts('trams') $$, array['voted by jonas', 'voted by jonas in oak', 'commented by maya'], 'the fold brings it into those of the Hubs where they are then'
);
select bag_eq($$ select tests.acts('bikes') $$, array['voted by maya', 'voted by maya in elm', 'voted by maya in ash', 'commented by maya'], 'each into their own, and nothing else that they did');
select is_empty($$ select tests.acts('locked') union all select tests.acts('boats') $$, 'nothing of a private post, and of what is lost');
select results_eq(
  $$ select distinct occurred_at from app.feed_events where kind = 'voted' and lost_at is null $$, array[app.now() + interval '10 minutes'], 'at the time by lot'
);
update app.feed_events set occurred_at = app.now() where kind = 'voted';
select tests.vote('lena', 'trams', 'left', '10 minutes');
select app.fold_receipts();
select bag_eq(
  $$ select actor_id, occurred_at from app.feed_events where post_id = tests.id('trams') and kind = 'voted' and hub_id is null $$,
  $$ values (tests.id('jonas'), app.now()), (tests.id('lena'), app.now() + interval '10 minutes') $$, 'acts of former folds stay as they are'
);

select * from finish();
