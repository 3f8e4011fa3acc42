begin;
select plan(21);

create function pg_temp.appeal(p_person text, p_target text)
returns jsonb
language plpgsql
as $$
declare
  v_id uuid := (select d.id from app.decisions as d where d.target_id = tests.id(p_target) order by d.decided_at desc limit 1);
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

savepoint empty;

-- decide_appeal reverses a decision and restores what it took away.
select tests.elm();
select tests.post('trams', 'maya'), tests.post('buses', 'amara'), tests.comment('loud', 'jonas', 'buses');
select tests.comment('root', 'jonas', 'buses'), tests.comment('reply', 'maya', 'buses', 'root');
select tests.repost('again', 'jonas', 'buses');
select tests.discussion('talk', 'amara', 'elm'), tests.message('rude', 'maya', 'talk in elm');
update app.discussions set message_count = 1;
select tests.report('lena', p_post => 'trams'), tests.report('lena', p_post => 'again');
select tests.report('lena', p_comment => 'loud'), tests.report('lena', p_comment => 'root'), tests.report('amara', p_message => 'rude');
create temporary table before as
select (select jsonb_agg(to_jsonb(p) order by p.id) from app.posts as p) as posts,
  (select jsonb_agg(to_jsonb(c) order by c.id) from app.comments as c) as comments,
  (select jsonb_agg(to_jsonb(m) order by m.id) from app.messages as m) as messages,
  (select jsonb_agg(to_jsonb(d) order by d.id) from app.discussions as d) as discussions;
select tests.log_in_as('nina', 'staff_moderator');
select staff.remove_content(q.report_id, 'spam', 'It sells pills.') from staff.report_queue as q;
reset session authorization;
select is(comment_count, 1, 'a removed comment does not count at its post') from app.posts where id = tests.id('buses');
select is(repost_count, 0, 'a removed repost does not count at its original') from app.posts where id = tests.id('buses');
select is(count(*)::integer, 3, 'the content of removed comments and messages is kept') from app.removed_contents;
select pg_temp.appeal(person, target)
from (values ('maya', 'trams'), ('jonas', 'again'), ('jonas', 'loud'), ('jonas', 'root'), ('maya', 'rude')) as c (person, target);
select tests.log_in_as('otto', 'staff_moderator');
select lives_ok(
  format($$ select staff.decide_appeal(pg_temp.decision_of(%L), 'reversed', 'It does not.') $$, target), 'decide_appeal reverses the removal of ' || target
)
from unnest(array['trams', 'again', 'loud', 'root', 'rude']) as target;
reset session authorization;
select is((select jsonb_agg(to_jsonb(p) order by p.id) from app.posts as p), posts, 'a reversal restores posts as they were') from before;
select is((select jsonb_agg(to_jsonb(c) order by c.id) from app.comments as c), comments, 'a reversal restores comments as they were') from before;
select is((select jsonb_agg(to_jsonb(m) order by m.id) from app.messages as m), messages, 'a reversal restores messages as they were') from before;
select is(
  (select jsonb_agg(to_jsonb(d) order by d.id) from app.discussions as d), discussions, 'a reversal restores the counts of discussions'
)
from before;
select is_empty('select from app.removed_contents', 'nothing is kept of content that is restored');

rollback to empty;

-- decide_appeal refuses who decided, and what is decided.
select tests.elm();
select tests.post('trams', 'maya');
select tests.report('lena', p_post => 'trams');
select tests.log_in_as('nina', 'staff_moderator');
select staff.remove_content(q.report_id, 'spam', 'It sells pills.') from staff.report_queue as q;
reset session authorization;
select pg_temp.appeal('maya', 'trams');
select tests.log_in_as('otto', 'staff_moderator');
reset session authorization;
create function pg_temp.refusal_as(p_login text, p_outcome app.appeal_state, p_statement text)
returns text
language plpgsql
as $$
declare
  v_refusal text;
begin
  execute format('set local session authorization %I', p_login);
  v_refusal := tests.error_of(format('select staff.decide_appeal(%L, %L, %L)', pg_temp.decision_of('trams'), p_outcome, p_statement)) ->> 'code';
  reset session authorization;
  return v_refusal;
end
$$;
select is(pg_temp.refusal_as(login, outcome, statement), expected, title)
from (values
  ('nina', 'upheld'::app.appeal_state, 'It does.', 'FORBIDDEN', 'who decided may not decide the appeal'),
  ('otto', null, 'It does.', 'REASON_MISSING', 'an appeal is not decided without an outcome'),
  ('otto', 'open', 'It does.', 'REASON_MISSING', 'an appeal is not decided as open'),
  ('otto', 'upheld', ' ', 'REASON_MISSING', 'an appeal is not decided without a statement'),
  ('otto', 'upheld', 'It does.', null, 'another member of staff upholds a decision'),
  ('otto', 'reversed', 'It does not.', 'APPEAL_NOT_FOUND', 'a decided appeal is not decided again')
) as c (login, outcome, statement, expected, title);

-- prune_removed_contents erases what nobody can get back.
set local session authorization opine_worker;
select app.prune_removed_contents();
reset session authorization;
select is_empty('select from app.posts', 'a post whose appeal has failed is erased');
select isnt_empty('select from app.decisions', 'the decision about an erased post stays');

select * from finish();
rollback;
