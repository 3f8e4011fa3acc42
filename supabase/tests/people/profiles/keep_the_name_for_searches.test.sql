select plan(2);

select tests.named('zoe', 'Zoë ÅNGSTRÖM');
select is(search_name, 'zoe angstrom', 'as it is compared') from app.profiles;
update app.profiles set full_name = 'Zoé Müller';
select is(search_name, 'zoe muller', 'and as it is now') from app.profiles;

select * from finish();
