select plan(1);

insert into app.users (id) select tests.id(n::text) from generate_series(1, 501) as n;
insert into app.profiles (user_id, username, full_name)
select tests.id(n::text), 'user_' || n, 'Katarina' from generate_series(1, 501) as n;
select tests.act_as_guest();
select is(count(*)::integer, 500, 'of very many, as many are ranked as does not take long')
from app.find_people('katharina', app.decode_hit(null), 1000);

select * from finish();
