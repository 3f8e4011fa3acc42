select plan(8);

select tests.elm();

-- As admin, whom every policy would let.
select tests.act_as('amara');
reset role;
select is_empty(
  $$ select tests.who_may('insert into app.memberships (hub_id, user_id, role) select tests.id(''elm''), tests.id(''lena''), ''member''') $$,
  'no role makes anybody a member'
);
select is_empty(
  $$ select tests.who_may('update app.memberships set role = ''admin''') $$, 'or gives them another role'
);
select is_empty($$ select tests.who_may('update app.memberships set user_id = tests.id(''lena'')') $$, 'or passes a membership on');
select is_empty($$ select tests.who_may('update app.memberships set hub_id = tests.id(''oak'')') $$, 'or takes it elsewhere');
select is_empty($$ select tests.who_may('delete from app.memberships') $$, 'or ends it');

create function pg_temp.with_text(p_pattern text)
returns setof text
language sql
as $$ select signature from tests.our_functions where definition ~ p_pattern $$;

-- Whoever adds one says why in its review.
select bag_eq(
  $$ select pg_temp.with_text('insert into app\.memberships') $$, array['app.found_hub(text,text,text,uuid)', 'app.become_member(uuid,uuid)', 'staff.restore_hub(uuid,text)'],
  'two functions make a member, and one brings those of a suspended Hub back'
);
select bag_eq(
  $$ select pg_temp.with_text('perform app\.become_member') $$,
  array['app.accept_invitation(uuid)', 'app.decide_join_request(uuid,uuid,app.join_request_state)'],
  'and two moves lead to a Hub that is there: an admin''s invitation, and an admin''s approval'
);
select bag_eq(
  $$ select pg_temp.with_text('(delete from app\.memberships|update app\.memberships[^;]* role =)') $$,
  array['app.end_membership(uuid,uuid)', 'app.change_role(uuid,uuid,app.hub_role,uuid)', 'staff.suspend_hub(uuid,text)'],
  'one function ends a membership, one changes the role, one takes those of a Hub aside'
);

select * from finish();
