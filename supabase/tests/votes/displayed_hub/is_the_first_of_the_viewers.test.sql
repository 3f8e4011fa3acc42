select plan(11);

select tests.elm();
select tests.hub(name, 'jonas') from unnest(array['oak', 'fir']) as name;
select tests.hub('ash', 'amara');
select tests.slider(name, 'lena', 'private_locked_hub') from unnest(array['locked', 'at once', 'elsewhere']) as name;
select tests.slider('public', 'lena');
select tests.slider('in hub', 'lena', 'public_hub');
select tests.placed('locked', 'ash', app.now() - interval '3 hours'), tests.placed('locked', 'fir', app.now() - interval '2 hours');
select tests.placed('locked', 'elm', app.now() - interval '1 hour'), tests.placed('locked', 'oak');
select tests.placed('at once', hub) from unnest(array['elm', 'oak', 'fir']) as hub;
select tests.placed('elsewhere', 'oak', app.now() - interval '1 day'), tests.placed('elsewhere', 'elm');
select tests.placed(post, 'elm') from unnest(array['public', 'in hub']) as post;

create function pg_temp.displayed(p_post text, p_hub text default null)
returns text
language sql
as $$
  select (select h.name from app.hubs as h where h.id = app.displayed_hub(p, tests.id(p_hub))) from app.posts as p where p.id = tests.id(p_post)
$$;

select tests.act_as('jonas');
select is(pg_temp.displayed('locked'), 'fir', 'of a private post that where it was first, of the viewer''s Hubs');
select tests.without_indexes();
select is(
  app.displayed_hub(p, null), (select id from unnest(tests.ids('elm', 'oak', 'fir')) as id order by id limit 1), 'or the first by its id'
) from app.posts as p where p.id = tests.id('at once');
select is(pg_temp.displayed('elsewhere'), 'oak', 'each post by itself');
select is(pg_temp.displayed('locked', 'oak'), 'oak', 'or that which they ask for');
select is(pg_temp.displayed('public'), null, 'of a public one none');
select is(pg_temp.displayed('in hub'), null, 'though it is in a Hub');
select is(pg_temp.displayed('in hub', 'elm'), 'elm', 'unless they ask for it');
select tests.act_as('maya');
select is(pg_temp.displayed('locked'), 'elm', 'to each member of theirs');
select tests.act_as('lena');
select is(pg_temp.displayed('locked'), null, 'to an author who is in none of them none');
select tests.act_as_guest();
select is(pg_temp.displayed('public'), null, 'and none to guests');
reset role;
select is(pg_temp.displayed('locked'), null, 'not even where placements are read past their policies');

select * from finish();
