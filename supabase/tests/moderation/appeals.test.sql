begin;
select plan(54);

create function pg_temp.appeal(p_person text, p_target text)
returns jsonb
language plpgsql
as $$
declare
  v_id uuid := (
    select d.id from app.decisions as d where d.target_id = tests.id(p_target) order by d.decided_at desc limit 1
  );
  v_answer jsonb;
begin
  perform tests.authenticate_as(p_person);
  v_answer := api.appeal_decision(jsonb_build_object('decisionId', v_id, 'text', 'Look again.'));
  reset role;
  return v_answer;
end
$$;

create function pg_temp.decision_of(p_target text)
returns uuid
language sql
security definer
return (select d.id from app.decisions as d where d.target_id = tests.id(p_target) order by d.decided_at desc limit 1);

select staff.admit(name || '@opine.example', 'moderator', 'Joins.', name) from unnest(array['nina', 'otto']) as name;

savepoint empty;

-- decide_appeal reverses a decision and restores what it took away (docs/product.md S21, S22).
select tests.elm();
select tests.post('trams', 'maya'), tests.post('buses', 'amara'), tests.comment('loud', 'jonas', 'buses');
select tests.comment('root', 'jonas', 'buses'), tests.comment('reply', 'maya', 'buses', 'root');
select tests.repost('again', 'jonas', 'buses');
select tests.discussion('talk', 'amara', 'elm'), tests.message('rude', 'maya', 'talk in elm');
update app.discussions set message_count = 1;
select tests.report('lena', p_post => 'trams'), tests.report('lena', p_post => 'again');
select tests.report('lena', p_comment => 'loud'), tests.report('lena', p_comment => 'root'),
  tests.report('amara', p_message => 'rude');
create temporary table before as
select (select jsonb_agg(to_jsonb(p) order by p.id) from app.posts as p) as posts,
  (select jsonb_agg(to_jsonb(c) order by c.id) from app.comments as c) as comments,
  (select jsonb_agg(to_jsonb(m) order by m.id) from app.messages as m) as messages,
  (select jsonb_agg(to_jsonb(d) order by d.id) from app.discussions as d) as discussions;
select tests.log_in_as('nina', 'staff_moderator');
select staff.remove_content(q.report_id, 'spam', 'It sells pills.') from staff.report_queue as q;
reset session authorization;
select is(comment_count, 1, 'a removed comment does not count at its post') from app.posts where id = tests.id('buses');
select is(
  repost_count, 0, 'a removed repost does not count at its original'
) from app.posts where id = tests.id('buses');
select is(count(*)::integer, 3, 'the content of removed comments and messages is kept') from app.removed_contents;
select pg_temp.appeal(person, target)
from (
  values ('maya', 'trams'), ('jonas', 'again'), ('jonas', 'loud'), ('jonas', 'root'), ('maya', 'rude')
) as c (person, target);
select tests.log_in_as('otto', 'staff_moderator');
select lives_ok(
  format($$ select staff.decide_appeal(pg_temp.decision_of(%L), 'reversed', 'It does not.') $$, target),
  'decide_appeal reverses the removal of ' || target
)
from unnest(array['trams', 'again', 'loud', 'root', 'rude']) as target;
reset session authorization;
select is(
  (select jsonb_agg(to_jsonb(p) order by p.id) from app.posts as p), posts, 'a reversal restores posts as they were'
) from before;
select is(
  (select jsonb_agg(to_jsonb(c) order by c.id) from app.comments as c), comments,
  'a reversal restores comments as they were'
) from before;
select is(
  (select jsonb_agg(to_jsonb(m) order by m.id) from app.messages as m), messages,
  'a reversal restores messages as they were'
) from before;
select is(
  (select jsonb_agg(to_jsonb(d) order by d.id) from app.discussions as d), discussions,
  'a reversal restores the counts of discussions'
)
from before;
select is_empty('select from app.removed_contents', 'nothing is kept of content that is restored');
select isnt_empty(
  $$ select from app.events where comment_id = tests.id('loud') $$,
  'a restored comment below a visible post notifies its author'
);

rollback to empty;

-- decide_appeal refuses who decided, and what is decided (docs/product.md S21).
select tests.elm();
select tests.post('trams', 'maya');
select tests.report('lena', p_post => 'trams');
select tests.log_in_as('nina', 'staff_moderator');
select staff.remove_content(q.report_id, 'spam', 'It sells pills.') from staff.report_queue as q;
reset session authorization;
select pg_temp.appeal('maya', 'trams');
select tests.log_in_as('otto', 'staff_moderator');
reset session authorization;
create role ninas_other login in role staff_moderator;
create role nobody_knows login in role staff_moderator;
select staff.admit('nina@opine.example', 'moderator', 'Has two.', 'ninas_other');
create function pg_temp.refusal_as(p_login text, p_outcome app.appeal_state, p_statement text)
returns text
language plpgsql
as $$
declare
  v_refusal text;
begin
  execute format('set local session authorization %I', p_login);
  v_refusal := tests.error_of(
    format('select staff.decide_appeal(%L, %L, %L)', pg_temp.decision_of('trams'), p_outcome, p_statement)
  ) ->> 'code';
  reset session authorization;
  return v_refusal;
end
$$;
update app.decisions set decided_by = 'nina';
select is(
  pg_temp.refusal_as('ninas_other', 'upheld', 'It does.'), 'FORBIDDEN',
  'who decided by a login before it had an e-mail may not decide the appeal by another login'
);
update app.decisions set decided_by = 'nina@opine.example';
select is(pg_temp.refusal_as(login, outcome, statement), expected, title)
from (values
  ('nina', 'upheld'::app.appeal_state, 'It does.', 'FORBIDDEN', 'who decided may not decide the appeal'),
  ('ninas_other', 'upheld', 'It does.', 'FORBIDDEN', 'who decided may not decide the appeal by another login'),
  ('nobody_knows', 'upheld', 'It does.', 'FORBIDDEN', 'a login without an e-mail decides no appeal'),
  ('otto', null, 'It does.', 'REASON_MISSING', 'an appeal is not decided without an outcome'),
  ('otto', 'open', 'It does.', 'REASON_MISSING', 'an appeal is not decided as open'),
  ('otto', 'upheld', ' ', 'REASON_MISSING', 'an appeal is not decided without a statement'),
  ('otto', 'upheld', 'It does.', null, 'another member of staff upholds a decision'),
  ('otto', 'reversed', 'It does not.', 'APPEAL_NOT_FOUND', 'a decided appeal is not decided again')
) as c (login, outcome, statement, expected, title);

-- prune_removed_contents erases what nobody can get back (docs/product.md S22).
set local session authorization opine_worker;
select app.prune_removed_contents();
reset session authorization;
select is_empty('select from app.posts', 'a post whose appeal has failed is erased');
select isnt_empty('select from app.decisions', 'the decision about an erased post stays');

rollback to empty;

-- prune_removed_contents erases after 180 days what nobody has appealed about (docs/product.md S22).
select tests.person(name) from unnest(array['maya', 'jonas', 'lena']) as name;
select tests.post('trams', 'maya'), tests.post('bikes', 'maya'), tests.post('boats', 'jonas');
select tests.comment('loud', 'maya', 'boats'), tests.report('lena', p_comment => 'loud');
select tests.report('lena', p_post => name) from unnest(array['trams', 'bikes']) as name;
select tests.log_in_as('nina', 'staff_moderator');
select staff.remove_content(q.report_id, 'spam', 'It sells pills.') from staff.report_queue as q;
reset session authorization;
select pg_temp.appeal('maya', 'bikes');

create function pg_temp.kept_after(p_offset interval)
returns text[]
language plpgsql
as $$
begin
  perform app.set_clock_offset(p_offset);
  set local session authorization opine_worker;
  perform app.prune_removed_contents();
  reset session authorization;
  return array(
    select p.thought_text from app.posts as p where p.removed_at is not null
    union all
    select k.body from app.removed_contents as k
    order by 1
  );
end
$$;

select is(
  pg_temp.kept_after('179 days 23 hours'), array['bikes', 'loud', 'trams'],
  'removed content stays while an appeal is possible'
);
select is(
  pg_temp.kept_after('180 days'), array['bikes'], 'removed content is erased after 180 days, unless an appeal is open'
);

rollback to empty;

-- While an appeal is open, who took the decision neither restores nor suspends anew (docs/product.md S21).
select tests.elm();
select tests.log_in_as('nina', 'staff_moderator');
select staff.suspend_user(tests.id('maya'), 'spam', 'She sells pills.');
select staff.suspend_hub(tests.id('elm'), 'spam', 'It sells pills.');
reset session authorization;
select tests.log_in_as('otto', 'staff_moderator');
reset session authorization;
create role nobody_knows login in role staff_moderator;
insert into app.appeals (decision_id, user_id, text)
select d.id, s.user_id, 'Look again.'
from app.decisions as d
join app.decision_subjects as s on s.decision_id = d.id
where s.user_id in (tests.id('maya'), tests.id('amara'));
create function pg_temp.refusal_of(p_login text, p_call text)
returns text
language plpgsql
as $$
declare
  v_refusal text;
begin
  execute format('set local session authorization %I', p_login);
  v_refusal := tests.error_of('select staff.' || p_call) ->> 'code';
  reset session authorization;
  return v_refusal;
end
$$;
create temporary table calls as
select format(call, tests.id(target)) as call, name
from (values
  ('restore_user(%L, ''It was me.'')', 'maya', 'restore the person'),
  ('suspend_user(%L, ''hate'', ''Again.'')', 'maya', 'suspend the person anew'),
  ('restore_hub(%L, ''It was me.'')', 'elm', 'restore the Hub'),
  ('suspend_hub(%L, ''hate'', ''Again.'')', 'elm', 'suspend the Hub anew')
) as c (call, target, name);
select is(pg_temp.refusal_of(login, call), 'FORBIDDEN', format('%s cannot %s while an appeal is open', who, name))
from calls
cross join (values ('nina', 'who decided'), ('nobody_knows', 'a login without an e-mail')) as logins (login, who);
select is(pg_temp.refusal_of('otto', call), null, format('another moderator can %s', name))
from calls
where call ~ '^restore';
select results_eq(
  'select distinct state::text, decided_by from app.appeals', $$ values ('reversed', 'otto@opine.example') $$,
  'a restoration by another moderator decides the appeal as reversed'
);
select is(pg_temp.refusal_of('nina', call), null, format('who decided can %s once the appeal is decided', name))
from calls
where call ~ '^suspend';

rollback to empty;

-- Once an appeal has failed, who took the decision restores again.
select tests.person('maya', 3);
select tests.log_in_as('nina', 'staff_moderator');
select staff.suspend_user(tests.id('maya'), 'spam', 'She sells pills.');
reset session authorization;
insert into app.appeals (decision_id, user_id, text) select d.id, tests.id('maya'), 'Look again.'
from app.decisions as d;
select tests.log_in_as('otto', 'staff_moderator');
select staff.decide_appeal(pg_temp.decision_of('maya'), 'upheld', 'She does.');
reset session authorization;
set local session authorization nina;
select lives_ok(
  $$ select staff.restore_user(tests.id('maya'), 'It was enough.') $$,
  'who decided restores the person once the appeal has failed'
);
reset session authorization;
select results_eq(
  'select state::text, statement from app.appeals', $$ values ('upheld', 'She does.') $$,
  'a restoration leaves a decided appeal as it is'
);

rollback to empty;

-- An appeal against a decision that was taken back changes nothing of a later decision.
select tests.person('maya', 3);
select tests.log_in_as('nina', 'staff_moderator');
select staff.suspend_user(tests.id('maya'), 'spam', 'She sells pills.');
select staff.restore_user(tests.id('maya'), 'A mistake.');
reset session authorization;
insert into app.appeals (decision_id, user_id, text) select d.id, tests.id('maya'), 'Look again.'
from app.decisions as d;
create temporary table first as select id, reversed_at - interval '1 hour' as reversed_at from app.decisions;
update app.decisions set reversed_at = reversed_at - interval '1 hour';
grant select on first to public;
set local session authorization nina;
select staff.suspend_user(tests.id('maya'), 'hate', 'Again.');
reset session authorization;
select tests.log_in_as('otto', 'staff_moderator');
select lives_ok(
  $$ select staff.decide_appeal(first.id, 'reversed', 'It was a mistake.') from first $$,
  'an appeal against a decision that was taken back is decided'
);
reset session authorization;
select isnt_empty(
  'select from app.suspensions', 'a reversal of a decision that was taken back does not end a later suspension'
);
select results_eq(
  'select d.reversed_at from app.decisions as d join first using (id)', 'select reversed_at from first',
  'a reversal keeps the time when a decision was taken back'
);
set local session authorization otto;
select staff.restore_user(tests.id('maya'), 'It was enough.');
reset session authorization;
select results_eq(
  'select d.reversed_at is not distinct from first.reversed_at from app.decisions as d left join first using (id) '
  'order by 1',
  array[false, true],
  'a restoration takes back the last decision, and keeps the time when an earlier one was taken back'
);

rollback to empty;

-- A login belongs to one e-mail, and acts as this person (docs/product.md S21).
select staff.admit('nina@opine.example', 'moderator', 'Has two.', 'ninas_other');
select results_eq(
  $$ select login, email from staff.logins where email = 'nina@opine.example' order by login $$,
  $$ values ('nina', 'nina@opine.example'), ('ninas_other', 'nina@opine.example') $$,
  'an e-mail may have several logins'
);
select is(
  tests.error_of($$ select staff.admit('otto@opine.example', 'moderator', 'Takes it.', 'nina') $$) ->> 'code',
  'VALIDATION_FAILED', 'a login of somebody is not given to somebody else'
);
select tests.log_in_as('ninas_other', 'staff_moderator');
select is(staff.actor(), 'nina@opine.example', 'a login acts as the e-mail that it belongs to');
reset session authorization;
select staff.dismiss('nina@opine.example', 'Leaves.');
select is_empty($$ select from staff.logins where login ~ '^nina' $$, 'who is dismissed keeps no login');

rollback to empty;

-- appeal_suspension has a rate limit of 60 an hour for each address (docs/product.md W26).
select tests.person(name), staff.suspend_user(tests.id(name), 'spam', 'It sells pills.')
from unnest(array['ann', 'ben', 'cleo']) as name;

create function pg_temp.error(p_person text, p_address text)
returns jsonb
language sql
return tests.error_of(format('select api.appeal_suspension(%L)', jsonb_build_object(
  'decisionId', app.suspension_of(tests.id(p_person)) -> 'decisionId', 'userId', tests.id(p_person),
  'text', 'Look again.', 'addressHash', p_address
)));

select app.consume_rate_limit('appeals', 'here', 60, interval '1 hour') from generate_series(1, 59);
select is(pg_temp.error('ann', 'here'), null, 'an address may appeal sixty times an hour');
select is(
  pg_temp.error('ben', 'here'), '{"state": "PT429", "code": "RATE_LIMITED", "details": {"retryAfterSeconds": 60}}',
  'the rate limit refuses the next appeal of an address for a minute'
);
select is(pg_temp.error('ben', 'elsewhere'), null, 'the rate limit of one address leaves another address its appeals');
select is(pg_temp.error('cleo', null), null, 'an appeal without an address has no rate limit');

select * from finish();
rollback;
