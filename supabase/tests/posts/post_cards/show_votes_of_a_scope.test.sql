select plan(9);

select tests.elm();
select tests.hub('oak', 'jonas');
select tests.slider('trams', 'lena');
select tests.slider('locked', 'lena', 'private_locked_hub');
select tests.post('no slider', 'lena', 'private_locked_hub');
select tests.placed('trams', 'elm'), tests.placed('no slider', 'elm');
select tests.placed('locked', 'elm', app.now() - interval '1 hour'), tests.placed('locked', 'oak');
select tests.vote('jonas', 'trams', 'right'), tests.vote('lena', 'trams', 'left'), tests.vote('maya', 'locked', 'neutral'), tests.vote('jonas', 'locked', 'left');

create function pg_temp.votes(p_post text, p_hub text default null)
returns text
language sql
as $$
  select format(
    '%s %s%s', coalesce((select h.name from app.hubs as h where h.id = (c.card #>> '{voteScope,hubId}')::uuid), c.card #>> '{voteScope,type}'),
    c.card #>> '{voteSummary,totalVotes}', ' of which left ' || (c.card #>> '{voteDistribution,1,count}')
  )
  from app.post_cards(tests.ids(p_post), tests.id(p_hub)) as c
$$;

select tests.act_as('jonas');
select is(pg_temp.votes('trams'), 'global 2 of which left 1', 'those of everybody on a public post');
select is(pg_temp.votes('trams', 'elm'), 'elm 1 of which left 0', 'or of the Hub whose are asked for');
select is(pg_temp.votes('trams', 'oak'), 'oak 0', 'in which it need not be');
select is(pg_temp.votes('locked'), 'elm 2 of which left 1', 'on a private post those of the first of the viewer''s Hubs');
select is(pg_temp.votes('locked', 'oak'), 'oak 1 of which left 1', 'or of that asked for');
select is((select card -> 'voteScope' from app.post_cards(tests.ids('no slider'), tests.id('elm'))), 'null', 'none without a slider');
select tests.act_as('maya');
select is(pg_temp.votes('locked', 'oak'), 'oak 0', 'of a Hub that is not theirs nobody sees any');
select tests.act_as('lena');
select is(pg_temp.votes('locked'), 'global 0', 'an author who is in none of them sees none');
select tests.act_as_guest();
select is(pg_temp.votes('trams'), 'global 2', 'a guest those of everybody');

select * from finish();
