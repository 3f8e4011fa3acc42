begin;
select plan(14);

create function pg_temp.prune()
returns void
language plpgsql
as $$
begin
  set local session authorization opine_worker;
  perform app.prune_evidence();
  reset session authorization;
end
$$;

savepoint empty;

-- A report keeps the texts and the author of its target, and its files until it is closed.
select tests.elm();
select tests.asset('photo', 'maya'), tests.asset('another photo', 'maya');
select tests.post_with_media('trams', 'maya', 'photo'), tests.post('buses', 'jonas');
select tests.comment('loud', 'maya', 'buses');
update app.comments set asset_id = tests.id('another photo'), alt_text = 'A horn.' where id = tests.id('loud');
select tests.report('lena', p_post => 'trams'), tests.report('lena', p_comment => 'loud'),
  tests.report('jonas', p_comment => 'loud');
select results_eq(
  'select distinct author_id, name, content from app.evidence order by content',
  $$ values (tests.id('maya'), 'maya', 'article of trams'), (tests.id('maya'), 'maya', 'loud / A horn.') $$,
  'a report keeps the author and all texts of its target'
);
delete from app.posts;
select bag_eq(
  'select asset_id from app.evidence_assets', tests.ids('photo', 'another photo', 'another photo'),
  'reports keep the files of a deleted target'
);
select is_empty('select from app.evidence where closed_at is not null', 'evidence of an open report is not dated');
update app.reports set state = 'dismissed' where reporter_id = tests.id('lena');
select bag_eq(
  'select asset_id from app.evidence_assets', tests.ids('another photo'),
  'a report that is closed releases its files, and no other report does'
);
select is(
  count(*), 2::bigint, 'a report that is closed dates its evidence'
) from app.evidence where closed_at = app.now();
select app.set_clock_offset('1 day');
update app.reports set state = 'actioned' where reporter_id = tests.id('lena');
select is(count(*), 2::bigint, 'a closed report that changes again keeps the time when it was closed')
from app.evidence where closed_at = app.now() - interval '1 day';

rollback to empty;

-- A report keeps the texts of a person, a Hub and a message.
select tests.elm();
select tests.discussion('talk', 'amara', 'elm'), tests.message('rude', 'maya', 'talk in elm');
update app.profiles set bio = username || ' sells pills.';
insert into app.hub_profiles (user_id, display_name)
values (tests.id('maya'), 'Maya of the Elm'), (tests.id('jonas'), 'Jonas of the Elm');
select tests.hub('oak', 'lena');
update app.hubs set description = 'We meet below the ' || name, custom_link = name || '-link';
select tests.report('lena', p_user => 'maya'), tests.report('lena', p_hub => 'elm'),
  tests.report('jonas', p_message => 'rude');
select bag_eq(
  'select author_id, name, content from app.evidence',
  $$
    values
      (tests.id('maya'), 'maya', 'Maya / Maya of the Elm / maya sells pills.'),
      (null, 'elm', 'elm / We meet below the elm / elm-link'), (tests.id('maya'), 'maya', 'rude')
  $$,
  'a report keeps the names and texts of this person, this Hub or this message'
);

rollback to empty;

-- A report keeps the labels of a slider that its author chose.
select tests.person(name, 3) from unnest(array['maya', 'lena']) as name;
select tests.slider('trams', 'maya'), tests.slider('buses', 'maya');
update app.posts set left_label = 'Rails', right_label = 'Wheels' where id = tests.id('buses');
select tests.report('lena', p_post => name) from unnest(array['trams', 'buses']) as name;
select bag_eq(
  'select content from app.evidence', array['trams', 'buses / Rails / Wheels'],
  'a report keeps the labels of a slider, but not the default ones'
);

rollback to empty;

-- prune_evidence deletes evidence 90 days after its report was closed.
select tests.person(name, 3) from unnest(array['maya', 'lena']) as name;
create temporary table cases (name text, age interval, is_kept boolean);
insert into cases values
  ('of an open report', null, true),
  ('of a report that was closed just less than 90 days ago', '89 days 23 hours 59 minutes', true),
  ('of a report that was closed 90 days ago', '90 days', false);
select tests.post(name, 'maya'), tests.report('lena', p_post => name) from cases;
update app.evidence as e set closed_at = app.now() - c.age from cases as c where e.content = c.name;
select pg_temp.prune();
select is(
  exists (select from app.evidence as e where e.content = c.name), c.is_kept,
  format('prune_evidence %s evidence %s', case when c.is_kept then 'keeps' else 'deletes' end, c.name)
)
from cases as c;
select is(count(*), 3::bigint, 'prune_evidence keeps the reports') from app.reports;

rollback to empty;

-- prune_evidence deletes the thousand that were closed first.
select tests.person(name, 3) from unnest(array['maya', 'lena']) as name;
insert into app.posts (id, author_id, thought_text, visibility)
select tests.id('trams ' || n), tests.id('maya'), n::text, 'public' from generate_series(1, 1001) as n;
insert into app.reports (reporter_id, post_id, reason)
select tests.id('lena'), tests.id('trams ' || n), 'spam' from generate_series(1, 1001) as n;
update app.evidence set closed_at = app.now() - interval '90 days' - content::integer * interval '1 second';
select pg_temp.prune();
select results_eq(
  'select content from app.evidence', array['1'],
  'a run of prune_evidence deletes the evidence of the thousand reports that were closed first'
);
select pg_temp.prune();
select is_empty('select from app.evidence', 'the next run of prune_evidence deletes the rest');

select * from finish();
rollback;
