select plan(2);

select tests.person('maya', 3);
select tests.session('maya');
set local session authorization opine_gateway;
create temporary table answers as
select gateway.invoke('create_post', tests.claims('maya'), '{"thoughtText": "Trams", "visibility": "public"}')::jsonb as post;
reset session authorization;

select is(post ->> 'thoughtText', 'Trams', 'the operation''s data come back as JSON text') from answers;
select is(p.author_id, tests.id('maya'), 'what was written is the caller''s')
from answers
join app.posts as p on p.id = (post ->> 'id')::uuid;

select * from finish();
