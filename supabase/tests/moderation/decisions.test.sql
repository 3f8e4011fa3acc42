begin;
select plan(26);

-- Removes content by a decision that was taken p_age ago.
create function pg_temp.remove(p_report_id uuid, p_age interval default '0')
returns void
language plpgsql
as $$
begin
  perform tests.remove_as_staff(p_report_id);
  update app.decisions set decided_at = app.now() - p_age
  where target_id = (select r.target_id from app.reports as r where r.id = p_report_id);
end
$$;

create function pg_temp.decision_of(p_target text)
returns uuid
language sql
stable
return (select d.id from app.decisions as d where d.target_id = tests.id(p_target));

create function pg_temp.appeal(p_target text, p_person text, p_state app.appeal_state)
returns void
language sql
begin atomic
  insert into app.appeals (decision_id, user_id, text, state, statement, decided_by, decided_at)
  select
    pg_temp.decision_of(p_target), tests.id(p_person), 'Look again.', p_state,
    case when p_state <> 'open' then 'We did.' end, case when p_state <> 'open' then 'nina' end,
    case when p_state <> 'open' then app.now() end;
end;

create function pg_temp.prune()
returns void
language plpgsql
as $$
begin
  set local session authorization opine_worker;
  perform app.prune_removed_contents();
  reset session authorization;
end
$$;

savepoint empty;

-- A person concerned appeals once, within 180 days.
select tests.elm();
select tests.post(name, 'maya') from unnest(array['new', 'old', 'too old', 'appealed']) as name;
select pg_temp.remove(tests.report('lena', p_post => name), age)
from (
  values ('new', interval '0'), ('old', '179 days 23 hours 59 minutes'), ('too old', '180 days'), ('appealed', '0')
) as c (name, age);
select pg_temp.appeal('appealed', 'maya', 'upheld');
select matches(
  tests.refusal_as('jonas', format(
    'insert into app.appeals (decision_id, user_id, text) values (%L, %L, %L)', pg_temp.decision_of('new'),
    tests.id('jonas'), 'Look.'
  )),
  '^42501', 'the policy of appeals refuses one by a person whom the decision does not concern'
);
select is(
  tests.refusal_as(
    person, format(
      'select api.appeal_decision(%L)',
      jsonb_build_object('decisionId', pg_temp.decision_of(target), 'text', 'Look again.')
    )
  ),
  expected, title
)
from (
  values
    ('jonas', 'new', 'PT404 DECISION_NOT_FOUND', 'a person whom a decision does not concern cannot appeal against it'),
    ('maya', 'nothing', 'PT404 DECISION_NOT_FOUND', 'nobody appeals against a decision that does not exist'),
    ('maya', 'new', null, 'a person concerned appeals against a decision'),
    ('maya', 'new', 'PT409 APPEAL_EXISTS', 'a person concerned cannot appeal twice'),
    ('maya', 'appealed', 'PT409 APPEAL_EXISTS', 'a person concerned cannot appeal again after the appeal has failed'),
    ('maya', 'old', null, 'a person concerned appeals just before 180 days have passed'),
    ('maya', 'too old', 'PT409 APPEAL_TOO_LATE', 'a person concerned cannot appeal after 180 days')
) as c (person, target, expected, title);

rollback to empty;

-- appeal_suspension takes the appeal of a person whom this decision still suspends.
select tests.person(name, 3) from unnest(array['maya', 'jonas', 'lena', 'ann']) as name;
select staff.suspend_user(tests.id(name), 'spam', 'Sells pills.') from unnest(array['maya', 'jonas', 'ann']) as name;
create temporary table suspended as
select name, app.suspension_of(tests.id(name)) as details from unnest(array['maya', 'jonas', 'ann']) as name;
select staff.restore_user(tests.id('jonas'), 'A mistake.');
select app.end_user(tests.id('ann'));
create function pg_temp.refusal(p_name text, p_details jsonb)
returns text
language sql
return tests.error_of(format('select api.appeal_suspension(%L)', p_details || '{"text": "It was not me."}')) ->> 'code';

select is(
  pg_temp.refusal(name, (select s.details || change from suspended as s where s.name = c.name)), expected, title
)
from (
  values
    (
      'jonas', '{}'::jsonb, 'UNAUTHORIZED',
      'a person who is no longer suspended does not appeal by the token of the suspension'
    ),
    ('ann', '{}', 'UNAUTHORIZED', 'a person whose account has ended does not appeal by the token of the suspension'),
    (
      'maya', jsonb_build_object('decisionId', tests.id('another')), 'UNAUTHORIZED',
      'a suspended person does not appeal by the token of another decision'
    ),
    ('maya', '{}', null, 'a suspended person appeals by the token of the suspension'),
    ('maya', '{}', 'APPEAL_EXISTS', 'a suspended person cannot appeal twice')
) as c (name, change, expected, title);

rollback to empty;

-- prune_removed_contents erases what nobody can get back, and nothing else.
create temporary table cases (name text, age interval, appeal app.appeal_state, is_reversed boolean, is_kept boolean);
insert into cases
values
  ('not appealed and young', '179 days 23 hours 59 minutes', null, false, true),
  ('not appealed for 180 days', '180 days', null, false, false),
  ('with an open appeal', '0', 'open', false, true),
  ('with an appeal that is open for a year', '1 year', 'open', false, true),
  ('whose appeal has failed', '0', 'upheld', false, false);
select tests.elm();
select tests.post('of jonas', 'jonas'), tests.discussion('talk', 'amara', 'elm');
select tests.post('post ' || name, 'maya'), tests.comment('comment ' || name, 'maya', 'of jonas'),
  tests.message('message ' || name, 'maya', 'talk in elm')
from cases;
update app.discussions set message_count = (select count(*) from cases);
select
  pg_temp.remove(tests.report('lena', p_post => 'post ' || name), age),
  pg_temp.remove(tests.report('lena', p_comment => 'comment ' || name), age),
  pg_temp.remove(tests.report('jonas', p_message => 'message ' || name), age)
from cases;
select pg_temp.appeal(kind || name, 'maya', appeal)
from cases cross join unnest(array['post ', 'comment ', 'message ']) as kind
where appeal is not null;
select pg_temp.prune();
select is(
  (
    select count(*)
    from app.removed_contents as k
    where k.decision_id in (pg_temp.decision_of('comment ' || name), pg_temp.decision_of('message ' || name))
  )
    + (select count(*) from app.posts as p where p.id = tests.id('post ' || name)),
  case when is_kept then 3 else 0 end::bigint,
  format(
    'prune_removed_contents %s posts, comments and messages %s', case when is_kept then 'keeps' else 'erases' end, name
  )
)
from cases;
select is(
  count(*), 15::bigint, 'prune_removed_contents keeps the decisions'
) from app.decisions where action = 'content_removed';
select is(
  count(*), 2::bigint, 'prune_removed_contents keeps posts that nobody removed'
) from app.posts where removed_at is null;

rollback to empty;

-- prune_removed_contents skips what is restored, and takes the oldest twenty decisions at once.
select tests.person(name, 3) from unnest(array['maya', 'lena']) as name;
select tests.post('trams ' || n, 'maya'),
  pg_temp.remove(tests.report('lena', p_post => 'trams ' || n), interval '180 days' + n * interval '1 hour')
from generate_series(1, 22) as n;
update app.decisions set reversed_at = app.now() where id = pg_temp.decision_of('trams 22');
select pg_temp.prune();
select set_eq(
  'select id from app.posts', tests.ids('trams 1', 'trams 22'),
  'a run of prune_removed_contents erases the content of the twenty oldest decisions that nobody took back'
);
select pg_temp.prune();
select results_eq(
  'select id from app.posts', tests.ids('trams 22'), 'the next run of prune_removed_contents erases the rest'
);

rollback to empty;

-- decide keeps the beginning of what was removed, and concerns living accounts alone.
select tests.person(name, 2) from unnest(array['maya', 'jonas']) as name;
select app.end_user(tests.id('jonas'));
create temporary table decided as
select app.decide(
  'hub_suspended', 'spam', '  It sells pills. ', 'nina', 'hub', tests.id('elm'), repeat('x', 201),
  tests.ids('maya', 'jonas')
) as id;
select results_eq(
  'select statement, char_length(excerpt) from app.decisions', $$ values ('It sells pills.', 200) $$,
  'a decision has its statement trimmed and the first 200 characters of what it is about'
);
select results_eq(
  'select user_id from app.decision_subjects', tests.ids('maya'), 'a decision concerns no ended account'
);
select results_eq(
  'select e.type::text, e.subject_id, e.actor_id, e.decision_id = d.id from app.events as e cross join decided as d',
  $$ values ('moderation_decided', tests.id('maya'), null::uuid, true) $$,
  'a decision notifies who is concerned, without who decided'
);

rollback to empty;

-- list_moderation_decisions lists the decisions that concern the caller, newest first.
select tests.person(name, 3) from unnest(array['maya', 'jonas', 'lena']) as name;
select tests.post(name, 'maya') from unnest(array['one', 'two', 'three']) as name;
select tests.post('his', 'jonas');
select pg_temp.remove(tests.report('lena', p_post => name), n * interval '1 hour')
from unnest(array['one', 'two', 'three', 'his']) with ordinality as c (name, n);
create temporary table listed as
select ids from (
  select tests.authenticate_as('maya')
) as caller
cross join lateral (select tests.item_ids_across_pages('list_moderation_decisions', '{}') as ids) as page;
reset role;
select is(
  ids, array[pg_temp.decision_of('one'), pg_temp.decision_of('two'), pg_temp.decision_of('three')],
  'list_moderation_decisions lists the decisions that concern the caller, newest first'
)
from listed;

select * from finish();
rollback;
