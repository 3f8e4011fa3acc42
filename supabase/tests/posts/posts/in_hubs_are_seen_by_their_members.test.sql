select plan(9);

select tests.elm();
select tests.person(name, 4) from unnest(array['ben', 'tom']) as name;
select tests.hub('ash', 'ben');
select tests.hub('oak', 'tom');
select tests.discussion('trams', 'jonas', 'elm');
select tests.placed('trams', 'ash');
select tests.discussion('bikes', 'tom', 'oak');

create function pg_temp.sees(p_name text)
returns boolean
language plpgsql
as $$
declare
  v_is_seen boolean;
begin
  perform tests.act_as(p_name);
  v_is_seen := exists (select from app.posts as p where p.id = tests.id('trams'));
  perform set_config('role', 'none', true);
  return v_is_seen;
end
$$;

select ok(pg_temp.sees('maya'), 'of one of them');
select ok(pg_temp.sees('ben'), 'or another');
select ok(not pg_temp.sees('lena'), 'an outsider does not see them');
select ok(not pg_temp.sees('tom'), 'a member of another Hub neither');
select app.end_membership(tests.id('elm'), tests.id('jonas')), app.end_membership(tests.id('elm'), tests.id('maya'));
select ok(pg_temp.sees('jonas'), 'who has left sees their own');
select ok(not pg_temp.sees('maya'), 'and no other''s');
select tests.block('ben', 'jonas');
select ok(not pg_temp.sees('ben'), 'people with a block between them see nothing of each other');
select ok(pg_temp.sees('amara'), 'by them alone');
select app.end_user(tests.id('jonas'));
select ok(not pg_temp.sees('amara'), 'what is of an ended account nobody sees');

select * from finish();
