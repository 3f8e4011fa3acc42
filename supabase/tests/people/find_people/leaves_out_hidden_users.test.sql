select plan(10);

-- One of each tier.
select tests.named('vera', 'One');
select tests.named('first', 'Vera Two');
select tests.named('last', 'Two Vera');
select tests.named('verra', 'Three');
select tests.person('jonas');
select tests.person('lena');
select tests.person('maya');
select tests.block('jonas', tier) from unnest(array['vera', 'first', 'last', 'verra']) as tier;
select tests.block(tier, 'lena') from unnest(array['vera', 'first', 'last', 'verra']) as tier;

select tests.act_as('maya');
select is(tests.search('vera'), '{vera,first,last,verra}', 'others find everybody');
select tests.act_as_guest();
select is(tests.search('vera'), '{vera,first,last,verra}', 'and so does a guest');
select tests.act_as('jonas');
select is(tests.search('vera'), '{}', 'who has blocked them finds none of them');
select tests.act_as('lena');
select is(tests.search('vera'), '{}', 'and neither does whoever they have blocked');
select is_empty(
  format('select from app.find_people(%L, app.decode_hit(null), 10)', query), 'not by ' || query
)
from unnest(array['vera', 'verra']) as query;
select tests.act_as('vera');
select is(tests.search('jonas'), '{}', 'who is blocked does not find who has blocked them');
select is(tests.search('lena'), '{}', 'nor whom they have blocked');
reset role;
insert into app.suspensions (user_id) select tests.id(tier) from unnest(array['vera', 'first', 'last', 'verra']) as tier;
select tests.act_as('maya');
select is(tests.search('vera'), '{}', 'nobody finds suspended people, in any tier');
reset role;
delete from app.suspensions;
select tests.act_as('maya');
select is(tests.search('vera'), '{vera,first,last,verra}', 'and everybody does once they are restored');

select * from finish();
