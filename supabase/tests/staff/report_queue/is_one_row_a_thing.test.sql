select plan(7);

select tests.elm();
select tests.post('trams', 'maya'), tests.comment('loud', 'jonas', 'trams');
select tests.report('amara', p_comment => 'loud'), tests.report('lena', p_comment => 'loud');
select tests.report('amara', p_user => 'jonas'), tests.report('lena', p_hub => 'elm'), tests.report('jonas', p_post => 'trams');
update app.reports set details = 'She shouts.' where reporter_id = tests.id('lena') and comment_id is not null;
select tests.log_in_as('nina', 'staff_moderator');

select bag_eq(
  'select target_kind, target_name, report_count, claimed_by from staff.report_queue',
  $$ values ('comment', 'jonas', 2::bigint, null), ('user', 'jonas', 1, null), ('hub', 'elm', 1, null), ('post', 'maya', 1, null) $$,
  'all reports of a thing are decided at once'
);
select results_eq($$ select remarks from staff.report_queue where target_kind = 'comment' $$, $$ values (array['She shouts.']) $$, 'with what reporters wrote');
select is(content, (select c.content from staff.reports as c where c.target_kind = 'comment' limit 1), 'with what it says')
from staff.report_queue where target_kind = 'comment' and content <> '';
reset session authorization;
delete from app.posts where id = tests.id('trams');
set local session authorization nina;
select results_eq(
  $$ select target_kind, content from staff.report_queue where target_kind in ('post', 'comment') order by 1 $$, $$ values ('comment', ''), ('post', '') $$,
  'what is gone stays there to be decided'
);
select staff.claim_report(report_id) from staff.report_queue where target_kind = 'user';
select results_eq($$ select claimed_by from staff.report_queue where target_kind = 'user' $$, array['nina'], 'it says who looks into it');
reset session authorization;
select app.set_clock_offset('1 hour');
set local session authorization nina;
select is_empty('select from staff.report_queue where claimed_by is not null', 'for an hour');
reset session authorization;
update app.reports set state = 'closed';
select is_empty('select from staff.report_queue', 'and what is decided is gone from it');

select * from finish();
